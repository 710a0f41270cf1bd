"""Under which title a target stands: ``section``, and the ``screen`` it was recorded on.

identity.md 1, with the amendments docs/identity.md lists: a title is looked for from the target
outwards, container by container. In each, the nearest heading before the target counts, unless it
belongs to a neighbour that stands for itself (an item, or a branch with controls of its own); where a
container has no such heading, the first plain text before the target titles it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from surefoot.identity.view import IdentityView, bounded
from surefoot.tree import DIALOG_ROLES, INTERACTIVE_ROLES, ITEM_ROLES, Node

HEADING = "heading"
FRAME = "iframe"
MAX_TITLES = 32
"""At most so many titles of one container are looked at."""

JOINT = " – "
"""Between a title and the one above it, and between two neighbours on one side."""

Kind = Literal["dialog", "heading", "text"]
_DIGITS = re.compile(r"\d+")


def section(view: IdentityView, node: Node, *, headings_only: bool = False) -> str | None:
    """The title the target stands under and the heading above that, digits removed.

    ``Street – Checkout``; ``None`` when nothing titles the target. ``headings_only`` passes plain
    texts over.
    """
    levels = list(_levels(view, node))
    while headings_only and levels and levels[0].kind == "text":
        del levels[0]
    return _with_heading_above(levels[0].texts[0], levels[1:]) if levels else None


def first_title(view: IdentityView, node: Node) -> str | None:
    """The title of the innermost titled container alone."""
    first = next(_levels(view, node), None)
    return first.texts[0] if first is not None else None


def nearest_title(view: IdentityView, node: Node) -> Kind | None:
    """What kind of title the target stands under."""
    first = next(_levels(view, node), None)
    return first.kind if first is not None else None


def stands_under(view: IdentityView, node: Node, recorded: str) -> bool:
    """Whether the node stands under the recorded title.

    Outwards, the first heading or dialog must be it. Before that, one of a container's plain texts may
    be it, wherever it stands there: a text put before the others, or a ``div`` around some, changes
    nothing.
    """
    levels = list(_levels(view, node))
    for at, level in enumerate(levels):
        if any(_with_heading_above(text, levels[at + 1 :]) == recorded for text in level.texts):
            return True
        if level.kind != "text":
            return False
    return False


def without_digits(label: str) -> str | None:
    """``label`` with its digits removed, normalised again and bounded; ``None`` when empty."""
    return bounded(" ".join(_DIGITS.sub(" ", label).split())) or None


def screen_title(view: IdentityView, window_title: str) -> str | None:
    """The main heading, else the document's or window's title. Verification never compares it."""
    tree = view.tree
    headings = [tree[index] for index in tree.by_role.get(HEADING, ()) if tree.labels[index]]
    main = next((heading for heading in headings if heading.level == 1), None)
    heading = main or next(iter(headings), None)
    if heading is not None:
        return view.label(heading)
    document = next((root for root in tree.roots if tree.labels[root.index]), None)
    return (view.label(document) if document is not None else None) or bounded(window_title) or None


# -- titles, container by container ----------------------------------------------------------------

Title = tuple[int, int, str]  # node index, end of the branch it stands in, label without digits
Find = Callable[[IdentityView, Node], Iterator[Title]]


class Level(NamedTuple):
    """What titles one container, the title to record first."""

    kind: Kind
    texts: list[str]


def _with_heading_above(title: str, outer: Sequence[Level]) -> str:
    above = next((level.texts[0] for level in outer if level.kind == "heading"), None)
    return title if above is None else bounded(f"{title}{JOINT}{above}")


def _levels(view: IdentityView, node: Node) -> Iterator[Level]:
    """The titled containers from the target outwards."""
    parent = view.structural_parent(node)
    if parent is not None and parent.role in DIALOG_ROLES:
        heading = _nearest_before(_titles(view, parent, _headings), node)
        texts = _before(_titles(view, parent, _asked), node)
        if heading and texts:
            yield Level("dialog", [bounded(f"{heading[0]}{JOINT}{text}") for text in texts])
        elif heading or texts:
            yield Level("dialog", heading or texts)
    for ancestor in view.tree.ancestors(node):
        if parent is not None and parent.role in DIALOG_ROLES and ancestor.index >= parent.index:
            continue
        if headings := _nearest_before(_titles(view, ancestor, _headings), node):
            yield Level("heading", headings)
        elif texts := _before(_titles(view, ancestor, _texts), node):
            yield Level("text", texts)
        if ancestor.role == FRAME:
            return


def _titles(view: IdentityView, container: Node, find: Find) -> Sequence[Title]:
    """What ``find`` finds in the container, looked for once a capture."""
    key = (find.__name__, container.index)
    if key not in view.memo:
        view.memo[key] = tuple(find(view, container))
    return view.memo[key]


def _before(titles: Sequence[Title], node: Node) -> list[str]:
    """Those that end before the node with the branch they stand in: the first ``MAX_TITLES``."""
    found: list[str] = []
    for index, end, label in titles:
        if index >= node.index or len(found) == MAX_TITLES:
            break
        if end <= node.index:
            found.append(label)
    return found


def _nearest_before(titles: Sequence[Title], node: Node) -> list[str]:
    """The last of those that end before the node, as a list of one or none."""
    at = bisect_left(titles, node.index, key=lambda title: title[0])
    for _, end, label in reversed(titles[max(0, at - MAX_TITLES) : at]):
        if end <= node.index:
            return [label]
    return []


def _headings(view: IdentityView, container: Node) -> Iterator[Title]:
    """The headings below the container that are no neighbour's own."""
    tree = view.tree
    indexes = tree.by_role.get(HEADING, ())
    low = bisect_left(indexes, container.index + 1)
    high = bisect_left(indexes, tree.subtree_ends[container.index])
    for index in indexes[low:high]:
        heading = tree[index]
        label = without_digits(tree.labels[index])
        if label is None:
            continue
        branch, owned = heading, False
        while branch.parent != container.index:
            branch = tree[branch.parent]
            owned = owned or branch.role in ITEM_ROLES or branch.role == FRAME
        if branch is heading or not (owned or _has_control(view, branch)):
            yield index, tree.subtree_ends[branch.index], label


def _texts(view: IdentityView, container: Node) -> Iterator[Title]:
    """The usable texts that stand in the container itself, in no container but a nameless one."""
    tree = view.tree
    for child in tree.children(container):
        if _has_control(view, child):
            continue
        index, end = child.index, tree.subtree_ends[child.index]
        while index < end:
            inner = tree[index]
            if inner.role in ITEM_ROLES or (not tree.is_leaf(inner) and not view.is_skipped(inner)):
                index = tree.subtree_ends[index]
                continue
            if view.is_usable(inner) and (label := without_digits(tree.labels[index])):
                yield index, end, label
            index += 1


def _asked(view: IdentityView, dialog: Node) -> Iterator[Title]:
    """The plain texts of a dialog, whatever nameless containers they share with its buttons."""
    tree = view.tree
    index, end = dialog.index + 1, tree.subtree_ends[dialog.index]
    while index < end:
        inner = tree[index]
        if inner.role in INTERACTIVE_ROLES or (not tree.is_leaf(inner) and not view.is_skipped(inner)):
            index = tree.subtree_ends[index]
            continue
        label = without_digits(tree.labels[index]) if view.is_usable(inner) else None
        if label is not None and inner.role != HEADING:
            yield index, tree.subtree_ends[index], label
        index += 1


def _has_control(view: IdentityView, branch: Node) -> bool:
    """Whether anything in the branch takes activation."""
    indexes = view.tree.interactive
    low = bisect_left(indexes, branch.index)
    return low < len(indexes) and indexes[low] < view.tree.subtree_ends[branch.index]
