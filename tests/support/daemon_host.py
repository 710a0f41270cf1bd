"""A daemon of this process, in a thread, whose commands are the few a transport can be tested with."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from surefoot.commands import Caller, Terminal
from surefoot.daemon import Daemon, Diagnostics, Done, HeldLock, Lane, Plan, Printed, Work
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.wire import Call, CallOptions, ErrorBody, Reply, StatePaths, prepare

LANES: Mapping[str, Lane] = {
    "echo": "session",
    "sleep": "session",
    "deaf": "session",
    "close": "preempt",
    "session list": "control",
    "daemon status": "control",
    "daemon stop": "control",
    "boom": "free",
    "fail": "free",
    "read": "free",
    "big": "free",
    "stream": "free",
    "who": "free",
}


class FakeService:
    """Commands without sessions: ``sleep MS``, ``deaf MS`` (hears no cancel), ``read PATH MAX`` ..."""

    def __init__(self) -> None:
        self.sessions = 0
        self.log: list[str] = []
        self.started = threading.Event()
        self.released_leases: list[str] = []

    async def start(self) -> None:
        self.log.append("start")

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> Call:
        words = [word for word in argv if not word.startswith("--")]
        name = " ".join(words[:2]) if " ".join(words[:2]) in LANES else (words or [""])[0]
        if name not in LANES:
            raise invalid_args(f"unknown command {name!r}")
        rest = words[len(name.split()) :]
        session = next((word[10:] for word in argv if word.startswith("--session=")), None)
        timeout = next((int(word[10:]) for word in argv if word.startswith("--timeout=")), None)
        options = CallOptions(json="--json" in argv, session=session, timeout_ms=timeout)
        return Call(command=name, arguments={"words": rest}, options=options)

    async def plan(self, call: Call, caller: Caller) -> Plan:
        if call.command not in LANES:
            raise invalid_args(f"unknown command {call.command!r}")
        deadline = None if call.command == "stream" else call.options.timeout_ms or 30_000
        session = call.options.session or "default"
        return Plan(lane=LANES[call.command], session=session, deadline_ms=deadline)

    async def execute(self, call: Call, work: Work) -> Done:
        self.log.append(f"begin {call.command}")
        self.started.set()
        try:
            return Done(data=await self._execute(call, work))
        except asyncio.CancelledError:
            self.log.append(f"cancelled {call.command}")
            raise
        finally:
            self.log.append(f"end {call.command}")

    async def _execute(self, call: Call, work: Work) -> object:
        words = call.arguments.get("words", [])
        match call.command:
            case "echo":
                return {"words": words}
            case "sleep":
                await asyncio.sleep(int(words[0]) / 1000)
                return {"slept": int(words[0])}
            case "deaf":
                await _hear_nothing(int(words[0]) / 1000)
                return {"slept": int(words[0])}
            case "close":
                return {"closed": work.session}
            case "session list":
                return {"sessions": []}
            case "daemon status":
                return work.control.status()
            case "daemon stop":
                await work.control.stop()
                return {"stopping": True}
            case "boom":
                raise ValueError("secret-value-in-a-bug")
            case "fail":
                raise SurefootError(
                    ErrorCode.ELEMENT_NOT_FOUND, "No such thing.", details={"reason": "gone"}
                )
            case "read":
                data = await work.caller.read_file(words[0], int(words[1]))
                return {"bytes": len(data), "text": data[:100].decode()}
            case "big":
                return {"big": "x" * int(words[0])}
            case "who":
                caller = work.caller
                return {
                    "kind": caller.kind,
                    "cwd": caller.cwd,
                    "env": dict(caller.env),
                    "lease": caller.lease,
                }
            case _:
                for number in range(1_000_000):
                    await work.caller.emit({"n": number}, f"line {number}")
                    await asyncio.sleep(0.002)
                return {}

    def render(
        self,
        call: Call | None,
        outcome: Done | SurefootError,
        terminal: Terminal,
        *,
        as_json: bool,
        log_path: str,
    ) -> Printed:
        if isinstance(outcome, Done):
            body = msgspec.json.encode(Reply(success=True, data=outcome.data))
            return Printed(stdout=body + b"\n", stderr=b"", exit_code=0)
        code = 2 if outcome.code is ErrorCode.INVALID_ARGS else 1
        error = ErrorBody(
            code=outcome.code.value,
            message=outcome.message,
            diagnostic_id=outcome.diagnostic_id,
            log_path=log_path,
            hint=outcome.hint,
            details=outcome.details,
        )
        if as_json:
            body = msgspec.json.encode(Reply(success=False, error=error))
            return Printed(stdout=body + b"\n", stderr=b"", exit_code=code)
        return Printed(stdout=b"", stderr=f"{error.code}: {error.message}\n".encode(), exit_code=code)

    def open_sessions(self) -> int:
        return self.sessions

    def browser_pid(self) -> int | None:
        return None

    async def tidy(self) -> None:
        return None

    async def released(self, lease: str) -> None:
        self.released_leases.append(lease)

    async def close(self) -> None:
        self.log.append("close service")


async def _hear_nothing(seconds: float) -> None:
    loop = asyncio.get_running_loop()
    ends = loop.time() + seconds
    while loop.time() < ends:
        try:
            await asyncio.sleep(ends - loop.time())
        except asyncio.CancelledError:
            continue


class Hosted:
    """The daemon of :func:`hosted`: its paths, its service, and whether it still runs."""

    def __init__(self, paths: StatePaths, service: FakeService, thread: threading.Thread) -> None:
        self.paths = paths
        self.service = service
        self.thread = thread

    def ended(self, seconds: float = 5.0) -> bool:
        self.thread.join(seconds)
        return not self.thread.is_alive()


@contextmanager
def hosted(state: Path, idle_exit_ms: int = 60_000) -> Iterator[Hosted]:
    """A daemon for ``state`` until the block ends."""
    paths = StatePaths(state)
    service = FakeService()
    prepare(paths)
    lock = HeldLock(paths)
    lock.acquire(0)
    ready = threading.Event()
    daemon: list[tuple[Daemon, asyncio.AbstractEventLoop]] = []

    async def serve() -> None:
        diagnostics = Diagnostics(paths.log)
        one = Daemon(paths, service, diagnostics, idle_exit_ms=idle_exit_ms)
        daemon.append((one, asyncio.get_running_loop()))
        try:
            await one.run(ready.set)
        finally:
            diagnostics.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(10)
    try:
        yield Hosted(paths, service, thread)
    finally:
        one, loop = daemon[0]
        if thread.is_alive():
            loop.call_soon_threadsafe(one.stop, "the test is over")
        thread.join(20)
        lock.release()
        assert not thread.is_alive()
