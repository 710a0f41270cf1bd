"""One request from admission to outcome: its lane, its lock, its deadline, its end.

A request is run in a task of its own. Whatever ends it early (deadline, cancel, pre-emption, the end of
the daemon) cancels that task and gives it a grace; the caller is answered either way.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable

import msgspec

from surefoot.commands import Caller, Control
from surefoot.daemon.diagnostics import Diagnostics
from surefoot.daemon.lanes import Lanes, Running, Why
from surefoot.daemon.service import Done, Plan, Service, Work
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import Call, DaemonStatus

ADMIT_S = 30.0
"""How long a caller may take to hand out the files that say where its call belongs."""


class Interrupted(SurefootError):
    """The caller itself ended the request (exit code 130)."""


class Router:
    """Runs calls for every connection."""

    def __init__(
        self,
        service: Service,
        diagnostics: Diagnostics,
        *,
        status: Callable[[], DaemonStatus],
        stop: Callable[[], None],
    ) -> None:
        self._service = service
        self._diagnostics = diagnostics
        self._status = status
        self._stop = stop
        self.lanes = Lanes()
        self.running: set[Running] = set()
        self.stopping = False

    async def serve(
        self, call: Call, caller: Caller, admitted: Callable[[Running], None]
    ) -> Done | SurefootError:
        """The call's outcome; never raises but for the cancellation of this very coroutine.

        ``admitted`` gets the handle that can cancel the request as soon as there is one.
        """
        started = time.monotonic()
        session = ""
        try:
            if self.stopping:
                raise ended("daemon_stopping", call.command)
            plan = await self._plan(call, caller)
            session = plan.session
            done = await self._run(call, caller, plan, admitted)
        except SurefootError as error:
            self._diagnostics.failed(
                call.command, session, _since(started), error, in_full=call.options.debug
            )
            return error
        except Exception as error:
            return self.unexpected(call.command, error)
        self._diagnostics.succeeded(call.command, session, _since(started))
        return done

    def unexpected(self, what: str, error: Exception) -> SurefootError:
        """The error for a bug: its trace goes to the log, the caller gets the way to it."""
        problem = SurefootError(
            ErrorCode.UNKNOWN,
            f"surefoot itself failed ({type(error).__name__}) while it ran {what}.",
            hint=f"Look for the diagnostic id in {self._diagnostics.path}.",
        )
        self._diagnostics.unexpected(what, problem.diagnostic_id, error)
        return problem

    async def _plan(self, call: Call, caller: Caller) -> Plan:
        try:
            async with asyncio.timeout(ADMIT_S):
                return await self._service.plan(call, caller)
        except TimeoutError:
            raise SurefootError(
                ErrorCode.TIMEOUT,
                f"{call.command} did not start: its files did not arrive within {ADMIT_S:g} s.",
                details={"reason": "request_deadline"},
            ) from None
        except ConnectionError as error:
            raise ended("cancelled", call.command) from error

    async def _run(
        self, call: Call, caller: Caller, plan: Plan, admitted: Callable[[Running], None]
    ) -> Done:
        running = Running(command=call.command, session=plan.session)
        control = RequestControl(self, running)
        seconds = None if plan.deadline_ms is None else plan.deadline_ms / 1000
        ends = math.inf if seconds is None else (time.monotonic() + seconds) * 1000
        work = Work(caller=caller, control=control, session=plan.session, deadline_ms=ends)
        task = asyncio.create_task(self._in_lane(call, plan, work, running))
        running.task = task
        self.running.add(running)
        task.add_done_callback(lambda _: self._ended(running))
        admitted(running)
        gave_up = asyncio.ensure_future(running.abandoned.wait())
        try:
            await asyncio.wait({task, gave_up}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if not task.done() and not gave_up.done():
                running.cancel("deadline")
                await asyncio.wait({task, gave_up}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            gave_up.cancel()
        return self._outcome(task, running, plan)

    def _ended(self, running: Running) -> None:
        running.ended.set()
        self.running.discard(running)
        task = running.task
        if running.abandoned.is_set() and task is not None and not task.cancelled():
            late = task.exception()
            what = "ended late" if late is None else f"ended late with {type(late).__name__}"
            self._diagnostics.note(f"{running.command} session={running.session} {what}")

    async def _in_lane(self, call: Call, plan: Plan, work: Work, running: Running) -> Done:
        if plan.lane in ("control", "free"):
            return await self._service.execute(call, work)
        if plan.lane == "preempt":
            ended = await self.lanes.preempt(plan.session, running)
            work = msgspec.structs.replace(work, ended=ended)
        async with self.lanes.hold(running):
            return await self._service.execute(call, work)

    def _outcome(self, task: asyncio.Task[Done], running: Running, plan: Plan) -> Done:
        if task.done() and not task.cancelled():
            error = task.exception()
            if error is None:
                return task.result()
            if isinstance(error, ConnectionError):
                raise ended("cancelled", running.command) from error
            raise error
        why = running.why or "cancelled"
        if why == "deadline":
            raise _late(running, plan)
        raise ended(why, running.command)

    def status(self) -> DaemonStatus:
        return self._status()

    def request_stop(self) -> None:
        self._stop()

    def cancel_all(self, why: Why, keep: Running | None = None) -> None:
        """Cancel every request but ``keep``."""
        for running in list(self.running):
            if running is not keep:
                running.cancel(why)


class RequestControl(Control):
    """The control a request's handler gets; it never cancels the request that uses it."""

    def __init__(self, router: Router, running: Running) -> None:
        self._router = router
        self._running = running

    def status(self) -> DaemonStatus:
        return self._router.status()

    async def stop(self) -> None:
        self._router.request_stop()

    async def cancel(self, session: str) -> bool:
        return bool(await self._router.lanes.preempt(session, self._running))


def _late(running: Running, plan: Plan) -> SurefootError:
    if running.waiting_for is not None:
        return SurefootError(
            ErrorCode.TIMEOUT,
            f"Session {running.session!r} was busy with {running.waiting_for} "
            f"for {plan.deadline_ms} ms.",
            hint="Wait for it, or end the session with `surefoot close`.",
            details={
                "reason": "session_busy",
                "session": running.session,
                "busyWith": running.waiting_for,
            },
        )
    return SurefootError(
        ErrorCode.TIMEOUT,
        f"{running.command} did not finish within {plan.deadline_ms} ms; "
        "whether it took effect is not known.",
        details={"reason": "request_deadline", "timeoutMs": plan.deadline_ms},
    )


_ENDED: dict[Why, tuple[str, str]] = {
    "cancelled": (
        "{command} was interrupted; input that was already sent stays sent.",
        "Run `surefoot snapshot -i` to see the current screen.",
    ),
    "preempted": (
        "{command} was ended because another command closed its session.",
        "Run `surefoot session list` to see what is open.",
    ),
    "daemon_stopping": (
        "{command} was ended because the daemon stops; whether it took effect is not known.",
        "Run the command again: the next one starts a new daemon. Sessions have to be opened again.",
    ),
}


def ended(why: Why, command: str) -> SurefootError:
    """The error for a request that something else ended; ``details.reason`` says what."""
    message, hint = _ENDED[why]
    kind = Interrupted if why == "cancelled" else SurefootError
    return kind(
        ErrorCode.COMMAND_FAILED,
        message.format(command=command),
        hint=hint,
        details={"reason": why},
    )


def _since(started: float) -> float:
    return (time.monotonic() - started) * 1000
