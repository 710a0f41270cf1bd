"""One lock a session, and how it is taken away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from surefoot.daemon import Lanes, Running


async def settled() -> None:
    """Let every task that can run do so."""
    for _ in range(20):
        await asyncio.sleep(0)


def run(lanes: Lanes, session: str, command: str, work: Callable[[], Awaitable[None]]) -> Running:
    running = Running(command=command, session=session)

    async def in_lane() -> None:
        async with lanes.hold(running):
            await work()

    running.task = asyncio.create_task(in_lane())
    running.task.add_done_callback(lambda _: running.ended.set())
    return running


async def forever() -> None:
    await asyncio.Event().wait()


async def test_one_after_the_other_in_one_session() -> None:
    lanes, order, gate = Lanes(), list[str](), asyncio.Event()

    async def first() -> None:
        order.append("first begins")
        await gate.wait()
        order.append("first ends")

    async def second() -> None:
        order.append("second")

    one, two = run(lanes, "s", "press", first), run(lanes, "s", "fill", second)
    await settled()
    assert order == ["first begins"]
    assert two.waiting_for == "press"
    gate.set()
    await one.ended.wait()
    await two.ended.wait()
    assert order == ["first begins", "first ends", "second"]


async def test_sessions_do_not_wait_for_each_other() -> None:
    lanes, done = Lanes(), asyncio.Event()

    async def finish() -> None:
        done.set()

    stuck = run(lanes, "a", "press", forever)
    run(lanes, "b", "press", finish)
    await settled()
    assert done.is_set()
    stuck.cancel("cancelled")
    await stuck.ended.wait()


async def test_preempting_cancels_what_runs_and_what_waits_and_frees_the_lock() -> None:
    lanes, done = Lanes(), asyncio.Event()

    async def finish() -> None:
        done.set()

    holder, waiter = run(lanes, "s", "press", forever), run(lanes, "s", "fill", forever)
    await settled()
    assert sorted(await lanes.preempt("s")) == sorted((holder.command, waiter.command))
    assert (holder.why, waiter.why) == ("preempted", "preempted")
    closer = run(lanes, "s", "close", finish)
    await closer.ended.wait()
    assert done.is_set()


async def test_preempting_an_idle_session_cancels_nothing() -> None:
    assert await Lanes().preempt("s") == ()


async def test_a_request_does_not_preempt_itself() -> None:
    lanes, outcome = Lanes(), list[tuple[str, ...]]()

    async def close() -> None:
        outcome.append(await lanes.preempt("s", closer))

    closer = run(lanes, "s", "close", close)
    await closer.ended.wait()
    assert outcome == [()]
    assert closer.why is None


async def test_what_does_not_let_go_is_abandoned_and_the_session_goes_on() -> None:
    lanes, deaf_done, order = Lanes(), asyncio.Event(), list[str]()

    async def deaf() -> None:
        while not deaf_done.is_set():
            try:
                await deaf_done.wait()
            except asyncio.CancelledError:
                continue
        order.append("deaf")

    async def finish() -> None:
        order.append("close")

    stuck = run(lanes, "s", "press", deaf)
    await settled()
    preempting = asyncio.create_task(lanes.preempt("s"))
    await settled()
    stuck.abandoned.set()
    assert await preempting == ("press",)
    closer = run(lanes, "s", "close", finish)
    await closer.ended.wait()
    deaf_done.set()
    await stuck.ended.wait()
    assert order == ["close", "deaf"]


async def test_who_waits_on_a_lock_that_was_abandoned_moves_to_the_new_one() -> None:
    lanes, gate, order = Lanes(), asyncio.Event(), list[str]()

    async def first() -> None:
        await gate.wait()

    async def second() -> None:
        order.append("waiter begins")
        await settled()
        order.append("waiter ends")

    async def third() -> None:
        order.append("newcomer")

    stuck = run(lanes, "s", "press", first)
    waiter = run(lanes, "s", "fill", second)
    await settled()
    lanes._slots.pop("s")
    newcomer = run(lanes, "s", "get", forever)
    await settled()
    gate.set()
    await stuck.ended.wait()
    await settled()
    assert order == []
    newcomer.cancel("cancelled")
    last = run(lanes, "s", "is", third)
    await last.ended.wait()
    assert waiter.ended.is_set()
    assert order == ["waiter begins", "waiter ends", "newcomer"]


async def test_no_lock_is_kept_for_a_session_nobody_uses() -> None:
    lanes = Lanes()

    async def nothing() -> None:
        return None

    for name in ("a", "b", "c"):
        await run(lanes, name, "get", nothing).ended.wait()
    await settled()
    assert lanes._slots == {}


async def test_the_first_reason_to_end_stays() -> None:
    lanes = Lanes()
    running = run(lanes, "s", "press", forever)
    await settled()
    running.cancel("preempted")
    running.cancel("cancelled")
    await running.ended.wait()
    assert running.why == "preempted"
