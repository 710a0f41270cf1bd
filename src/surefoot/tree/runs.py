"""Text that reads as one although the tree holds it in pieces: ``<b>3</b> items <i>left</i>``.

A run is a stretch of neighbouring phrases below one node that has no text of its own. How its pieces
were spaced is not in a tree, so a text meets a run with or without a blank between two pieces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from surefoot.text import normalize
from surefoot.tree.model import Node
from surefoot.tree.roles import CONTAINER_ROLES, DOCUMENT_ROLE, TEXT_ENTRY_ROLES
from surefoot.tree.tree import Tree

PHRASES = frozenset(
    {
        "code",
        "deletion",
        "emphasis",
        "insertion",
        "link",
        "mark",
        "strong",
        "subscript",
        "superscript",
        "term",
        "text",
        "time",
    }
)
MAX_INNER = 200
_SEAM = "\x00"


def text_runs(tree: Tree) -> list[tuple[Node, tuple[str, ...]]]:
    """Each run of two pieces or more: the node it stands in and the pieces, in document order."""
    texts = tree.texts
    open_runs: dict[int, tuple[Node, list[str]]] = {}
    found: list[tuple[Node, list[str]]] = []
    for node in tree.nodes:
        if not node.visible or node.parent < 0:
            continue
        before = open_runs.pop(node.parent, None)
        named = texts[node.parent] and tree[node.parent].role != DOCUMENT_ROLE
        if node.role not in PHRASES or not texts[node.index] or named:
            continue
        if before is not None and _reads_on(tree[node.parent], before[0], node):
            pieces = before[1]
        else:
            pieces = []
            found.append((tree[node.parent], pieces))
        pieces.append(texts[node.index])
        open_runs[node.parent] = (node, pieces)
    return [(node, tuple(pieces)) for node, pieces in found if len(pieces) > 1]


def _reads_on(around: Node, left: Node, right: Node) -> bool:
    """Whether two neighbours read as one text: a paragraph's do, others where they share a line."""
    if around.role == "paragraph":
        return True
    if left.rect is None or right.rect is None:
        return False
    shared = min(left.rect.y + left.rect.height, right.rect.y + right.rect.height) - max(
        left.rect.y, right.rect.y
    )
    return shared > min(left.rect.height, right.rect.height) / 2


def reads(pieces: Sequence[str], wanted: str, *, whole: bool = False) -> bool:
    """Whether a run says ``wanted`` (normalised) across its pieces, or exactly that."""
    if not wanted:
        return not any(pieces)
    joined = _SEAM.join(pieces)
    pattern = f"{_SEAM}?".join(f"[ {_SEAM}]" if char == " " else re.escape(char) for char in wanted)
    found = re.fullmatch(pattern, joined) if whole else re.search(pattern, joined)
    return found is not None


def inner_pieces(tree: Tree, node: Node) -> tuple[str, ...]:
    """What a person reads in the node, at most 200 pieces: what a field holds; what is visible inside a
    container, whatever it is called (a field there as label and content); else the node's own text, and
    without one what is inside."""
    own = _own(tree, node)
    if own is not None:
        return (own,)
    inside = tree.subtree(node)[1:]
    speaking: set[int] = set()
    for inner in reversed(inside):
        if inner.index in speaking or (inner.visible and tree.texts[inner.index]):
            speaking.add(inner.parent)
    pieces: list[str] = []
    covered = node.index
    for inner in inside:
        if inner.index < covered or not inner.visible:
            continue
        own = _own(tree, inner)
        if own is None and inner.index in speaking:
            continue
        covered = tree.subtree_ends[inner.index]
        pieces += [piece for piece in dict.fromkeys((tree.texts[inner.index], own)) if piece]
        if len(pieces) >= MAX_INNER:
            break
    return tuple(pieces[:MAX_INNER]) or (tree.texts[node.index],)


def _own(tree: Tree, node: Node) -> str | None:
    """What the node says by itself; ``None`` where that is said inside it, if anywhere."""
    if node.value is not None and (node.editable or node.role in TEXT_ENTRY_ROLES):
        return normalize(node.value)
    if node.role in CONTAINER_ROLES:
        return None
    return tree.texts[node.index] or (None if node.value is None else "")
