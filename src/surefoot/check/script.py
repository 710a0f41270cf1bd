"""A script as the rules see it: what could be read of it, step by step, and what could not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from surefoot.errors import SurefootError
from surefoot.identity import TargetEvidence, TargetsEvidence
from surefoot.plan import PlanStep, plan_digest, read_step
from surefoot.script import (
    Action,
    CommandGrammar,
    IssueList,
    Script,
    ScriptIssue,
    references,
    scan_script,
)
from surefoot.selectors import Equals, Selector, StringKey, parse_selector

Phase = Literal["none", "pre_dispatch", "post_resolution"]


class StepTraits(Struct, frozen=True, kw_only=True):
    """What the commands know of a step. ``text`` is the position of the text it enters among its
    positionals; ``coordinates`` says that it acts on a point; ``finds`` that it searches by itself."""

    phase: Phase
    mutates: bool
    text: int | None = None
    coordinates: bool = False
    finds: bool = False


TraitsOf = Callable[[PlanStep], StepTraits]


class ReadStep(Struct, frozen=True, kw_only=True):
    """A step with what it names its targets by; a target with a variable in it has no selector."""

    step: PlanStep
    traits: StepTraits
    selectors: tuple[Selector | None, ...] = ()

    @property
    def line(self) -> int:
        return self.step.source.line

    @property
    def evidence(self) -> tuple[TargetEvidence, ...]:
        held = self.step.evidence
        if isinstance(held, TargetsEvidence):
            return (held.source, held.destination)
        return () if held is None else (held,)

    @property
    def text(self) -> str | None:
        """The text it enters, as a template."""
        at = self.traits.text
        return None if at is None else self.step.positionals[at]

    def column(self, position: int | None = None) -> int:
        """Where a positional begins, else the command."""
        columns = self.step.columns
        if position is None or position >= len(columns):
            return self.step.column
        return columns[position]

    def terms(self, *keys: StringKey) -> Iterator[str]:
        """The values its selectors ask for under these keys."""
        for selector in self.selectors:
            for alternative in selector.alternatives if selector is not None else ():
                for term in alternative.terms:
                    if isinstance(term, Equals) and term.key in keys:
                        yield term.value


class ReadScript(Struct, frozen=True, kw_only=True):
    """A script and its steps. ``issues`` refuse it, ``remarks`` do not."""

    path: str
    script: Script
    steps: tuple[ReadStep, ...]
    issues: tuple[ScriptIssue, ...]
    remarks: tuple[ScriptIssue, ...]
    issue_count: int

    @property
    def digest(self) -> str | None:
        """``planDigest`` of a sound flat script with its own header."""
        if self.issues or self.script.guard is not None or self.script.includes:
            return None
        context = self.script.context
        plain = [one.step for one in self.steps]
        return plan_digest(context.get("platform"), context.get("target"), plain)

    @property
    def variables(self) -> tuple[str, ...]:
        """What a caller must set: named without a default and without an ``env`` line."""
        needed: dict[str, None] = {}
        for one in self.steps:
            for text in texts_of(one.step):
                for reference in references(text):
                    own = reference.name in self.script.env or reference.name.startswith("AD_")
                    if reference.default is None and not own:
                        needed[reference.name] = None
        return tuple(needed)


def read_for_check(data: bytes, path: str, grammar: CommandGrammar, traits_of: TraitsOf) -> ReadScript:
    """Everything that can be read of a script; its faults are findings, nothing is raised."""
    parsed = scan_script(data, path)
    issues = IssueList()
    issues.extend(parsed.issues)
    issues.count = max(issues.count, parsed.issue_count)
    remarks = list(parsed.script.warnings)
    steps: list[ReadStep] = []
    for node in parsed.script.nodes:
        if not isinstance(node, Action):
            continue
        before = steps[-1].step if steps else None
        step = read_step(node, grammar, issues, len(steps) + 1, path, remarks, before)
        if step is not None:
            steps.append(
                ReadStep(
                    step=step,
                    traits=traits_of(step),
                    selectors=tuple(_selector(step.positionals[at]) for at in step.targets),
                )
            )
    return ReadScript(
        path=path,
        script=parsed.script,
        steps=tuple(steps),
        issues=tuple(issues.kept),
        remarks=tuple(remarks),
        issue_count=issues.count,
    )


def texts_of(step: PlanStep) -> Iterator[str]:
    """Every text of a step: positionals, then the values of its flags."""
    yield from step.positionals
    for value in step.flags.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from value


def _selector(text: str) -> Selector | None:
    if text.startswith("@") or "${" in text:
        return None
    try:
        return parse_selector(text)
    except SurefootError:
        return None
