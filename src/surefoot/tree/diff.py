"""What differs between two captures: nodes added, removed, changed.

Nodes are matched by handle where both captures are of the same document, else by identity: role,
label, id and the roles on the path to the root, occurrences in document order. Geometry is no
difference. Linear in the size of both trees.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from msgspec import Struct

from surefoot.tree.model import Node
from surefoot.tree.tree import Tree

FieldValue = str | bool | int | None

FIELDS: tuple[tuple[str, Callable[[Node], FieldValue]], ...] = (
    ("role", lambda node: node.role),
    ("label", lambda node: node.label),
    ("value", lambda node: node.value),
    ("hasValue", lambda node: node.has_value),
    ("id", lambda node: node.id),
    ("enabled", lambda node: node.enabled),
    ("visible", lambda node: node.visible),
    ("hittable", lambda node: node.hittable),
    ("editable", lambda node: node.editable),
    ("readonly", lambda node: node.readonly),
    ("required", lambda node: node.required),
    ("focused", lambda node: node.focused),
    ("selected", lambda node: node.selected),
    ("checked", lambda node: node.checked),
    ("expanded", lambda node: node.expanded),
    ("level", lambda node: node.level),
    ("covered", lambda node: node.covered_by is not None),
    ("opaque", lambda node: node.opaque),
)
"""What is compared, in the order it is told. ``hasValue`` stands in for a password's content."""


class FieldChange(Struct, frozen=True):
    """One field of one node, before and after."""

    field: str
    before: FieldValue
    after: FieldValue


class NodeChange(Struct, frozen=True):
    """One node that is in both captures and not the same; both sides are given."""

    before: Node
    after: Node
    fields: tuple[FieldChange, ...]


class TreeDiff(Struct, frozen=True, kw_only=True):
    """``added`` and ``changed`` are in document order of the later tree, ``removed`` of the earlier.

    The totals count everything, the tuples hold at most the limit asked for.
    """

    added: tuple[Node, ...]
    removed: tuple[Node, ...]
    changed: tuple[NodeChange, ...]
    added_total: int
    removed_total: int
    changed_total: int
    unchanged: int

    @property
    def empty(self) -> bool:
        return not (self.added_total or self.removed_total or self.changed_total)

    @property
    def truncated(self) -> bool:
        """Whether something differs that the tuples do not hold."""
        return (
            len(self.added) < self.added_total
            or len(self.removed) < self.removed_total
            or len(self.changed) < self.changed_total
        )


def diff_trees(
    before: Tree,
    after: Tree,
    *,
    same_document: bool = True,
    relevant: Callable[[Node], bool] | None = None,
    limit: int | None = None,
) -> TreeDiff:
    """Compare two captures.

    ``same_document`` says whether handles of the two name the same elements; where they do not meet,
    identity decides in either case. ``relevant`` keeps nodes out of the answer (not of the matching)
    for which it is false on the side or sides they are on. ``limit`` bounds each of the three tuples.
    """
    pairs, removed, added = _match(before, after, same_document)
    keep = relevant if relevant is not None else _everything
    changed: list[NodeChange] = []
    unchanged = 0
    for old, new in pairs:
        fields = () if old is new or _state(old) == _state(new) else _changes(old, new)
        if not fields:
            unchanged += 1
        elif keep(old) or keep(new):
            changed.append(NodeChange(old, new, fields))
    added = [node for node in added if keep(node)]
    removed = [node for node in removed if keep(node)]
    return TreeDiff(
        added=tuple(added[:limit]),
        removed=tuple(removed[:limit]),
        changed=tuple(changed[:limit]),
        added_total=len(added),
        removed_total=len(removed),
        changed_total=len(changed),
        unchanged=unchanged,
    )


def _everything(_node: Node) -> bool:
    return True


def _state(node: Node) -> tuple[FieldValue, ...]:
    """Exactly what ``FIELDS`` reads, in one go: most nodes are equal, and this is the hot path."""
    return (
        node.role,
        node.label,
        node.value,
        node.has_value,
        node.id,
        node.enabled,
        node.visible,
        node.hittable,
        node.editable,
        node.readonly,
        node.required,
        node.focused,
        node.selected,
        node.checked,
        node.expanded,
        node.level,
        node.covered_by is not None,
        node.opaque,
    )


def _changes(old: Node, new: Node) -> tuple[FieldChange, ...]:
    return tuple(
        FieldChange(name, read(old), read(new)) for name, read in FIELDS if read(old) != read(new)
    )


def _match(
    before: Tree, after: Tree, same_document: bool
) -> tuple[list[tuple[Node, Node]], list[Node], list[Node]]:
    """Pairs in document order of ``after``, then what is left of ``before`` and of ``after``."""
    partner: dict[int, Node] = {}
    taken: set[int] = set()
    if same_document:
        known = before.by_handle
        for node in after.nodes:
            old = known.get(node.handle)
            if old is not None and old.index not in taken and old.role == node.role:
                partner[node.index] = old
                taken.add(old.index)
    if len(partner) < len(after):
        paths: dict[tuple[int, str], int] = {}
        old_paths = _paths(before, paths)
        new_paths = _paths(after, paths)
        for loose in (False, True):
            _pair_up(before, after, old_paths, new_paths, partner, taken, loose=loose)
    pairs = [(partner[node.index], node) for node in after.nodes if node.index in partner]
    removed = [node for node in before.nodes if node.index not in taken]
    added = [node for node in after.nodes if node.index not in partner]
    return pairs, removed, added


def _paths(tree: Tree, numbers: dict[tuple[int, str], int]) -> list[int]:
    """For each node a number for the roles on its path from the root, its own included."""
    found: list[int] = []
    for node in tree.nodes:
        above = found[node.parent] if node.parent >= 0 else -1
        found.append(numbers.setdefault((above, node.role), len(numbers)))
    return found


def _pair_up(
    before: Tree,
    after: Tree,
    old_paths: list[int],
    new_paths: list[int],
    partner: dict[int, Node],
    taken: set[int],
    *,
    loose: bool,
) -> None:
    """Pair what is left by path, label and id; ``loose`` by path and id, for nodes that have an id."""
    waiting: dict[tuple[int, str, str], deque[Node]] = {}
    for old, path, label, node_id in _open(before, old_paths, taken):
        if not loose or node_id:
            waiting.setdefault((path, "" if loose else label, node_id), deque()).append(old)
    for new, path, label, node_id in _open(after, new_paths, partner):
        if loose and not node_id:
            continue
        queue = waiting.get((path, "" if loose else label, node_id))
        if queue:
            old = queue.popleft()
            partner[new.index] = old
            taken.add(old.index)


def _open(
    tree: Tree, paths: list[int], done: set[int] | dict[int, Node]
) -> Iterable[tuple[Node, int, str, str]]:
    labels = tree.labels
    ids = tree.ids
    return [
        (node, paths[node.index], labels[node.index], ids[node.index])
        for node in tree.nodes
        if node.index not in done
    ]
