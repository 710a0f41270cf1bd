"""One session's event log as it is stored and sent: typed so that no user-entered text fits in.

contracts.md, "Events". Every field is an enum, a number, a ref-frame fact or a name that surefoot
itself chose; there is no field for a typed text, a label, a selector or a URL.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class RequestStarted(
    Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", tag="request_started"
):
    """A command began."""

    command: str


class RequestFinished(
    Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", tag="request_finished"
):
    """A command ended. ``code`` and ``reason`` are set when it failed."""

    command: str
    success: bool
    duration_ms: float
    code: str | None = None
    reason: str | None = None
    diagnostic_id: str | None = None


class ActionRecorded(
    Struct,
    frozen=True,
    kw_only=True,
    rename="camel",
    tag_field="type",
    tag="action_recorded",
    omit_defaults=True,
):
    """An action entered the session's action log at ``ordinal`` (from 1). ``address`` is the token of
    the composed step that performed it, where one did."""

    command: str
    ordinal: int
    address: str | None = None


class FrameActivated(
    Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", tag="frame_activated"
):
    """A ref frame was published. ``refs`` counts what it authorises."""

    generation: int
    scope: Literal["all", "partial"]
    refs: int


class FrameExpired(
    Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", tag="frame_expired"
):
    """The ref frame lost its authority."""

    generation: int


class DivergenceSeen(
    Struct,
    frozen=True,
    kw_only=True,
    rename="camel",
    tag_field="type",
    tag="divergence",
    omit_defaults=True,
):
    """A replay step was refused. ``step`` is its place in the run; a composed step is named by the
    token of its ``address``."""

    kind: str
    step: int
    address: str | None = None


class Published(Struct, frozen=True, kw_only=True, rename="camel", tag_field="type", tag="publication"):
    """A script was published (or its publication failed)."""

    kind: Literal["authoring", "repair", "fragment"]
    success: bool
    actions: int
    reason: str | None = None


Event = (
    RequestStarted
    | RequestFinished
    | ActionRecorded
    | FrameActivated
    | FrameExpired
    | DivergenceSeen
    | Published
)


class EventEntry(Struct, frozen=True, kw_only=True):
    """One line of ``events.ndjson``. ``cursor`` counts from 1 and never repeats in a session name;
    ``at`` is Unix time in milliseconds."""

    cursor: int
    at: int
    event: Event


class EventsData(Struct, frozen=True, kw_only=True, rename="camel"):
    """A stretch of the log. Ask again with ``after=next``; ``gap`` says that entries between the
    asked cursor and the first one here have rotated away."""

    events: tuple[EventEntry, ...]
    next: int
    gap: bool
