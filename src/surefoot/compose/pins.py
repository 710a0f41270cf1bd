"""Pins to write, bottom-up: each a value that shows its change and applies it to text, and writes
nothing.

A leaf's new digest goes into its callers' pins, which changes their digests, and so on up to the root
(seed 0020, "Repair and migration boundaries"). Only an explicit act writes any of it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from surefoot.compose.digest import Pins, fragment_identity
from surefoot.compose.graph import Graph
from surefoot.compose.model import IncludeNode, Unit
from surefoot.script import FragmentReference, reference_line
from surefoot.text import truncate_utf8

MAX_FRESH_BYTES = 64

_NOT_WORD = re.compile(r"[^\w.-]+")


class PinEdit(Struct, frozen=True, kw_only=True):
    """One pin. ``line`` is that of the include in the source as it stands; ``before`` is None where
    nothing pinned it, and then ``call_site_id`` is a fresh one."""

    line: int
    locator: str
    call_site_id: str
    before: str | None
    after: str


class SourceEdit(Struct, frozen=True, kw_only=True, dict=True):
    """The pins to write into one source (``path`` is its key)."""

    path: str
    before: bytes
    pins: tuple[PinEdit, ...]

    @cached_property
    def after(self) -> bytes:
        """The source with its pins; line ends, a BOM and everything else as they were."""
        return apply_pins(self.before, self.pins)

    def diff(self) -> str:
        """A unified diff, every line ending in ``\\n``."""
        old, new = (data.decode().splitlines(keepends=True) for data in (self.before, self.after))
        lines = difflib.unified_diff(old, new, f"a/{self.path}", f"b/{self.path}", n=1)
        return "".join(f"{line.rstrip()}\n" for line in lines)


def propose_pins(graph: Graph) -> tuple[SourceEdit, ...]:
    """The sources to edit so that every pin is current, each behind all that it includes.

    Meant for a closure whose only violations are stale and missing pins.
    """
    edits: list[SourceEdit] = []
    for key, pins in new_pins(graph).items():
        unit = graph.units[key]
        edits.append(
            SourceEdit(
                path=key,
                before=unit.data,
                pins=tuple(
                    _edit(unit.includes[at], site, digest)
                    for at, (site, digest) in sorted(pins.items())
                ),
            )
        )
    return tuple(edits)


def new_pins(graph: Graph) -> Mapping[str, Pins]:
    """By source, bottom-up: the call sites whose pin has to change, and to what."""
    digests: dict[str, str] = {}
    changed: dict[str, Pins] = {}
    for key in graph.bottom_up:
        unit = graph.units[key]
        pins = _pins_of(graph, key, unit, digests)
        if pins:
            changed[key] = pins
        if key in graph.identities:
            identity = fragment_identity(unit, pins) if pins else graph.identities[key]
            digests[key] = identity.digest
    return changed


def _pins_of(graph: Graph, key: str, unit: Unit, digests: Mapping[str, str]) -> Pins:
    pins: dict[int, tuple[str, str]] = {}
    taken = {include.call_site_id for include in unit.includes if include.call_site_id is not None}
    for site in graph.of[key]:
        digest = digests.get(site.child or "")
        include = site.include
        if digest is None or site.closes_cycle or digest == include.expected:
            continue
        name = include.call_site_id or fresh_call_site(include.locator, taken)
        taken.add(name)
        pins[site.at] = (name, digest)
    return pins


def stale_sources(graph: Graph) -> tuple[str, ...]:
    """The sources whose pins have to be written, leaf first."""
    return tuple(new_pins(graph))


def stale_ancestors(graph: Graph, key: str) -> tuple[str, ...]:
    """The sources that include ``key``, at last, and whose pins have to be written: leaf first."""
    changed = new_pins(graph)
    return tuple(other for other in graph.ancestors(key) if other in changed)


def fresh_call_site(locator: str, taken: Collection[str]) -> str:
    """A call-site id for a new include: the file's name, numbered where ``taken`` has it."""
    stem = PurePosixPath(locator).name.removesuffix(".ad")
    name = truncate_utf8(_NOT_WORD.sub("-", stem).strip("-."), MAX_FRESH_BYTES) or "include"
    if name not in taken:
        return name
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def apply_pins(data: bytes, pins: tuple[PinEdit, ...]) -> bytes:
    """The text with those pins. Lines are counted in ``data`` as it stands."""
    lines = data.decode().split("\n")
    for pin in sorted(pins, key=lambda pin: pin.line, reverse=True):
        at = pin.line - 1
        reference = reference_line(FragmentReference(call_site_id=pin.call_site_id, digest=pin.after))
        if pin.before is None:
            end = "\r" if lines[at].endswith("\r") else ""
            lines.insert(at, _indent(lines[at]) + reference + end)
        elif lines[at - 1].count(pin.before) == 1:
            lines[at - 1] = lines[at - 1].replace(pin.before, pin.after)
        else:
            end = "\r" if lines[at - 1].endswith("\r") else ""
            lines[at - 1] = _indent(lines[at - 1]) + reference + end
    return "\n".join(lines).encode()


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _edit(include: IncludeNode, site: str, digest: str) -> PinEdit:
    return PinEdit(
        line=include.line,
        locator=include.locator,
        call_site_id=site,
        before=include.expected,
        after=digest,
    )
