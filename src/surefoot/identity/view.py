"""A capture as identity sees it: local identity, ancestry, scroll region, items and their labels.

Record and replay ask the same view the same questions, so the two sides cannot drift apart (seed 0012,
decision 3; identity.md 1 to 3, 7). Strings are normalised by the tree and cut as the writer cuts them
(256 UTF-8 bytes, on a code point).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from surefoot.identity.codec import MAX_ANCESTRY, MAX_STRING_BYTES
from surefoot.identity.model import Ancestor, RegionKey, TargetEvidence
from surefoot.selectors import written_id
from surefoot.text import truncate_utf8
from surefoot.tree import ITEM_ROLES, Node, Tree, canonical_role

GENERIC = "generic"
DOCUMENT = "document"

# A label of one of these is a control's: it names an action, not the record it acts on (identity.md 1).
CONTROL_ROLES = frozenset(
    {
        "button",
        "checkbox",
        "combobox",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "radio",
        "searchbox",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "textbox",
    }
)


def bounded(text: str) -> str:
    """``text`` as the writer cuts it, so that both sides compare the same string."""
    return truncate_utf8(text, MAX_STRING_BYTES)


def says_something(label: str) -> bool:
    """Whether a label can tell one thing from another by more than a number that changes.

    At least two letters, and no blank-separated word with digits and no letter: ``40 items``,
    ``May 12`` and ``$5.84`` are numbers in words, ``song.mp3`` is not (identity.md 1).
    """
    if sum(map(str.isalpha, label)) < 2:
        return False
    if label.isalpha():
        return True
    return not any(
        any(map(str.isdigit, word)) and not any(map(str.isalpha, word)) for word in label.split()
    )


class IdentityView:
    """One tree's answers. Build it once per capture: everything derived is computed on first use."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.memo: dict[tuple[str, int], tuple[tuple[int, int, str], ...]] = {}
        """What section.py has found of a container, by what it looked for and the node's index."""
        self.signs: dict[tuple[int, int], frozenset[str]] = {}
        """What signs.py has found of a node's record, by both indexes."""
        self.bearers: dict[str, dict[str, list[int]]] = {}
        """Which nodes bear a sign, by its kind and how it is written (signs.py)."""

    def durable_id(self, node: Node) -> str | None:
        """The id that identifies the node in this capture; ``None`` when it has none to write."""
        return written_id(self.tree, node)

    def label(self, node: Node) -> str | None:
        """The node's normalised, bounded label; ``None`` when it is empty."""
        return bounded(self.tree.labels[node.index]) or None

    def author_label(self, node: Node) -> str | None:
        """The only name an ancestor contributes; a document's own name never counts."""
        if node.role == DOCUMENT:
            return None
        return bounded(self.tree.author_labels[node.index]) or None

    def is_nameless(self, node: Node) -> bool:
        """Whether the node has neither an id to go by nor a label (amendment 1280)."""
        return self.durable_id(node) is None and not self.tree.labels[node.index]

    def is_skipped(self, node: Node) -> bool:
        """Whether structure does not count the node: a ``generic`` without an author-given name."""
        return node.role == GENERIC and not self.tree.author_labels[node.index]

    # -- the identity tier -------------------------------------------------------------------------

    def structural_ancestors(self, node: Node) -> Iterator[Node]:
        """The ancestors that count as structure, from the nearest up."""
        return (ancestor for ancestor in self.tree.ancestors(node) if not self.is_skipped(ancestor))

    def structural_parent(self, node: Node) -> Node | None:
        """The nearest ancestor that counts as structure."""
        return next(self.structural_ancestors(node), None)

    def ancestry(self, node: Node, limit: int = MAX_ANCESTRY) -> tuple[Ancestor, ...]:
        """The nearest ``limit`` structural ancestors, leaf to root."""
        entries: list[Ancestor] = []
        for ancestor in self.structural_ancestors(node):
            if len(entries) == limit:
                break
            entries.append(Ancestor(role=ancestor.role, label=self.author_label(ancestor)))
        return tuple(entries)

    def shares_local_identity(self, evidence: TargetEvidence, node: Node) -> bool:
        """Seed 0012, "Local identity": equal ids, else equal role and label."""
        if evidence.id is not None:
            return bounded(self.tree.ids[node.index]) == evidence.id
        return node.role == canonical_role(evidence.role) and self.label(node) == evidence.label

    def first_ancestry_mismatch(self, evidence: TargetEvidence, node: Node) -> int | None:
        """The recorded entry that the node's ancestry fails first; ``None`` when all match.

        A leaf-anchored prefix match: roles equal, and labels where the recording has one. Entries
        that structure does not count are passed over on both sides. Evidence of another tool may
        carry an ancestor's full name, so there either name matches.
        """
        foreign = evidence.peers is None
        observed = self.structural_ancestors(node)
        for index, entry in enumerate(evidence.ancestry):
            role = canonical_role(entry.role) if entry.role else ""
            if role == GENERIC and entry.label is None:
                continue
            ancestor = next(observed, None)
            if ancestor is None or ancestor.role != role:
                return index
            names = (self.author_label(ancestor), self.label(ancestor) if foreign else None)
            if entry.label is not None and entry.label not in names:
                return index
        return None

    def carries_identity(self, evidence: TargetEvidence, node: Node) -> bool:
        """Whether the node has the recorded local identity and ancestry prefix."""
        return (
            self.shares_local_identity(evidence, node)
            and self.first_ancestry_mismatch(evidence, node) is None
        )

    def identity_set(self, evidence: TargetEvidence) -> tuple[Node, ...]:
        """*I₀*: every node of the whole observation that carries the recorded identity."""
        return tuple(
            self.tree[index]
            for index in self._candidates(evidence)
            if self.carries_identity(evidence, self.tree[index])
        )

    def _candidates(self, evidence: TargetEvidence) -> Sequence[int]:
        """A superset of the nodes that share the local identity, from the tree's own indexes."""
        if evidence.id is not None:
            if _may_be_cut(evidence.id):
                return range(len(self.tree))
            return self.tree.by_id.get(evidence.id, ())
        if evidence.label is None or _may_be_cut(evidence.label):
            return self.tree.by_role.get(canonical_role(evidence.role), ())
        return self.tree.by_label.get(evidence.label, ())

    # -- scroll regions ----------------------------------------------------------------------------

    def region_key(self, node: Node) -> RegionKey | None:
        """The local identity of the node's nearest scrollable ancestor; ``None`` when it has none."""
        region = self.tree.scroll_region(node)
        if region is None:
            return None
        id = self.durable_id(region)
        label = None if id is not None else self.author_label(region)
        return RegionKey(role=region.role, id=id, label=label)

    def in_region(self, node: Node, key: RegionKey | None) -> bool:
        """Whether the node lies in the partition ``key`` names (the *none* partition for None)."""
        region = self.tree.scroll_region(node)
        return region is None if key is None else region is not None and self.is_region(region, key)

    def is_region(self, region: Node, key: RegionKey) -> bool:
        """Whether a scrollable node is the one ``key`` names."""
        if key.id is not None:
            return bounded(self.tree.ids[region.index]) == key.id
        if region.role != canonical_role(key.role):
            return False
        return key.label in (self.author_label(region), self.label(region)) or (
            key.label is None and self.author_label(region) is None
        )

    def in_viewport_order(self, nodes: Sequence[Node]) -> list[Node]:
        """By rect centre top to bottom, then left to right; ties and rect-less last, document order."""
        return sorted(nodes, key=_by_centre)

    # -- labels ------------------------------------------------------------------------------------

    def is_usable(self, node: Node) -> bool:
        """Whether the node's label can key an item or mark a place (identity.md 1)."""
        label = self.tree.labels[node.index]
        return bool(label) and node.role not in CONTROL_ROLES and says_something(label)

    def is_item_role(self, node: Node) -> bool:
        return node.role in ITEM_ROLES

    def holds_label(self, container: Node, label: str) -> bool:
        """Whether a node below ``container`` can have this label as it was written: quick to deny."""
        if _may_be_cut(label):
            return True
        indexes = self.tree.by_label.get(label, ())
        at = bisect_right(indexes, container.index)
        return at < len(indexes) and indexes[at] < self.tree.subtree_ends[container.index]

    def inside_item(self, item: Node, target: Node | None) -> Iterator[Node]:
        """The labelled nodes of an item, in document order, that may key it.

        Outside the target's subtree and outside nested items, the target's own role and label left out.
        """
        tree = self.tree
        own = (target.role, tree.labels[target.index]) if target is not None else None
        index, end = item.index + 1, tree.subtree_ends[item.index]
        while index < end:
            node = tree[index]
            if node is target or self.is_item_role(node):
                index = tree.subtree_ends[index]
                continue
            index += 1
            label = tree.labels[node.index]
            if label and (node.role, label) != own:
                yield node


def _by_centre(node: Node) -> tuple[bool, float, float, int]:
    if node.rect is None:
        return (True, 0.0, 0.0, node.index)
    x, y = node.rect.center
    return (False, y, x, node.index)


def _may_be_cut(text: str) -> bool:
    """Whether a longer observed string could have been cut to ``text``."""
    return len(text.encode("utf-8", "surrogatepass")) > MAX_STRING_BYTES - 4
