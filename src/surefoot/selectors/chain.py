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
from surefoot.text import normalize, utf8_length
from surefoot.tree import Node, Tree

SHORT_LITERAL = 4
"""Literals shorter than this are avoided only where they are the whole field (contracts.md, 0017)."""

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

    ``for_fill`` adds ``editable=true`` to every alternative and leaves out the value. Fields that
    contain one of ``avoid_literals`` (compared normalised; the empty one is ignored) are not written,
    nor are labels and values over ``MAX_FIELD_BYTES``, nor ids that are not identities
    (:func:`surefoot.selectors.written_id`).
    """
    avoid = [literal for literal in map(normalize, avoid_literals) if literal]
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
    if label:
        options.append(("label", _equals(("label", label))))
    if value and value != label:
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


def _usable(text: str, avoid: Collection[str]) -> str:
    if not text or utf8_length(text) > MAX_FIELD_BYTES:
        return ""
    return "" if any(echoes(text, literal) for literal in avoid) else text


def echoes(text: str, literal: str) -> bool:
    """Whether a field shows a literal: contains it, or, where the literal is short, equals it."""
    return text == literal or (len(literal) >= SHORT_LITERAL and literal in text)


def _denotes(tree: Tree, node: Node, selector: Selector, for_fill: bool) -> Denotes:
    resolution = resolve_for_action(tree, match(tree, selector), for_fill=for_fill)
    if isinstance(resolution, Unique):
        return "unique" if resolution.node.index == node.index else "other"
    if isinstance(resolution, Disambiguated):
        return "structural" if resolution.node.index == node.index else "other"
    return "ambiguous"
