"""Repairs on the real service over the virtual device: sessions end, daemons are lost, time passes."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec
from tests.support.commands_room import FakeCaller, FakeControl
from tests.support.stage import app

from surefoot.commands import Answer, Terminal
from surefoot.daemon.rooms import CommandService
from surefoot.daemon.service import Done, Work
from surefoot.drivers import Driver
from surefoot.drivers.sim import AppSpec, SimApp, SimDriver, VirtualClock
from surefoot.errors import ErrorCode, SurefootError
from surefoot.recording import Repair, repair_of
from surefoot.session import RepairRecord, Session
from surefoot.wire import Call, Divergence

SCRIPT = "flow.ad"
HEALED = "flow.healed.ad"
HOUR_MS = 60 * 60 * 1000.0
THREE = """document "Shop"(main(heading "Basket" level=1,
    button "One" =one, button "Two" =two, button "Three" =three))"""
STEPS = tuple(f"press 'role=button label={label}'" for label in ("One", "Two", "Three"))
RENAMED = THREE.replace('"Two"', '"Second"')
LAST_RENAMED = THREE.replace('"Three"', '"Third"')

Teardown = Literal["close", "idle", "shutdown"]


@dataclass
class Repairs:
    """The service of one state directory and one caller; ``stage`` is the only app."""

    directory: Path
    env: dict[str, str] = field(default_factory=lambda: {"SUREFOOT_PLATFORM": "sim"})
    screen: AppSpec | str = THREE
    session_name: str | None = None

    def __post_init__(self) -> None:
        self.caller = FakeCaller(self.directory, self.env)
        self.begin()

    def begin(self) -> None:
        """A daemon's service; what an earlier one left on disk is still there."""
        self.clock = VirtualClock()
        self.service = CommandService(self.directory / "state", {"sim": self._sim}, clock=self.clock)

    async def _sim(self) -> Driver:
        return SimDriver(self.clock, {"stage": self._spec()})

    def _spec(self) -> AppSpec:
        return app(self.screen) if isinstance(self.screen, str) else self.screen

    async def restart(self) -> None:
        """The daemon is lost without a word; the next one starts."""
        self.begin()
        await self.service.start()

    def change(self, screen: AppSpec | str) -> None:
        """What the next ``open stage`` shows."""
        self.screen = screen
        for driver in self.service._platforms._drivers.values():
            assert isinstance(driver, SimDriver)
            driver._apps["stage"] = self._spec()

    # -- commands

    async def answer(self, *argv: str) -> Answer[Any]:
        if self.session_name is not None:
            argv = (*argv, "--session", self.session_name)
        return await self.ask(self.service.parse(argv, self.env))

    async def ask(self, call: Call) -> Answer[Any]:
        """A call as it comes off the wire."""
        plan = await self.service.plan(call, self.caller)
        work = Work(
            caller=self.caller, control=FakeControl(), session=plan.session, deadline_ms=math.inf
        )
        done = await self.service.execute(call, work)
        assert isinstance(done.answer, Answer)
        return done.answer

    async def do(self, *argv: str) -> Any:
        return (await self.answer(*argv)).data

    async def refused(self, *argv: str) -> SurefootError:
        try:
            await self.do(*argv)
        except SurefootError as error:
            return error
        raise AssertionError(f"{argv} was not refused")

    async def say(self, *argv: str) -> tuple[str, int]:
        """What a command line prints on both streams, and its exit code."""
        call = None
        outcome: Done | SurefootError
        try:
            call = self.service.parse(argv, self.env)
            outcome = Done(data=None, answer=await self.answer(*argv))
        except SurefootError as error:
            outcome = error
        printed = self.service.render(call, outcome, Terminal(), as_json=False, log_path="log")
        return (printed.stdout + printed.stderr).decode(), printed.exit_code

    # -- the act

    async def record(self, *commands: str) -> Path:
        """Record these command lines on the app as it is, closed at the end."""
        path = self.directory / SCRIPT
        path.unlink(missing_ok=True)
        await self.do("open", "stage", f"--save-script={SCRIPT}")
        for command in commands or STEPS:
            await self.do(*shlex.split(command))
        await self.do("close")
        return path

    def write(self, *lines: str) -> Path:
        """A script by hand, after its ``context``."""
        path = self.directory / SCRIPT
        path.write_text("\n".join(["context platform=sim", *lines, ""]), encoding="utf-8")
        return path

    async def diverge(self, *flags: str) -> Divergence:
        """The report of a replay that diverges."""
        error = await self.refused("replay", SCRIPT, *flags)
        assert error.code is ErrorCode.REPLAY_DIVERGENCE, error
        return msgspec.convert(error.details["divergence"], Divergence)

    async def drifted(self, screen: AppSpec | str = RENAMED, *commands: str) -> Divergence:
        """Recorded on ``THREE``, replayed for repair on another screen until it diverged."""
        await self.record(*commands)
        self.change(screen)
        return await self.diverge("--save-script")

    async def resume(self, ordinal: int, digest: str, *flags: str) -> Any:
        return await self.do("replay", SCRIPT, *self.resumed(ordinal, digest), *flags)

    @staticmethod
    def resumed(ordinal: int, digest: str) -> tuple[str, ...]:
        return ("--from", str(ordinal), "--plan-digest", digest)

    async def press(self, label: str, *flags: str) -> None:
        await self.do("press", f'label="{label}"', *flags)

    async def completed(self) -> None:
        """The middle button was called otherwise; its press was repaired; nothing is published yet."""
        report = await self.drifted()
        await self.press("Second")
        await self.resume(4, report.resume.plan_digest)

    async def tear_down(self, how: Teardown) -> None:
        if how == "close":
            await self.do("close")
        elif how == "idle":
            self.clock.advance(3 * HOUR_MS)
            await self.service.tidy()
        else:
            await self.service.close()

    # -- what there is

    @property
    def sessions(self) -> Sequence[Session]:
        return list(self.service._store)

    @property
    def session(self) -> Session:
        (only,) = self.sessions
        return only

    @property
    def repair(self) -> Repair:
        repair = repair_of(self.session)
        assert repair is not None
        return repair

    @property
    def app(self) -> SimApp:
        assert isinstance(self.session.app, SimApp)
        return self.session.app

    def inputs(self) -> list[str]:
        return [f"{done.kind} {done.key}".rstrip() for done in self.app.device.performed]

    @property
    def records(self) -> list[RepairRecord]:
        """What the ledger holds on disk."""
        return list(self.service._store.repairs.records())

    @property
    def state(self) -> str | None:
        """The state on disk of the only transaction there may be."""
        records = self.records
        assert len(records) <= 1
        return records[0].state if records else None

    @property
    def healed(self) -> Path:
        return self.directory / HEALED

    def healed_lines(self, name: str = HEALED) -> list[str]:
        """The steps of a healed script: its lines without comments, context and close."""
        text = (self.directory / name).read_text(encoding="utf-8")
        assert text.endswith("close\n# agent-device:heal-complete\n")
        return [
            line
            for line in text.splitlines()
            if not line.startswith(("#", "context ")) and line != "close"
        ]

    def scripts(self) -> list[str]:
        """Every file of the caller's directory, temporary ones too."""
        return sorted(path.name for path in self.directory.iterdir() if path.is_file())


def shows(lines: Sequence[str], *labels: str) -> bool:
    """Whether the healed lines are an open and a press of each of these labels."""
    expected = ['open "stage"'] + [
        f'press "role=\\"button\\" label=\\"{label}\\" || label=\\"{label}\\""' for label in labels
    ]
    assert list(lines) == expected
    return True
