"""What a recorded step would do on one capture, without a device.

The same match, the same ambiguity rule and the same verification as a replay (seed 0012, decision 3;
identity.md 1); only the guards of a live screen (covered, disabled, off screen) are not asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from surefoot.identity import (
    Classification,
    IdentityView,
    Refused,
    TargetEvidence,
    carries_landmark,
    verify,
)
from surefoot.selectors import (
    NO_MATCH,
    Ambiguous,
    Disambiguated,
    Selector,
    Unique,
    match,
    resolve_for_action,
    resolve_for_read,
)
from surefoot.tree import Node, Window

Manner = Literal["act", "fill", "read", "landmark"]
"""How a step takes its target: a mutation, a fill, a reading, a wait for a landmark."""
Refusal = Classification | Literal["ambiguous"]


class Target(Struct, frozen=True, kw_only=True):
    """A target as a script names it. Without a selector it is whatever has the focus."""

    selector: Selector | None
    evidence: TargetEvidence | None
    manner: Manner = "act"


class Judged(Struct, frozen=True, kw_only=True):
    """``node`` is what the step would take; ``None`` and a ``refusal`` where it would refuse."""

    node: Node | None
    match_count: int
    refusal: Refusal | None = None
    message: str = ""
    by_evidence: bool = False
    renamed: bool = False
    """Taken by its id alone: its role or label is not the recorded one, and a replay says so."""


def judge(view: IdentityView, target: Target, windows: Sequence[Window] = ()) -> Judged:
    """What a step with this target would do on this capture."""
    tree, selector = view.tree, target.selector
    if selector is None:
        focused = [node for node in reversed(tree.nodes) if node.focused][:1]
        return _verified(view, target, focused, focused[0] if focused else None)
    found = match(tree, selector, windows=windows) if selector is not None else NO_MATCH
    if target.manner == "landmark":
        return _landmark(view, target, found.nodes)
    if target.manner == "read":
        resolution = resolve_for_read(tree, found)
    else:
        resolution = resolve_for_action(tree, found, for_fill=target.manner == "fill")
    winner = resolution.node if isinstance(resolution, Unique | Disambiguated) else None
    if target.evidence is None and isinstance(resolution, Ambiguous):
        return Judged(
            node=None,
            match_count=len(found.nodes),
            refusal="ambiguous",
            message="several elements match, and nothing was recorded that tells them apart",
        )
    return _verified(view, target, found.nodes, winner)


def _verified(
    view: IdentityView, target: Target, matches: Sequence[Node], winner: Node | None
) -> Judged:
    evidence, count = target.evidence, len(matches)
    if evidence is None:
        if winner is None:
            return Judged(
                node=None, match_count=count, refusal="selector-miss", message="nothing matches"
            )
        return Judged(node=winner, match_count=count)
    verdict = verify(view, evidence, matches, winner)
    if isinstance(verdict, Refused):
        return Judged(
            node=None,
            match_count=count,
            refusal=verdict.classification,
            message=verdict.message,
        )
    return Judged(
        node=verdict.node,
        match_count=count,
        by_evidence=verdict.by_evidence,
        renamed=bool(verdict.changed),
    )


def _landmark(view: IdentityView, target: Target, matches: Sequence[Node]) -> Judged:
    evidence, count = target.evidence, len(matches)
    node = next(iter(matches), None)
    if evidence is not None and node is not None:
        if evidence.verification == "unverifiable":
            return _verified(view, target, matches, node)
        node = carries_landmark(view, evidence, matches)
        if node is None:
            return Judged(
                node=None,
                match_count=count,
                refusal="identity-mismatch",
                message="what matches never carries the recorded identity",
            )
    if node is None:
        return Judged(node=None, match_count=count, refusal="selector-miss", message="nothing matches")
    return Judged(node=node, match_count=count)
