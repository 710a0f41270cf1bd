"""Who may run in a session now: one lock a session, and a way to take it away (rows B112, B113).

A request that does not end when it is cancelled is abandoned after a grace: its caller gets an
answer, and whoever pre-empted it goes on with a fresh lock.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

GRACE_S = 0.5
"""How long a cancelled request may take to let go."""

Why = Literal["deadline", "cancelled", "preempted", "daemon_stopping"]


@dataclass(eq=False)
class Running:
    """One request that is being served."""

    command: str
    session: str
    why: Why | None = None
    waiting_for: str | None = None
    """The command whose lock it waits for; ``None`` while it runs."""
    task: asyncio.Task[Any] | None = None
    abandoned: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def cancel(self, why: Why) -> None:
        """Ask it to stop; give up on it when it has not after the grace. The first reason stays."""
        if self.why is not None or self.task is None or self.task.done():
            return
        self.why = why
        self.task.cancel()
        asyncio.get_running_loop().call_later(GRACE_S, self.abandoned.set)


@dataclass(eq=False)
class _Slot:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    holder: Running | None = None
    waiting: set[Running] = field(default_factory=set)


class Lanes:
    """The session locks."""

    def __init__(self) -> None:
        self._slots: dict[str, _Slot] = {}

    @asynccontextmanager
    async def hold(self, running: Running) -> AsyncIterator[None]:
        """Hold the lock of ``running.session``, first come, first served."""
        slot = await self._acquire(running)
        try:
            yield
        finally:
            slot.holder = None
            slot.lock.release()
            self._drop(running.session, slot)

    async def _acquire(self, running: Running) -> _Slot:
        while True:
            slot = self._slots.setdefault(running.session, _Slot())
            if slot.holder is not None:
                running.waiting_for = slot.holder.command
            slot.waiting.add(running)
            try:
                await slot.lock.acquire()
            finally:
                slot.waiting.discard(running)
                self._drop(running.session, slot)
            if self._slots.setdefault(running.session, slot) is slot:
                slot.holder = running
                running.waiting_for = None
                return slot
            slot.lock.release()

    def _drop(self, session: str, slot: _Slot) -> None:
        unused = not slot.lock.locked() and not slot.waiting
        if unused and self._slots.get(session) is slot:
            del self._slots[session]

    async def preempt(self, session: str, by: Running | None = None) -> tuple[str, ...]:
        """Cancel what runs and waits in ``session`` (but ``by``) and see that its lock is free.

        The commands that were cancelled. Takes at most the grace, and a moment.
        """
        slot = self._slots.get(session)
        if slot is None:
            return ()
        victims = [one for one in (slot.holder, *slot.waiting) if one is not None and one is not by]
        for victim in victims:
            victim.cancel("preempted")
        for victim in victims:
            await _either(victim.ended, victim.abandoned)
        if slot.holder is not None and slot.holder is not by and self._slots.get(session) is slot:
            del self._slots[session]
        return tuple(victim.command for victim in victims)


async def _either(*events: asyncio.Event) -> None:
    tasks = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
