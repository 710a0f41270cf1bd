"""What to do next, in words and exact commands: the hint of a ``REPLAY_DIVERGENCE``.

The commands are those of ``resume`` and of nothing else (seed 0012, decision 4): one where it is
allowed, a second one exactly where ``alternateFrom`` is given. Every surface shows the same text.
"""

from __future__ import annotations

from collections.abc import Mapping

from surefoot.wire import RepairHint, ResumeData

MAX_COMMAND_BYTES = 360
"""A longer command line of the caller is not repeated."""

_AT = "Bring the app to where step {step} starts (each command with --no-record), then run"
_PAST = "Do step {step} yourself, by a ref shown here, then run"

WAYS: Mapping[RepairHint, tuple[str, tuple[str, ...]]] = {
    "record-and-heal": ("The screen is the recorded one, the element is not.", (_PAST,)),
    "state-repair": ("The app is not where the recording was.", (_AT,)),
    "caution": (
        "Something answers to the recorded selector and is not what was recorded: look before you act.",
        (_AT, "Or, if it is the right thing after all: d" + _PAST[1:]),
    ),
    "manual": (
        "Nothing proves which repair is right: look first.",
        (_AT, "Or d" + _PAST[1:]),
    ),
}
"""For each hint what it means, then the way to ``from`` and, for two of them, to ``alternateFrom``."""


def guidance(hint: RepairHint, resume: ResumeData, step: int, again: str | None) -> str:
    """The text, a line each. ``again`` is the caller's own command line without ``--from``."""
    meaning, ways = WAYS[hint]
    lines = [meaning]
    if not resume.allowed:
        reason = resume.reason or "the plan does not allow it"
        lines.append(f"No resume: {reason}. Replay the whole script once the app is ready.")
        return "\n".join(lines)
    for way, ordinal in zip(ways, (resume.from_, resume.alternate_from), strict=False):
        if ordinal is not None:
            command = resume_command(again, ordinal, resume.plan_digest)
            lines += [f"{way.format(step=step)}:", f"  {command}"]
    return "\n".join(lines)


def resume_command(again: str | None, ordinal: int, digest: str) -> str:
    """The command line of a resume."""
    if again is None or len(again.encode()) > MAX_COMMAND_BYTES:
        again = "the same replay, and"
    return f"{again} --from {ordinal} --plan-digest {digest}"
