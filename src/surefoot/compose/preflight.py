"""Everything that stops a composition before its first step, in one ordered table (seed 0020).

The whole reachable closure is looked at, every violation is collected, and the one reported is the
smallest by rank, then by the place of its call site (decisions.md, "preflight scope").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from surefoot.compose.closure import SourceProblem, UnreadProblem
from surefoot.compose.graph import CallSite, Graph
from surefoot.compose.model import (
    MAX_CLOSURE_BYTES,
    MAX_DEPTH,
    MAX_PLAN_STEPS,
    MAX_SOURCES,
    ControlNode,
    Finding,
    Rule,
    Unit,
    walk,
)
from surefoot.compose.pins import stale_ancestors
from surefoot.compose.violation import Place, Violation
from surefoot.script import MAX_SOURCE_BYTES, Context, Scope
from surefoot.text import caret_excerpt, ellipsize

MAX_NAMES: Final = 20


class Effective(Struct, frozen=True, kw_only=True):
    """What the run will be: platform and target, and which of them the caller asked for by flag."""

    platform: str
    target: str


class Look(Struct, frozen=True, kw_only=True):
    """What is checked: the graph, the effective context, and the variables (None: only their form)."""

    graph: Graph
    effective: Effective | None
    names: frozenset[str] | None
    overridden: Mapping[str, str] = {}


Check = Callable[[Look], Iterator[Violation]]


def violations(
    graph: Graph,
    *,
    effective: Effective | None = None,
    scope: Scope | None = None,
    overridden: Mapping[str, str] | None = None,
) -> tuple[Violation, ...]:
    """Every violation of the closure, the one to report first.

    Without ``effective`` (static looks) no context is compared, without ``scope`` (the root's ``env``
    among it) no variable. ``overridden`` are context keys of the root that the caller asked to differ:
    key to the value asked for.
    """
    names = None if scope is None else frozenset(scope.values)
    look = Look(graph=graph, effective=effective, names=names, overridden=overridden or {})
    found = [violation for check in CHECKS for violation in check(look)]
    return tuple(sorted(found, key=lambda violation: violation.rank))


# -- one function a rule, in the seed's order ---------------------------------------------------------


def _missing(look: Look) -> Iterator[Violation]:
    for site in look.graph.sites:
        if site.problem in MISSING:
            yield _at_site(
                Rule.MISSING_SOURCE,
                site,
                f'"{_told(site.include.locator)}" {MISSING[site.problem]}',
                site.problem,
            )


MISSING: Final[Mapping[SourceProblem | UnreadProblem | None, str]] = {
    "missing": "is not there",
    "absolute": "is absolute; an include names a file relative to its own",
    "outside_root": "lies outside the root of the flow's files",
    "unreadable": "cannot be read",
}


def _unsupported(look: Look) -> Iterator[Violation]:
    yield from _of_findings(look, Rule.UNSUPPORTED)
    for key, site in look.graph.first_sites.items():
        unit = look.graph.units.get(key)
        if unit is None or unit.kind == "fragment" or unit.is_unread:
            continue
        what = "is a composition" if unit.kind == "composition" else "does not begin with fragment-v1"
        yield _at_site(
            Rule.UNSUPPORTED,
            site,
            f'"{_told(site.include.locator)}" {what}; only a fragment can be included',
            "composition_as_child" if unit.kind == "composition" else "no_fragment_guard",
        )


def _source_bound(look: Look) -> Iterator[Violation]:
    for site in look.graph.sites:
        if site.problem == "too_many_sources":
            yield _at_site(
                Rule.SOURCE_BOUND,
                site,
                f"the composition has more than {MAX_SOURCES:,} sources",
                site.problem,
            )


def _depth_bound(look: Look) -> Iterator[Violation]:
    for site in look.graph.sites:
        if not site.closes_cycle and look.graph.depths[site.source] + 1 > MAX_DEPTH:
            yield _at_site(
                Rule.DEPTH_BOUND, site, f"includes are nested deeper than {MAX_DEPTH}", "too_deep"
            )


def _size_bound(look: Look) -> Iterator[Violation]:
    yield from _of_findings(look, Rule.SIZE_BOUND)
    sizes = {
        "too_large": f"the source is larger than {MAX_SOURCE_BYTES:,} bytes",
        "closure_too_large": f"the sources together are larger than {MAX_CLOSURE_BYTES:,} bytes",
    }
    for site in look.graph.sites:
        if site.problem in sizes:
            yield _at_site(Rule.SIZE_BOUND, site, sizes[site.problem], site.problem)
    if look.graph.step_count > MAX_PLAN_STEPS:
        root = look.graph.root
        yield Violation(
            rule=Rule.SIZE_BOUND,
            message=f"the composition has more than {MAX_PLAN_STEPS:,} steps",
            at=Place(path=root, line=1),
            problem="too_many_steps",
        )


def _cycle(look: Look) -> Iterator[Violation]:
    for site in look.graph.sites:
        if site.closes_cycle:
            yield _at_site(
                Rule.INCLUDE_CYCLE,
                site,
                f'"{_told(site.include.locator)}" includes this include again, at last',
                "cycle",
            )


def _call_site(look: Look) -> Iterator[Violation]:
    yield from _of_findings(look, Rule.CALL_SITE)


def _control_identity(look: Look) -> Iterator[Violation]:
    yield from _of_findings(look, Rule.CONTROL_IDENTITY)
    for key, unit in look.graph.units.items():
        seen: set[str] = set()
        for node in walk(unit.nodes):
            if not isinstance(node, ControlNode):
                continue
            if node.control_id is None or node.control_id in seen:
                what = "has no id" if node.control_id is None else f'repeats the id "{node.control_id}"'
                yield Violation(
                    rule=Rule.CONTROL_IDENTITY,
                    message=f"a {node.kind} {what}",
                    at=Place(path=key, line=node.line),
                    site=look.graph.first_sites.get(key),
                    problem="missing" if node.control_id is None else "duplicate",
                )
            else:
                seen.add(node.control_id)


def _stale(look: Look) -> Iterator[Violation]:
    graph = look.graph
    for site in graph.sites:
        if site.child is None or site.include.expected is None or site.closes_cycle:
            continue
        identity = graph.identities.get(site.child)
        if identity is None or identity.digest == site.include.expected:
            continue
        yield _at_site(
            Rule.STALE_DIGEST,
            site,
            f'"{_told(site.include.locator)}" is not the fragment that was pinned',
            "stale",
            actual=identity.digest,
        )


def _lifecycle(look: Look) -> Iterator[Violation]:
    yield from _of_findings(look, Rule.LIFECYCLE)


def _entry_guard(look: Look) -> Iterator[Violation]:
    yield from _of_findings(look, Rule.ENTRY_GUARD_MISSING)
    yield from _of_findings(look, Rule.ENTRY_GUARD_EVIDENCE)


def _context(look: Look) -> Iterator[Violation]:
    root = look.graph.units[look.graph.root]
    for name, asked in look.overridden.items():
        yield Violation(
            rule=Rule.CONTEXT_MISMATCH,
            message=f"--{name} {asked} differs from the composition's context {name}="
            f"{root.script.context.get(name)}",
            at=Place(path=root.key, line=1),
            problem=name,
            extra={"expected": root.script.context.get(name), "actual": asked},
        )
    if look.effective is None:
        return
    for key, unit in look.graph.units.items():
        if key == look.graph.root or unit.kind != "fragment":
            continue
        for name, asked in (
            ("platform", look.effective.platform),
            ("target", look.effective.target),
        ):
            own = unit.platform if name == "platform" else unit.target
            if own is not None and own != asked:
                yield Violation(
                    rule=Rule.CONTEXT_MISMATCH,
                    message=f"the fragment is for {name} {own}, the flow runs on {asked}",
                    at=Place(path=key, line=_context_line(unit)),
                    site=look.graph.first_sites.get(key),
                    problem=name,
                    extra={"expected": asked, "actual": own},
                )


def _variables(look: Look) -> Iterator[Violation]:
    if look.names is None:
        return
    for key, unit in look.graph.units.items():
        if unit.kind != "fragment":
            continue
        missing = [name for name in unit.variables if name not in look.names]
        if not missing:
            continue
        first = unit.variables[missing[0]]
        column = max(1, first.text.find(f"${{{missing[0]}") + 1)
        names = ", ".join(f"${{{name}}}" for name in missing[:MAX_NAMES])
        yield Violation(
            rule=Rule.VARIABLE_UNBOUND,
            message=f"nothing gives {names} a value",
            at=Place(path=key, line=first.source.line, column=column),
            site=look.graph.first_sites.get(key),
            problem="unbound",
            excerpt=caret_excerpt(first.text, column, len(missing[0]) + 3),
            extra={"variables": missing[:MAX_NAMES], "variableCount": len(missing)},
        )


CHECKS: Final[tuple[Check, ...]] = (
    _missing,
    _unsupported,
    _source_bound,
    _depth_bound,
    _size_bound,
    _cycle,
    _call_site,
    _control_identity,
    _stale,
    _lifecycle,
    _entry_guard,
    _context,
    _variables,
)


# -- reporting -------------------------------------------------------------------------------------


def _of_findings(look: Look, rule: Rule) -> Iterator[Violation]:
    graph = look.graph
    for key, unit in graph.units.items():
        for finding in unit.findings:
            if finding.rule is rule:
                yield _of_finding(graph, key, finding)


def _of_finding(graph: Graph, key: str, finding: Finding) -> Violation:
    order = None
    if finding.include is not None:
        site: CallSite | None = graph.of[key][finding.include]
    else:
        site = graph.first_sites.get(key)
        if (
            finding.rule is Rule.CALL_SITE
        ):  # of an include that could not be read: its source is this one
            order, site = site.order if site is not None else 0, None
    return Violation(
        rule=finding.rule,
        message=finding.message,
        at=Place(path=key, line=finding.line, column=finding.column),
        site=site,
        problem=finding.problem,
        excerpt=finding.excerpt,
        extra={"errors": list(finding.errors)} if finding.errors else {},
        order=order,
    )


def _at_site(
    rule: Rule, site: CallSite, message: str, problem: str | None, actual: str | None = None
) -> Violation:
    column = max(1, site.include.text.find("include") + 1)
    return Violation(
        rule=rule,
        message=message,
        at=Place(path=site.source, line=site.include.line, column=column),
        site=site,
        problem=problem,
        actual=actual,
        excerpt=caret_excerpt(site.include.text, column, len("include")) if site.include.text else None,
    )


def with_chain(graph: Graph, violation: Violation) -> Violation:
    """The violation to report, with the sources whose pins it leaves to be written, leaf first."""
    site = violation.site
    if violation.rule is not Rule.STALE_DIGEST or site is None or site.child is None:
        return violation
    chain = stale_ancestors(graph, site.child)
    return msgspec.structs.replace(violation, chain=chain)


def _context_line(unit: Unit) -> int:
    return next((node.line for node in unit.script.nodes if isinstance(node, Context)), 1)


def _told(locator: str) -> str:
    return ellipsize(locator, 120)
