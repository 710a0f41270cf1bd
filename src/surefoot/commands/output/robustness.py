"""The robustness of a saved recording, as data and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from surefoot.check import SAID, Robustness, Weakness
from surefoot.commands.output.words import plural, shown
from surefoot.wire import RobustnessData, StepRobustness, WeaknessData

MAX_LINES = 8
_REFUSED = {
    "selector-miss": "nothing matches any more",
    "identity-mismatch": "what matches is not what was recorded",
    "identity-unverifiable": "nothing tells it from its equals",
    "ambiguous": "several match",
}
_CHANGES: Mapping[str, str] = dict([*SAID.items(), ("unchanged", "nothing changes at all")])


def robustness_data(found: Robustness) -> RobustnessData | None:
    """What crosses the wire, only the steps with a weakness; ``None`` where no step has an element."""
    score = found.score
    if score is None and not found.untried:
        return None
    return RobustnessData(
        score=score or 0,
        trials=found.trials,
        survived=found.survived,
        steps=tuple(
            StepRobustness(
                step=step.step,
                command=step.command,
                label=step.label,
                weaknesses=tuple(map(_weakness, step.weaknesses)),
            )
            for step in found.steps
            if step.weaknesses
        ),
        untried=found.untried,
        by_id=tuple(dict.fromkeys(step.step for step in found.steps if step.by_id)),
    )


def _weakness(one: Weakness) -> WeaknessData:
    return WeaknessData(mutation=one.mutation, outcome=one.outcome, reason=one.reason)


def robustness_lines(data: RobustnessData) -> Iterator[str]:
    """``robustness: 87 %`` and the steps that would refuse or mistake, the first eight changes."""
    if data.trials:
        yield (
            f"robustness: {data.score} % ({data.survived} of {plural(data.trials, 'change')} of the "
            "page survived)"
        )
    told = [line for step in data.steps for line in _step_lines(step)]
    yield from told[:MAX_LINES]
    if len(told) > MAX_LINES:
        yield f"  … {len(told) - MAX_LINES} more (--json lists all)"
    if data.by_id:
        steps = ", ".join(map(str, data.by_id[:MAX_LINES]))
        more = f" and {len(data.by_id) - MAX_LINES} more" if len(data.by_id) > MAX_LINES else ""
        named = (
            f"step {steps} goes by its" if len(data.by_id) == 1 else f"steps {steps}{more} go by their"
        )
        yield f"  {named} id: under another label the replay acts all the same, and warns"
    if data.untried:
        yield f"  {plural(data.untried, 'step')} not tried: no time left, or too large a screen"


def _step_lines(step: StepRobustness) -> Iterator[str]:
    name = "" if step.label is None else f" {shown(step.label, 40)}"
    for one in step.weaknesses:
        change = _CHANGES.get(one.mutation, one.mutation)
        if one.outcome == "mistakes":
            yield f"  step {step.step} {step.command}{name}: takes another element when {change}"
        else:
            why = _REFUSED[one.reason]
            yield f"  step {step.step} {step.command}{name}: refuses when {change} ({why})"
