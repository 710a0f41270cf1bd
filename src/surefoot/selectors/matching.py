"""Which nodes a selector denotes. Both sides are normalised alike (surface.md).

``text`` is a node's own text: its label, else its value. Roles pass the alias table. The first
alternative that matches anything decides; matches are in document order. A document's label is its
title, which stands on no screen: what names neither a role nor an id never means a document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from surefoot.selectors.model import Alternative, BoolKey, Equals, Selector, State, StringKey
from surefoot.text import normalize, normalize_id
from surefoot.tree import DOCUMENT_ROLE, Node, Tree, Window, canonical_role


class Match(Struct, frozen=True):
    """What matched: the deciding alternative's position (``None``: nothing matched) and its nodes."""

    alternative: int | None
    nodes: tuple[Node, ...]


NO_MATCH = Match(None, ())

STATES: Mapping[BoolKey, Callable[[Node], bool]] = {
    "visible": lambda node: node.visible,
    "hidden": lambda node: not node.visible,
    "enabled": lambda node: node.enabled,
    "editable": lambda node: node.editable,
    "selected": lambda node: node.selected is True,
    "checked": lambda node: node.checked == "true",
    "focused": lambda node: node.focused,
    "hittable": lambda node: node.hittable,
}
"""What each boolean term reads. What has no such state, or a mixed one, is not in it: ``=false``."""

# Equality terms from the most to the least selective: the first one present supplies the candidates.
_INDEXES: tuple[tuple[StringKey, Callable[[Tree], Mapping[str, Sequence[int]]]], ...] = (
    ("id", lambda tree: tree.by_id),
    ("label", lambda tree: tree.by_label),
    ("text", lambda tree: tree.by_text),
    ("value", lambda tree: tree.by_value),
    ("role", lambda tree: tree.by_role),
)


def match(tree: Tree, selector: Selector, *, windows: Sequence[Window] = ()) -> Match:
    """The nodes the first matching alternative denotes.

    ``windows`` are the observation's: ``appname`` and ``windowtitle`` match nothing without them.
    Cost after the tree's first use: the size of the smallest index entry, not of the tree.
    """
    for position, alternative in enumerate(selector.alternatives):
        nodes = match_alternative(tree, alternative, windows=windows)
        if nodes:
            return Match(position, nodes)
    return NO_MATCH


def match_alternative(
    tree: Tree, alternative: Alternative, *, windows: Sequence[Window] = ()
) -> tuple[Node, ...]:
    """The nodes that satisfy every term of one alternative, in document order."""
    wanted = _wanted(alternative)
    titles = _may_be_document(alternative)
    found: Iterable[int] = range(len(tree))
    for key, index in _INDEXES:
        if key in wanted:
            found = index(tree).get(wanted.pop(key), ())
            break
    for key, value in wanted.items():
        found = _filter(tree, key, value, found, windows)
    for term in alternative.terms:
        if isinstance(term, State):
            read = STATES[term.key]
            found = [index for index in found if read(tree.nodes[index]) == term.value]
    nodes = (tree.nodes[index] for index in found)
    return tuple(node for node in nodes if titles or node.role != DOCUMENT_ROLE)


def _may_be_document(alternative: Alternative) -> bool:
    """Whether the alternative can mean a document at all: it names a role or an id."""
    return any(isinstance(term, Equals) and term.key in ("role", "id") for term in alternative.terms)


def satisfies(
    tree: Tree, node: Node, alternative: Alternative, *, windows: Sequence[Window] = ()
) -> bool:
    """Whether one node of the tree satisfies every term of one alternative."""
    if node.role == DOCUMENT_ROLE and not _may_be_document(alternative):
        return False
    for key, value in _wanted(alternative).items():
        if not _filter(tree, key, value, (node.index,), windows):
            return False
    return all(
        STATES[term.key](node) == term.value for term in alternative.terms if isinstance(term, State)
    )


def _wanted(alternative: Alternative) -> dict[StringKey, str]:
    return {
        term.key: comparable(term.key, term.value)
        for term in alternative.terms
        if isinstance(term, Equals)
    }


def comparable(key: StringKey, value: str) -> str:
    """The form in which a term's value is compared."""
    if key == "id":
        return normalize_id(value)
    return canonical_role(value) if key == "role" else normalize(value)


def _filter(
    tree: Tree, key: StringKey, value: str, found: Iterable[int], windows: Sequence[Window]
) -> list[int]:
    nodes = tree.nodes
    if key == "id":
        return [index for index in found if normalize_id(nodes[index].id) == value]
    if key == "role":
        return [index for index in found if nodes[index].role == value]
    if key == "value":
        values = tree.values
        return [index for index in found if values[index] == value]
    if key in ("label", "text"):
        texts = tree.labels if key == "label" else tree.texts
        return [index for index in found if texts[index] == value]
    names = {window.id for window in windows if normalize(_window_field(window, key)) == value}
    return [index for index in found if nodes[index].window in names]


def _window_field(window: Window, key: StringKey) -> str:
    return window.app if key == "appname" else window.title
