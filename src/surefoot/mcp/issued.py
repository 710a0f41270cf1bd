"""What refs a result issues: wherever a ``refsGeneration`` stands, the refs beside and below it.

The same rule reads every shape of ``surefoot.wire``: snapshots, finds, settled differences, the
candidates of an ambiguity, the steps of a batch. A divergence issues all its refs (screen, suggestions,
candidates) with the generation of its screen. Refs without a generation issue nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct


class Issued(Struct, frozen=True, kw_only=True):
    """One publication: its ``refsGeneration`` and the refs (``e12``) it showed."""

    generation: int
    refs: tuple[str, ...]


def issued_refs(data: object) -> tuple[Issued, ...]:
    """Every publication in a result or in the details of an error (JSON values), the newest last."""
    return tuple(sorted(_publications(data), key=lambda found: found.generation))


def _publications(value: object) -> Iterator[Issued]:
    if isinstance(value, Mapping):
        generation = _generation(value)
        if generation is not None:
            refs = tuple(dict.fromkeys(_refs(value, top=True)))
            if refs:
                yield Issued(generation=generation, refs=refs)
        for item in value.values():
            yield from _publications(item)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for item in value:
            yield from _publications(item)


def _generation(value: Mapping[object, object]) -> int | None:
    """The object's own generation; a divergence has its screen's."""
    own = value.get("refsGeneration")
    screen = value.get("screen")
    if own is None and "repairHint" in value and isinstance(screen, Mapping):
        own = screen.get("refsGeneration")
    return own if isinstance(own, int) and not isinstance(own, bool) else None


def _refs(value: object, *, top: bool = False) -> Iterator[str]:
    """The refs of this publication: an object below with a generation of its own is another."""
    if isinstance(value, Mapping):
        if not top and "refsGeneration" in value:
            return
        ref = value.get("ref")
        if isinstance(ref, str) and not top:
            yield ref
        for item in value.values():
            yield from _refs(item)
    elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
        for item in value:
            yield from _refs(item)
