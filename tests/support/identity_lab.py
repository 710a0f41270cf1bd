"""The lab: record on a random screen, edit it, replay, and judge what the verdict would have done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from tests.support import identity_edits as edits
from tests.support.identity_oracle import Expectation, expected, reads_alike
from tests.support.identity_parts import Part, Screen, Style, realize
from tests.support.identity_screens import Draw

from surefoot.identity import (
    IdentityView,
    TargetEvidence,
    Verified,
    record_target,
    recorded_subject,
    verify,
)
from surefoot.selectors import Disambiguated, Unique, build_chain, match, resolve_for_action
from surefoot.tree import Node

Outcome = Literal["truth", "wrong", "refuse"]
Sort = Literal["benign", "unsure", "harmful"]


@dataclass(frozen=True, slots=True)
class Trial:
    """One recording and its replay. ``seed`` alone makes it again (:func:`run_trial`)."""

    seed: int
    layout: str
    edits: tuple[str, ...]
    sort: Sort
    expectation: Expectation
    target: Part
    before: Screen
    after: Screen
    played: Played

    @property
    def outcome(self) -> Outcome:
        return self.played.outcome

    @property
    def cause(self) -> str:
        """What the cause table counts it under."""
        return f"{self.edits[-1]} / {self.layout} / {self.target.role}"


def run_trial(seed: int, *, wordless: bool = False) -> Trial:
    """Draw a screen, record a target on it, edit it, replay. ``wordless``: its records say nothing."""
    random = Random(seed)
    draw = Draw(random, wordless=wordless)
    while True:
        root = draw.screen()
        before = realize(root, Style(columns=random.choice((1, 1, 2))))
        targets = [index for index, part in enumerate(before.parts) if part.truth]
        if targets:
            break
    at = random.choice(targets)
    target = before.parts[at]
    scene = edits.Scene(root.copy(), Style(salt=1), draw, target.truth, target.record)
    home = scene.home()
    layout = home[0].layout if home else "alone"
    applied, sort = _edit(scene)
    after = realize(scene.root, scene.style)

    played = replay(before, after, target.truth)
    verdict = judge(before, after, target.truth, sort, layout, played)
    return Trial(seed, layout, applied, sort, verdict, target, before, after, played)


@dataclass(frozen=True, slots=True)
class Played:
    """What a replay did. ``why`` it refused; ``acted`` the node it would have acted on."""

    outcome: Outcome
    evidence: TargetEvidence
    why: str = ""
    acted: int | None = None


def judge(
    before: Screen, after: Screen, truth: str, sort: Sort, layout: str, played: Played
) -> Expectation:
    """What was expected of the replay: impostor where it acted on one."""
    if played.acted is not None and reads_alike(before, truth, after, played.acted):
        return "impostor"
    verdict = expected(before, after, truth, sort == "harmful", layout)
    return "may" if sort == "unsure" and verdict == "must" else verdict


def replay(before: Screen, after: Screen, truth: str) -> Played:
    """Record a press on what is called ``truth``, and replay it."""
    at = before.index_of(truth)
    assert at is not None
    view = IdentityView(before.tree)
    dispatched = before.tree[at]
    subject = recorded_subject(view, dispatched)
    evidence = record_target(view, subject, dispatched=dispatched)
    chain = build_chain(before.tree, subject)

    matches = match(after.tree, chain.selector)
    found = resolve_for_action(after.tree, matches)
    winner = found.node if isinstance(found, Unique | Disambiguated) else None
    verdict = verify(IdentityView(after.tree), evidence, matches.nodes, winner)
    if not isinstance(verdict, Verified):
        return Played("refuse", evidence, f"{verdict.path} {verdict.message}")
    now = after.index_of(truth)
    if now is not None and after.tree.contains(after.tree[now], verdict.node):
        return Played("truth", evidence)
    return Played("wrong", evidence, acted=verdict.node.index)


def _edit(scene: edits.Scene) -> tuple[tuple[str, ...], Sort]:
    random = scene.random
    applied: list[str] = []

    def some(table: dict[str, edits.Edit], count: int) -> None:
        names = random.sample(list(table), len(table))
        for name in names:
            if count == 0:
                return
            if table[name](scene):
                applied.append(name)
                count -= 1

    lot = random.random()
    if lot < 0.5:
        some(edits.BENIGN, random.choice((1, 1, 2, 3)))
        return tuple(applied), "benign"
    if lot < 0.55:
        some(edits.UNSURE, 1)
        some(edits.BENIGN, random.choice((0, 1)) if applied else 1)
        return tuple(applied), "unsure"
    some(edits.BENIGN, random.choice((0, 0, 1)))
    count = len(applied)
    some(edits.HARMFUL, 1)
    return tuple(applied), "harmful" if len(applied) > count else "unsure"


@dataclass(slots=True)
class Report:
    """What a run of trials came to."""

    trials: int = 0
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wrong: list[Trial] = field(default_factory=list)
    refused: list[Trial] = field(default_factory=list)
    acted: list[Trial] = field(default_factory=list)
    unverifiable: int = 0

    def add(self, trial: Trial) -> None:
        self.trials += 1
        self.counts[trial.sort, trial.expectation, trial.outcome] += 1
        self.unverifiable += trial.played.evidence.verification == "unverifiable"
        if trial.outcome == "wrong" and trial.expectation != "impostor":
            self.wrong.append(trial)
        if trial.expectation == "must" and trial.outcome == "refuse":
            self.refused.append(trial)
        if trial.expectation == "refuse" and trial.outcome == "truth":
            self.acted.append(trial)

    def merge(self, other: Report) -> None:
        """Add another run's trials."""
        self.trials += other.trials
        self.counts += other.counts
        self.wrong += other.wrong
        self.refused += other.refused
        self.acted += other.acted
        self.unverifiable += other.unverifiable

    def _share(self, expectation: str, outcome: str) -> float:
        of = sum(n for (_, e, _), n in self.counts.items() if e == expectation)
        hit = sum(n for (_, e, o), n in self.counts.items() if e == expectation and o == outcome)
        return hit / of if of else 1.0

    @property
    def wrong_share(self) -> float:
        """Replays that acted on a wrong element, impostors apart."""
        return len(self.wrong) / self.trials

    @property
    def proceeded(self) -> float:
        """Decidable benign edits that proceeded, on the target."""
        return self._share("must", "truth")

    @property
    def harmful_refused(self) -> float:
        return self._share("refuse", "refuse")

    def lines(self) -> Iterator[str]:
        """The figures, one a line."""
        yield f"trials {self.trials:,}, recorded unverifiable {self.unverifiable}"
        yield f"wrong element outside impostors {len(self.wrong)} ({self.wrong_share:.3%})"
        yield f"decidable benign edits that proceeded {self.proceeded:.2%}"
        yield f"harmful edits refused {self.harmful_refused:.2%}"
        for key, count in sorted(self.counts.items()):
            yield f"  {key[0]:8} expected {key[1]:9} outcome {key[2]:7} {count:,}"


def run(seed: int, trials: int, *, wordless: bool = False) -> Report:
    """Trials ``seed`` to ``seed + trials - 1``."""
    report = Report()
    for one in range(seed, seed + trials):
        report.add(run_trial(one, wordless=wordless))
    return report


def causes(trials: list[Trial], by: Literal["cause", "why"] = "cause") -> Counter[str]:
    """How many of the trials fall under each cause."""
    return Counter(
        f"{trial.played.why[:60]} | {trial.cause}" if by == "why" else trial.cause for trial in trials
    )


def written(screen: Screen) -> str:
    """A screen in the one-line notation of the virtual device, truths as keys."""
    tree = screen.tree

    def spell(node: Node) -> str:
        part = screen.parts[node.index]
        out = node.role
        if node.label:
            out += f' "{node.label}"'
        if node.id:
            out += f" #{node.id}"
        if node.author_label:
            out += f' author="{node.author_label}"'
        facts = {"value": part.value, "checked": part.checked, "source": part.source}
        facts |= {"about": part.about, "held": part.held_by}
        out += "".join(f" {name}={fact}" for name, fact in facts.items() if fact)
        if part.truth:
            out += f" ={part.truth.replace(' ', '_')}"
        children = tree.children(node)
        return out + (f"({', '.join(map(spell, children))})" if children else "")

    return spell(tree[0])
