"""Sessions by name: what is admitted, whose they are, when they are over."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import msgspec
import pytest

from surefoot.drivers.sim import VirtualClock, open_sim
from surefoot.errors import ErrorCode, SurefootError
from surefoot.session import (
    ActionRecord,
    Session,
    SessionStore,
    admit_name,
    implicit_name,
    worktree_root,
)
from surefoot.wire import Call

BAD_NAMES = [
    "",
    ".",
    "..",
    "a/../b",
    "/etc",
    "a\\b",
    "a\nb",
    "a\x00b",
    "\x1b[31m",
    " padded ",
    "a\u202eb",
    "a\ud800b",
    "x" * 129,
]


@pytest.mark.parametrize("name", BAD_NAMES, ids=[f"B121-{name[:12]!a}" for name in BAD_NAMES])
def test_names_that_escape_or_deceive_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(SurefootError) as caught:
        admit_name(name)
    assert (caught.value.code, caught.value.reason) == ("INVALID_ARGS", "invalid_session_name")
    store = SessionStore(tmp_path)
    with pytest.raises(SurefootError):
        store.get(name)
    with pytest.raises(SurefootError):
        store.events(name)
    assert os.listdir(tmp_path / "sessions") == []


@pytest.mark.parametrize("name", ["checkout-1", "a.b", "...", "günther", "x" * 128])
def test_ordinary_names_are_admitted(name: str) -> None:
    assert admit_name(name) == name


async def add(store: SessionStore, name: str) -> Session:
    return store.add(name, "sim", await open_sim('document "App"', VirtualClock()))


async def test_directories_are_private(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o755)
    store = SessionStore(tmp_path / "state")
    session = await add(store, "one")
    for path in (tmp_path / "state", tmp_path / "state" / "sessions", session.directory):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_linked_state_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(SurefootError) as caught:
        SessionStore(tmp_path / "link")
    assert caught.value.reason == "state_dir_unsafe"


async def test_unknown_session_is_named(tmp_path: Path) -> None:
    with pytest.raises(SurefootError) as caught:
        SessionStore(tmp_path).get("nope")
    assert caught.value.code == "SESSION_NOT_FOUND"
    assert caught.value.details == {"session": "nope"}


async def test_tombstone_speaks_for_a_dead_session(tmp_path: Path) -> None:
    expired = SurefootError(ErrorCode.REPAIR_SESSION_EXPIRED, "the repair was not finished")
    store = SessionStore(tmp_path, tombstones=lambda name: expired if name == "dead" else None)
    with pytest.raises(SurefootError) as caught:
        store.get("dead")
    assert caught.value is expired


async def test_session_is_idle_after_thirty_minutes_without_use(tmp_path: Path) -> None:
    clock = VirtualClock(auto=False)
    store = SessionStore(tmp_path, clock=clock)
    used, unused = await add(store, "used"), await add(store, "unused")
    clock.advance(29 * 60_000)
    assert store.idle() == []
    store.get("used")
    clock.advance(60_000)
    assert store.idle() == [unused]
    clock.advance(30 * 60_000)
    assert store.idle() == [used, unused]


async def test_removed_session_leaves_its_log(tmp_path: Path) -> None:
    store = SessionStore(tmp_path)
    session = await add(store, "one")
    session.record(ActionRecord(command="press"))
    store.remove("one")
    assert store.find("one") is None
    assert [entry.cursor for entry in store.events("one").read().events] == [1]


def test_log_of_an_unheard_session_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(SurefootError) as caught:
        SessionStore(tmp_path).events("never")
    assert caught.value.code == "SESSION_NOT_FOUND"


def test_implicit_name_is_of_the_worktree_and_the_platform(tmp_path: Path) -> None:
    work = tmp_path / "shop"
    (work / ".git").mkdir(parents=True)
    (work / "deep" / "er").mkdir(parents=True)
    name = implicit_name(work, "web")
    assert implicit_name(work / "deep" / "er", "web") == name
    assert implicit_name(work, "sim") != name
    assert name.startswith("shop-web-")
    assert admit_name(name) == name
    other = tmp_path / "elsewhere" / "shop"
    other.mkdir(parents=True)
    assert implicit_name(other, "web") != name


def test_worktree_may_be_a_linked_one(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    (tmp_path / "src").mkdir()
    assert worktree_root(tmp_path / "src") == tmp_path.resolve()


async def test_reopened_session_forgets_what_it_saw(tmp_path: Path) -> None:
    session = await add(SessionStore(tmp_path), "one")
    observation = await session.app.observe()
    session.observation = observation
    before = session.refs.publish_complete(observation).generation
    session.reopened()
    kept: list[object] = [session.observation, session.refs.frame]
    assert kept == [None, None]
    assert session.refs.publish_complete(observation).generation > before + 1


def test_provenance_cannot_come_from_the_wire() -> None:
    for forged in ({"provenance": "replay"}, {"internal": {"replayPlanStep": 1}}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(msgspec.json.encode({"command": "press", **forged}), type=Call)
    assert not any("provenance" in field for field in Call.__struct_fields__)


async def test_action_log_is_bounded_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("surefoot.session.actions.MAX_ACTIONS", 2)
    session = await add(SessionStore(tmp_path), "one")
    for _ in range(3):
        session.record(ActionRecord(command="press"))
    assert (len(session.actions), session.actions.dropped) == (2, 1)
    assert session.events.cursor == 2


async def test_warnings_are_taken_once(tmp_path: Path) -> None:
    session = await add(SessionStore(tmp_path), "one")
    session.warn("look out")
    assert session.take_warnings() == ("look out",)
    assert session.take_warnings() == ()
