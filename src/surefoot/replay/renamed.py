"""What a replay says of a step whose target is called otherwise than it was recorded.

An id is the whole local identity where one was recorded (seed 0012, "Identity"), so the step goes on;
that ``Follow`` is ``Delete account`` now is for the caller to know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from surefoot.compose import ComposedPlan
from surefoot.identity import Mismatch
from surefoot.plan import BoundStep, Plan
from surefoot.replay.composed import step_name
from surefoot.replay.redaction import Redactor, variables_used
from surefoot.replay.screen import READS
from surefoot.replay.verification import TargetCheck
from surefoot.script import Scope
from surefoot.session import Session
from surefoot.text import quoted, truncate_utf8
from surefoot.tree import Node

MAX_LABEL_BYTES = 80
_DID: Mapping[str, str] = {
    "press": "pressed",
    "click": "clicked",
    "longpress": "pressed",
    "hover": "pointed at",
    "fill": "filled",
    "type": "typed into",
    "drag": "dragged",
}


def renamed(
    plan: Plan,
    scope: Scope,
    step: BoundStep,
    checks: Sequence[TargetCheck],
    session: Session | None,
    composed: ComposedPlan | None,
) -> Iterator[str]:
    """``step 2 pressed button "Delete account", which was "Follow" when recorded``, for each target
    that was verified by its id alone; nothing for a step that only reads."""
    if step.command in READS:
        return
    ordinal = step.step.ordinal
    marks = [] if session is None else session.hidden.marks
    redactor = Redactor([*variables_used(plan, ordinal, scope.values), *marks])
    name = f"step {ordinal}" if composed is None else step_name(composed, ordinal)
    for check in checks:
        if check.let_stand is not None:
            now, was = (redactor.text(text) for text in _called(*check.let_stand))
            did = (
                _DID.get(step.command, "acted on") if check.endpoint != "destination" else "dropped on"
            )
            yield f"{name} {did} {now}, which was {was} when recorded"


def _called(node: Node, changed: Sequence[Mismatch]) -> tuple[str, str]:
    """What the element is called now and was called then; the role where that is another one too."""
    fields = {item.field: item for item in changed}
    role, label = fields.get("role"), fields.get("label")
    if label is None:
        return node.role, "" if role is None else role.recorded or ""
    now = (
        f"{node.role} {quoted(_cut(label.observed))}"
        if label.observed
        else f"{node.role} without a name"
    )
    was = quoted(_cut(label.recorded))
    return now, was if role is None else f"{role.recorded} {was}"


def _cut(label: str | None) -> str:
    return truncate_utf8(label or "", MAX_LABEL_BYTES)
