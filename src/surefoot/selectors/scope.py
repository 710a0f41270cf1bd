"""Which part of the screen ``snapshot -s SCOPE`` means: one rule for every backend (B032)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from surefoot.selectors.grammar import looks_like_selector, parse_selector
from surefoot.selectors.matching import match
from surefoot.text import normalize, normalize_id
from surefoot.tree import DOCUMENT_ROLE, Node, Tree, Window


class Scope(Struct, frozen=True):
    """The node a scope starts at, and how many nodes matched (the first in document order is taken)."""

    node: Node | None
    match_count: int


def find_scope(tree: Tree, text: str, *, windows: Sequence[Window] = ()) -> Scope:
    """The node ``text`` names: a selector where it starts like one, else a label, else an id.

    No match is ``Scope(None, 0)``, which is shown as an empty projection with its reason. Raises
    ``INVALID_ARGS`` where the text starts like a selector and is none.
    """
    nodes: Sequence[Node]
    if looks_like_selector(text):
        nodes = match(tree, parse_selector(text), windows=windows).nodes
    else:
        label = normalize(text)
        labelled = [tree.nodes[index] for index in tree.by_label.get(label, ())]
        nodes = [node for node in labelled if node.role != DOCUMENT_ROLE]
        nodes = nodes or [tree.nodes[index] for index in tree.by_id.get(normalize_id(text), ())]
    return Scope(nodes[0] if nodes else None, len(nodes))
