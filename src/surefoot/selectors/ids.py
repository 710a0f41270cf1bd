"""Which ids a recording writes (identity.md 2; seed 0012, amendment 1269)."""

from __future__ import annotations

from surefoot.text import normalize_id, utf8_length
from surefoot.tree import Node, Tree, is_accepted_id

MAX_FIELD_BYTES = 256
"""A longer field is truncated in evidence, so no selector is made of it (identity.md 7)."""


def written_id(tree: Tree, node: Node) -> str | None:
    """The node's id in the form it is written, or ``None`` when it must not be written.

    Not written: an id that is over ``MAX_FIELD_BYTES``, not accepted, not unique in the capture, or
    that differs from another only in a digit run that is not at its end (``row-0-del``).
    """
    node_id = normalize_id(node.id)
    if not node_id or utf8_length(node_id) > MAX_FIELD_BYTES or not is_accepted_id(node_id):
        return None
    if len(tree.by_id[node_id]) != 1 or node_id in tree.numbered_ids:
        return None
    return node_id
