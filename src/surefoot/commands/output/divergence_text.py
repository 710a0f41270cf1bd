"""A divergence in a few lines: at most 2 KB, refs pinned, ending in the commands that go on.

decisions.md ("compact text of a divergence"). The hint and its commands are always whole; what is on
the screen takes the room that is left. The rest is in the JSON.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice

import msgspec

from surefoot.commands.output.words import PROVENANCE, ref_text, safe_line, shown
from surefoot.errors import ErrorCode, SurefootError
from surefoot.text import single_line, truncate_utf8, utf8_length
from surefoot.wire import (
    AvailableScreen,
    Divergence,
    ScreenRef,
    Suggestion,
    TargetBindingData,
    UnavailableScreen,
)

MAX_BYTES = 2048
MAX_HEAD_BYTES = 420
MAX_LINE_BYTES = 200
MAX_REFS = 8
MAX_MISMATCHES = 3
MAX_WARNINGS = 3
COLUMNS = 48


def divergence_of(error: SurefootError) -> Divergence | None:
    """The report an error carries; ``None`` for any other error."""
    if error.code is not ErrorCode.REPLAY_DIVERGENCE or "divergence" not in error.details:
        return None
    return msgspec.convert(error.details["divergence"], Divergence)


def divergence_lines(error: SurefootError, report: Divergence) -> list[str]:
    """The text of a divergence, for a terminal and for every surface that shows text."""
    head = [
        _cut(f"error {error.code.value} {report.kind}: {safe_line(error.message)}", MAX_HEAD_BYTES),
        f"repair: {report.repair_hint}" + _held(report),
    ]
    first, *rest = (error.hint or "").split("\n")
    tail = [f"hint: {safe_line(first)}", *map(safe_line, rest)]
    room = MAX_BYTES - sum(utf8_length(line) + 1 for line in (*head, *tail))
    told = (f"before it: {safe_line(str(warning))}" for warning in error.details.get("warnings", ()))
    return [*head, *_fitting(chain(islice(told, MAX_WARNINGS), _body(report)), room), *tail]


def _held(report: Divergence) -> str:
    """Only a repair promises that its session stays (seed 0012, R7)."""
    return "; held, `surefoot close` ends it" if report.resume.repair_session_held else ""


def _fitting(lines: Iterator[str], room: int) -> Iterator[str]:
    for line in lines:
        cut = _cut(line, MAX_LINE_BYTES)
        room -= utf8_length(cut) + 1
        if room < 0:
            return
        yield cut


def _body(report: Divergence) -> Iterator[str]:
    yield f"action: {safe_line(report.action)}"
    if report.target_binding is not None:
        yield from _binding(report.target_binding)
    wanted = None if report.target_binding is None else report.target_binding.recorded.role
    likely = {item.ref for item in report.suggestions}
    yield from _screen(report.screen, wanted, likely)
    generation = report.screen.refs_generation if isinstance(report.screen, AvailableScreen) else None
    for suggestion in report.suggestions:
        yield f"like it ({suggestion.basis}): {_ref_line(suggestion, generation)}"
    if report.overflow is not None:
        yield f"more: {single_line(report.overflow.artifact_path)}"


def _binding(binding: TargetBindingData) -> Iterator[str]:
    recorded = binding.recorded
    name = f" {shown(recorded.label, COLUMNS)}" if recorded.label else ""
    count = "" if binding.match_count is None else f"; the selector matches {binding.match_count} now"
    yield f"recorded: {safe_line(recorded.role)}{name}{count}"
    for item in binding.mismatches[:MAX_MISMATCHES]:
        sides = [
            "nothing" if side is None else shown(side, COLUMNS)
            for side in (item.recorded, item.observed)
        ]
        yield f"  {item.field}: recorded {sides[0]}, here {sides[1]}"


def _screen(
    screen: AvailableScreen | UnavailableScreen, wanted: str | None, likely: Collection[str]
) -> Iterator[str]:
    if isinstance(screen, UnavailableScreen):
        yield f"screen: not shown ({screen.reason}). {safe_line(screen.hint)}"
        return
    yield f"screen {PROVENANCE}:"
    for item in _few(screen.refs, wanted, likely):
        yield f"- {_ref_line(item, screen.refs_generation)}"
    if screen.truncated or len(screen.refs) > MAX_REFS:
        yield "- … more: surefoot snapshot -i"


def _few(refs: Sequence[ScreenRef], wanted: str | None, likely: Collection[str]) -> Sequence[ScreenRef]:
    """The refs there is room for, in their rank: the first one, then what takes activation and has the
    role that was recorded (what a renamed element most likely is), then what takes activation. What
    is suggested has a line of its own and comes last."""

    def worth(at: int) -> tuple[bool, bool, bool, int]:
        item = refs[at]
        idle = at > 0 and not item.hittable
        return at > 0 and item.ref in likely, idle, at > 0 and item.role != wanted, at

    return [refs[at] for at in sorted(sorted(range(len(refs)), key=worth)[:MAX_REFS])]


def _ref_line(item: ScreenRef | Suggestion, generation: int | None) -> str:
    named = f" {shown(item.label, COLUMNS)}" if item.label else ""
    covered = " [covered]" if isinstance(item, ScreenRef) and item.covered else ""
    place = f" {safe_line(item.place)}" if item.place else ""
    return f"{safe_line(item.role)}{named} [{ref_text(item.ref, generation)}]{covered}{place}"


def _cut(line: str, most: int) -> str:
    return line if utf8_length(line) <= most else truncate_utf8(line, most - 3) + "…"
