"""What a handler may touch while it serves one request, and nothing else.

The daemon builds one :class:`Context` a request. ``provenance`` is set by the daemon's own code only
(a replay step, a batch step); nothing on the wire can set it (seed 0012, amendment 1271).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct

from surefoot.drivers import Clock, Driver
from surefoot.replay import StepSeams
from surefoot.session import OUT_OF_BAND, Provenance, Session, SessionStore
from surefoot.wire import CallOptions, Cost, DaemonStatus

CallerKind = Literal["cli", "client", "mcp"]


class Terminal(Struct, frozen=True, kw_only=True):
    """How the caller shows text. ``columns`` is 80 where it is unknown; ``color`` honours NO_COLOR."""

    tty: bool = False
    columns: int = 80
    color: bool = False


class Caller(Protocol):
    """The connection a request came in on. Files belong to it (architecture.md, decision 3)."""

    @property
    def kind(self) -> CallerKind: ...

    @property
    def cwd(self) -> str:
        """Absolute; relative paths of the request are fixed against it."""
        ...

    @property
    def env(self) -> Mapping[str, str]:
        """The ``AD_VAR_*``, ``SUREFOOT_*`` and ``NO_COLOR`` variables, nothing else."""
        ...

    @property
    def terminal(self) -> Terminal: ...

    @property
    def lease(self) -> str | None:
        """The id of the lease when this connection owns one (Python client, MCP)."""
        ...

    async def read_file(self, path: str, max_bytes: int) -> bytes:
        """The caller's bytes of ``path`` (absolute).

        Raises ``INVALID_ARGS`` with reason ``file_not_found``, ``file_unreadable``,
        ``not_a_file`` or ``file_too_large`` (more than ``max_bytes``).
        """
        ...

    async def emit(self, data: object, text: str) -> None:
        """Hand out one item of a stream at once: ``data`` (JSON value) or ``text`` (one line).

        Raises ``ConnectionError`` when the caller is gone.
        """
        ...


@runtime_checkable
class FollowsSteps(Protocol):
    """A caller that wants to know how far a replay is."""

    async def step_done(self, ordinal: int, command: str) -> None:
        """A step of the plan ran (``ordinal`` counts from 1). Never raises."""
        ...


class Control(Protocol):
    """What only the daemon can do; answered on the control lane."""

    def status(self) -> DaemonStatus: ...

    async def stop(self) -> None:
        """Begin an orderly end: answer this request, close every session, exit."""
        ...

    async def cancel(self, session: str) -> bool:
        """Cancel whatever runs in ``session`` and wait until its lock is free.

        True when something was cancelled. The way ``close`` pre-empts a stuck command.
        """
        ...


class DriverRegistry(Protocol):
    """The platforms of this daemon; a driver is started on first use."""

    @property
    def platforms(self) -> Sequence[str]: ...

    async def get(self, platform: str) -> Driver:
        """Raises ``UNSUPPORTED_PLATFORM`` for a platform this build does not have."""
        ...


async def refuse_unknown_platform(drivers: DriverRegistry, platform: str | None) -> None:
    """``UNSUPPORTED_PLATFORM``, which names those there are, for a name of no platform."""
    if platform is not None and platform not in drivers.platforms:
        await drivers.get(platform)


@dataclass(kw_only=True)
class Meter:
    """What one request spends (``--cost``). ``execute`` fills it, whether or not it succeeds.

    ``session`` is the one the request ran in, kept beyond its close.
    """

    captures: int = 0
    polls: int = 0
    reused: int = 0
    total_ms: float = 0.0
    session: Session | None = None
    phases_ms: dict[str, float] = field(default_factory=dict)

    def cost(self) -> Cost:
        """As it crosses the wire."""
        return Cost(
            captures=self.captures,
            polls=self.polls,
            reused=self.reused,
            total_ms=round(self.total_ms, 1),
            phases_ms={name: round(ms, 1) for name, ms in self.phases_ms.items()},
        )


@dataclass(frozen=True, kw_only=True)
class Context:
    """Everything one request may use.

    ``deadline_ms`` is on the clock: no handler starts new work after it; ``inf`` for an endless
    stream. ``session`` is the resolved session name (explicit, environment, or the implicit one of the
    caller's directory; see ``route``). ``seams`` are a replayed step's own;
    ``template`` its args before variables were bound, which a recording of the run keeps (0017);
    ``directory`` where its relative paths of files to read start, that of its script. ``ended`` are the
    commands that were ended in the session for this one (``preempt``).
    """

    store: SessionStore
    drivers: DriverRegistry
    clock: Clock
    caller: Caller
    control: Control
    options: CallOptions
    session: str
    state_dir: str
    deadline_ms: float
    ended: tuple[str, ...] = ()
    provenance: Provenance = OUT_OF_BAND
    seams: StepSeams = field(default_factory=StepSeams)
    template: Struct | None = None
    directory: str | None = None
    meter: Meter = field(default_factory=Meter)
