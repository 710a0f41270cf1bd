"""Resume of a composed plan: root steps and entries of invocations, by address; all else is refused."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from tests.support.compositions import fragment, load, pinned, root

from surefoot.compose import (
    Address,
    ComposedPlan,
    ControlEntry,
    FragmentOwner,
    Invocation,
    ResumeRequest,
    RootOwner,
    address_json,
    address_token,
    check_composed_resume,
    composed_resume_point,
    refuse_composed_resume_of_flat,
)
from surefoot.errors import SurefootError

OTHER = "sha256:" + "c" * 64


@cache
def plan() -> ComposedPlan:
    """open 0, a: guard 1, press 2, b: guard 3, press 4, back in a: press 5; root press 6, b: 7 8,
    close 9."""
    return load(
        pinned(
            {
                "main.ad": root("@include a ./a.ad", "press id=root", "@include again ./b.ad"),
                "a.ad": fragment("press id=a1", "@include inner ./b.ad", "press id=a2"),
                "b.ad": fragment("press id=b", label="Deep"),
            }
        )
    )


def _resume(address: Address, digest: str | None = None) -> int:
    return check_composed_resume(
        plan(),
        ResumeRequest(
            from_=address_token(address), composition_digest=digest or plan().composition_digest
        ),
    )


def _refusal(request: ResumeRequest) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        check_composed_resume(plan(), request)
    return caught.value


def _refused(address: Address) -> tuple[str | None, object]:
    error = _refusal(
        ResumeRequest(from_=address_token(address), composition_digest=plan().composition_digest)
    )
    return error.reason, error.details["problem"]


@pytest.mark.parametrize("at", [0, 1, 3, 6, 7, 9])
def test_root_steps_and_invocation_boundaries_are_resumed_at(at: int) -> None:
    assert _resume(plan().steps[at].address) == at


@pytest.mark.parametrize("at", [2, 4, 5, 8])
def test_step_inside_a_body_is_refused(at: int) -> None:
    assert _refused(plan().steps[at].address) == ("fragment_resume_unsupported", "mid_body")


def test_nested_boundary_runs_its_own_guard_and_none_of_its_ancestors() -> None:
    at = _resume(plan().steps[3].address)
    rest = plan().steps[at:]
    assert rest[0].is_entry_guard is True
    assert [call.call_site_id for call in rest[0].address.invocation_path] == ["a", "inner"]
    assert [step.address.local_step for step in rest if step.is_entry_guard] == [1, 1]


def test_same_fragment_at_another_call_site_is_another_place() -> None:
    assert _resume(plan().steps[3].address) != _resume(plan().steps[7].address)


def test_nonzero_iteration_is_refused() -> None:
    boundary = plan().steps[1].address
    later = msgspec.structs.replace(
        boundary, invocation_path=(Invocation(call_site_id="a", iteration=1),)
    )
    assert _refused(later) == ("fragment_resume_unsupported", "iteration")


def test_nonzero_attempt_of_a_control_is_refused() -> None:
    entry = ControlEntry(control_id="retry", iteration=2)
    later = msgspec.structs.replace(plan().steps[1].address, control_path=(entry,))
    assert _refused(later) == ("fragment_resume_unsupported", "iteration")


def test_control_path_is_refused_even_in_its_first_round() -> None:
    entry = ControlEntry(control_id="retry")
    later = msgspec.structs.replace(plan().steps[1].address, control_path=(entry,))
    assert _refused(later) == ("fragment_resume_unsupported", "control_path")


@pytest.mark.parametrize("number", ["1", "4", "007"])
def test_numeric_resume_of_a_composed_plan_is_refused(number: str) -> None:
    error = _refusal(ResumeRequest(from_=number, composition_digest=plan().composition_digest))
    assert (error.reason, error.details["problem"]) == ("fragment_resume_unsupported", "numeric_from")


def test_plan_digest_of_a_composed_plan_is_refused() -> None:
    error = _refusal(ResumeRequest(from_="4", plan_digest="a" * 64))
    assert (error.reason, error.details["problem"]) == ("fragment_resume_unsupported", "plan_digest")
    assert error.details["currentCompositionDigest"] == plan().composition_digest


def test_token_without_any_digest_is_refused() -> None:
    error = _refusal(ResumeRequest(from_=address_token(plan().steps[0].address)))
    assert error.details["problem"] == "no_composition_digest"


def test_token_that_is_none_is_refused_with_the_resume_details() -> None:
    error = _refusal(ResumeRequest(from_="step-four", composition_digest=plan().composition_digest))
    assert error.details == {
        "reason": "fragment_resume_unsupported",
        "problem": "token_malformed",
        "from": "step-four",
        "expectedCompositionDigest": plan().composition_digest,
        "currentCompositionDigest": plan().composition_digest,
    }


def test_other_composition_is_a_mismatch_that_names_both() -> None:
    address = plan().steps[0].address
    error = _refusal(ResumeRequest(from_=address_token(address), composition_digest=OTHER))
    assert error.reason == "fragment_resume_mismatch"
    assert error.details["expectedCompositionDigest"] == OTHER
    assert error.details["currentCompositionDigest"] == plan().composition_digest


def test_mismatch_is_told_before_an_unsupported_shape() -> None:
    error = _refusal(ResumeRequest(from_="4", composition_digest=OTHER))
    assert error.reason == "fragment_resume_mismatch"


@pytest.mark.parametrize("digest", ["ab" * 32, "sha256:" + "AB" * 32, "sha256:ab", "md5:" + "a" * 64])
def test_other_spelling_of_the_digest_is_no_digest(digest: str) -> None:
    error = _refusal(ResumeRequest(from_="4", composition_digest=digest))
    assert error.reason == "composition_digest_malformed"


def test_root_address_of_another_composition_is_a_mismatch() -> None:
    owner = RootOwner(format="ad", composition_digest=OTHER)
    moved = msgspec.structs.replace(plan().steps[0].address, owner=owner)
    assert _refused(moved) == ("fragment_resume_mismatch", "owner")


def test_other_fragment_at_that_call_site_is_a_mismatch() -> None:
    owner = FragmentOwner(format="ad", fragment_digest=OTHER)
    moved = msgspec.structs.replace(plan().steps[1].address, owner=owner)
    error = _refusal(
        ResumeRequest(from_=address_token(moved), composition_digest=plan().composition_digest)
    )
    assert (error.reason, error.details["problem"]) == ("fragment_resume_mismatch", "owner")
    assert error.details["address"] == address_json(moved)


@pytest.mark.parametrize(
    "path", [("nowhere",), ("inner",), ("a", "again")], ids=["unknown", "not-of-the-root", "not-in-a"]
)
def test_call_site_that_is_not_reachable_is_refused(path: tuple[str, ...]) -> None:
    moved = msgspec.structs.replace(
        plan().steps[1].address,
        invocation_path=tuple(Invocation(call_site_id=name) for name in path),
    )
    assert _refused(moved) == ("fragment_resume_unsupported", "unreachable")


def test_local_step_behind_the_last_is_refused() -> None:
    moved = msgspec.structs.replace(plan().steps[0].address, local_step=99)
    assert _refused(moved) == ("fragment_resume_unsupported", "unreachable")


def test_address_of_another_version_is_unsupported_and_names_the_compositions() -> None:
    later = msgspec.structs.replace(plan().steps[0].address, version=2)
    error = _refusal(
        ResumeRequest(from_=address_token(later), composition_digest=plan().composition_digest)
    )
    assert error.reason == "fragment_unsupported"
    assert error.details["currentCompositionDigest"] == plan().composition_digest


def test_composition_digest_for_a_flat_script_is_a_mismatch() -> None:
    with pytest.raises(SurefootError) as caught:
        refuse_composed_resume_of_flat(ResumeRequest(from_="x", composition_digest=OTHER))
    assert caught.value.reason == "fragment_resume_mismatch"
    assert caught.value.details["currentCompositionDigest"] is None


def test_flat_resume_of_a_flat_script_passes_that_gate() -> None:
    refuse_composed_resume_of_flat(ResumeRequest(from_="3", plan_digest="a" * 64))


@pytest.mark.parametrize(
    ("failed", "way", "then"),
    [
        (0, "past", 1),
        (0, "at", 0),
        (0, "either", 0),
        (1, "at", 1),
        (2, "at", None),
        (2, "past", 3),
        (2, "either", 3),
        (4, "past", 6),
        (5, "past", 6),
        (6, "past", 7),
        (8, "past", 9),
        (9, "past", None),
        (9, "at", 9),
    ],
)
def test_continuation_of_a_failed_step(failed: int, way: str, then: int | None) -> None:
    point = composed_resume_point(plan(), failed, way)  # type: ignore[arg-type]
    expected = None if then is None else plan().steps[then].address
    assert (point.allowed, point.address) == (then is not None, expected)
    assert (point.reason is None) == point.allowed
    assert point.composition_digest == plan().composition_digest


def test_continuation_told_is_one_that_is_admitted() -> None:
    for at in range(len(plan().steps)):
        point = composed_resume_point(plan(), at, "past")
        if point.address is not None:
            assert _resume(point.address) > at
