"""What the daemon needs of the commands: the seam between transport and meaning.

The router takes a :class:`Service`; the real one is :class:`~surefoot.daemon.rooms.CommandService`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from surefoot.commands import Caller, Control, Terminal
from surefoot.errors import SurefootError
from surefoot.wire import Call, Cost

Lane = Literal["session", "preempt", "control", "free"]
"""``session`` waits for the session's lock, ``preempt`` takes it away from what runs, the others
never wait for one."""


class Plan(Struct, frozen=True, kw_only=True):
    """How one call is to be run. ``deadline_ms`` is ``None`` only for an endless stream."""

    lane: Lane
    session: str
    deadline_ms: int | None


class Work(Struct, frozen=True, kw_only=True):
    """What one running request may use. ``deadline_ms`` is on the monotonic clock, ``inf`` for an
    endless stream. ``ended`` are the commands it ended in its session (``preempt``)."""

    caller: Caller
    control: Control
    session: str
    deadline_ms: float
    ended: tuple[str, ...] = ()


class Done(Struct, frozen=True, kw_only=True):
    """A result (a ``wire`` struct) and what it cost, when that was asked for.

    ``answer`` is the service's own, for its :meth:`Service.render`; nothing else looks at it.
    """

    data: object
    cost: Cost | None = None
    answer: object = None


class Printed(Struct, frozen=True, kw_only=True):
    """What a command line prints and its exit code."""

    stdout: bytes
    stderr: bytes
    exit_code: int


class Service(Protocol):
    """Everything behind the transport. Errors are ``SurefootError``; anything else is a bug."""

    async def start(self) -> None:
        """Take up what an earlier daemon left. Called once, before the first request."""
        ...

    def parse(self, argv: Sequence[str], env: Mapping[str, str]) -> Call: ...

    async def plan(self, call: Call, caller: Caller) -> Plan:
        """Admit the call before anything runs. May read the caller's files, and nothing else."""
        ...

    async def execute(self, call: Call, work: Work) -> Done: ...

    def render(
        self,
        call: Call | None,
        outcome: Done | SurefootError,
        terminal: Terminal,
        *,
        as_json: bool,
        log_path: str,
    ) -> Printed:
        """Text or JSON of an outcome. ``call`` is ``None`` where the command line did not parse."""
        ...

    def open_sessions(self) -> int: ...

    def browser_pid(self) -> int | None: ...

    async def tidy(self) -> None:
        """Close what has been idle too long; called every now and then."""
        ...

    async def released(self, lease: str) -> None:
        """The connection that owned this lease is gone."""
        ...

    async def close(self) -> None:
        """Close every session and driver; idempotent."""
        ...
