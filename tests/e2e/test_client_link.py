"""The Python client's connection over the real socket, against commands that only test transport."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.support.daemon_host import Hosted, hosted
from tests.support.mute_daemon import Mute

from surefoot.client.link import Link
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import PROTOCOL, Call, CallOptions, CallRequest


class Echo(msgspec.Struct):
    words: list[str]


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path / "state") as host:
        yield host


def request(command: str, *words: str, version: str = "0.1.0", **options: object) -> CallRequest:
    return CallRequest(
        protocol=PROTOCOL,
        version=version,
        kind="client",
        cwd="/",
        env={},
        call=Call(
            command=command,
            arguments={"words": list(words)},
            options=msgspec.convert(options, CallOptions),
        ),
    )


async def test_a_result_is_typed(daemon: Hosted) -> None:
    link = Link(daemon.paths, {})
    assert await link.call(request("echo", "a"), Echo) == (Echo(words=["a"]), None)
    await link.disconnect()


async def test_half_a_character_is_refused_before_anything_is_sent(daemon: Hosted) -> None:
    link = Link(daemon.paths, {})
    with pytest.raises(SurefootError) as caught:
        await link.call(request("echo", "\ud800"), Echo)
    assert (caught.value.code, caught.value.reason) == ("INVALID_ARGS", "text_not_unicode")
    await link.disconnect()


async def test_a_failure_is_raised_with_code_details_and_id(daemon: Hosted) -> None:
    link = Link(daemon.paths, {})
    with pytest.raises(SurefootError) as caught:
        await link.call(request("fail"), Echo)
    await link.disconnect()
    assert (caught.value.code, caught.value.reason) == (ErrorCode.ELEMENT_NOT_FOUND, "gone")
    assert caught.value.diagnostic_id in daemon.paths.log.read_text()


async def test_calls_run_at_once_over_one_connection(daemon: Hosted) -> None:
    link = Link(daemon.paths, {})
    slow = asyncio.create_task(link.call(request("sleep", "60000", session="a"), dict[str, int]))
    await asyncio.to_thread(daemon.service.started.wait, 5)
    assert (await link.call(request("echo", "b", session="b"), Echo))[0].words == ["b"]
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    assert (await link.call(request("echo", "c", session="a"), Echo))[0].words == ["c"]
    await link.disconnect()
    assert "cancelled sleep" in daemon.service.log


async def test_the_connection_owns_a_lease_until_it_ends(daemon: Hosted) -> None:
    link = Link(daemon.paths, {})
    one, _ = await link.call(request("who"), dict[str, object])
    two, _ = await link.call(request("who"), dict[str, object])
    assert one["lease"] == two["lease"] is not None
    await link.disconnect()
    three, _ = await link.call(request("who"), dict[str, object])
    assert three["lease"] != one["lease"]
    await link.disconnect()
    assert daemon.service.released_leases[0] == one["lease"]


async def test_the_daemon_reads_files_through_the_client(daemon: Hosted, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("mine")
    link = Link(daemon.paths, {})
    data, _ = await link.call(request("read", str(tmp_path / "f"), "10"), dict[str, object])
    with pytest.raises(SurefootError) as caught:
        await link.call(request("read", str(tmp_path / "none"), "10"), dict[str, object])
    await link.disconnect()
    assert data == {"bytes": 4, "text": "mine"}
    assert caught.value.reason == "file_not_found"


async def test_a_request_beyond_the_limit_is_refused_before_it_is_sent(daemon: Hosted) -> None:
    link = Link(daemon.paths, {})
    with pytest.raises(SurefootError) as caught:
        await link.call(request("echo", "x" * (8 * 1024 * 1024)), Echo)
    assert caught.value.reason == "frame_too_large"


async def test_an_answer_of_another_shape_is_a_typed_error(daemon: Hosted) -> None:
    link = Link(daemon.paths, {})
    with pytest.raises(SurefootError) as caught:
        await link.call(request("sleep", "0"), Echo)
    await link.disconnect()
    assert (caught.value.code, caught.value.reason) == (ErrorCode.UNKNOWN, "bad_reply")


async def test_a_daemon_that_ends_in_the_middle_says_so(daemon: Hosted) -> None:
    link = Link(daemon.paths, {})
    running = asyncio.create_task(link.call(request("sleep", "60000"), Echo))
    await asyncio.to_thread(daemon.service.started.wait, 5)
    other = Link(daemon.paths, {})
    await other.call(request("daemon stop"), dict[str, object])
    with pytest.raises(SurefootError) as caught:
        await running
    await link.disconnect()
    await other.disconnect()
    assert caught.value.reason == "daemon_stopping"


# A daemon that accepts and says nothing, or too little


@pytest.mark.parametrize("answers", [0, 1, 2], ids=["never", "before the call", "after it took it"])
async def test_B116_a_daemon_that_falls_silent_is_diagnosed_in_bounded_time(
    tmp_path: Path, answers: int
) -> None:
    mute = Mute(tmp_path / "state", answers)
    link = Link(mute.paths, {"SUREFOOT_DAEMON_TIMEOUT": "150"})
    try:
        async with asyncio.timeout(5):
            with pytest.raises(SurefootError) as caught:
                await link.call(request("echo"), Echo)
    finally:
        await link.disconnect()
        mute.close()
    assert (caught.value.code, caught.value.reason) == (ErrorCode.TIMEOUT, "daemon_unresponsive")
    assert "surefoot daemon stop" in caught.value.hint
