"""One open app of one caller: its driver app, latest observation, ref frame, actions and events."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from surefoot.drivers import App, Clock, SystemClock
from surefoot.session.actions import ActionLog, ActionRecord
from surefoot.session.cost import CostCounters
from surefoot.session.events import EventLog
from surefoot.session.frame import RefNamespace
from surefoot.session.hidden import HiddenTexts
from surefoot.session.provenance import ReplayStep
from surefoot.tree import Observation
from surefoot.wire import ActionRecorded


class RecordingState(Protocol):
    """What the session needs to know of a recording (the recording room owns the rest)."""

    @property
    def kind(self) -> str:
        """``authoring``, ``repair`` or ``fragment``."""
        ...

    @property
    def active(self) -> bool:
        """Whether actions are being captured into a script now (no fast path is taken then)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeWatermark:
    """What a divergence left behind: a resume of ``plan_digest`` at ``ordinal`` or behind it must prove
    that a corrective action was recorded since, by more than ``corrections`` of them (seed 0012,
    decision 4).
    """

    plan_digest: str
    ordinal: int
    corrections: int


@dataclass(slots=True)
class ScrollMemory:
    """The last scrolls without effect, so that a third identical one can hint another way (B049)."""

    key: tuple[str, str] | None = None
    count: int = 0


@dataclass(kw_only=True)
class Session:
    """State of one session. Its lock belongs to the daemon; nothing here is safe without it.

    ``observation`` is the latest capture and authorises nothing; ``refs`` does. ``directory`` is
    0700 and holds the event log and whatever later rooms must keep. ``entered`` are the handles of the
    fields it entered a text into.
    """

    name: str
    platform: str
    app: App
    directory: Path
    events: EventLog
    clock: Clock = field(default_factory=SystemClock)
    observation: Observation | None = None
    recording: RecordingState | None = None
    actions: ActionLog = field(default_factory=ActionLog)
    cost: CostCounters = field(default_factory=CostCounters)
    scrolls: ScrollMemory = field(default_factory=ScrollMemory)
    warnings: list[str] = field(default_factory=list)
    hidden: HiddenTexts = field(default_factory=HiddenTexts)
    entered: set[str] = field(default_factory=set)
    resume: ResumeWatermark | None = None
    opened_at_ms: float = 0.0
    last_used_ms: float = 0.0
    refs: RefNamespace = field(init=False)

    def __post_init__(self) -> None:
        self.refs = RefNamespace(self.events.append)

    @property
    def recording_active(self) -> bool:
        """Whether a recording captures actions now."""
        return self.recording is not None and self.recording.active

    def record(self, action: ActionRecord) -> None:
        """Keep a successful action (never a failed or ``--no-record`` one)."""
        ordinal = self.actions.append(action)
        if ordinal:
            by = action.provenance
            address = by.address if isinstance(by, ReplayStep) else None
            self.events.append(ActionRecorded(command=action.command, ordinal=ordinal, address=address))

    def reopened(self) -> None:
        """The app was opened again: refs are reseeded and what was seen no longer counts."""
        self.refs.reseed()
        self.entered.clear()
        self.observation = None
        self.scrolls = ScrollMemory()

    def warn(self, message: str) -> None:
        """Keep a warning for the next response."""
        if len(self.warnings) < 20:
            self.warnings.append(message)

    def take_warnings(self) -> tuple[str, ...]:
        """The warnings kept since they were last taken."""
        taken = tuple(self.warnings)
        self.warnings.clear()
        return taken
