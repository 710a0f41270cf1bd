"""What differs between two captures: nodes added, removed, changed.

Nodes are matched by handle where both captures are of the same document, else by what they say and
where they stand, record by record. Geometry is no difference. Linear in the size of both trees but
for one sort.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable
from itertools import islice

from msgspec import Struct

from surefoot.tree.model import Node
from surefoot.tree.tree import Tree

FieldValue = str | bool | int | None

MAX_PASSED = 16
"""How many nodes of one name and place are looked at for a partner in the same record."""

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
    ("marks", lambda node: ", ".join(node.marks) or None),
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
    matching = _Matching(before, after, same_document=same_document)
    partner, taken = matching.partner, matching.taken
    pairs = [(before.nodes[partner[n.index]], n) for n in after.nodes if n.index in partner]
    removed = [node for node in before.nodes if node.index not in taken]
    added = [node for node in after.nodes if node.index not in partner]
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


def _state(node: Node) -> tuple[object, ...]:
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
        node.marks,
    )


def _changes(old: Node, new: Node) -> tuple[FieldChange, ...]:
    return tuple(
        FieldChange(name, read(old), read(new)) for name, read in FIELDS if read(old) != read(new)
    )


def _anything(_index: int) -> bool:
    return True


class _Matching:
    """Which node of the later tree is which of the earlier one, found from the sure to the likely.

    Elements that are still there keep their handle. What was drawn anew is paired record by record:
    first what is the same with all that is in it, then from the root down, where a node goes with one
    of the children of its parent's partner or, by itself, with one of the same name and place. It is
    never paired across two records that have partners of their own: the third cell of one row is not
    that of another, even where they say the same.
    """

    def __init__(self, before: Tree, after: Tree, *, same_document: bool) -> None:
        self.before = before
        self.after = after
        self.partner: dict[int, int] = {}
        """From an index in the later tree to one in the earlier."""
        self.taken: dict[int, int] = {}
        if same_document:
            self._by_handle()
        if len(self.partner) < len(after):
            self._by_content()

    def _pair(self, old: int, new: int) -> None:
        self.partner[new] = old
        self.taken[old] = new

    def _by_handle(self) -> None:
        known = self.before.by_handle
        for node in self.after.nodes:
            old = known.get(node.handle)
            if old is not None and old.index not in self.taken and old.role == node.role:
                self._pair(old.index, node.index)

    def _by_content(self) -> None:
        numbers: dict[object, int] = {}
        old = _Drawn(self.before, self.taken, numbers)
        new = _Drawn(self.after, self.partner, numbers)
        self._whole_records(old, new)
        for last in (False, True):
            self._downward(old, new, last=last)

    def _whole_records(self, old: _Drawn, new: _Drawn) -> None:
        """Pair subtrees that are the same throughout and hold two names at least, the largest first."""
        waiting = _Queues(((old.paths[i], old.contents[i]), i) for i in old.records)
        for i in sorted(new.records, key=lambda i: i - self.after.subtree_ends[i]):
            if i in self.partner:
                continue
            found = waiting.next((new.paths[i], new.contents[i]), self.taken)
            if found is not None:
                for inner in range(self.after.subtree_ends[i] - i):
                    if found + inner not in self.taken and i + inner not in self.partner:
                        self._pair(found + inner, i + inner)

    def _downward(self, old: _Drawn, new: _Drawn, *, last: bool) -> None:
        """Level by level: by the parent's partner and the first name inside, ``last`` by its own."""
        nodes = self.before.nodes
        left = [i for i in old.open if i not in self.taken]
        keys = (old.own, new.own) if last else (old.heads, new.heads)
        inside = _Queues(((nodes[i].parent, keys[0][i]), i) for i in left if last or keys[0][i][1])
        alike = _Queues(((old.paths[i], keys[0][i]), i) for i in left if last or keys[0][i][1])
        by_id = _Queues(((old.paths[i], nodes[i].id), i) for i in left if last and nodes[i].id)
        for node in sorted((self.after.nodes[i] for i in new.open), key=lambda node: node.depth):
            i = node.index
            if i in self.partner:
                continue
            above = self.partner.get(node.parent, -1)

            def may(candidate: int, above: int = above) -> bool:
                around = nodes[candidate].parent
                return around == above or around not in self.taken

            found = inside.next((above, keys[1][i]), self.taken) if above >= 0 else None
            if found is None:
                found = alike.next((new.paths[i], keys[1][i]), self.taken, may)
            if found is None and node.id:
                found = by_id.next((new.paths[i], node.id), self.taken, may)
            if found is not None:
                self._pair(found, i)


class _Queues:
    """Indexes waiting under a key, first come first served."""

    def __init__(self, entries: Iterable[tuple[object, int]]) -> None:
        self._waiting: dict[object, deque[int]] = {}
        for key, index in entries:
            self._waiting.setdefault(key, deque()).append(index)

    def next(
        self, key: object, taken: Container[int], fits: Callable[[int], bool] = _anything
    ) -> int | None:
        """Take the first one that is not ``taken`` and fits; of those that do not, a few are passed."""
        queue = self._waiting.get(key, deque())
        while queue and queue[0] in taken:
            queue.popleft()
        for place, index in enumerate(islice(queue, MAX_PASSED)):
            if index not in taken and fits(index):
                del queue[place]
                return index
        return None


class _Drawn:
    """What is known without handles of the nodes of a tree that have no partner yet (``open``).

    ``paths``: a number for the roles from the root down; ``own``: role, label, id; ``heads``: the same
    with the first label inside; ``contents``: a number for the subtree; ``records``: those whose
    subtree is open throughout and holds two labels. Numbers mean the same where the table is shared.
    """

    def __init__(self, tree: Tree, done: Container[int], numbers: dict[object, int]) -> None:
        nodes, labels, ids, ends = tree.nodes, tree.labels, tree.ids, tree.subtree_ends
        number = numbers.setdefault
        self.open = [i for i in range(len(nodes)) if i not in done]
        self.paths: dict[int, int] = {-1: -1}
        self.own: dict[int, tuple[str, str, str]] = {}
        self.heads: dict[int, tuple[str, str, str]] = {}
        self.contents: dict[int, int] = {}
        self.records: list[int] = []
        paths, own, heads, contents = self.paths, self.own, self.heads, self.contents
        for i in self.open:
            node = nodes[i]
            if node.parent not in paths:
                self._climb(tree, node.parent, numbers)
            paths[i] = number((paths[node.parent], node.role), len(numbers))
            own[i] = (node.role, labels[i], ids[i])
        # Of a node's open children, the last first: contents, first label, labels, size.
        inside: dict[int, tuple[list[int], str, int, int]] = {}
        for i in reversed(self.open):
            role, label, node_id = own[i]
            inner, head, names, size = inside.pop(i, _EMPTY)
            contents[i] = content = number((own[i], *inner), len(numbers))
            if label:
                head, names = label, names + 1
            heads[i] = (role, head, node_id)
            if names > 1 and size + 1 == ends[i] - i:
                self.records.append(i)
            above = nodes[i].parent
            known = inside.get(above)
            if known is None:
                inside[above] = ([content], head, names, size + 1)
            else:
                known[0].append(content)
                inside[above] = (known[0], head or known[1], known[2] + names, known[3] + size + 1)
        self.records.reverse()

    def _climb(self, tree: Tree, index: int, numbers: dict[object, int]) -> None:
        """Number the path of an element that has a partner, with what is above it."""
        chain = []
        while index not in self.paths:
            chain.append(index)
            index = tree.nodes[index].parent
        for at in reversed(chain):
            key = (self.paths[tree.nodes[at].parent], tree.nodes[at].role)
            self.paths[at] = numbers.setdefault(key, len(numbers))


_EMPTY: tuple[list[int], str, int, int] = ([], "", 0, 0)
