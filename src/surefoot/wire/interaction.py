"""What an interaction answers: how its target was found, what it was, what happened, what changed.

Seed 0012, decision 2 (``resolution``); contracts.md, "Interaction guarantees" and "Ref frames";
decisions.md (sub-shapes). Refs are plain (``e12``) and stand beside one ``refsGeneration``; text
output pins them (``@e12~s42``). Lengths are logical pixels, times milliseconds.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from surefoot.wire.showing import pinned


class PointData(Struct, frozen=True):
    """A point of the top viewport."""

    x: float
    y: float


class RectData(Struct, frozen=True):
    """A rectangle of the top viewport."""

    x: float
    y: float
    width: float
    height: float


class TargetData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The element an interaction addressed."""

    role: str
    label: str | None = None
    id: str | None = None


class PageData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The document a web session shows; ``status`` where it came with an HTTP error."""

    url: str
    title: str
    status: int | None = None


class ChangeData(Struct, frozen=True, kw_only=True):
    """One field of an element that changed, and what it says now."""

    field: str
    now: str | bool | int | None


class ScreenRef(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One element shown with the ref that authorises it.

    ``place`` tells it from others of its role and label: ``in listitem "Walking boots"``. ``changes``
    is there in a difference, for an element that was there before.
    """

    ref: str
    role: str
    hittable: bool
    label: str | None = None
    id: str | None = None
    covered: bool | None = None
    hidden: bool | None = None
    window: str | None = None
    rect: RectData | None = None
    place: str | None = None
    changes: tuple[ChangeData, ...] = ()


class Diagnostic(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """An element named for diagnosis only: ``diagnostic`` is opaque and never a target."""

    diagnostic: str
    role: str
    label: str | None = None
    id: str | None = None
    rect: RectData | None = None


class UniqueResolution(Struct, frozen=True, kw_only=True, tag_field="kind", tag="unique"):
    """The selector matched exactly one node."""

    source: Literal["runtime"] = "runtime"
    phase: Literal["pre-action"] = "pre-action"


class DisambiguatedResolution(
    Struct, frozen=True, kw_only=True, rename="camel", tag_field="kind", tag="disambiguated"
):
    """Several matches, one target. ``alternatives`` holds at most five.

    ``structural-equivalence``: one wrapper chain that resolves to one actionable node.
    ``single-hittable``: a *read* chose the only hittable match; no mutation ever does.
    """

    match_count: int
    winner_diagnostic: Diagnostic
    alternatives: tuple[Diagnostic, ...]
    tiebreak: Literal["structural-equivalence", "single-hittable"] = "structural-equivalence"
    source: Literal["runtime"] = "runtime"
    phase: Literal["pre-action"] = "pre-action"


class EvidenceResolution(
    Struct, frozen=True, kw_only=True, rename="camel", tag_field="kind", tag="evidence"
):
    """Distinct matches of which the recorded evidence denotes one (identity.md, 1)."""

    match_count: int
    alternatives: tuple[Diagnostic, ...]
    source: Literal["runtime"] = "runtime"
    phase: Literal["pre-action"] = "pre-action"


class ExactResolution(Struct, frozen=True, kw_only=True, tag_field="kind", tag="exact"):
    """The ref itself named the node."""

    source: Literal["ref"] = "ref"
    phase: Literal["pre-action"] = "pre-action"


class LabelFallbackResolution(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag="label-fallback"
):
    """The ref was unusable; its recorded trailing label named the node."""

    source: Literal["ref"] = "ref"
    phase: Literal["pre-action"] = "pre-action"


class NotObservedResolution(Struct, frozen=True, kw_only=True, tag_field="kind", tag="not-observed"):
    """The platform resolved the selector by itself; nothing was observed on our side."""

    source: Literal["direct-ios"] = "direct-ios"


Resolution = (
    UniqueResolution
    | DisambiguatedResolution
    | EvidenceResolution
    | ExactResolution
    | LabelFallbackResolution
    | NotObservedResolution
)


class DialogData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A native dialog that is open now, and the command that answers it."""

    kind: str
    message: str
    next: str
    default: str | None = None
    url: str | None = None


class TabData(Struct, frozen=True, kw_only=True):
    """One tab of the session; ``index`` starts at 1."""

    index: int
    url: str
    title: str
    active: bool


class TextData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the field holds afterwards. ``value`` is absent for a secret (``secret`` is true), and where
    it could not be read back, which a warning explains."""

    value: str | None = None
    secret: bool = False
    retried: bool = False


class ScrollData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """How far content moved. ``effect`` false says that nothing moved at all."""

    moved_x: float
    moved_y: float
    at_edge: bool
    effect: bool
    scrolls: int | None = None
    found: bool | None = None


class DiffData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """How the screen changed. At most 40 elements are shown in all; the counts are complete.

    ``page`` is there where another page or address is shown now. ``more`` counts what a reader would
    be shown too if there were room; the counts hold what is never shown besides (wrappers, what is
    hidden, what a replaced document held). ``covered`` and ``uncovered`` count elements of which no
    more than that is new, where they are too many to be shown.
    """

    page: PageData | None = None
    added: tuple[ScreenRef, ...] = ()
    changed: tuple[ScreenRef, ...] = ()
    removed: tuple[TargetData, ...] = ()
    added_count: int = 0
    changed_count: int = 0
    removed_count: int = 0
    covered: int = 0
    uncovered: int = 0
    more: int = 0
    truncated: bool = False


class SettledData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The outcome of ``--settle``. ``diff`` and its ``refs_generation`` are absent where no
    screen could be compared (``why`` or a warning says so)."""

    settled: bool
    waited_ms: int
    polls: int
    why: str | None = None
    refs_generation: int | None = None
    diff: DiffData | None = None

    def pinned(self, shown: ScreenRef) -> str:
        """The target of an element the difference shows: ``session.press(settled.pinned(added))``."""
        return pinned(shown, self.refs_generation)


class VerifyData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Change evidence of ``--verify``: *that* something changed, never that it was the right thing.

    ``changed`` is ``None`` where there was nothing to compare; ``reason`` then says why.
    """

    changed: bool | None
    added_count: int = 0
    changed_count: int = 0
    removed_count: int = 0
    page_changed: bool = False
    target_gone: bool = False
    reason: str | None = None


class EndpointData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The destination of a drag."""

    resolution: Resolution | None = None
    target: TargetData | None = None
    point: PointData | None = None


class DownloadData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file the app saved, or is saving: its name, and where it is once it is ``complete``."""

    name: str
    path: str | None = None
    state: Literal["complete", "arriving", "failed"]


class InteractionData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What every interaction answers; one function builds it (``interact.response``).

    ``resolution`` is absent where no element was resolved (coordinates, executed fallback, keys).
    ``target_hittable`` appears only as ``false``, with ``hint`` (row B044). ``times`` counts the
    repetitions that were delivered, where more than one was asked for. ``dialog`` is open now;
    ``answered`` is the one this command answered. ``page`` is where a step of the history or a change
    of tabs led. ``downloads`` are the files no answer has told of before.
    """

    action: str
    resolution: Resolution | None = None
    target: TargetData | None = None
    point: PointData | None = None
    destination: EndpointData | None = None
    target_hittable: bool | None = None
    hint: str | None = None
    times: int | None = None
    text: TextData | None = None
    scroll: ScrollData | None = None
    dialog: DialogData | None = None
    answered: DialogData | None = None
    opened_tab: TabData | None = None
    page: PageData | None = None
    navigated: bool = False
    downloads: tuple[DownloadData, ...] = ()
    trusted: bool = True
    settled: SettledData | None = None
    verified: VerifyData | None = None
    warnings: tuple[str, ...] = ()


class StalenessData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Why a read by ref may be out of date (contracts.md, "Ref frames": reads fail open)."""

    ref: str
    reason: str
    current_generation: int
    minted_generation: int | None = None
    live: bool = False


class ReadinessData(Struct, frozen=True, kw_only=True, rename="camel"):
    """How long a replayed step waited for its target and how that ended (contracts.md)."""

    waited_ms: int
    polls: int
    end: str


class SurfaceData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is in the way or simply there: the topmost dialog, else the page (row B073)."""

    kind: Literal["native-dialog", "dialog", "page"]
    title: str
    buttons: tuple[str, ...] = ()
    more: int = 0


class WaitData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The outcome of a wait that succeeded."""

    waited_ms: int
    polls: int
    match_count: int | None = None
    target: TargetData | None = None
    resolution: Resolution | None = None
    staleness: StalenessData | None = None
    warnings: tuple[str, ...] = ()
