"""What to do next, in words and exact commands: the hint of a ``REPLAY_DIVERGENCE``.

The commands are those of ``resume`` and of nothing else (seed 0012, decision 4): one where it is
allowed, a second one exactly where ``alternateFrom`` is given. Every surface shows the same text.
"""

from __future__ import annotations

from collections.abc import Mapping

from surefoot.wire import CauseData, DivergenceKind, RepairHint, ResumeData

MAX_COMMAND_BYTES = 360
"""A longer command line of the caller is not repeated."""

_AT = "Bring the app to where step {step} starts (each command with --no-record), then run"
_PAST = "Do step {step} yourself{by}, then run"
_BY_REF = ", by a ref shown here"

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


_NOT_REACHED = "The element is there, and something keeps the step from it: "
_NOT_TAKEN = "The field is there and does not take this text: "
CAUSES: Mapping[str, str] = {
    "covered": _NOT_REACHED + "clear away what lies over it, or wait until that is gone.",
    "disabled": _NOT_REACHED + "it takes no input yet; do what enables it.",
    "inert": _NOT_REACHED + "it lies in a part of the page that takes no input now.",
    "zero_size": _NOT_REACHED + "it has no area; open what it lies in.",
    "offscreen": _NOT_REACHED + "it cannot be scrolled into view here.",
    "moving": _NOT_REACHED + "it does not come to rest.",
    "not_delivered": "The element moved away under the input: look what became of it.",
    "text_mismatch": _NOT_TAKEN + "it filters or formats what is entered.",
    "maxlength": _NOT_TAKEN + "it is too long.",
    "bad_value": _NOT_TAKEN + "it is not of the form that the field takes.",
    "readonly": _NOT_TAKEN + "it can only be read now.",
    "not_editable": "The element takes no text.",
    "no_focus": "Nothing has the keyboard focus: press or fill the field first.",
    "dialog_open": "A dialog waits for its answer: answer it, then go on.",
    "dialog_mismatch": "Another dialog is open than the recorded one: read it before you answer it.",
    "dialog_missing": "The recorded dialog did not open: look what the step before it did.",
    "no_dialog": "The recorded dialog did not open: look what the step before it did.",
    "file_not_found": "A file is missing; nothing is wrong with the screen.",
    "predicate_failed": "The screen is not as the script expects it.",
    "wait_target_missing": "What the step waits for did not come.",
    "wait_text_missing": "What the step waits for did not come.",
    "wait_target_present": "What the step waits for did not go.",
    "wait_not_stable": "The screen never came to rest.",
    "scroll_end_reached": "The list ends without it: it may be elsewhere, or be called otherwise.",
    "scroll_budget_spent": "The time was up before the list was: go on scrolling, or allow more time.",
    "no_such_tab": "The recorded tab is not open: look what the step before it did.",
    "app_crashed": "The app crashed; the script is not in question.",
    "driver_lost": "The device is gone; the script is not in question.",
    "internal_error": "surefoot itself failed; neither the screen nor the script is in question.",
}
"""What a failed action means, by its cause's reason, where that says more than the repair hint."""


def meaning(hint: RepairHint, kind: DivergenceKind, cause: CauseData) -> str:
    """What happened, in a sentence: of an action that failed by its cause, else of the repair."""
    if kind != "action-failure":
        return WAYS[hint][0]
    if cause.reason is not None and cause.reason in CAUSES:
        return CAUSES[cause.reason]
    if hint == "record-and-heal":
        return f"The step failed on the recorded screen. {cause.hint or ''}".rstrip()
    return WAYS[hint][0]


def guidance(
    hint: RepairHint,
    resume: ResumeData,
    step: int,
    again: str | None,
    *,
    means: str | None = None,
    by_ref: bool = True,
) -> str:
    """The text, a line each. ``again`` is the caller's own command line without ``--from``; ``means``
    the first line (:func:`meaning`); ``by_ref`` says that the step has a target to act on."""
    own, ways = WAYS[hint]
    lines = [means or own]
    if not resume.allowed:
        reason = resume.reason or "the plan does not allow it"
        lines.append(f"No resume: {reason}. Replay the whole script once the app is ready.")
        return "\n".join(lines)
    for way, ordinal in zip(ways, (resume.from_, resume.alternate_from), strict=False):
        if ordinal is not None:
            command = resume_command(again, ordinal, resume.plan_digest)
            said = way.format(step=step, by=_BY_REF if by_ref else "")
            lines += [f"{said}:", f"  {command}"]
    return "\n".join(lines)


def resume_command(again: str | None, ordinal: int, digest: str) -> str:
    """The command line of a resume."""
    if again is None or len(again.encode()) > MAX_COMMAND_BYTES:
        again = "the same replay, and"
    return f"{again} --from {ordinal} --plan-digest {digest}"
