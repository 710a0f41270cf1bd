"""The hint of a divergence: exactly the commands of ``resume`` (seed 0012, decision 4)."""

from __future__ import annotations

import pytest

from surefoot.replay.guidance import guidance, meaning
from surefoot.wire import CauseData, RepairHint, ResumeData

DIGEST = "ab" * 32
AGAIN = "surefoot replay flow.ad"


def commands(hint: RepairHint, *, at: int, other: int | None = None, allowed: bool = True) -> list[str]:
    resume = ResumeData(
        allowed=allowed,
        from_=at,
        plan_digest=DIGEST,
        alternate_from=other,
        reason="step 2 produces values",
    )
    text = guidance(hint, resume, 3, AGAIN)
    return [line.strip() for line in text.splitlines() if DIGEST in line]


def command(ordinal: int) -> str:
    return f"{AGAIN} --from {ordinal} --plan-digest {DIGEST}"


@pytest.mark.parametrize(
    ("hint", "at", "other", "expected"),
    [
        ("record-and-heal", 4, None, [4]),
        ("state-repair", 3, None, [3]),
        ("caution", 3, 4, [3, 4]),
        ("manual", 3, 4, [3, 4]),
        ("caution", 3, None, [3]),
        ("manual", 3, None, [3]),
    ],
)
def test_one_command_for_each_ordinal_given(
    hint: RepairHint, at: int, other: int | None, expected: list[int]
) -> None:
    assert commands(hint, at=at, other=other) == [command(ordinal) for ordinal in expected]


@pytest.mark.parametrize("hint", ["record-and-heal", "state-repair", "caution", "manual"])
def test_no_command_where_no_resume_is_allowed_but_the_reason(hint: RepairHint) -> None:
    assert commands(hint, at=3, allowed=False) == []
    resume = ResumeData(allowed=False, from_=3, plan_digest=DIGEST, reason="step 2 produces values")
    assert "step 2 produces values" in guidance(hint, resume, 3, AGAIN)


def test_what_is_set_right_by_hand_is_not_recorded_and_what_corrects_is() -> None:
    resume = ResumeData(allowed=True, from_=3, plan_digest=DIGEST)
    assert "--no-record" in guidance("state-repair", resume, 3, AGAIN)
    assert "--no-record" not in guidance("record-and-heal", resume, 3, AGAIN)


def test_a_command_line_that_is_too_long_is_not_repeated() -> None:
    resume = ResumeData(allowed=True, from_=3, plan_digest=DIGEST)
    text = guidance("state-repair", resume, 3, "surefoot replay " + "x" * 2_000)
    assert "x" * 100 not in text
    assert f"--from 3 --plan-digest {DIGEST}" in text


def cause(reason: str | None, hint: str | None = None) -> CauseData:
    return CauseData(code="COMMAND_FAILED", message="It failed.", reason=reason, hint=hint)


@pytest.mark.parametrize(
    ("reason", "hint", "said"),
    [
        ("text_mismatch", "record-and-heal", "does not take this text"),
        ("covered", "record-and-heal", "clear away what lies over it"),
        ("dialog_mismatch", "manual", "Another dialog is open"),
        ("file_not_found", "record-and-heal", "A file is missing"),
        ("wait_text_missing", "manual", "did not come"),
    ],
)
def test_a_failed_action_is_told_by_its_cause(reason: str, hint: RepairHint, said: str) -> None:
    told = meaning(hint, "action-failure", cause(reason))
    assert said in told
    assert "the element is not" not in told.lower()


def test_another_failure_on_the_recorded_screen_says_what_its_cause_hints_at() -> None:
    told = meaning("record-and-heal", "action-failure", cause("odd", "Try `surefoot doctor`."))
    assert told == "The step failed on the recorded screen. Try `surefoot doctor`."


def test_a_binding_that_refused_is_told_by_its_repair() -> None:
    told = meaning("record-and-heal", "selector-miss", cause("selector_not_found"))
    assert told == "The screen is the recorded one, the element is not."


def test_a_step_without_a_target_is_done_without_a_ref() -> None:
    resume = ResumeData(allowed=True, from_=4, plan_digest=DIGEST)
    assert "Do step 3 yourself, then run" in guidance("record-and-heal", resume, 3, AGAIN, by_ref=False)
    assert "by a ref shown here" in guidance("record-and-heal", resume, 3, AGAIN)
