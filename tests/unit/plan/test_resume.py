"""Where a plan may be taken up again (seed 0012, decision 4), as a table."""

from __future__ import annotations

import pytest

from surefoot.errors import ErrorCode, SurefootError
from surefoot.plan import (
    Plan,
    PlanSource,
    PlanStep,
    ResumeRefusal,
    Way,
    check_resume,
    resume_point,
    resume_refusal,
)


def plan(shape: str) -> Plan:
    """A step a letter: ``.`` plain, ``o`` produces output, ``c`` in a control flow."""
    steps = tuple(
        PlanStep(
            ordinal=at,
            command="press",
            positionals=(),
            flags={},
            evidence=None,
            source=PlanSource(path="a.ad", line=at),
            produces_output=letter == "o",
            in_control_flow=letter == "c",
        )
        for at, letter in enumerate(shape, 1)
    )
    return Plan(path="a.ad", platform="sim", target=None, steps=steps)


@pytest.mark.parametrize(
    ("shape", "ordinal", "refusal"),
    [
        ("....", 1, None),
        ("....", 3, None),
        ("....", 5, None),
        ("o...", 1, None),
        ("c...", 1, None),
        ("o...", 2, ResumeRefusal("skipped_output_producer", 1)),
        (".o..", 2, None),
        (".o..", 3, ResumeRefusal("skipped_output_producer", 2)),
        ("...o", 4, None),
        ("...o", 5, ResumeRefusal("skipped_output_producer", 4)),
        (".c..", 2, ResumeRefusal("inside_control_flow", 2)),
        (".c..", 3, ResumeRefusal("skipped_control_flow", 2)),
        ("co..", 4, ResumeRefusal("skipped_control_flow", 1)),
        ("oc..", 4, ResumeRefusal("skipped_output_producer", 1)),
        ("...c", 5, ResumeRefusal("skipped_control_flow", 4)),
    ],
)
def test_preflight(shape: str, ordinal: int, refusal: ResumeRefusal | None) -> None:
    assert resume_refusal(plan(shape).steps, ordinal) == refusal


@pytest.mark.parametrize(
    ("shape", "failed", "way", "expected"),
    [
        # (ordinal, allowed, alternate, watermark)
        ("....", 2, "past", (3, True, None, 3)),
        ("....", 2, "at", (2, True, None, 3)),
        ("....", 2, "either", (2, True, 3, 3)),
        ("....", 4, "past", (5, True, None, 5)),
        ("....", 4, "at", (4, True, None, None)),
        ("....", 4, "either", (4, True, 5, 5)),
        ("....", 1, "either", (1, True, 2, 2)),
        (".o..", 2, "past", (3, False, None, None)),
        (".o..", 2, "at", (2, True, None, None)),
        (".o..", 2, "either", (2, True, None, None)),
        (".c..", 2, "either", (2, False, None, None)),
        ("o...", 2, "either", (2, False, None, None)),
        ("o...", 1, "either", (1, True, None, None)),
        ("..c.", 2, "either", (2, True, None, None)),
        ("..c.", 2, "past", (3, False, None, None)),
    ],
)
def test_the_point_that_is_reported(
    shape: str, failed: int, way: Way, expected: tuple[int, bool, int | None, int | None]
) -> None:
    point = resume_point(plan(shape).steps, failed, way, session_live=True)
    assert (point.ordinal, point.allowed, point.alternate, point.watermark) == expected
    assert (point.reason is None) == point.allowed


@pytest.mark.parametrize("way", ["past", "at", "either"])
@pytest.mark.parametrize("shape", ["....", ".o..", "..c.", "...o", "o..c"])
@pytest.mark.parametrize("failed", [1, 2, 3, 4])
def test_an_alternate_is_the_next_step_and_implies_that_the_first_is_allowed(
    shape: str, failed: int, way: Way
) -> None:
    point = resume_point(plan(shape).steps, failed, way, session_live=True)
    if point.alternate is not None:
        assert point.allowed
        assert point.alternate == failed + 1
        assert resume_refusal(plan(shape).steps, point.alternate) is None


def test_without_a_session_the_empty_tail_is_withheld() -> None:
    steps = plan("..").steps
    assert resume_point(steps, 2, "either", session_live=False).alternate is None
    past = resume_point(steps, 2, "past", session_live=False)
    assert (past.allowed, past.watermark) == (False, None)
    assert resume_point(steps, 1, "either", session_live=False).alternate == 2


@pytest.mark.parametrize(
    ("ordinal", "digest", "reason"),
    [
        (0, None, "from_out_of_range"),
        (-1, None, "from_out_of_range"),
        (6, None, "from_out_of_range"),
        (2, "0" * 64, "plan_digest_mismatch"),
        (99, "0" * 64, "plan_digest_mismatch"),
        (2, "0" * 63, "plan_digest_malformed"),
        (2, "A" * 64, "plan_digest_malformed"),
        (2, "sha256:" + "0" * 64, "plan_digest_malformed"),
        (4, None, "skipped_output_producer"),
    ],
)
def test_what_is_refused_before_any_action(ordinal: int, digest: str | None, reason: str) -> None:
    one = plan(".o..")
    with pytest.raises(SurefootError) as refusal:
        check_resume(one, ordinal, digest or one.digest)
    assert (refusal.value.code, refusal.value.reason) == (ErrorCode.INVALID_ARGS, reason)


@pytest.mark.parametrize("ordinal", [1, 2])
def test_what_is_admitted(ordinal: int) -> None:
    one = plan(".o..")
    check_resume(one, ordinal, one.digest)
