"""Does an element that lives on still belong to the record it belonged to? (public fault B001)

A list that reuses its elements, as virtual lists and index-keyed renderers do, shows another record in
the very element a ref was given for. The element is the same, its own name may be (``Add``), and what
it would do is not.
"""

from __future__ import annotations

from surefoot.identity.context import holds_all_keys, item_evidence
from surefoot.identity.model import ItemEvidence
from surefoot.identity.view import IdentityView
from surefoot.tree import Node


def left_item(before: IdentityView, old: Node, after: IdentityView, new: Node) -> ItemEvidence | None:
    """The item the element stood in, where what it stands in now lacks a label that told that item
    from its siblings; ``None`` when it stands there still, or stood in none."""
    equal = [
        node
        for node in before.tree.nodes
        if node.role == old.role
        and before.tree.labels[node.index] == before.tree.labels[old.index]
        and before.tree.ids[node.index] == before.tree.ids[old.index]
    ]
    item = item_evidence(before, old, equal)
    return None if item is None or holds_all_keys(after, new, item) else item
