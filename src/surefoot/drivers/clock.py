"""The one notion of time that waits, settles and deadlines run on; tests have a virtual one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar, runtime_checkable

T = TypeVar("T")


@runtime_checkable
class Clock(Protocol):
    """Monotonic time in milliseconds and a sleep on the same scale."""

    def now_ms(self) -> float:
        """Milliseconds since an arbitrary start; never goes back."""
        ...

    async def sleep(self, ms: float) -> None:
        """Suspend the caller for ``ms`` milliseconds; cancellable at any moment."""
        ...


class SystemClock:
    """The machine's monotonic clock."""

    def now_ms(self) -> float:
        return time.monotonic() * 1000.0

    async def sleep(self, ms: float) -> None:
        await asyncio.sleep(max(0.0, ms) / 1000.0)


async def within(clock: Clock, ms: float, work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` for at most ``ms`` milliseconds of ``clock``; ``TimeoutError`` after that.

    Cancelling the caller cancels the work. The work is always finished or cancelled on return.
    """
    task = asyncio.ensure_future(work)
    alarm = asyncio.ensure_future(clock.sleep(ms))
    try:
        await asyncio.wait({task, alarm}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise TimeoutError
    finally:
        for unfinished in (task, alarm):
            unfinished.cancel()
        await asyncio.gather(task, alarm, return_exceptions=True)
