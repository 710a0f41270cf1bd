"""A clock for tests: time passes only when somebody sleeps on it, and then at once."""

from __future__ import annotations

import asyncio
import heapq
from itertools import count

IDLE_ROUNDS = 50
"""Loop rounds to wait before jumping on an event loop that does not show its ready queue."""


class VirtualClock:
    """A :class:`~surefoot.drivers.Clock` whose time moves by itself when nothing else can run.

    With ``auto=True`` (the default) a sleep returns as soon as the event loop has no other callback
    to run, and time has moved by exactly the slept amount; sleepers wake in the order of their due
    times. With ``auto=False`` only :meth:`advance` moves time. Real files and sockets are not part
    of this time: an await on them does not hold an automatic jump back.
    """

    def __init__(self, start_ms: float = 0.0, *, auto: bool = True) -> None:
        self._now = start_ms
        self._auto = auto
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = count()
        self._watching = False

    def now_ms(self) -> float:
        return self._now

    async def sleep(self, ms: float) -> None:
        if ms <= 0:
            await asyncio.sleep(0)
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + ms, next(self._order), done))
        self._watch()
        await done

    def advance(self, ms: float) -> None:
        """Move time by ``ms`` and wake every sleeper that is due by then."""
        target = self._now + ms
        while self._sleepers and self._sleepers[0][0] <= target:
            self._wake_next()
        self._now = max(self._now, target)

    def _wake_next(self) -> bool:
        due, _, done = heapq.heappop(self._sleepers)
        if done.done():
            return False
        self._now = max(self._now, due)
        done.set_result(None)
        return True

    def _watch(self) -> None:
        if self._auto and not self._watching:
            self._watching = True
            asyncio.get_running_loop().call_soon(self._jump_when_idle, IDLE_ROUNDS)

    def _jump_when_idle(self, rounds: int) -> None:
        loop = asyncio.get_running_loop()
        ready = getattr(loop, "_ready", None)
        busy = bool(ready) if ready is not None else rounds > 0
        if busy:
            loop.call_soon(self._jump_when_idle, rounds - 1)
            return
        self._watching = False
        while self._sleepers and not self._wake_next():
            pass
        if self._sleepers:
            self._watch()
