"""What each step of a script would do on one saved screen: resolution and verification, no device."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from surefoot.check.judge import Judged, Manner, Target, judge
from surefoot.check.script import ReadStep
from surefoot.identity import IdentityView
from surefoot.plan import FOCUS_COMMANDS
from surefoot.tree import Node

Does = Literal["acts", "passes", "refuses", "unknown"]


class Foreseen(Struct, frozen=True, kw_only=True):
    """One target of a step on the saved screen; ``node`` is what it takes."""

    does: Does
    reason: str | None = None
    message: str | None = None
    node: Node | None = None
    match_count: int | None = None


UNNAMED = Foreseen(does="unknown", message="it names no element")
VARIABLE = Foreseen(does="unknown", message="a variable or a ref names its element")


def foresee(view: IdentityView, one: ReadStep) -> tuple[Foreseen, ...]:
    """What the step would do: one entry a target, one where it has none."""
    traits, evidence = one.traits, one.evidence
    if not one.step.targets:
        focus = one.step.command in FOCUS_COMMANDS and len(evidence) == 1
        if not focus:
            return (UNNAMED,)
        return (_told(judge(view, Target(selector=None, evidence=evidence[0])), acts=True),)
    found: list[Foreseen] = []
    for at, selector in enumerate(one.selectors):
        if selector is None:
            found.append(VARIABLE)
            continue
        target = Target(
            selector=selector,
            evidence=evidence[at] if at < len(evidence) and traits.phase != "none" else None,
            manner=_manner(one),
        )
        found.append(_told(judge(view, target), acts=traits.mutates))
    return tuple(found)


def _manner(one: ReadStep) -> Manner:
    if one.step.command == "fill":
        return "fill"
    if one.traits.phase == "post_resolution":
        return "landmark"
    return "act" if one.traits.mutates else "read"


def _told(judged: Judged, *, acts: bool) -> Foreseen:
    if judged.refusal is not None:
        return Foreseen(
            does="refuses",
            reason=judged.refusal,
            message=judged.message,
            match_count=judged.match_count,
        )
    return Foreseen(
        does="acts" if acts else "passes",
        message="the evidence decides among several" if judged.by_evidence else None,
        node=judged.node,
        match_count=judged.match_count,
    )
