"""Which of several equal things: the item a target stands in, the labels around it, its section.

identity.md 1, with the amendments that docs/identity.md lists and measures.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from surefoot.identity.codec import MAX_ITEM_KEYS
from surefoot.identity.model import ItemEvidence, ItemKey, TargetEvidence
from surefoot.identity.section import (
    FRAME,
    HEADING,
    JOINT,
    first_title,
    stands_under,
    without_digits,
)
from surefoot.identity.signs import holders
from surefoot.identity.view import CONTROL_ROLES, IdentityView, bounded, says_something
from surefoot.tree import Node, canonical_role, is_interactive

PARAGRAPH = "paragraph"
"""It holds the words of a record and never is one: the card around it is."""

MAX_LABELS = 24
"""At most so many labels of an item, in document order, are tried as keys."""

MAX_NEIGHBOURS = 2
"""At most so many usable labels before the target, and after it."""

MAX_DISTANCE = 256
MAX_PASSED = 8
"""They are looked for among so many nodes, and past so many equal things: a page may hold nothing but
equal things."""

Between = tuple[str | None, str | None]


# -- items ---------------------------------------------------------------------------------------


def find_item(
    view: IdentityView, node: Node, members: Sequence[Node], dispatched: Node | None = None
) -> tuple[Node, int | None] | None:
    """The target's item and, for a generic one, the steps up to it.

    ``members`` is *I₀*: a generic that holds all of it tells none of them apart. ``dispatched`` is the
    container that was pressed where the target stands for it (amendment 1280).
    """
    tree = view.tree
    if view.is_nameless(node) and _holds_usable(view, node, None):
        return node, None
    if (
        dispatched is not None
        and not view.is_skipped(dispatched)
        and dispatched is _nearest(view, node, dispatched.role)
    ):
        return dispatched, None
    for ancestor in tree.ancestors(node):
        if view.is_item_role(ancestor):
            return ancestor, None
    for ancestor in tree.ancestors(node):
        if ancestor.role == PARAGRAPH:
            continue
        if not view.is_skipped(ancestor) or (dispatched and not tree.contains(dispatched, ancestor)):
            return None
        if _holds_usable(view, ancestor, node):
            if len(members) > 1 and all(tree.contains(ancestor, member) for member in members):
                return None
            return ancestor, 1
    return None


def locate_item(view: IdentityView, node: Node, recorded: ItemEvidence) -> Node | None:
    """The node's item as the recording describes it; ``None`` when there is no such ancestor.

    Steps up count the generics that hold a usable label beside the node: a ``div`` around a card's
    buttons, or around everything in it, is no step.
    """
    if recorded.up is None:
        role = canonical_role(recorded.of)
        if node.role == role and view.is_nameless(node) and _holds_usable(view, node, None):
            return node
        return _nearest(view, node, role)
    steps = 0
    for ancestor in view.tree.ancestors(node):
        if ancestor.role == PARAGRAPH:
            continue
        if not view.is_skipped(ancestor):
            return None
        steps += _holds_usable(view, ancestor, node)
        if steps == recorded.up:
            return ancestor
    return None


def _nearest(view: IdentityView, node: Node, role: str) -> Node | None:
    return next((ancestor for ancestor in view.tree.ancestors(node) if ancestor.role == role), None)


def _holds_usable(view: IdentityView, container: Node, node: Node | None) -> bool:
    return any(view.is_usable(inner) for inner in view.inside_item(container, node))


def _reach(view: IdentityView, node: Node, recorded: ItemEvidence) -> Node | None:
    """The widest container that can be the node's item: nothing outside it is worth looking at."""
    if recorded.up is None:
        role = canonical_role(recorded.of)
        return _nearest(view, node, role) or (node if node.role == role else None)
    widest: Node | None = None
    for ancestor in view.tree.ancestors(node):
        if ancestor.role == PARAGRAPH:
            continue
        if not view.is_skipped(ancestor):
            break
        widest = ancestor
    return widest


def holds_all_keys(view: IdentityView, node: Node, recorded: ItemEvidence) -> bool:
    """Whether the node's item holds every recorded key."""
    reach = _reach(view, node, recorded)
    if reach is None or not all(view.holds_label(reach, key.label) for key in recorded.keys[:1]):
        return False  # nearly every equal ends here: the first key is elsewhere
    item = locate_item(view, node, recorded)
    if item is None:
        return False
    wanted = {(canonical_role(key.role), key.label) for key in recorded.keys}
    for inner in view.inside_item(item, node):
        wanted.discard((inner.role, view.label(inner) or ""))
        if not wanted:
            return True
    return not wanted


def item_evidence(
    view: IdentityView, node: Node, members: Sequence[Node], dispatched: Node | None = None
) -> ItemEvidence | None:
    """What tells the target's item from its siblings; ``None`` when there is no item or no key."""
    found = find_item(view, node, members, dispatched)
    if found is None:
        return None
    item, up = found
    exempt = node.role != "link" or up is not None
    if exempt and len(members) == 1 and names_its_item(view, node, item):
        return None
    keys: tuple[ItemKey, ...] = ()
    if len(members) > 1 or not view.is_usable(node):
        keys = _choose_keys(view, node, item)
    if not keys and len(members) == 1:
        # What is known of the item all the same: the target itself makes it unique.
        inside = [inner for inner in view.inside_item(item, node) if view.is_usable(inner)]
        keys = tuple(_key(view, inner) for inner in inside[:MAX_ITEM_KEYS])
    return ItemEvidence(of=item.role, up=up, keys=keys) if keys else None


def names_its_item(view: IdentityView, node: Node, item: Node) -> bool:
    """Whether the target is the item's first labelled node and of a role that names things."""
    if node.role not in ("link", "tab", "option", HEADING):
        return False
    labelled = (inner for inner in view.tree.subtree(item)[1:] if view.tree.labels[inner.index])
    return node is item or next(labelled, None) is node


def is_usable_key(key: ItemKey) -> bool:
    """Whether an item's key is a usable label: no control's and no number."""
    return key.role not in CONTROL_ROLES and says_something(key.label)


def _key(view: IdentityView, node: Node) -> ItemKey:
    return ItemKey(role=node.role, label=view.label(node) or "")


def _choose_keys(view: IdentityView, node: Node, item: Node) -> tuple[ItemKey, ...]:
    """The first label, else the first pair, that no sibling item holds, usable ones before others."""
    others = sibling_items(view, item)
    siblings = [
        {(inner.role, view.label(inner) or "") for inner in view.inside_item(other, None)}
        for other in others
    ]
    ordinal = sum(other.index < item.index for other in others)
    positions = {str(ordinal), str(ordinal + 1), f"{ordinal + 1}."}
    usable: list[ItemKey] = []
    controls: list[ItemKey] = []
    numbers: list[ItemKey] = []
    for inner in view.inside_item(item, node):
        key = _key(view, inner)
        tier = usable if view.is_usable(inner) else controls if says_something(key.label) else numbers
        if key not in tier and len(tier) < MAX_LABELS and key.label not in positions:
            tier.append(key)
    for pool in (usable, usable + controls, usable + controls + numbers):
        if keys := _first_unique(pool, siblings):
            return keys
    return ()


def _first_unique(
    pool: Sequence[ItemKey], siblings: Sequence[set[tuple[str, str]]]
) -> tuple[ItemKey, ...]:
    pairs = [(key.role, key.label) for key in pool]
    for index, pair in enumerate(pairs):
        if not any(pair in held for held in siblings):
            beside = [*pool[index + 1 :], *reversed(pool[:index])]
            return (pool[index], *[key for key in beside if says_something(key.label)][:1])
    for first in range(len(pairs)):
        holding = [held for held in siblings if pairs[first] in held]
        for second in range(first + 1, len(pairs)):
            if not any(pairs[second] in held for held in holding):
                return (pool[first], pool[second])
    return ()


def sibling_items(view: IdentityView, item: Node) -> list[Node]:
    """The items of the same role in the same structural parent."""
    tree = view.tree
    parent = view.structural_parent(item)
    return [
        tree[index]
        for index in tree.by_role.get(item.role, ())
        if not tree.contains(item, tree[index])
        and not tree.contains(tree[index], item)
        and view.structural_parent(tree[index]) is parent
    ]


# -- between -------------------------------------------------------------------------------------


def between(
    view: IdentityView,
    node: Node,
    members: Sequence[Node],
    item: ItemEvidence | None = None,
    passing: int = MAX_PASSED,
) -> Between:
    """The nearest usable labels before and after the node, not looking past another of ``members``.

    ``members`` is *I₀* in document order. Only within the item, where there is one, else within the
    nearest structural ancestor that holds all of *I₀*: what stands outside is not between them.
    ``passing`` members are passed where there is no label before them.
    """
    within = None if item is None else locate_item(view, node, item)
    if within is not None:
        low, high = within.index + 1, view.tree.subtree_ends[within.index]
    else:
        low, high = _scope(view, node, members)
    end = view.tree.subtree_ends[node.index]
    before = range(node.index - 1, max(low, node.index - MAX_DISTANCE) - 1, -1)
    after = range(end, min(high, end + MAX_DISTANCE))
    return (
        _nearest_label(view, node, before, members, passing),
        _nearest_label(view, node, after, members, passing),
    )


def _scope(view: IdentityView, node: Node, members: Sequence[Node]) -> tuple[int, int]:
    """The indexes below the nearest structural ancestor that holds the node and all members."""
    first, last = min(members[0].index, node.index), max(members[-1].index, node.index)
    for ancestor in view.structural_ancestors(node):
        end = view.tree.subtree_ends[ancestor.index]
        if ancestor.index < first and last < end:
            return ancestor.index + 1, end
    return 0, len(view.tree)


def _nearest_label(
    view: IdentityView, node: Node, indexes: Iterable[int], members: Sequence[Node], passing: int
) -> str | None:
    """Stretch by stretch up to the next member: usable labels, else the nearest label of any kind.

    The nearest usable label and, where no heading or member is nearer, the next: a record without an
    item of its own is seldom known by one.
    """
    tree = view.tree
    frame = _frame(view, node)
    usable: list[str] = []
    any_label: str | None = None
    passed = 0
    for index in indexes:
        if _is_member(members, index):
            passed += 1
            if usable or any_label is not None or passed > passing:
                break
            continue
        other = tree[index]
        label = tree.labels[index]
        if not label or tree.contains(other, node) or other.window != node.window:
            continue
        if _frame(view, other) is not frame:
            continue
        if view.is_usable(other):
            if usable and other.role == HEADING:
                break
            usable.append(label)
            if len(usable) == MAX_NEIGHBOURS or other.role == HEADING:
                break
        elif any_label is None:
            any_label = bounded(label)
    return bounded(JOINT.join(usable)) if usable else any_label


def stands_among_texts(view: IdentityView, node: Node, members: Sequence[Node]) -> bool:
    """Whether a control stands next to plain texts that are no title of its container.

    So it is where the records of a list have no items: a text right after the control, or one right
    before it that other titles precede; other buttons of the record may lie between.
    """
    tree = view.tree
    if not is_interactive(node) or any(view.is_item_role(above) for above in tree.ancestors(node)):
        return False
    low, high = _scope(view, node, members)
    after = _plain_text(view, node, range(tree.subtree_ends[node.index], high))
    if after is not None:
        return True
    before = _plain_text(view, node, range(node.index - 1, low - 1, -1))
    return before is not None and first_title(view, node) != without_digits(tree.labels[before.index])


def _plain_text(view: IdentityView, node: Node, indexes: Iterable[int]) -> Node | None:
    """The first usable text, past buttons, unless a field, heading or container comes before it."""
    tree = view.tree
    for index in indexes:
        other = tree[index]
        if tree.contains(other, node):
            continue
        if other.role == "button":
            continue
        if is_interactive(other) or other.role == HEADING or not _is_text(view, other):
            return None
        if view.is_usable(other):
            return other
    return None


def _is_text(view: IdentityView, node: Node) -> bool:
    return view.tree.is_leaf(node) or view.is_skipped(node)


def _is_member(members: Sequence[Node], index: int) -> bool:
    at = bisect_left(members, index, key=lambda member: member.index)
    return at < len(members) and members[at].index == index


def _frame(view: IdentityView, node: Node) -> Node | None:
    return next((ancestor for ancestor in view.tree.ancestors(node) if ancestor.role == FRAME), None)


# -- the whole ------------------------------------------------------------------------------------


def place_of(view: IdentityView, node: Node, item: ItemEvidence | None) -> Node:
    """What stands under the section: the item, where there is one."""
    return node if item is None else locate_item(view, node, item) or node


def qualifying(view: IdentityView, members: Sequence[Node], evidence: TargetEvidence) -> list[Node]:
    """*Q*: the members of *I₀* that meet the recorded context (identity.md 1) and hold its signs."""
    record = evidence.record
    known = members if record is None else holders(view, members, members, record, record.signs)
    return [member for member in known if _qualifies(view, member, members, evidence)]


def rivals_of(view: IdentityView, evidence: TargetEvidence, members: Sequence[Node]) -> list[Node]:
    """The members of *I₀* that only signs or a position tell apart."""
    return [member for member in members if _qualifies(view, member, members, evidence)]


def _qualifies(
    view: IdentityView, node: Node, members: Sequence[Node], evidence: TargetEvidence
) -> bool:
    if evidence.item is not None and not holds_all_keys(view, node, evidence.item):
        return False
    around = evidence.between
    if around is not None and between(view, node, members, evidence.item) != around:
        return False
    return evidence.section is None or stands_under(
        view, place_of(view, node, evidence.item), evidence.section
    )
