"""The rule without one of its parts: what each field of the evidence buys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any
from unittest.mock import patch

import msgspec

from surefoot.identity import IdentityView, TargetEvidence
from surefoot.identity.context import qualifying
from surefoot.tree import Node

context, record, verify = (
    import_module(f"surefoot.identity.{name}") for name in ("context", "record", "verify")
)

Ablation = Callable[[ExitStack], None]


def _with(owner: Any, name: str, value: object) -> Ablation:
    """The rule with another function or number in the place of one of its own."""

    def apply(stack: ExitStack) -> None:
        stack.enter_context(patch.object(owner, name, value))

    return apply


def _without(module: Any, name: str) -> Ablation:
    return _with(module, name, lambda *_, **__: None)


def _rewriting(change: Callable[[TargetEvidence], TargetEvidence]) -> Ablation:
    """The rule with tuples that are changed before they are counted and checked."""
    original = record._tuple

    def changed(view: IdentityView, node: Node, *rest: Any) -> TargetEvidence:
        evidence = change(original(view, node, *rest))
        members = view.identity_set(evidence)
        held = qualifying(view, members, evidence)
        nth = held.index(node) if len(held) > 1 and evidence.nth != UNCOUNTED else None
        return msgspec.structs.replace(evidence, peers=len(held), nth=nth)

    return _with(record, "_tuple", changed)


UNCOUNTED = 10**6
"""Stands for "not recorded" in a tuple on its way through :func:`_rewriting`."""


def _first_key(evidence: TargetEvidence) -> TargetEvidence:
    if evidence.item is None:
        return evidence
    return msgspec.structs.replace(
        evidence, item=msgspec.structs.replace(evidence.item, keys=evidence.item.keys[:1])
    )


def _no_ancestry_labels(stack: ExitStack) -> None:
    def is_generic(_: IdentityView, node: Node) -> bool:
        return node.role == "generic"

    stack.enter_context(patch.object(IdentityView, "author_label", lambda *_: None))
    stack.enter_context(patch.object(IdentityView, "is_skipped", is_generic))


def _fields(**values: Any) -> Ablation:
    return _rewriting(lambda evidence: msgspec.structs.replace(evidence, **values))


def _any_count(stack: ExitStack) -> None:
    """``peers`` is whatever qualifies now."""
    original = verify._by_context

    def counted(view: IdentityView, evidence: TargetEvidence, *rest: Any) -> Any:
        members = view.identity_set(evidence)
        held = qualifying(view, members, evidence)
        nth = evidence.nth if evidence.nth is not None else 0
        return original(view, msgspec.structs.replace(evidence, peers=len(held) or 1, nth=nth), *rest)

    stack.enter_context(patch.object(verify, "_by_context", counted))


def _ids(read: Callable[[IdentityView, Node], str | None]) -> Ablation:
    return _with(IdentityView, "durable_id", read)


ABLATIONS: dict[str, Ablation] = {
    "item": _without(record, "item_evidence"),
    "second key": _rewriting(_first_key),
    "between": _without(record, "between"),
    "second neighbour": _with(context, "MAX_NEIGHBOURS", 1),
    "section": _without(record, "section"),
    "signs": _rewriting(lambda evidence: msgspec.structs.replace(evidence, record=None)),
    "peers": _any_count,
    "nth": _fields(nth=UNCOUNTED),
    "sibling, viewportOrder": _fields(sibling=None, viewport_order=None),
    "ancestry labels": _no_ancestry_labels,
    "ids": _ids(lambda *_: None),
    "id rules": _ids(lambda view, node: view.tree.ids[node.index] or None),
}
"""What is taken away, and how."""


@contextmanager
def ablated(ablation: Ablation) -> Iterator[None]:
    """The rule without a part, for as long as the block lasts."""
    with ExitStack() as stack:
        ablation(stack)
        yield
