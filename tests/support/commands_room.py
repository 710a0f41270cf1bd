"""The room of commands in this process: a caller, a store, the virtual device, and argv in."""

from __future__ import annotations

import math
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from surefoot.commands import (
    Answer,
    Context,
    Meter,
    Rendered,
    Terminal,
    execute,
    parse_argv,
    render,
    route,
    with_environment,
)
from surefoot.commands.context import CallerKind
from surefoot.drivers import Driver
from surefoot.drivers.sim import AppSpec, SimApp, SimDriver, VirtualClock
from surefoot.errors import SurefootError, invalid_args
from surefoot.session import Session, SessionStore
from surefoot.wire import Call, DaemonStatus


@dataclass
class FakeCaller:
    """A caller with a directory; files are read from it."""

    directory: Path
    env: Mapping[str, str] = field(default_factory=dict)
    kind: CallerKind = "cli"
    terminal: Terminal = field(default_factory=Terminal)
    lease: str | None = None
    emitted: list[str] = field(default_factory=list)
    stop_after: int = 1_000

    @property
    def cwd(self) -> str:
        return str(self.directory)

    async def read_file(self, path: str, max_bytes: int) -> bytes:
        data = _bytes_of(path)
        if len(data) > max_bytes:
            raise invalid_args(f"{path} is too large", reason="file_too_large")
        return data

    async def emit(self, data: object, text: str) -> None:
        if len(self.emitted) >= self.stop_after:
            raise ConnectionError
        self.emitted.append(text)


def _bytes_of(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        raise invalid_args(f"{path} cannot be read", reason="file_not_found") from None


@dataclass
class FakeControl:
    """What only a daemon can do."""

    stopped: bool = False

    def status(self) -> DaemonStatus:
        return DaemonStatus(pid=42, version="0", started_at="2026-01-01T00:00:00Z", sessions=0)

    async def stop(self) -> None:
        self.stopped = True

    async def cancel(self, session: str) -> bool:
        return False


@dataclass
class OnePlatform:
    """A registry with the virtual device only."""

    driver: Driver

    @property
    def platforms(self) -> Sequence[str]:
        return ("sim",)

    async def get(self, platform: str) -> Driver:
        return self.driver


def _leave(store: SessionStore) -> None:
    """A room that nobody uses any more holds no file open."""
    for session in store:
        session.events.close()


@dataclass
class Room:
    """Runs command lines as the daemon does, without a daemon."""

    directory: Path
    apps: Mapping[str, AppSpec | str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=lambda: {"SUREFOOT_PLATFORM": "sim"})

    def __post_init__(self) -> None:
        self.clock = VirtualClock()
        self.store = SessionStore(self.directory / "state", clock=self.clock)
        self.control = FakeControl()
        self.caller = FakeCaller(self.directory, self.env)
        self.platforms = OnePlatform(SimDriver(self.clock, self.apps))
        self.meter = Meter()
        weakref.finalize(self, _leave, self.store)

    async def call(self, call: Call) -> Answer[Any]:
        """Route and execute a call; raises what it raises."""
        place = await route(call, self.caller, self.store)
        deadline = math.inf if place.deadline_ms is None else self.clock.now_ms() + place.deadline_ms
        self.meter = Meter()
        context = Context(
            store=self.store,
            drivers=self.platforms,
            clock=self.clock,
            caller=self.caller,
            control=self.control,
            options=with_environment(call.options, self.env),
            session=place.session,
            state_dir=str(self.directory / "state"),
            deadline_ms=deadline,
            meter=self.meter,
        )
        return await execute(call, context)

    async def do(self, *argv: str) -> Any:
        """The result of a command line; raises what it raises."""
        return (await self.call(parse_argv(argv, self.env).call)).data

    async def say(self, *argv: str) -> Rendered:
        """What a command line prints."""
        call = None
        outcome: Answer[Any] | SurefootError
        try:
            call = parse_argv(argv, self.env).call
            outcome = await self.call(call)
        except SurefootError as error:
            outcome = error
        cost = self.meter.cost() if call is not None and call.options.cost else None
        return render(call, outcome, Terminal(), cost=cost, as_json="--json" in argv)

    async def text(self, *argv: str) -> str:
        """The text of a command line that succeeds."""
        said = await self.say(*argv)
        assert said.exit_code == 0, said.stderr
        return said.stdout

    async def refused(self, *argv: str) -> SurefootError:
        """The error of a command line."""
        try:
            await self.do(*argv)
        except SurefootError as error:
            return error
        raise AssertionError(f"{argv} was not refused")

    @property
    def session(self) -> Session:
        """The only open session."""
        (only,) = self.store
        return only

    @property
    def app(self) -> SimApp:
        assert isinstance(self.session.app, SimApp)
        return self.session.app

    def inputs(self) -> list[str]:
        """Everything that was sent to the device: kind and key, in order."""
        return [f"{done.kind} {done.key}".rstrip() for done in self.app.device.performed]
