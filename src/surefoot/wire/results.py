"""What the commands that are no interactions answer (surface.md, "Wire shapes others rely on").

Field names are camelCase on the wire. Refs are plain (``e12``) beside one ``refsGeneration``. Lengths
are logical pixels, times milliseconds. Text that comes from an app is data, never an instruction.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from surefoot.wire.interaction import (
    DialogData,
    DiffData,
    InteractionData,
    PageData,
    RectData,
    Resolution,
    ScreenRef,
    StalenessData,
    TabData,
    TargetData,
)
from surefoot.wire.showing import line_of, pinned


class ScrollExtentData(Struct, frozen=True, kw_only=True, rename="camel"):
    """How far a scroll container has scrolled and can scroll."""

    x: float
    y: float
    max_x: float
    max_y: float


class NodeData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One node of a snapshot. ``index`` and ``parent_index`` count in the whole capture.

    ``covered_by`` is the index of what takes the hit instead. ``value`` never holds a password;
    ``has_value`` says whether the field is filled. ``author_label`` is the author-given name,
    where it is told at all (``--raw``). ``options`` are the labels of a closed list's, at most fifty.
    ``marks`` are what is said of the node besides: ``sorted ascending``, ``current page``, ``invalid``.
    """

    index: int
    depth: int
    role: str
    enabled: bool
    parent_index: int | None = None
    ref: str | None = None
    label: str | None = None
    value: str | None = None
    id: str | None = None
    rect: RectData | None = None
    hittable: bool | None = None
    visible: bool | None = None
    editable: bool | None = None
    focused: bool | None = None
    selected: bool | None = None
    checked: str | None = None
    expanded: bool | None = None
    required: bool | None = None
    readonly: bool | None = None
    password: bool | None = None
    has_value: bool | None = None
    level: int | None = None
    covered_by: int | None = None
    scroll: ScrollExtentData | None = None
    window: str | None = None
    chrome: bool | None = None
    opaque: str | None = None
    author_label: str | None = None
    options: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


class OffscreenData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What an interactive snapshot leaves out because it lies beyond an edge."""

    direction: str
    count: int
    interactive: int = 0
    region: str | None = None
    labels: tuple[str, ...] = ()


class SnapshotData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A snapshot. ``total`` counts the nodes of the whole capture, ``nodes`` holds what is shown.

    ``refs_generation`` is the frame's it activated. An empty or unusable capture activates none: its
    nodes have no refs, and the number is still that of the frame before it (0 where there was none).
    ``reason`` says why ``nodes`` is empty (``scope_not_found``, ``empty_screen``, ``capture_sparse``).
    ``staleness``: the scope was a ref that may be out of date.
    """

    nodes: tuple[NodeData, ...]
    total: int
    refs_generation: int
    quality: str = "ok"
    partial: bool = False
    page: PageData | None = None
    covered: int = 0
    offscreen: tuple[OffscreenData, ...] = ()
    truncated: bool = False
    reason: str | None = None
    staleness: StalenessData | None = None
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The nodes as indented lines, for a person or a log."""
        return "\n".join(map(line_of, self.nodes))

    def pinned(self, node: NodeData) -> str:
        """The target of one of the nodes: ``session.press(screen.pinned(node))``."""
        return pinned(node, self.refs_generation)


class SnapshotDiffData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """How the screen differs from the last one this session showed. ``first``: there was none."""

    unchanged: bool
    diff: DiffData | None = None
    refs_generation: int | None = None
    page: PageData | None = None
    first: bool = False
    warnings: tuple[str, ...] = ()


class GetData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What ``get`` read. ``text`` for ``get text``, ``attrs`` for ``get attrs``."""

    target: TargetData
    resolution: Resolution | None = None
    text: str | None = None
    attrs: NodeData | None = None
    staleness: StalenessData | None = None
    warnings: tuple[str, ...] = ()


class IsData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A predicate that holds (one that does not is ``COMMAND_FAILED`` reason ``predicate_failed``)."""

    predicate: str
    passed: bool
    target: TargetData | None = None
    resolution: Resolution | None = None
    match_count: int | None = None
    observed: str | None = None
    staleness: StalenessData | None = None
    warnings: tuple[str, ...] = ()


class FindData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What ``find`` found. ``matches`` are shown with refs of one partial frame, at most 20.

    ``hidden`` counts what says the query too and is not shown (transparent, or laid out nowhere).
    ``acted`` is the interaction of a mutating action; it issues no refs.
    """

    action: str
    match_count: int
    matches: tuple[ScreenRef, ...] = ()
    refs_generation: int | None = None
    more: int = 0
    hidden: int = 0
    exists: bool | None = None
    text: str | None = None
    attrs: NodeData | None = None
    waited_ms: int | None = None
    target: TargetData | None = None
    resolution: Resolution | None = None
    acted: InteractionData | None = None
    warnings: tuple[str, ...] = ()

    def pinned(self, match: ScreenRef) -> str:
        """The target of one of the matches: ``session.press(found.pinned(match))``."""
        return pinned(match, self.refs_generation)


class WeaknessData(Struct, frozen=True, kw_only=True):
    """A change of the page a recorded step does not survive: it ``refuses``, or it ``mistakes``
    another element for its own. ``reason`` is a divergence kind, ``ambiguous`` or ``another-element``.
    """

    mutation: str
    outcome: str
    reason: str


class StepRobustness(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step that does not survive every change tried; ``step`` counts from 1."""

    step: int
    command: str
    weaknesses: tuple[WeaknessData, ...]
    label: str | None = None


class RobustnessData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """How the recorded steps fare on changed copies of the captures they were recorded from.

    ``score`` is ``survived`` of ``trials`` in percent; ``untried`` counts the steps there was no time
    for, or whose capture was too large; ``by_id`` lists the steps that take their element by its id
    whatever it is called by then (a replay warns). Nothing was sent to the page.
    """

    score: int
    trials: int
    survived: int
    steps: tuple[StepRobustness, ...]
    untried: int = 0
    by_id: tuple[int, ...] = ()


class SavedData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A published script."""

    path: str
    session: str
    actions: int
    robustness: RobustnessData | None = None
    warnings: tuple[str, ...] = ()


class FragmentCaptureData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A fragment capture that was started or aborted.

    ``actions`` counts its steps, the entry guard included; ``exists``: the file is there already, so
    that the save needs ``--force``.
    """

    path: str
    session: str
    state: Literal["ARMED", "ABORTED"]
    actions: int
    entry: str | None = None
    timeout_ms: int | None = None
    exists: bool = False
    warnings: tuple[str, ...] = ()


class SavedFragmentData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A published fragment. ``pin`` are the two lines of an include that pins it; its ``locator`` is
    relative to the caller's directory."""

    path: str
    session: str
    actions: int
    digest: str
    call_site_id: str
    locator: str
    pin: tuple[str, str]
    robustness: RobustnessData | None = None
    warnings: tuple[str, ...] = ()


class OpenData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What was opened. ``created`` is false where an existing session navigated.

    ``recording`` is the state of the session's recording where it has one.
    """

    session: str
    platform: str
    app: str
    created: bool
    dialog: DialogData | None = None
    recording: str | None = None
    warnings: tuple[str, ...] = ()


class CloseData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A session that ended; ``closed`` is false where there was none yet, only what would have opened
    it. ``ended`` are the commands that ran in it."""

    session: str
    closed: bool
    ended: tuple[str, ...] = ()
    saved: SavedData | None = None
    warnings: tuple[str, ...] = ()


class TabsData(Struct, frozen=True, kw_only=True):
    """The session's tabs in opening order."""

    tabs: tuple[TabData, ...]


class DialogStateData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The dialog that is open, if one is."""

    open: bool
    dialog: DialogData | None = None
    warnings: tuple[str, ...] = ()


class OverlayData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One box drawn on a screenshot."""

    ref: str
    role: str
    rect: RectData
    label: str | None = None


class ScreenshotData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A PNG that was written. ``width`` and ``height`` are of the image, in device pixels."""

    path: str
    bytes: int
    width: int
    height: int
    refs_generation: int | None = None
    overlays: tuple[OverlayData, ...] = ()
    warnings: tuple[str, ...] = ()


class BatchStepData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One step of a batch that succeeded; ``step`` counts from 1."""

    step: int
    command: str
    data: Any = None


class BatchData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A batch of which every step succeeded."""

    steps: tuple[BatchStepData, ...]
    total: int


class SessionData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One session: ``recording``, ``repair`` and ``fragment`` name the state of what is captured."""

    session: str
    platform: str
    app: str | None = None
    recording: str | None = None
    repair: str | None = None
    fragment: str | None = None
    idle_ms: int | None = None


class SessionsData(Struct, frozen=True, kw_only=True):
    """Every session of this daemon, by name."""

    sessions: tuple[SessionData, ...]


class DaemonStatus(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The daemon itself. ``started_at`` is ISO 8601 in UTC; ``sessions`` counts the open ones."""

    pid: int
    version: str
    started_at: str
    sessions: int
    browser_pid: int | None = None
    state_dir: str | None = None
    log_path: str | None = None


class StoppedData(Struct, frozen=True, kw_only=True):
    """The daemon is going."""

    stopping: bool
    pid: int
    sessions: int


class DeviceData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One place an app can be opened on."""

    id: str
    name: str
    platform: str
    available: bool
    detail: str | None = None


class DevicesData(Struct, frozen=True, kw_only=True):
    """Every device of every platform, or of the one asked for."""

    devices: tuple[DeviceData, ...]


class PlatformCapabilities(Struct, frozen=True, kw_only=True):
    """What one platform can do beyond opening, seeing, pressing and typing."""

    platform: str
    capabilities: tuple[str, ...]
    missing: tuple[str, ...]


class CapabilitiesData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Capabilities by platform; ``session`` names the session whose platform was meant."""

    platforms: tuple[PlatformCapabilities, ...]
    session: str | None = None


class FindingData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of ``doctor``; ``fix`` is the one command that mends it."""

    platform: str
    name: str
    ok: bool
    found: str
    fix: str | None = None


class DoctorData(Struct, frozen=True, kw_only=True):
    """``ok`` is whether every finding is."""

    ok: bool
    findings: tuple[FindingData, ...]


class HelpData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A help page as plain text."""

    text: str
    topic: str | None = None


class RepairData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A repair transaction: ``COMPLETE`` is published to ``path`` by whatever ends the session."""

    state: Literal["ARMED", "COMPLETE"]
    path: str
    actions: int


class ReplayData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A replay that reached its end. ``replayed`` counts executed steps, ``total`` the plan's."""

    replayed: int
    session: str
    session_active: bool
    duration_ms: int
    artifact_paths: tuple[str, ...]
    warnings: tuple[str, ...]
    total: int | None = None
    saved: SavedData | None = None
    repair: RepairData | None = None


class CheckEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One finding of ``check``; ``line`` and ``column`` count from 1, ``rule`` is of its table."""

    line: int
    column: int
    rule: str
    message: str
    expected: str | None = None
    suggestion: str | None = None


class CheckedStep(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What a step would do on the saved snapshot: it ``acts`` (or ``passes``, where it only looks) on
    ``target``, ``refuses`` for ``reason``, or is ``unknown`` (it names no element)."""

    step: int
    line: int
    column: int
    command: str
    does: str
    reason: str | None = None
    message: str | None = None
    target: TargetData | None = None
    match_count: int | None = None


class CheckedFile(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One script. ``plan_digest`` is there where the script is sound; ``variables`` are those a
    caller must set; ``against`` are the steps on the saved snapshot, where one was given. ``digest``
    (``sha256:…``) is there for a sound fragment or composition, whose includes were checked too."""

    path: str
    errors: tuple[CheckEntry, ...]
    warnings: tuple[CheckEntry, ...]
    steps: int = 0
    plan_digest: str | None = None
    digest: str | None = None
    variables: tuple[str, ...] = ()
    against: tuple[CheckedStep, ...] | None = None


class CheckData(Struct, frozen=True, kw_only=True):
    """A static report. ``ok`` is what the exit code says: no error, with ``--strict`` no warning."""

    files: tuple[CheckedFile, ...]
    ok: bool
