"""Messages, profiles and names: what must hold without any browser."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.drivers.web.act.gate import Verdict
from surefoot.drivers.web.act.text import utf16_length
from surefoot.drivers.web.connect import profiles
from surefoot.drivers.web.connect.cdp import CdpError, Connection
from surefoot.drivers.web.connect.find import Found
from surefoot.drivers.web.connect.launch import launch
from surefoot.drivers.web.connect.pipe import PipeTransport
from surefoot.drivers.web.pages.downloads import safe_name
from surefoot.drivers.web.pages.network import Requests
from surefoot.errors import ErrorCode, SurefootError


async def drained(condition: Callable[[], bool]) -> None:
    """Let the event loop turn until something read from a pipe has arrived."""
    for _ in range(100_000):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never arrived")


class Recorder:
    """A transport that keeps what was sent."""

    def __init__(self, connection: Connection) -> None:
        self.sent: list[bytes] = []
        connection.bind(self)

    def send(self, message: bytes) -> None:
        self.sent.append(message)

    def close(self) -> None:
        return


async def test_answers_come_back_to_their_calls_in_any_order() -> None:
    connection = Connection()
    Recorder(connection)
    first, second = connection.start("A"), connection.start("B")
    connection.on_message(b'{"id":2,"result":{"v":"b"}}')
    connection.on_message(b'{"id":1,"result":{"v":"a"}}')
    assert (await first.result(), await second.result()) == ({"v": "a"}, {"v": "b"})


async def test_a_refusal_of_the_browser_is_told_by_its_text() -> None:
    connection = Connection()
    Recorder(connection)
    call = connection.start("Runtime.evaluate")
    connection.on_message(b'{"id":1,"error":{"code":-32000,"message":"uniqueContextId not found"}}')
    with pytest.raises(CdpError) as caught:
        await call.result()
    assert caught.value.gone


async def test_a_call_without_an_answer_ends_by_its_deadline() -> None:
    connection = Connection()
    Recorder(connection)
    with pytest.raises(SurefootError) as caught:
        await connection.call("A", deadline=0.001)
    assert (caught.value.code, caught.value.reason) == ("TIMEOUT", "driver_deadline")


async def test_the_end_of_the_connection_ends_every_call_and_all_later_ones() -> None:
    connection = Connection()
    Recorder(connection)
    pending = connection.start("A")
    connection.on_end("its process ended")
    for call in (pending, connection.start("B")):
        with pytest.raises(SurefootError) as caught:
            await call.result()
        assert caught.value.reason == "driver_lost"


async def test_failing_a_session_leaves_the_calls_of_others_and_the_kept_ones() -> None:
    connection = Connection()
    Recorder(connection)
    mine, kept, other = (
        connection.start("A", session_id="s"),
        connection.start("Page.handleJavaScriptDialog", session_id="s"),
        connection.start("A", session_id="t"),
    )
    connection.fail(("s",), lambda: CdpError("A", 0, "x"), keep="Page.handleJava")
    assert (mine.done, kept.done, other.done) == (True, False, False)


async def test_a_faulty_handler_costs_no_message(caplog: pytest.LogCaptureFixture) -> None:
    connection = Connection()
    Recorder(connection)
    seen: list[dict[str, Any]] = []

    def handler(_method: str, params: dict[str, Any]) -> None:
        if params["n"] == 1:
            raise RuntimeError("faulty")
        seen.append(params)

    connection.subscribe("s", handler)
    for n in (1, 2):
        connection.on_message(b'{"method":"E","params":{"n":%d},"sessionId":"s"}' % n)
    assert seen == [{"n": 2}]
    assert "could not be handled" in caplog.text


async def test_lone_surrogates_in_page_text_are_replaced() -> None:
    connection = Connection()
    Recorder(connection)
    seen: list[dict[str, Any]] = []
    connection.subscribe("", lambda _method, params: seen.append(params))
    connection.on_message(b'{"method":"E","params":{"title":"a\\ud800b"}}')
    assert seen == [{"title": "a?b"}]


async def test_messages_split_anywhere_arrive_whole() -> None:
    connection = Connection()
    seen: list[dict[str, Any]] = []
    connection.subscribe("", lambda _method, params: seen.append(params))
    theirs_out, ours_in = os.pipe()[::-1]
    their_in, ours_out = os.pipe()
    transport = PipeTransport(ours_in, ours_out, connection)
    stream = b"".join(
        b'{"method":"E","params":{"n":%d,"pad":"%s"}}\0' % (n, b"x" * n) for n in range(200)
    )
    for begin in range(0, len(stream), 777):
        os.write(theirs_out, stream[begin : begin + 777])
        await asyncio.sleep(0)
    await drained(lambda: len(seen) == 200)
    assert [params["n"] for params in seen] == list(range(200))
    os.close(theirs_out)
    await drained(lambda: connection.lost is not None)
    assert connection.lost == "its process ended"
    transport.close()
    os.close(their_in)


def test_a_profile_is_removed_and_only_forgotten_ones_are_swept(tmp_path: Path) -> None:
    held = profiles.acquire(str(tmp_path))
    forgotten = profiles.acquire(str(tmp_path))
    os.close(forgotten._lock_fd)  # as the kernel does for a daemon that was killed
    assert profiles.sweep(str(tmp_path)) == 1
    assert held.path.is_dir()
    assert not forgotten.path.exists()
    held.remove()
    held.remove()
    assert not held.path.exists()


def test_a_profile_is_for_its_owner_only(tmp_path: Path) -> None:
    held = profiles.acquire(str(tmp_path))
    assert held.path.stat().st_mode & 0o777 == 0o700
    with pytest.raises(BlockingIOError), open(held.path / profiles.LOCK) as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    held.remove()


async def test_a_place_that_can_hold_no_profile_is_a_typed_refusal(tmp_path: Path) -> None:
    (tmp_path / "browser").write_text("in the way")
    with pytest.raises(SurefootError) as caught:
        await launch(
            Found(path="/nowhere", kind="shell", source="test"),
            str(tmp_path),
            headed=False,
            profile_dir=None,
            viewport=(800, 600),
        )
    assert (caught.value.code, caught.value.reason) == (ErrorCode.COMMAND_FAILED, "profile_unusable")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("a\x00b\nc", "a_b_c"),
        ("C:\\x", "C_x"),
        ("...", "download"),
        ("", "download"),
        ("ü" * 300, "ü" * 100),
    ],
)
def test_a_download_stays_in_its_directory(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_maxlength_counts_utf16_units() -> None:
    assert [utf16_length(text) for text in ("abc", "é", "👩", "")] == [3, 1, 2, 0]


def test_a_gesture_is_whole_when_every_event_arrived() -> None:
    verdict = Verdict({"mousedown": 1, "click": 1})
    verdict.hear({"k": "seen", "e": "mousedown"})
    assert not verdict.complete
    verdict.hear({"k": "seen", "e": "click"})
    assert verdict.complete


def test_only_requests_that_began_since_are_waited_for() -> None:
    requests = Requests()
    begin = {"request": {"url": "u"}, "type": "Fetch"}
    requests.will_be_sent({"requestId": "1", **begin}, "s")
    (first,) = requests.begun_since(0)
    assert requests.begun_since(first.began + 1) == []
    requests.answered({"requestId": "1", "response": {"mimeType": "text/event-stream"}}, "s")
    assert requests.begun_since(0) == []
    requests.will_be_sent({"requestId": "2", **begin, "type": "EventSource"}, "s")
    assert requests.begun_since(0) == []
