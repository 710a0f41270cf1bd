"""How a recorded step would fare on a page that drifted: tried at record time, on the capture it was
recorded from, against every change of :mod:`surefoot.check.mutations`.

A trial's outcome is ``proceeds`` (it takes the element it was recorded for), ``refuses`` or
``mistakes`` (it takes another one). Pure; the caller says when time is up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from surefoot.check.judge import Judged, Refusal, Target, judge
from surefoot.check.mutations import MUTATIONS, Name
from surefoot.identity import IdentityView
from surefoot.tree import Node, Tree, Window

MAX_NODES = 20_000
"""A step recorded from a larger capture is not tried."""

Outcome = Literal["refuses", "mistakes"]


class Trial(Struct, frozen=True, kw_only=True):
    """A recorded step with the capture it was recorded from; ``at`` is the element's index.

    ``step`` is its position in the script, from 1; ``label`` names the element in a report.
    """

    step: int
    command: str
    label: str | None
    tree: Tree
    at: int
    target: Target
    windows: tuple[Window, ...] = ()


class Weakness(Struct, frozen=True, kw_only=True):
    """One change a step does not survive. ``mutation`` is ``unchanged`` where even the page as it was
    is refused."""

    mutation: Name | Literal["unchanged"]
    outcome: Outcome
    reason: Refusal | Literal["another-element"]


class Tried(Struct, frozen=True, kw_only=True):
    """One step after its trials: ``survived`` of ``trials`` changes. ``by_id`` says that it takes its
    element by the id alone, whatever that is called: a replay goes on then, and warns."""

    step: int
    command: str
    label: str | None
    trials: int
    survived: int
    weaknesses: tuple[Weakness, ...] = ()
    by_id: bool = False


class Robustness(Struct, frozen=True, kw_only=True):
    """A whole recording. ``untried`` counts steps without time left, or with too large a capture."""

    steps: tuple[Tried, ...] = ()
    untried: int = 0

    @property
    def trials(self) -> int:
        return sum(step.trials for step in self.steps)

    @property
    def survived(self) -> int:
        return sum(step.survived for step in self.steps)

    @property
    def score(self) -> int | None:
        """Survived changes in percent, rounded down; ``None`` when nothing was tried."""
        return None if not self.trials else self.survived * 100 // self.trials


def assess(trials: Iterable[Trial], in_time: Callable[[], bool] = lambda: True) -> Robustness:
    """Try the steps in order while ``in_time()`` says so (asked before each step)."""
    done: list[Tried] = []
    untried = 0
    for trial in trials:
        if len(trial.tree) > MAX_NODES or not in_time():
            untried += 1
        else:
            done.append(try_step(trial))
    return Robustness(steps=tuple(done), untried=untried)


def try_step(trial: Trial) -> Tried:
    """One step against every change that applies to its element."""
    node = trial.tree[trial.at]
    found: list[Weakness] = []
    trials = 0
    by_id = False
    as_it_was = _weakness("unchanged", trial, _judged(trial, trial.tree), node)
    for name, change in MUTATIONS.items():
        changed = change(trial.tree, node)
        if changed is None:
            continue
        trials += 1
        if as_it_was is None:
            there = changed.tree[changed.at]
            judged = _judged(trial, changed.tree)
            by_id = by_id or (judged.renamed and trial.target.manner in ("act", "fill"))
            weakness = _weakness(name, trial, judged, there)
            found += [] if weakness is None else [weakness]
    return Tried(
        step=trial.step,
        command=trial.command,
        label=trial.label,
        trials=trials,
        survived=trials - len(found) if as_it_was is None else 0,
        weaknesses=tuple(found) if as_it_was is None else (as_it_was,),
        by_id=by_id,
    )


def _judged(trial: Trial, tree: Tree) -> Judged:
    return judge(IdentityView(tree), trial.target, trial.windows)


def _weakness(
    name: Name | Literal["unchanged"], trial: Trial, judged: Judged, there: Node
) -> Weakness | None:
    """A landmark is met by whatever carries its identity: there is no other element to take."""
    if judged.refusal is not None:
        return Weakness(mutation=name, outcome="refuses", reason=judged.refusal)
    if trial.target.manner != "landmark" and judged.node is not there:
        return Weakness(mutation=name, outcome="mistakes", reason="another-element")
    return None


def merged(parts: Sequence[Robustness]) -> Robustness:
    """Several partial assessments of one recording as one, in the order of its steps."""
    steps = sorted((step for part in parts for step in part.steps), key=lambda step: step.step)
    return Robustness(steps=tuple(steps), untried=sum(part.untried for part in parts))
