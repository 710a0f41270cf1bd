"""The clock seam: virtual time passes only by sleeping, in order, and a bound ends what is late."""

from __future__ import annotations

import asyncio
import time

import pytest

from surefoot.drivers import Clock, SystemClock, within
from surefoot.drivers.sim import VirtualClock


async def test_sleeping_moves_time_by_exactly_that_much_and_takes_none() -> None:
    clock, began = VirtualClock(), time.monotonic()
    await clock.sleep(3_600_000)
    assert clock.now_ms() == 3_600_000
    assert time.monotonic() - began < 5


async def test_sleepers_wake_in_the_order_of_their_times() -> None:
    clock, woken = VirtualClock(), []

    async def sleeper(ms: float) -> None:
        await clock.sleep(ms)
        woken.append((ms, clock.now_ms()))

    await asyncio.gather(*(sleeper(ms) for ms in (300, 100, 200)))
    assert woken == [(100, 100), (200, 200), (300, 300)]


async def test_time_stands_while_something_else_can_run() -> None:
    clock, seen = VirtualClock(), []

    async def busy() -> None:
        for _ in range(200):
            await asyncio.sleep(0)
        seen.append(clock.now_ms())

    await asyncio.gather(clock.sleep(10), busy())
    assert seen == [0]


async def test_a_cancelled_sleep_does_not_move_time() -> None:
    clock = VirtualClock()
    task = asyncio.ensure_future(clock.sleep(500))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await clock.sleep(100)
    assert clock.now_ms() == 100


async def test_a_manual_clock_moves_only_by_advance() -> None:
    clock = VirtualClock(auto=False)
    task = asyncio.ensure_future(clock.sleep(100))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not task.done()
    clock.advance(99)
    await asyncio.sleep(0)
    assert not task.done()
    clock.advance(1)
    await task
    assert clock.now_ms() == 100


async def test_work_in_time_gives_its_result() -> None:
    clock = VirtualClock()

    async def work() -> str:
        await clock.sleep(99)
        return "done"

    assert await within(clock, 100, work()) == "done"


async def test_late_work_is_cancelled_and_ends_in_a_timeout() -> None:
    clock, ended = VirtualClock(), []

    async def work() -> None:
        try:
            await clock.sleep(1000)
        finally:
            ended.append(clock.now_ms())

    with pytest.raises(TimeoutError):
        await within(clock, 100, work())
    assert ended == [100]


async def test_cancelling_the_caller_cancels_the_work() -> None:
    clock, ended = VirtualClock(auto=False), []

    async def work() -> None:
        try:
            await clock.sleep(1000)
        finally:
            ended.append(True)

    task = asyncio.ensure_future(within(clock, 100, work()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == [True]


async def test_failing_work_fails_as_it_is() -> None:
    async def work() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await within(VirtualClock(), 100, work())


async def test_both_clocks_are_clocks() -> None:
    system: Clock = SystemClock()
    before = system.now_ms()
    await system.sleep(0)
    assert system.now_ms() >= before
    assert isinstance(VirtualClock(), Clock)
