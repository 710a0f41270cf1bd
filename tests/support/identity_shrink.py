"""The smallest screens on which a trial still goes the way it went."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec
from tests.support.identity_lab import Outcome, Trial, judge, replay
from tests.support.identity_oracle import Expectation
from tests.support.identity_parts import Part, Screen, Style, realize

from surefoot.identity import TargetEvidence

Verdict = tuple[Outcome, Expectation, TargetEvidence]


def shrink(trial: Trial) -> tuple[Screen, Screen]:
    """The trial's two screens without every part that makes no difference.

    Outcome, judgement and what was recorded stay the same, positions apart.
    """
    before, after = _fixed(trial.before), _fixed(trial.after)
    goal = _verdict(trial, before, after)
    progress = goal is not None
    while progress:
        progress = False
        for smaller in _smaller(before, after):
            if _verdict(trial, *smaller) == goal:
                before, after = smaller
                progress = True
                break
    return realize(before, Style()), realize(after, Style(salt=1))


def _verdict(trial: Trial, before: Part, after: Part) -> Verdict | None:
    first, second = realize(before, Style()), realize(after, Style(salt=1))
    truth = trial.target.truth
    if first.index_of(truth) is None:
        return None
    played = replay(first, second, truth)
    expectation = judge(first, second, truth, trial.sort, trial.layout, played)
    core = msgspec.structs.replace(
        played.evidence, sibling=0, viewport_order=0, rect=None, screen=None, nth=None
    )
    return played.outcome, expectation, core


def _fixed(screen: Screen) -> Part:
    """The rendered parts, with the ids they were shown with, no longer tied to collections."""

    def build(index: int) -> Part:
        node, part = screen.tree[index], screen.parts[index]
        id = part.id if "#" not in part.id and "~" not in part.id else node.id
        children = [build(child.index) for child in screen.tree.children(node)]
        return replace(part, id=id, children=children, collection=None)

    return build(0)


def _smaller(before: Part, after: Part) -> Iterator[tuple[Part, Part]]:
    """Both screens with the same thing gone from both, then each with something gone."""
    spots = sorted(_spots(before), key=lambda spot: -spot[1])
    for path, _ in spots:
        part = _at(before, path)
        twin = next((p for p, _ in _spots(after) if _same(_at(after, p), part)), None)
        if twin is not None:
            yield _without(before, path), _without(after, twin)
        yield _without(before, path), after
    for path, _ in sorted(_spots(after), key=lambda spot: -spot[1]):
        yield before, _without(after, path)


def _same(one: Part, other: Part) -> bool:
    return (one.role, one.label, one.truth, one.record) == (
        other.role,
        other.label,
        other.truth,
        other.record,
    )


Path = tuple[int, ...]


def _spots(part: Part, path: Path = ()) -> list[tuple[Path, int]]:
    """Every part but the root, with the size of what is below it."""
    found: list[tuple[Path, int]] = []
    for position, child in enumerate(part.children):
        below = _spots(child, (*path, position))
        found.append(((*path, position), 1 + len(below)))
        found += below
    return found


def _at(part: Part, path: Path) -> Part:
    for position in path:
        part = part.children[position]
    return part


def _without(part: Part, path: Path) -> Part:
    position, *rest = path
    children = list(part.children)
    if rest:
        children[position] = _without(children[position], tuple(rest))
    else:
        del children[position]
    return replace(part, children=children)
