"""The selector a recording writes for a node: ``role="button" label="Save" || label="Save"``.

The same shapes agent-device 0.21 writes, so that either reads the other's scripts. Since the first
matching alternative decides and every alternative built here matches the node itself, the first one
alone says what the chain denotes; the others are for screens that have drifted.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

from surefoot.selectors.grammar import write_selector
from surefoot.selectors.ids import MAX_FIELD_BYTES, written_id
from surefoot.selectors.matching import match
from surefoot.selectors.model import Alternative, Equals, Selector, State, StringKey, Term
from surefoot.selectors.resolve import Disambiguated, Unique, resolve_for_action
from surefoot.text import Mask, utf8_length
from surefoot.tree import DOCUMENT_ROLE, Node, Tree

Basis = Literal["id", "role+label", "label", "value", "role"]
Denotes = Literal["unique", "structural", "other", "ambiguous"]


class Chain(Struct, frozen=True):
    """A selector for one node and what it denotes in the capture it was made from.

    ``basis`` is what the first alternative goes by; ``role`` alone is weak. ``denotes``: ``unique``
    (only this node), ``structural`` (several wrappers of one control, and this node wins), ``other``
    (the same, and another of them wins), ``ambiguous`` (nodes that nothing tells apart).
    """

    selector: Selector
    basis: Basis
    denotes: Denotes
    match_count: int

    @property
    def text(self) -> str:
        """The chain as it stands in a script, before the script's own quoting."""
        return write_selector(self.selector)

    @property
    def is_exact(self) -> bool:
        """Whether a mutation by this selector on the same capture acts on the node."""
        return self.denotes in ("unique", "structural")


def build_chain(
    tree: Tree,
    node: Node,
    *,
    for_fill: bool = False,
    avoid_literals: Collection[str] = (),
) -> Chain:
    """The best chain for ``node``; it always matches the node, and says if it matches others too.

    ``for_fill`` adds ``editable=true`` to every alternative and leaves out the value. Fields that hold
    one of ``avoid_literals``, inside words too (:class:`surefoot.text.Mask`), are not written, nor are
    labels and values over ``MAX_FIELD_BYTES``, nor ids that are not identities
    (:func:`surefoot.selectors.written_id`).
    """
    avoid = Mask(dict.fromkeys(avoid_literals, ""), inside_words=True)
    role = node.role
    label = _usable(tree.labels[node.index], avoid)
    node_id = _usable(written_id(tree, node) or "", avoid)
    value = "" if for_fill or node.password else _usable(tree.values[node.index] or "", avoid)
    extra: tuple[Term, ...] = (State("editable", True),) if for_fill and node.editable else ()

    options: list[tuple[Basis, tuple[Term, ...]]] = []
    if node_id:
        options.append(("id", _equals(("id", node_id))))
    if role and label:
        options.append(("role+label", _equals(("role", role), ("label", label))))
    titled = role == DOCUMENT_ROLE  # such a node is only ever meant by its role or id
    if label and not titled:
        options.append(("label", _equals(("label", label))))
    if value and value != label and not titled:
        options.append(("value", _equals(("value", value))))
    if not options:
        options.append(("role", _equals(("role", role or "generic"))))

    selector = Selector(tuple(Alternative(terms + extra) for _, terms in options))
    found = match(tree, selector)
    return Chain(
        selector=selector,
        basis=options[0][0],
        denotes=_denotes(tree, node, selector, for_fill),
        match_count=len(found.nodes),
    )


def _equals(*pairs: tuple[StringKey, str]) -> tuple[Term, ...]:
    return tuple(Equals(key, value) for key, value in pairs)


def _usable(text: str, avoid: Mask) -> str:
    return "" if utf8_length(text) > MAX_FIELD_BYTES or avoid.holds(text) else text


def _denotes(tree: Tree, node: Node, selector: Selector, for_fill: bool) -> Denotes:
    resolution = resolve_for_action(tree, match(tree, selector), for_fill=for_fill)
    if isinstance(resolution, Unique):
        return "unique" if resolution.node.index == node.index else "other"
    if isinstance(resolution, Disambiguated):
        return "structural" if resolution.node.index == node.index else "other"
    return "ambiguous"
