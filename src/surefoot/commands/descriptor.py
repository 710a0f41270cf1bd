"""What a command declares about itself: one descriptor each (architecture.md, decision 1).

The CLI grammar, help, JSON schemas, the Python client's methods, the docs' table and the batch
allow-list are projections of these values. A trait has no default: leaving one out is a ``TypeError``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

from msgspec import Struct

from surefoot.commands.context import Caller, Context, Terminal
from surefoot.commands.language.arguments import Argument, arguments_of
from surefoot.interact import Resolved
from surefoot.session import Session
from surefoot.wire import CallOptions

A = TypeVar("A", bound=Struct)
R = TypeVar("R", bound=Struct)
T = TypeVar("T")

RefFrameEffect = Literal["none", "activates_all", "activates_partial", "expires"]
RecordingEffect = Literal["mutates", "observes", "on_request", "synchronises", "none"]
IdentityVerification = Literal["none", "pre_dispatch", "post_resolution"]
Lane = Literal["session", "preempt", "control", "free"]


@dataclass(frozen=True)
class By(Generic[T]):
    """A trait that depends on one argument: ``table[value]``, else ``otherwise``."""

    field: str
    table: Mapping[object, T]
    otherwise: T


class TimeoutPolicy(Struct, frozen=True, kw_only=True):
    """How long one request may take in all, in milliseconds, unless ``--timeout`` says otherwise.

    ``grace_ms`` is added to ``--timeout`` where the command bounds itself by it, so that its own answer
    comes before the request is cut off. ``plus`` names arguments in milliseconds that are added
    (``wait 60000`` may take a minute more). ``unbounded_when`` names the flag that makes it a stream,
    which lasts until its caller leaves.
    """

    default_ms: int
    plus: tuple[str, ...] = ()
    grace_ms: int = 0
    unbounded_when: str | None = None


@dataclass(frozen=True, kw_only=True)
class Traits:
    """The declared behaviour of a command.

    ``ref_frame_effect``: what a success does to the session's ref frame (contracts.md, 0014).
    ``recording_effect``: what a recording keeps of it; ``on_request`` only with ``--record`` (the way
    agents look is no part of a flow), ``none`` never; what is kept a script may hold.
    ``target_identity_verification``: when a replay verifies its evidence (seed 0012, decision 3).
    ``fragment_safe``: may stand in a lifecycle-free fragment (seed 0020).
    ``observation_only``: left out of a repair unless ``--record`` (seed 0012, amendment 1271).
    ``batchable``: may be a step of ``batch``.
    ``lane``: ``session`` takes the session's lock, ``preempt`` takes it away from what runs,
    ``control`` and ``free`` never wait for one.
    """

    ref_frame_effect: RefFrameEffect | By[RefFrameEffect]
    recording_effect: RecordingEffect | By[RecordingEffect]
    target_identity_verification: IdentityVerification | By[IdentityVerification]
    fragment_safe: bool
    timeout_policy: TimeoutPolicy
    observation_only: bool | By[bool]
    batchable: bool
    lane: Lane


@dataclass(frozen=True)
class Answer(Generic[R]):
    """What a handler hands back: the wire result, and what the rooms around it need.

    ``resolved`` are the elements a recording makes selectors of. ``worded`` replaces the descriptor's
    text where only the handler can word it (a snapshot's tree); it is called where text is asked for.
    ``kept`` are the args a recording keeps in place of the caller's, where the act itself told more
    (what a dialog said). ``exit_code`` is what a command line ends with: 1 where what was asked about
    is not in order (``check``). ``steps`` are what a recording keeps in place of the command.
    """

    data: R
    resolved: tuple[Resolved, ...] = ()
    worded: Callable[[], str] | None = None
    kept: Struct | None = None
    exit_code: int = 0
    steps: tuple[KeptStep, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptStep:
    """One step that does a part of what an action did: a recording keeps these in place of it.

    ``of`` makes its arguments of the action's own, or of a replayed step's before its variables were
    bound; ``resolved`` are its elements.
    """

    command: str
    of: Callable[[Any], Struct]
    resolved: tuple[Resolved, ...]


class Form(Protocol):
    """How the positionals of a command line map to its arguments, both ways."""

    @property
    def usage(self) -> str: ...

    @property
    def fields(self) -> tuple[str, ...]:
        """The arguments this form fills, snake_case."""
        ...

    def read(self, command: str, words: list[str]) -> dict[str, Any]:
        """Arguments from positionals. Raises ``INVALID_ARGS``; the caller adds the usage line."""
        ...

    def write(self, args: Struct) -> list[str]:
        """The positionals of a script line for these arguments: ``read(write(a)) == a``."""
        ...


PlatformOf = Callable[[Caller, A], Awaitable[str | None]]
"""The platform a request means by its own arguments (a URL, a script's context), if any."""


RecordedAs = Callable[[A], str | None]
"""The one command whose step a recording keeps in place of this one, where there is one."""
"""The command and args a recording keeps instead (``find … click`` as a ``click`` to verify)."""


Preflight = Callable[[Session, A, Caller, CallOptions], None]
"""Refuses a call on its session before the session's lane is taken for it; touches nothing."""


def _no_overlap(_args: Any) -> str | None:
    return None


def _no_check(_args: Any) -> None:
    return None


def _no_preflight(_session: Session, _args: Any, _caller: Caller, _options: CallOptions) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Descriptor(Generic[A, R]):
    """One thing a caller can ask.

    ``targets`` names the arguments that hold an element target (selector or ref); ``rewritten`` those
    of them that a recording replaces by the chain of the element they resolved to. ``preflight`` runs
    before a ``preempt`` command ends what runs in its session: one that is refused ends nothing.

    ``overlaps_capture`` says as what these arguments would overlap an armed fragment capture (a second
    lifecycle or publication), if they would; ``ends_capture``: the command is how a capture ends.
    Every other command is admitted beside one only by its ``fragment_safe`` trait.
    """

    name: str
    group: str
    summary: str
    args: type[A]
    result: type[R]
    form: Form
    examples: tuple[str, ...]
    traits: Traits
    run: Callable[[Context, A], Awaitable[Answer[R]]]
    text: Callable[[A, R, Terminal], str]
    check: Callable[[A], None] = _no_check
    preflight: Preflight[A] = _no_preflight
    targets: tuple[str, ...] = ()
    rewritten: tuple[str, ...] = ()
    platform: PlatformOf[A] | None = None
    recorded_as: RecordedAs[A] | None = None
    overlaps_capture: Callable[[A], str | None] = _no_overlap
    ends_capture: bool = False
    notes: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return arguments_of(self.args)

    @property
    def flags(self) -> tuple[Argument, ...]:
        """The arguments given as flags, in declaration order."""
        return tuple(argument for argument in self.arguments if argument.flag is not None)

    @property
    def scriptable(self) -> bool:
        """Whether a script may hold it: whatever a recording can keep."""
        effect = self.traits.recording_effect
        return isinstance(effect, By) or effect != "none"

    @property
    def usage(self) -> str:
        """``press <target> [--count N] …`` without common flags."""
        parts = [self.name, self.form.usage, *(flag.usage for flag in self.flags)]
        return " ".join(part for part in parts if part)

    def trait(self, value: T | By[T], args: A) -> T:
        """A trait's value for these arguments."""
        if isinstance(value, By):
            return value.table.get(getattr(args, value.field), value.otherwise)
        return value

    def ref_frame_effect(self, args: A) -> RefFrameEffect:
        return self.trait(self.traits.ref_frame_effect, args)

    def recording_effect(self, args: A) -> RecordingEffect:
        return self.trait(self.traits.recording_effect, args)

    def target_identity_verification(self, args: A) -> IdentityVerification:
        return self.trait(self.traits.target_identity_verification, args)

    def observation_only(self, args: A) -> bool:
        return self.trait(self.traits.observation_only, args)

    def deadline_ms(self, args: A, timeout_ms: int | None) -> int | None:
        """Milliseconds this request may take; ``None`` only for an endless stream."""
        policy = self.traits.timeout_policy
        if policy.unbounded_when is not None and getattr(args, policy.unbounded_when):
            return timeout_ms
        extra = sum(getattr(args, name) or 0 for name in policy.plus)
        if timeout_ms is None:
            return policy.default_ms + extra
        return max(timeout_ms, extra) + policy.grace_ms
