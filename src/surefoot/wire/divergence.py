"""The divergence report: why a replayed step did not run, what is on the screen, how to go on.

Seed 0012, decision 4; surface.md (the keys); decisions.md (sub-shapes). This is
``details.divergence`` of a ``REPLAY_DIVERGENCE``, version 1. Every text field is at most 256 UTF-8
bytes and ends in ``…`` where it was cut; the whole object, serialised, is at most :data:`CEILINGS`
bytes. What is optional is left out rather than ``null``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from surefoot.wire.call import Level
from surefoot.wire.composition import AddressData, ProvenanceData
from surefoot.wire.interaction import RectData, ScreenRef

DivergenceKind = Literal[
    "action-failure", "selector-miss", "identity-mismatch", "identity-unverifiable"
]
BindingKind = Literal["selector-miss", "identity-mismatch", "identity-unverifiable"]
RepairHint = Literal["record-and-heal", "state-repair", "caution", "manual"]
SuggestionBasis = Literal["id", "role+label", "label"]
Endpoint = Literal["source", "destination"]

CEILINGS: Mapping[Level, int] = {"digest": 8 * 1024, "default": 24 * 1024, "full": 64 * 1024}
"""The most bytes of the serialised report at each response level."""
MAX_FIELD_BYTES = 256
MAX_SCREEN_REFS: Mapping[Level, int] = {"digest": 8, "default": 20, "full": 20}
MAX_SUGGESTIONS = 5
MAX_BINDING_CANDIDATES = 5


class SourceData(Struct, frozen=True, kw_only=True):
    """Where a step was written: a path relative to the caller's root, a 1-based line."""

    path: str
    line: int


class StepData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The step. ``index`` is its 1-based place in a flat plan; a composed step has its ``address``
    instead, and no number of the whole run."""

    source: SourceData
    index: int | None = None
    address: AddressData | None = None


class CauseData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The error that stopped the step, as it was: its code, message and machine reason."""

    code: str
    message: str
    reason: str | None = None
    hint: str | None = None


class AvailableScreen(
    Struct, frozen=True, kw_only=True, rename="camel", tag_field="state", tag="available"
):
    """What is on the screen. ``refs`` are the ones a partial frame now authorises (pin them with
    ``refsGeneration``); ``truncated`` says that there was more to show."""

    refs_generation: int
    refs: tuple[ScreenRef, ...]
    truncated: bool


class UnavailableScreen(Struct, frozen=True, kw_only=True, tag_field="state", tag="unavailable"):
    """Why nothing can be shown: ``no_session``, ``dialog_open``, ``capture_sparse``,
    ``capture_failed`` or ``empty_screen``. No ref is authorised."""

    reason: str
    hint: str


Screen = AvailableScreen | UnavailableScreen


class Suggestion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A node that shares a recorded component. ``basis`` is the strongest one it shares.

    ``place`` tells it from others suggested with its role and label: ``in listitem "Rope"``.
    """

    ref: str
    selector: str
    basis: SuggestionBasis
    role: str
    label: str | None = None
    place: str | None = None


class ResumeData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """How to go on. ``allowed`` speaks of the plan only: whether ``--from`` may be ``from``.

    A flat plan has ``from`` (1-based) and ``plan_digest``. A composed one has neither (they are left
    out: 0 and "" here), but ``composition_digest`` and, where it may be resumed, ``address`` and its
    ``token``, which is what ``--from`` takes.

    ``alternate_from`` is the other way of ``caution`` and ``manual``: past the step, once its intent
    was performed. ``repair_session_held`` alone promises that the session is kept alive.
    """

    allowed: bool
    from_: int = field(name="from", default=0)
    plan_digest: str = ""
    composition_digest: str | None = None
    address: AddressData | None = None
    token: str | None = None
    reason: str | None = None
    alternate_from: int | None = None
    repair_session_held: bool = False


class MismatchData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One field that differs. A side that has nothing there is left out."""

    field: str
    recorded: str | None = None
    observed: str | None = None


class CandidateData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A node of the current screen, by its ref where that is authorised."""

    role: str
    hittable: bool
    ref: str | None = None
    label: str | None = None
    id: str | None = None
    covered: bool | None = None
    window: str | None = None
    rect: RectData | None = None


class RecordedData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was recorded of the target; ``ancestry`` leaf to root; ``rect`` is never compared."""

    role: str
    id: str | None = None
    label: str | None = None
    ancestry: str | None = None
    item: str | None = None
    rect: RectData | None = None


class TargetBindingData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Why the recorded target is not, or not provably, here. ``classification`` is the report's kind.

    ``match_count`` is what the recorded selector matches now; left out exactly where nothing was
    resolved (evidence that was recorded as unverifiable, a screen that could not be read).
    """

    classification: BindingKind
    recorded: RecordedData
    mismatches: tuple[MismatchData, ...]
    candidates: tuple[CandidateData, ...]
    match_count: int | None = None
    observed: CandidateData | None = None
    endpoint: Endpoint | None = None


class OverflowData(Struct, frozen=True, kw_only=True, rename="camel"):
    """What did not fit is in a file of the session: how many bytes more, and where."""

    omitted_bytes: int
    artifact_path: str


class Divergence(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The report. ``suggestion_count`` is how many suggestions level ``default`` shows.

    ``truncated``: some text was cut or something left out. ``redacted``: a variable's value was
    replaced by ``<var:NAME>``, or typed text by ``<text>``. ``provenance`` is where a composed step and
    the includes on the way to it were written.
    """

    version: Literal[1]
    kind: DivergenceKind
    step: StepData
    action: str
    cause: CauseData
    screen: Screen
    suggestions: tuple[Suggestion, ...]
    suggestion_count: int
    resume: ResumeData
    repair_hint: RepairHint
    provenance: ProvenanceData | None = None
    target_binding: TargetBindingData | None = None
    overflow: OverflowData | None = None
    artifact_unavailable: bool = False
    truncated: bool = False
    redacted: bool = False
