"""Which actions a healed script holds (amendment 1271), and where it goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.errors import ErrorCode
from surefoot.recording import Repair, default_healed, uncorrected
from surefoot.recording.repair import healed, is_diagnostic
from surefoot.session import OUT_OF_BAND, ActionRecord, Provenance, ReplayStep

STEP = ReplayStep(plan_digest="0" * 64, ordinal=1, path="flow.ad", line=1)


def record(
    command: str, provenance: Provenance = OUT_OF_BAND, *, look: bool = False, forced: bool = False
) -> ActionRecord:
    return ActionRecord(command=command, provenance=provenance, observation_only=look, forced=forced)


@pytest.mark.parametrize(
    ("look", "provenance", "forced", "diagnostic"),
    [
        (True, OUT_OF_BAND, False, True),
        (True, OUT_OF_BAND, True, False),
        (True, STEP, False, False),
        (True, STEP, True, False),
        (False, OUT_OF_BAND, False, False),
        (False, OUT_OF_BAND, True, False),
        (False, STEP, False, False),
        (False, STEP, True, False),
    ],
)
def test_only_an_unforced_look_of_the_caller_itself_is_left_out(
    look: bool, provenance: Provenance, forced: bool, diagnostic: bool
) -> None:
    one = record("get", provenance, look=look, forced=forced)
    assert is_diagnostic(one) is diagnostic
    assert healed([one]) == ([] if diagnostic else [one])


def test_the_order_stays() -> None:
    kept = [record("open", STEP), record("is", STEP, look=True), record("press"), record("wait")]
    log = [kept[0], record("snapshot", look=True), *kept[1:3], record("get", look=True), kept[3]]
    assert healed(log) == kept


@pytest.mark.parametrize(
    ("script", "target"),
    [
        ("/a/login.ad", "/a/login.healed.ad"),
        ("/a/login.healed.ad", "/a/login.healed.healed.ad"),
        ("/a.ad/login", "/a.ad/login.healed.ad"),
        ("/a/v1.2.ad", "/a/v1.2.healed.ad"),
    ],
)
def test_the_default_target_stands_beside_the_script(script: str, target: str) -> None:
    assert default_healed(Path(script)) == Path(target)


def test_a_missing_correction_names_both_flags() -> None:
    error = uncorrected(3)
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "corrective_action_missing")
    assert error.message.startswith("Step 3 was not performed: no corrective action was recorded")
    assert "--no-record" in error.hint
    assert "--record" in error.hint.replace("--no-record", "")


def test_a_repair_calls_itself_one() -> None:
    assert Repair.kind == "repair"
