"""What tells a record from its like where no words do: ids, links, descriptions, values, states.

docs/identity.md, "Signs". Everything here is compared as a short digest, so that evidence stays bounded
and shows no value; what must not be told at all (``sayable``) is no sign.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple

from surefoot.identity.codec import MAX_SIGNS, MAX_STRING_BYTES
from surefoot.identity.model import RecordEvidence, Signs
from surefoot.identity.view import IdentityView, bounded, says_something
from surefoot.text import normalize, normalize_id, utf8_length
from surefoot.tree import Node, canonical_role, is_accepted_id, is_interactive

CHANGING: Final = frozenset({"value", "state"})
"""Kinds that change while an app is used; told with the place among nodes of their role (``#1``)."""

MAX_SHARED = 4
"""So many equal controls a record without an item's role may have."""

MAX_INSIDE = 256
"""So many nodes of a record are looked at."""

RANKS: Final = {"id": 0, "link": 1, "text": 2, "about": 3, "value": 4}
CONTROLS_ID: Final = 5
"""Kinds that can identify a record by themselves, the best first; a control's id is often the same in
every record. A value without words (a quantity, a date) and a ``state`` cannot: they only have to hold
where position is all there is."""

Sayable = Callable[[Node, str, str], bool]
"""Whether a node's fact (its kind and its text) may be written of, if only as a digest."""


def anything(_node: Node, _kind: str, _text: str) -> bool:
    """Nothing is kept out."""
    return True


class Sign(NamedTuple):
    """``written`` is ``kind:digest``; ``rank`` how well it identifies a record, None for not at all."""

    written: str
    rank: int | None


# -- the record -----------------------------------------------------------------------------------


def find_record(
    view: IdentityView, node: Node, rivals: Sequence[Node], members: Sequence[Node]
) -> RecordEvidence:
    """How the target's record is found again; without signs yet.

    The nearest item (the target itself may be one), unless it holds all ``rivals``; else the widest
    container with no other of ``members`` (*I₀*) in it, ``up`` structural steps away; where there is
    none, the widest nameless one with a few of them (a card with two equal controls).
    """
    for item in (node, *view.tree.ancestors(node)):
        if not view.is_item_role(item):
            continue
        if len(rivals) > 1 and holds_all(view, item, rivals):
            break
        return RecordEvidence(of=item.role)
    found, steps = _widest(view, node, members, None, 1)
    if found is not node:
        return RecordEvidence(up=steps)
    above = view.tree.parent(node)
    shared = 0 if above is None or not view.is_skipped(above) else _count(view, above, members)
    if not 1 < shared <= min(MAX_SHARED, len(members) - 1):
        return RecordEvidence(up=steps)
    return RecordEvidence(up=_widest(view, node, members, None, shared)[1], shared=shared)


def locate_record(
    view: IdentityView, node: Node, members: Sequence[Node], recorded: RecordEvidence
) -> Node | None:
    """The node's record as the recording describes it; ``None`` when it stands in none such."""
    if recorded.of is None:
        return _widest(view, node, members, recorded.up or 0, recorded.shared or 1)[0]
    role = canonical_role(recorded.of)
    lineage = (node, *view.tree.ancestors(node))
    return next((one for one in lineage if one.role == role), None)


def holds_all(view: IdentityView, container: Node, nodes: Sequence[Node]) -> bool:
    """Whether all nodes, in document order, are the container or lie in it."""
    end = view.tree.subtree_ends[container.index]
    return container.index <= nodes[0].index and nodes[-1].index < end


def _count(view: IdentityView, container: Node, members: Sequence[Node]) -> int:
    """How many members are the container or lie in it."""
    low = bisect_left(members, container.index, key=_index)
    return bisect_left(members, view.tree.subtree_ends[container.index], low, key=_index) - low


def _index(node: Node) -> int:
    return node.index


def _widest(
    view: IdentityView, node: Node, members: Sequence[Node], limit: int | None, shared: int
) -> tuple[Node, int]:
    """The widest container of the node with at most ``shared`` members in it, and the structural steps
    to it."""
    found, steps = node, 0
    for ancestor in view.tree.ancestors(node):
        if _count(view, ancestor, members) > shared:
            break
        structural = not view.is_skipped(ancestor)
        if structural and steps == limit:
            break
        found, steps = ancestor, steps + structural
    return found, steps


# -- its signs ------------------------------------------------------------------------------------


def signs_of(
    view: IdentityView,
    node: Node,
    record: Node,
    *,
    apart_from: Sequence[Node] = (),
    sayable: Sayable = anything,
) -> dict[str, Sign]:
    """All signs of the node's record by how they are written: those of what is in it, outside nested
    items, and the ids and descriptions of what it stands in.

    A container that holds all of ``apart_from`` tells none of them apart and is left out.
    """
    found: dict[str, Sign] = {}
    counts: dict[str, int] = {}
    for inner in _inside(view, record):
        bearing = False
        for kind, text in _facts(view, inner):
            changing = kind in CHANGING
            bearing = bearing or changing
            if text == "" and inner is node:
                continue  # that the target is empty says nothing of its record
            written = _written(kind, text)
            if changing and counts.get(inner.role):
                written += f"#{counts[inner.role]}"
            if written not in found and sayable(inner, kind, text):
                found[written] = Sign(written, _rank(inner, kind, text))
        counts[inner.role] = counts.get(inner.role, 0) + bearing
    for ancestor in view.tree.ancestors(record):
        if apart_from and holds_all(view, ancestor, apart_from):
            break
        for kind, text in _facts(view, ancestor):
            written = _written(kind, text)
            if kind not in CHANGING and written not in found and sayable(ancestor, kind, text):
                found[written] = Sign(written, _rank(ancestor, kind, text))
    return found


def _facts(view: IdentityView, node: Node) -> Iterator[tuple[str, str]]:
    """What is told of one node: kind and text."""
    for kind, told in FACTS.items():
        for text in told(view, node):
            yield kind, text


def _ids(view: IdentityView, node: Node) -> Sequence[str]:
    if not node.id and not node.held_by:
        return ()
    return [normalize_id(id) for id in (node.id, *node.held_by) if id and is_durable(view, id)]


def _link(_view: IdentityView, node: Node) -> Sequence[str]:
    return (node.source,) if node.source else ()


def _long_text(view: IdentityView, node: Node) -> Sequence[str]:
    label = view.tree.labels[node.index]
    return (label,) if is_cut(label) else ()


def _description(_view: IdentityView, node: Node) -> Sequence[str]:
    return (normalize(node.description),) if node.description else ()


def _value(view: IdentityView, node: Node) -> Sequence[str]:
    value = view.tree.values[node.index]
    return () if value is None else (value,)


def _states(_view: IdentityView, node: Node) -> Sequence[str]:
    if node.checked is None and node.selected is None and node.expanded is None:
        return ()
    return (f"{node.role} {node.checked} {node.selected} {node.expanded}",)


FACTS: Final[Mapping[str, Callable[[IdentityView, Node], Sequence[str]]]] = {
    "id": _ids,
    "link": _link,
    "text": _long_text,
    "about": _description,
    "value": _value,
    "state": _states,
}
"""What is told of a node, by kind: its ids and those of what holds it alone, where it leads or what it
shows, a name too long to be written whole, its description; its value and its states."""


def _rank(node: Node, kind: str, text: str) -> int | None:
    if kind in ("value", "about") and not says_something(text):
        return None  # a quantity, a date, "3 of 10"
    if kind == "id" and text == node.id and is_interactive(node):
        return CONTROLS_ID
    return RANKS.get(kind)


def text_sign(view: IdentityView, node: Node) -> str:
    """The sign of the node's whole label."""
    return _written("text", view.tree.labels[node.index])


def is_durable(view: IdentityView, id: str) -> bool:
    """Whether an id may identify what it stands on (identity.md 2), be it unique or not."""
    plain = normalize_id(id)
    return (
        utf8_length(plain) <= MAX_STRING_BYTES
        and is_accepted_id(plain)
        and plain not in view.tree.numbered_ids
    )


def is_cut(label: str) -> bool:
    """Whether a label is longer than evidence writes it."""
    return len(label) > MAX_STRING_BYTES // 4 and bounded(label) != label


def _inside(view: IdentityView, record: Node) -> Iterator[Node]:
    """The record and what is in it, outside nested items, in document order."""
    tree = view.tree
    yield record
    index = record.index + 1
    end = min(tree.subtree_ends[record.index], index + MAX_INSIDE)
    while index < end:
        node = tree[index]
        if view.is_item_role(node):
            index = tree.subtree_ends[index]
            continue
        index += 1
        yield node


@lru_cache(maxsize=65_536)
def _written(kind: str, text: str) -> str:
    whole = f"{kind} {text}".encode("utf-8", "surrogatepass")
    return f"{kind}:{hashlib.sha256(whole).hexdigest()[:10]}"


# -- comparing ------------------------------------------------------------------------------------


def holders(
    view: IdentityView,
    among: Sequence[Node],
    members: Sequence[Node],
    recorded: RecordEvidence,
    signs: Signs,
) -> list[Node]:
    """Those of ``among``, members of *I₀* in document order, whose records hold all of ``signs``."""
    if not signs:
        return list(among)
    near = _near_carriers(view, among, members, recorded, signs[0])
    return [one for one in near if not missing_signs(view, one, members, recorded, signs)]


def _near_carriers(
    view: IdentityView,
    among: Sequence[Node],
    members: Sequence[Node],
    recorded: RecordEvidence,
    sign: str,
) -> list[Node]:
    """A superset of those of ``among`` whose records hold the sign, from the few nodes that bear it."""
    tree = view.tree
    places = [member.index for member in members]
    wanted: set[int] = set()
    for index in _bearers(view, sign):
        holder = tree[index]
        # A member that holds the bearer, however far above it, ...
        wanted.update(one.index for one in tree.ancestors(holder))
        if recorded.of is not None:
            lineage = (holder, *tree.ancestors(holder))
            role = canonical_role(recorded.of)
            holder = next((one for one in lineage if one.role == role), holder)
        low = bisect_left(places, holder.index)
        high = bisect_left(places, tree.subtree_ends[holder.index])
        # ... those in it, and beside one that holds none: a record with few members lies next to it.
        near = recorded.shared or 1
        wanted.update(places[max(0, low - near) : high + near])
    return [one for one in among if one.index in wanted]


def _bearers(view: IdentityView, sign: str) -> Sequence[int]:
    """The nodes that bear a sign, wherever they stand, in document order."""
    kind = sign.partition(":")[0]
    table = view.bearers.get(kind)
    if table is None:
        table = view.bearers[kind] = {}
        if kind in FACTS:
            told = FACTS[kind]
            for node in view.tree:
                for text in told(view, node):
                    table.setdefault(_written(kind, text), []).append(node.index)
    return table.get(sign.partition("#")[0], ())


def missing_signs(
    view: IdentityView,
    node: Node,
    members: Sequence[Node],
    recorded: RecordEvidence,
    signs: Signs,
) -> Signs:
    """Those of ``signs`` that the node's record does not hold."""
    record = locate_record(view, node, members, recorded) if signs else None
    if record is None:
        return signs
    key = (node.index, record.index)
    held = view.signs.get(key)
    if held is None:
        held = view.signs[key] = frozenset(signs_of(view, node, record))
    return tuple(sign for sign in signs if sign not in held)


def stands_beside(
    view: IdentityView,
    node: Node,
    rivals: Sequence[Node],
    members: Sequence[Node],
    recorded: RecordEvidence,
) -> bool:
    """Whether the records before and after, among ``rivals``, are as they were recorded."""
    if recorded.beside is None:
        return True
    near = beside_of(view, node, rivals, members, recorded)
    for signs, other in zip(recorded.beside, near, strict=True):
        if (signs is None) != (other is None):
            return False
        if signs and other and missing_signs(view, other, members, recorded, signs):
            return False
    return True


def beside_of(
    view: IdentityView,
    node: Node,
    rivals: Sequence[Node],
    members: Sequence[Node],
    recorded: RecordEvidence,
) -> tuple[Node | None, Node | None]:
    """The rivals before and after the node, of those that have what lasts of its signs as well."""
    lasting = tuple(sign for sign in recorded.signs if sign.partition(":")[0] not in CHANGING)
    alike = holders(view, rivals, members, recorded, lasting)
    at = next(at for at, one in enumerate(alike) if one is node)
    return (
        alike[at - 1] if at > 0 else None,
        alike[at + 1] if at + 1 < len(alike) else None,
    )


# -- choosing -------------------------------------------------------------------------------------

Holding = Callable[[Signs], Sequence[Node]]
"""The rivals, the target not among them, whose records hold all of the signs."""


def identifying(own: Iterable[Sign], holding: Holding) -> Signs:
    """The lasting sign, else the pair of them, that no other record holds; a value that does is joined
    by the record's next. Empty where there is none."""
    ranked = [(sign.rank, sign.written) for sign in own if sign.rank is not None]
    ranked.sort(key=itemgetter(0))
    for rank, sign in ranked:
        if not holding((sign,)):
            beside = [other for place, other in ranked if place == rank == RANKS["value"]]
            return (sign, *[other for other in beside if other != sign][:1])
    written = [sign for _, sign in ranked[:MAX_SIGNS]]
    return next((pair for pair in combinations(written, 2) if not holding(pair)), ())


def telling(own: Iterable[Sign], holding: Holding) -> Signs:
    """As many signs as are written, those first that the most other records lack."""
    chosen = sorted((sign.written for sign in own), key=lambda sign: len(holding((sign,))))
    return tuple(chosen[:MAX_SIGNS])
