"""Fragments and compositions as they cross the wire (seed 0020, surface.md)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

ArtifactKind = Literal["script", "fragment", "composition"]
PinStateData = Literal[
    "current", "stale", "unpinned", "missing", "cycle", "unreadable", "not_a_fragment"
]


class RootOwnerData(Struct, frozen=True, kw_only=True, tag_field="kind", tag="root", rename="camel"):
    """A step of the composed root."""

    format: str
    composition_digest: str


class FragmentOwnerData(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag="fragment", rename="camel"
):
    """A step of a fragment, by its content."""

    format: str
    fragment_digest: str


class InvocationData(Struct, frozen=True, kw_only=True, rename="camel"):
    """One include on the way to a step."""

    call_site_id: str
    iteration: int


class ControlData(Struct, frozen=True, kw_only=True, rename="camel"):
    """One repeat or retry around a step."""

    control_id: str
    iteration: int


class AddressData(Struct, frozen=True, kw_only=True, rename="camel"):
    """The owner-local name of a composed step; every field counts in equality."""

    version: int
    owner: RootOwnerData | FragmentOwnerData
    invocation_path: tuple[InvocationData, ...]
    control_path: tuple[ControlData, ...]
    local_step: int


class LineData(Struct, frozen=True, kw_only=True):
    """A line of a source: its path relative to the caller's root, 1-based line."""

    path: str
    line: int


class ProvenanceData(Struct, frozen=True, kw_only=True, rename="camel"):
    """Where a composed step was written: for people, never compared."""

    invocation_sources: tuple[LineData, ...]
    step_source: LineData


class FragmentChild(Struct, frozen=True, kw_only=True, rename="camel"):
    """One include: its pin as it stands in the source."""

    call_site_id: str
    locator: str
    digest: str


class FragmentDigestData(Struct, frozen=True, kw_only=True):
    """``digest`` is a fragment's own, or a composition's (every pin below it being current)."""

    path: str
    kind: ArtifactKind
    digest: str
    children: tuple[FragmentChild, ...]


class FragmentNodeData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One source of the graph. ``digest`` is a fragment's own, as it stands."""

    path: str
    kind: ArtifactKind
    steps: int
    digest: str | None = None


class FragmentEdgeData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One include, in document order. ``child`` is left out where the locator names no source."""

    source: str
    line: int
    locator: str
    state: PinStateData
    child: str | None = None
    call_site_id: str | None = None
    expected_digest: str | None = None


class FragmentGraphData(Struct, frozen=True, kw_only=True):
    """Who pins whom. ``stale`` are the sources whose pins are to be written, leaf first."""

    root: str
    nodes: tuple[FragmentNodeData, ...]
    edges: tuple[FragmentEdgeData, ...]
    stale: tuple[str, ...]


class FragmentVerifyData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A sound closure. ``steps`` of the expanded plan; ``variables`` are those a caller must set."""

    path: str
    kind: ArtifactKind
    digest: str
    sources: int
    steps: int
    variables: tuple[str, ...] = ()


class PinData(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One pin to write; ``before`` is left out where there was none."""

    line: int
    locator: str
    call_site_id: str
    after: str
    before: str | None = None


class PinnedFile(Struct, frozen=True, kw_only=True):
    """The pins of one source and the change as a unified diff."""

    path: str
    pins: tuple[PinData, ...]
    diff: str


class FragmentPinData(Struct, frozen=True, kw_only=True):
    """What has to be written, bottom-up; ``written`` says whether it was."""

    path: str
    files: tuple[PinnedFile, ...]
    written: bool
