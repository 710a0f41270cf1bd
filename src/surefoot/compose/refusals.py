"""Requests that the state or the kind of artefact forbids: no errors of a source (seed 0020).

Each names the state it speaks of; none pretends to have a locator or an expected pin.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from surefoot.errors import ErrorCode, SurefootError

ResumeReason = Literal["fragment_resume_mismatch", "fragment_resume_unsupported"]
SessionState = Literal[
    "fragment_armed", "fragment_published", "fragment_aborted", "recording_armed", "repair_armed"
]

MAX_NAMED = 8
"""Fragments whose re-recording a refusal spells out."""


class Rerecording(Struct, frozen=True, kw_only=True):
    """A fragment to record again: its path as the caller would name it, its entry selector."""

    path: str
    entry: str | None

    @property
    def commands(self) -> tuple[str, ...]:
        """What to run, in order, once the session shows the entry screen."""
        entry = shlex.quote(self.entry) if self.entry is not None else "<selector>"
        return (
            f"surefoot session fragment start {shlex.quote(self.path)} --entry {entry} --force",
            "surefoot session fragment save --force",
        )


def _refusal(message: str, hint: str, details: dict[str, Any]) -> SurefootError:
    return SurefootError(ErrorCode.INVALID_ARGS, message, hint=hint, details=details)


def resume_refused(
    reason: ResumeReason,
    problem: str,
    message: str,
    *,
    given: str,
    expected: str | None,
    current: str | None,
    **more: Any,
) -> SurefootError:
    """A resume that may not start. ``expected`` and ``current`` are composition digests: the request's
    and the plan's; None where there is none. ``problem`` is finer than the reason."""
    hints = {
        "fragment_resume_mismatch": "Replay the whole flow again; its divergence will carry a token.",
        "fragment_resume_unsupported": "Resume with `resume.token` and `resume.compositionDigest` of"
        " the divergence: at a root step, or at the first step of an included fragment.",
    }
    return _refusal(
        message,
        hints[reason],
        {
            "reason": reason,
            "problem": problem,
            "from": given,
            "expectedCompositionDigest": expected,
            "currentCompositionDigest": current,
            **more,
        },
    )


def composition_required(source: str) -> SurefootError:
    """A fragment that was given where a whole flow is needed."""
    return _refusal(
        f"{source} is a fragment: it has no open and no close, so nothing starts it by itself.",
        "Replay a flow that includes it (composition-v1, open, include, close).",
        {"reason": "fragment_composition_required", "artifactKind": "fragment", "source": source},
    )


def capture_conflict(state: SessionState, operation: str) -> SurefootError:
    """Two publications of one session would overlap; ``operation`` is what was asked for."""
    armed = state == "fragment_armed"
    return _refusal(
        f"{operation} cannot go with the session's state {state}.",
        "Run `surefoot session fragment save`, or `surefoot session fragment abort`, first."
        if armed
        else "Start a fresh session for it.",
        {
            "reason": "fragment_capture_conflict",
            "sessionState": state,
            "conflictingOperation": operation,
        },
    )


def repair_unsupported(source: str, fragments: Sequence[Rerecording]) -> SurefootError:
    """``replay --save-script`` of a composition: a heal would flatten it. Names what to run instead."""
    named = fragments[:MAX_NAMED]
    pin = f"surefoot fragment pin {shlex.quote(source)} --write"
    steps = "; ".join(named[0].commands) if len(named) == 1 else "record the one fragment again"
    return _refusal(
        f"replay --save-script cannot heal {source}: a heal would flatten its fragments.",
        f"Replay without --save-script; at the fragment that differs, {steps}; then {pin}",
        {
            "reason": "fragment_repair_unsupported",
            "command": "replay --save-script",
            "format": "ad",
            "source": source,
            "fragments": [
                {"path": fragment.path, "commands": [*fragment.commands, pin]} for fragment in named
            ],
            "fragmentCount": len(fragments),
        },
    )
