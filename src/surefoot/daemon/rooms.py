"""The real service: the commands, the session store and the drivers, put together."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.commands import (
    Answer,
    Caller,
    Context,
    Meter,
    Terminal,
    execute,
    parse_argv,
    render,
    route,
)
from surefoot.daemon.platforms import FACTORIES, Platforms
from surefoot.daemon.service import Done, Plan, Printed, Work
from surefoot.drivers import Clock, DriverFactory, SystemClock
from surefoot.errors import SurefootError
from surefoot.recording import abort_fragment, end_repair, holds_repair, recover, release_fragment
from surefoot.session import Session, SessionStore, TombstoneReason
from surefoot.wire import Call

CLOSE_S = 5.0
"""How long one session may take to close when nobody asked for it."""


class CommandService:
    """Implements :class:`~surefoot.daemon.service.Service`."""

    def __init__(
        self,
        state_dir: Path,
        factories: Mapping[str, DriverFactory] = FACTORIES,
        *,
        clock: Clock | None = None,
    ) -> None:
        self._state_dir = state_dir
        self._clock = clock or SystemClock()
        self._store = SessionStore(state_dir, clock=self._clock)
        self._platforms = Platforms(factories)

    async def start(self) -> None:
        """Settle the repairs an earlier daemon left: publish what is complete, bury what is not."""
        recover(self._store.repairs)

    def redact(self, line: str) -> str:
        """A line of the daemon's log without what its sessions, past ones too, keep secret."""
        return self._store.shadowed.hide(line)

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> Call:
        return parse_argv(argv, env).call

    async def plan(self, call: Call, caller: Caller) -> Plan:
        found = await route(call, caller, self._store)
        return Plan(lane=found.lane, session=found.session, deadline_ms=found.deadline_ms)

    async def execute(self, call: Call, work: Work) -> Done:
        meter = Meter()
        context = Context(
            store=self._store,
            drivers=self._platforms,
            clock=self._clock,
            caller=work.caller,
            control=work.control,
            options=call.options,
            session=work.session,
            state_dir=str(self._state_dir),
            deadline_ms=work.deadline_ms,
            ended=work.ended,
            meter=meter,
        )
        answer = await execute(call, context)
        cost = meter.cost() if call.options.cost else None
        return Done(data=answer.data, cost=cost, answer=answer)

    def render(
        self,
        call: Call | None,
        outcome: Done | SurefootError,
        terminal: Terminal,
        *,
        as_json: bool,
        log_path: str,
    ) -> Printed:
        shown: object = outcome
        cost = None
        if isinstance(outcome, Done):
            shown, cost = outcome.answer, outcome.cost
        assert isinstance(shown, Answer | SurefootError)
        rendered = render(
            call,
            shown,
            terminal,
            cost=cost,
            log_path=log_path,
            as_json=as_json,
        )
        return Printed(
            stdout=rendered.stdout.encode(errors="backslashreplace"),
            stderr=rendered.stderr.encode(errors="backslashreplace"),
            exit_code=rendered.exit_code,
        )

    def open_sessions(self) -> int:
        return len(self._store)

    def browser_pid(self) -> int | None:
        return self._platforms.pid()

    async def tidy(self) -> None:
        for session in self._store.idle():
            await self._end(session, "idle")
        for session in self._store:
            if holds_repair(session) and session.app.lost:
                await self._end(session, "browser_lost")

    async def released(self, lease: str) -> None:
        for session in self._store:
            release_fragment(session, lease)

    async def close(self) -> None:
        for session in self._store:  # before anything that may hang
            end_repair(session, "shutdown")
        await asyncio.gather(*(self._end(session, "shutdown") for session in self._store))
        await self._platforms.close()

    async def _end(self, session: Session, why: TombstoneReason) -> None:
        """Close a session nobody asked to close: only a complete repair is published."""
        end_repair(session, why)
        abort_fragment(session, why)
        try:
            async with asyncio.timeout(CLOSE_S):
                await session.app.close()
        except (TimeoutError, SurefootError):
            pass  # what does not answer goes with its driver
        finally:
            self._store.remove(session.name)
