"""The ledger of repairs: one record a key, replaced as a whole, private, and bounded in time."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from surefoot.errors import ErrorCode
from surefoot.session import TOMBSTONE_S, RepairLedger, RepairOwner, RepairRecord, watched

NOW = 1_000_000.0


def record(session: str = "shop", *, uid: int | None = None) -> RepairRecord:
    return RepairRecord(
        session=session,
        state="ARMED",
        owner=RepairOwner(uid=os.getuid() if uid is None else uid, directory="/work"),
        platform="web",
        script="/flows/login.ad",
        plan_digest="0" * 64,
        target="/flows/login.healed.ad",
        restart="surefoot replay login.ad --save-script",
        token="abc",
    )


class Time:
    now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def ledger(tmp_path: Path, time: Time) -> RepairLedger:
    return RepairLedger(tmp_path, now=time)


def test_a_record_is_read_back_as_it_was_written(ledger: RepairLedger) -> None:
    ledger.write(record())
    assert ledger.read("shop") == record()
    assert ledger.read("other") is None


def test_a_key_has_one_record(ledger: RepairLedger, tmp_path: Path) -> None:
    ledger.write(record())
    ledger.write(msgspec.structs.replace(record(), state="COMPLETE", text="x"))
    assert [one.state for one in ledger.records()] == ["COMPLETE"]
    assert len(list(tmp_path.iterdir())) == 1


def test_keys_that_are_no_file_names_are_kept_apart(ledger: RepairLedger) -> None:
    names = ["a.json", ".a", "é" * 60, "A", "a"]
    for name in names:
        ledger.write(record(name))
    assert sorted(one.session for one in ledger.records()) == sorted(names)


def test_files_are_the_user_s_alone(ledger: RepairLedger, tmp_path: Path) -> None:
    ledger.write(record())
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]


def test_a_record_that_cannot_be_replaced_leaves_the_last_one(
    ledger: RepairLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.write(record())

    def refuse(*_: object) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="full"):
        ledger.entomb(record(), "idle")
    kept = ledger.read("shop")
    assert kept is not None
    assert kept.state == "ARMED"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_tombstone_answers_with_its_reason_and_the_way_to_start_again(ledger: RepairLedger) -> None:
    ledger.entomb(record(), "daemon_lost")
    error = ledger.expired("shop")
    assert error is not None
    assert error.code is ErrorCode.REPAIR_SESSION_EXPIRED
    assert error.details == {
        "reason": "daemon_lost",
        "session": "shop",
        "script": "/flows/login.ad",
        "target": "/flows/login.healed.ad",
        "owner": "/work",
        "restart": "surefoot replay login.ad --save-script",
        "expiresAt": round((NOW + TOMBSTONE_S) * 1000),
    }


def test_an_open_transaction_is_no_tombstone(ledger: RepairLedger) -> None:
    ledger.write(record())
    assert ledger.expired("shop") is None
    assert ledger.read("shop") is not None


def test_a_tombstone_is_over_when_its_time_is(ledger: RepairLedger, time: Time) -> None:
    ledger.entomb(record(), "idle")
    time.now = NOW + TOMBSTONE_S - 1
    assert ledger.expired("shop") is not None
    time.now = NOW + TOMBSTONE_S
    assert ledger.expired("shop") is None
    assert ledger.read("shop") is None


def test_a_tombstone_of_another_user_says_nothing(ledger: RepairLedger) -> None:
    ledger.entomb(record(uid=os.getuid() + 1), "idle")
    assert ledger.expired("shop") is None


def test_a_tombstone_keeps_nothing_of_the_healed_script(ledger: RepairLedger, tmp_path: Path) -> None:
    ledger.entomb(msgspec.structs.replace(record(), state="COMPLETE", text="fill x"), "not_published")
    (path,) = tmp_path.iterdir()
    assert b"fill x" not in path.read_bytes()


def test_drafts_of_a_crash_are_taken_away(ledger: RepairLedger, tmp_path: Path) -> None:
    draft = tmp_path / ".x.json.0123456789ab.tmp"
    draft.write_text("{", encoding="utf-8")
    assert list(ledger.records()) == []
    assert not draft.exists()


def test_a_file_that_is_no_record_counts_as_none(ledger: RepairLedger, tmp_path: Path) -> None:
    ledger.write(record())
    (path,) = tmp_path.iterdir()
    path.write_bytes(b'{"session": "shop"}')
    assert ledger.read("shop") is None
    assert list(ledger.records()) == []


def test_removing_is_idempotent(ledger: RepairLedger) -> None:
    ledger.write(record())
    ledger.remove("shop")
    ledger.remove("shop")
    assert ledger.read("shop") is None


def test_nobody_watches_the_points_outside_a_test(ledger: RepairLedger) -> None:
    seen: list[str] = []
    with watched(seen.append):
        ledger.write(record())
    ledger.write(record())
    assert seen == ["arm.drafted"]
