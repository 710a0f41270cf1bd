"""The event log: absolute cursors over rotations, private, and never in the way of an action."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import get_args

import msgspec

from surefoot.session import EventLog
from surefoot.wire import Event, FrameExpired, RequestFinished, RequestStarted


def log_at(directory: Path, max_file_bytes: int = 1 << 20) -> EventLog:
    return EventLog(directory, now_unix_ms=lambda: 1_000, max_file_bytes=max_file_bytes)


def test_entry_is_one_line_of_json(tmp_path: Path) -> None:
    log_at(tmp_path).append(RequestStarted(command="press"))
    line = (tmp_path / "events.ndjson").read_bytes()
    assert line == b'{"cursor":1,"at":1000,"event":{"type":"request_started","command":"press"}}\n'


def test_file_is_private(tmp_path: Path) -> None:
    log_at(tmp_path).append(RequestStarted(command="press"))
    assert stat.S_IMODE((tmp_path / "events.ndjson").stat().st_mode) == 0o600


def test_read_goes_on_after_a_cursor(tmp_path: Path) -> None:
    log = log_at(tmp_path)
    for generation in range(5):
        log.append(FrameExpired(generation=generation))
    first = log.read(limit=2)
    rest = log.read(after=first.next)
    assert [entry.cursor for entry in first.events] == [1, 2]
    assert [entry.cursor for entry in rest.events] == [3, 4, 5]
    assert log.read(after=5).events == ()
    assert log.read(after=5).next == 5


def test_cursors_survive_rotation_and_lost_entries_show_as_a_gap(tmp_path: Path) -> None:
    log = log_at(tmp_path, max_file_bytes=200)
    for generation in range(40):
        log.append(FrameExpired(generation=generation))
    data = log.read(after=1)
    cursors = [entry.cursor for entry in data.events]
    assert data.gap
    assert cursors == list(range(cursors[0], 41))
    assert len(list(tmp_path.iterdir())) == 4
    assert all(path.stat().st_size <= 200 for path in tmp_path.iterdir())


def test_reopened_log_continues_its_cursors(tmp_path: Path) -> None:
    log_at(tmp_path).append(RequestStarted(command="press"))
    again = log_at(tmp_path)
    again.append(RequestStarted(command="fill"))
    assert again.cursor == 2


def test_line_cut_short_by_a_crash_is_skipped(tmp_path: Path) -> None:
    log_at(tmp_path).append(RequestStarted(command="press"))
    with (tmp_path / "events.ndjson").open("ab") as file:
        file.write(b'{"cursor":2,"at":1,"ev')
    again = log_at(tmp_path)
    again.append(RequestStarted(command="fill"))
    assert [entry.cursor for entry in again.read().events] == [1, 2]


def test_log_that_cannot_be_written_never_raises(tmp_path: Path) -> None:
    log = log_at(tmp_path / "missing")
    log.append(RequestFinished(command="press", success=True, duration_ms=1.0))
    assert log.lost == 1
    assert log.read().events == ()


def test_link_in_place_of_the_log_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("")
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "events.ndjson").symlink_to(victim)
    log = log_at(tmp_path / "log")
    log.append(RequestStarted(command="press"))
    assert victim.read_text() == ""
    assert log.lost == 1


# The fields an event may have: what surefoot chose or counted itself, never what a user entered.
FIELDS = {
    "actions",
    "address",
    "code",
    "command",
    "diagnostic_id",
    "duration_ms",
    "generation",
    "kind",
    "ordinal",
    "reason",
    "refs",
    "scope",
    "step",
    "success",
}


def test_no_event_has_room_for_user_entered_content() -> None:
    fields = {name for event in get_args(Event) for name in event.__struct_fields__}
    assert fields == FIELDS


def test_every_event_round_trips() -> None:
    event = RequestFinished(command="press", success=False, duration_ms=2.5, code="TIMEOUT")
    assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event
