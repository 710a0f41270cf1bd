"""Who includes whom: the call sites of a closure in document order, cycles, depths, sizes.

The order of call sites is that of a reader who opens every include where it stands, each source once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from surefoot.compose.closure import Closure, SourceProblem, UnreadProblem
from surefoot.compose.digest import fragment_identity
from surefoot.compose.model import FragmentIdentity, IncludeNode, Unit


class CallSite(Struct, frozen=True, kw_only=True):
    """One include of the closure. ``order`` is its place among all (from 1); ``at`` its ordinal
    (0-based) in ``source``. ``child`` is the key it resolves to, None where it resolves to none;
    ``problem`` why there are no bytes. ``closes_cycle`` says that the child includes, at last, this
    very call site.
    """

    order: int
    source: str
    at: int
    include: IncludeNode
    child: str | None
    problem: SourceProblem | UnreadProblem | None = None
    closes_cycle: bool = False


class Graph(Struct, frozen=True, kw_only=True, dict=True):
    """The walked closure. ``bottom_up`` are the keys of its units, each behind all it includes."""

    root: str
    units: Mapping[str, Unit]
    sites: tuple[CallSite, ...]
    bottom_up: tuple[str, ...]

    @cached_property
    def of(self) -> Mapping[str, tuple[CallSite, ...]]:
        """The call sites of each source, in its own order."""
        found: dict[str, list[CallSite]] = {key: [] for key in self.units}
        for site in self.sites:
            found[site.source].append(site)
        return {key: tuple(sites) for key, sites in found.items()}

    @cached_property
    def callers(self) -> Mapping[str, tuple[CallSite, ...]]:
        """The call sites that include each source."""
        found: dict[str, list[CallSite]] = {}
        for site in self.sites:
            if site.child is not None:
                found.setdefault(site.child, []).append(site)
        return {key: tuple(sites) for key, sites in found.items()}

    @cached_property
    def first_sites(self) -> Mapping[str, CallSite]:
        """The call site that reaches each source first."""
        first: dict[str, CallSite] = {}
        for site in self.sites:
            if site.child is not None and not site.closes_cycle:
                first.setdefault(site.child, site)
        return first

    @cached_property
    def identities(self) -> Mapping[str, FragmentIdentity]:
        """What each readable fragment is, as it stands."""
        return {
            key: fragment_identity(unit)
            for key, unit in self.units.items()
            if unit.kind == "fragment" and not unit.is_unread
        }

    @cached_property
    def depths(self) -> Mapping[str, int]:
        """How deep each source is included at most, along paths that repeat no source. The root: 0."""
        depths = {self.root: 0}
        for key in reversed(self.bottom_up):
            for site in self.of[key]:
                if site.child is not None and not site.closes_cycle:
                    depths[site.child] = max(depths.get(site.child, 0), depths[key] + 1)
        return depths

    @cached_property
    def step_count(self) -> int:
        """Steps of the expanded plan; a fragment without steps counts as one."""
        counts: dict[str, int] = {}
        for key in self.bottom_up:
            inner = sum(
                counts.get(site.child, 0)
                for site in self.of[key]
                if site.child is not None and not site.closes_cycle
            )
            least = 0 if key == self.root else 1
            counts[key] = max(least, len(self.units[key].steps)) + inner
        return counts[self.root]

    def ancestors(self, key: str) -> tuple[str, ...]:
        """All that include ``key``, at last, bottom-up; not itself."""
        found: set[str] = set()
        pending = [key]
        while pending:
            for site in self.callers.get(pending.pop(), ()):
                if site.source not in found and site.source != key:
                    found.add(site.source)
                    pending.append(site.source)
        return tuple(other for other in self.bottom_up if other in found)


def walk_closure(closure: Closure) -> Graph:
    """The graph of a closure that has everything it could get."""
    sites: list[CallSite] = []
    bottom_up: list[str] = []
    seen = {closure.root}
    on_path = {closure.root}
    stack: list[tuple[str, int]] = [(closure.root, 0)] if closure.root in closure.units else []
    while stack:
        key, at = stack.pop()
        includes = closure.units[key].includes
        if at == len(includes):
            bottom_up.append(key)
            on_path.discard(key)
            continue
        stack.append((key, at + 1))
        site = _site(closure, key, at, includes[at], len(sites) + 1, on_path)
        sites.append(site)
        child = site.child
        if child is not None and child in closure.units and child not in seen:
            seen.add(child)
            on_path.add(child)
            stack.append((child, 0))
    return Graph(root=closure.root, units=closure.units, sites=tuple(sites), bottom_up=tuple(bottom_up))


def _site(
    closure: Closure, key: str, at: int, include: IncludeNode, order: int, on_path: set[str]
) -> CallSite:
    link = (key, include.locator)
    child = closure.links.get(link)
    problem = closure.refusals.get(link) if child is None else closure.failures.get(child)
    return CallSite(
        order=order,
        source=key,
        at=at,
        include=include,
        child=child,
        problem=problem,
        closes_cycle=child in on_path,
    )
