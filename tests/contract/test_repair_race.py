"""Eight processes publish to one target: exactly one wins, the others are refused, its bytes stay."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from surefoot.errors import SurefootError
from surefoot.recording import publish, recover
from surefoot.session import RepairLedger, RepairOwner, RepairRecord

WRITERS = 8
ROUNDS = 10


def text_of(number: int) -> str:
    """A script no other writer writes, long enough not to be written at once."""
    return f'context platform=sim\nopen "{number}"\n' + f"press label={number}\n" * 20_000


def write(number: int, folder: str, barrier: Barrier, said: Any) -> None:
    outcomes = []
    for round_number in range(ROUNDS):
        target = Path(folder) / f"{round_number}.ad"
        barrier.wait(60)
        try:
            publish(target, text_of(number))
            outcomes.append("won")
        except SurefootError as error:
            outcomes.append(str(error.reason))
    said.put((number, outcomes))


def test_of_eight_processes_exactly_one_publishes_and_the_others_leave_it_alone(tmp_path: Path) -> None:
    spawned = multiprocessing.get_context("forkserver")
    barrier, said = spawned.Barrier(WRITERS), spawned.Queue()
    writers = [
        spawned.Process(target=write, args=(number, str(tmp_path), barrier, said))
        for number in range(WRITERS)
    ]
    for writer in writers:
        writer.start()
    outcomes = dict(said.get(timeout=120) for _ in writers)
    for writer in writers:
        writer.join(60)
    for round_number in range(ROUNDS):
        told = [outcomes[number][round_number] for number in range(WRITERS)]
        assert told.count("won") == 1
        assert told.count("target_exists") == WRITERS - 1
        winner = told.index("won")
        assert (tmp_path / f"{round_number}.ad").read_text("utf-8") == text_of(winner)
    assert len(list(tmp_path.iterdir())) == ROUNDS


def test_of_two_lost_daemons_repairs_for_one_target_one_is_published(tmp_path: Path) -> None:
    ledgers = []
    for name in ("a", "b"):
        folder = tmp_path / f"ledger-{name}"
        folder.mkdir()
        ledger = RepairLedger(folder)
        ledger.write(_complete(name, tmp_path / "out.ad"))
        ledgers.append(ledger)
    recover(ledgers[1])
    recover(ledgers[0])
    assert (tmp_path / "out.ad").read_text("utf-8") == "open b\n"
    assert ledgers[1].read("b") is None
    lost = ledgers[0].tombstone("a")
    assert lost is not None
    assert (lost.reason, lost.text) == ("not_published", None)


def _complete(name: str, target: Path) -> RepairRecord:
    return RepairRecord(
        session=name,
        state="COMPLETE",
        owner=RepairOwner(uid=os.getuid(), directory="/"),
        platform="sim",
        script="/flow.ad",
        plan_digest="0" * 64,
        target=str(target),
        restart="surefoot replay flow.ad --save-script",
        token="t",
        text=f"open {name}\n",
        actions=1,
    )
