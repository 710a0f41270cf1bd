"""The sources of a composition: each read once, parsed once, and held for as long as the plan lives.

Whoever has the files answers :meth:`Closure.wanted`; no I/O happens here. What is digested and what is
run are the units of these very bytes: nothing is looked up a second time (seed 0020, "Pinned
references").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, Protocol

from msgspec import Struct

from surefoot.compose.codec import FragmentSafe, read_unit
from surefoot.compose.model import MAX_CLOSURE_BYTES, MAX_SOURCES, Unit
from surefoot.script import MAX_SOURCE_BYTES, CommandGrammar

SourceProblem = Literal["missing", "absolute", "outside_root", "unreadable", "too_large"]
"""Why a locator gives no bytes: nothing is there, it is absolute, it (or what it links to) lies
outside the caller's root, it is no readable file, or it is larger than a source may be."""

UnreadProblem = Literal["too_many_sources", "closure_too_large"]


class SourceRefused(Exception):
    """A locator that gives no bytes. Raised by a :class:`SourceReader` only."""

    def __init__(self, problem: SourceProblem) -> None:
        super().__init__(problem)
        self.problem: SourceProblem = problem


class SourceReader(Protocol):
    """The caller's files. A key is a path relative to the caller's root (POSIX), every link
    resolved."""

    def resolve(self, including: str, locator: str) -> str:
        """The key of what ``locator`` names from the source with the key ``including``.

        Raises :class:`SourceRefused` for an absolute locator and for one that leaves the root, by
        ``..`` or by a link. Two spellings of one file have one key.
        """
        ...

    def read(self, key: str, limit: int) -> bytes:
        """All bytes of the source. Raises :class:`SourceRefused` (``too_large`` past ``limit``)."""
        ...


class Wanted(Struct, frozen=True):
    """A locator to resolve: the key of the including source, and the locator as authored."""

    including: str
    locator: str


class ClosureStats(Struct, frozen=True, kw_only=True):
    """How often a source was parsed, and how many bytes of sources are held."""

    parsed: int
    held_bytes: int


class Closure:
    """The reachable sources, growing while :meth:`wanted` has something to ask.

    The caller loops: for each wanted locator :meth:`resolved` (or :meth:`refused`); for each key that
    :meth:`unread` names :meth:`supply` (or :meth:`unsupplied`).
    """

    def __init__(
        self, key: str, data: bytes, grammar: CommandGrammar, is_fragment_safe: FragmentSafe
    ) -> None:
        self._grammar, self._is_fragment_safe = grammar, is_fragment_safe
        self.root: Final = key
        self.units: dict[str, Unit] = {}
        self.links: dict[tuple[str, str], str] = {}
        self.refusals: dict[tuple[str, str], SourceProblem] = {}
        self.failures: dict[str, SourceProblem | UnreadProblem] = {}
        self._unresolved: dict[Wanted, None] = {}
        self._unread: dict[str, None] = {}
        self._known: set[str] = {key}
        self._bytes = 0
        self.supply(key, data)

    @property
    def stats(self) -> ClosureStats:
        return ClosureStats(parsed=len(self.units), held_bytes=self._bytes)

    def wanted(self) -> tuple[Wanted, ...]:
        """Locators nobody has resolved yet, each pair of source and locator once."""
        return tuple(self._unresolved)

    def unread(self) -> tuple[str, ...]:
        """Keys whose bytes are needed, each once."""
        return tuple(self._unread)

    def resolved(self, wanted: Wanted, key: str) -> None:
        """The answer to a wanted locator."""
        self._answer(wanted)
        self.links[wanted.including, wanted.locator] = key
        if key in self._known:
            return
        self._known.add(key)
        if len(self._known) > MAX_SOURCES:
            self.failures[key] = "too_many_sources"
        elif self._bytes >= MAX_CLOSURE_BYTES:
            self.failures[key] = "closure_too_large"
        else:
            self._unread[key] = None

    def refused(self, wanted: Wanted, problem: SourceProblem) -> None:
        """A wanted locator that names nothing the caller can hand out."""
        self._answer(wanted)
        self.refusals[wanted.including, wanted.locator] = problem

    def supply(self, key: str, data: bytes) -> None:
        """The bytes of a key. They are parsed at once, and never again."""
        self._unread.pop(key, None)
        if len(data) > MAX_SOURCE_BYTES and key != self.root:
            self.failures[key] = "too_large"
            return
        if self._bytes + len(data) > MAX_CLOSURE_BYTES and key != self.root:
            self._bytes = MAX_CLOSURE_BYTES
            self.failures[key] = "closure_too_large"
            return
        self._bytes += len(data)
        unit = read_unit(data, key, self._grammar, self._is_fragment_safe)
        self.units[key] = unit
        for include in unit.includes:
            self._unresolved[Wanted(key, include.locator)] = None

    def unsupplied(self, key: str, problem: SourceProblem) -> None:
        """A key whose bytes could not be had."""
        self._unread.pop(key, None)
        self.failures[key] = problem

    def _answer(self, wanted: Wanted) -> None:
        self._unresolved.pop(wanted, None)


def read_closure(
    key: str,
    data: bytes,
    reader: SourceReader,
    grammar: CommandGrammar,
    is_fragment_safe: FragmentSafe,
) -> Closure:
    """The whole closure of the root ``key`` with the bytes ``data``, through a reader.

    Never raises for a source: what cannot be had is a finding of :func:`~surefoot.compose.preflight`.
    """
    closure = Closure(key, data, grammar, is_fragment_safe)
    while closure.wanted() or closure.unread():
        for wanted in closure.wanted():
            try:
                closure.resolved(wanted, reader.resolve(wanted.including, wanted.locator))
            except SourceRefused as refusal:
                closure.refused(wanted, refusal.problem)
        for unread in closure.unread():
            try:
                closure.supply(unread, reader.read(unread, MAX_SOURCE_BYTES))
            except SourceRefused as refusal:
                closure.unsupplied(unread, refusal.problem)
    return closure


def locator_problem(locator: str) -> SourceProblem | None:
    """Why a locator is refused whatever files there are: only relative POSIX paths are locators."""
    if locator.startswith(("/", "\\", "~")) or _has_drive(locator):
        return "absolute"
    return "missing" if "\0" in locator else None


def _has_drive(locator: str) -> bool:
    return len(locator) > 1 and locator[1] == ":" and locator[0].isalpha()


class MemoryReader:
    """Sources held in memory, by key: a caller that has them all, and the tests'."""

    def __init__(self, sources: Mapping[str, bytes]) -> None:
        self.sources = dict(sources)

    def resolve(self, including: str, locator: str) -> str:
        problem = locator_problem(locator)
        if problem is not None:
            raise SourceRefused(problem)
        return joined(including, locator)

    def read(self, key: str, limit: int) -> bytes:
        data = self.sources.get(key)
        if data is None:
            raise SourceRefused("missing")
        if len(data) > limit:
            raise SourceRefused("too_large")
        return data


def joined(including: str, locator: str) -> str:
    """``locator`` seen from the directory of ``including``, both relative to the root.

    Raises :class:`SourceRefused` ``outside_root``, or ``missing`` for one that names no file.
    """
    parts = list(_parents(including))
    for part in locator.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif not parts:
            raise SourceRefused("outside_root")
        else:
            parts.pop()
    if not parts:
        raise SourceRefused("missing")
    return "/".join(parts)


def _parents(key: str) -> Iterator[str]:
    return iter(key.split("/")[:-1])
