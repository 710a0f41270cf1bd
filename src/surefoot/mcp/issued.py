"""What refs a result issues: wherever a ``refsGeneration`` stands, the refs beside and below it.

The same rule reads every shape of ``surefoot.wire``: snapshots, finds, settled differences, the
candidates of an ambiguity, the steps of a batch. A divergence issues all its refs (screen, suggestions,
candidates) with the generation of its screen. Refs without a generation issue nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Issued(Struct, frozen=True, kw_only=True):
    """One publication: its ``refsGeneration`` and the refs (``e12``) it showed."""

    generation: int
    refs: tuple[str, ...]


def issued_refs(data: object) -> tuple[Issued, ...]:
    """Every publication in a result or in the details of an error (JSON values), the newest last."""
    found: list[tuple[int, list[str]]] = []
    _walk(data, None, found)
    publications = (
        Issued(generation=generation, refs=tuple(dict.fromkeys(refs)))
        for generation, refs in found
        if refs
    )
    return tuple(sorted(publications, key=lambda found: found.generation))


def _walk(value: object, refs: list[str] | None, found: list[tuple[int, list[str]]]) -> None:
    """Gather refs into the publication they stand in; an object with a generation is another one."""
    if isinstance(value, dict):
        generation = _generation(value)
        if generation is not None:
            refs = []
            found.append((generation, refs))
        elif refs is not None and isinstance(ref := value.get("ref"), str):
            refs.append(ref)
        value = value.values()
    elif not isinstance(value, list | tuple):
        return
    for item in value:
        if isinstance(item, dict | list | tuple):
            _walk(item, refs, found)


def _generation(value: Mapping[str, object]) -> int | None:
    """The object's own generation; a divergence has its screen's."""
    own = value.get("refsGeneration")
    screen = value.get("screen")
    if own is None and "repairHint" in value and isinstance(screen, Mapping):
        own = screen.get("refsGeneration")
    return own if isinstance(own, int) and not isinstance(own, bool) else None
