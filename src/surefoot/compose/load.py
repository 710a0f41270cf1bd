"""A complete closure to the plan that runs, or the first reason why not: before any device action."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from surefoot.compose.closure import Closure
from surefoot.compose.digest import composition_digest
from surefoot.compose.graph import Graph, walk_closure
from surefoot.compose.model import Unit
from surefoot.compose.plan import ComposedPlan
from surefoot.compose.preflight import Effective, violations, with_chain
from surefoot.compose.refusals import composition_required
from surefoot.compose.violation import Violation
from surefoot.errors import SurefootError
from surefoot.plan import binding_issues
from surefoot.script import CommandGrammar, IssueList, Scope, Script, script_error


class Preflight(Struct, frozen=True, kw_only=True):
    """What a look at a closure found. ``violations`` in the order of report; ``refused`` is the root's
    own error as a script, which comes before them (what cannot be read includes nothing)."""

    graph: Graph
    violations: tuple[Violation, ...]
    refused: SurefootError | None = None

    @property
    def first(self) -> Violation | None:
        """The violation to report, with its chain of stale ancestors."""
        return with_chain(self.graph, self.violations[0]) if self.violations else None

    def raise_first(self, path_of: Callable[[str], str] = str) -> None:
        """Raise the error of the first thing found; return where there is none. ``path_of`` spells a
        source in its text."""
        if self.refused is not None:
            raise self.refused
        first = self.first
        if first is not None:
            raise first.error(path_of)


def is_composed(script: Script) -> bool:
    """Whether a script is composition's business: it has a guard, or an include. Any other one is
    flat."""
    return script.guard is not None or bool(script.includes)


def preflight(
    closure: Closure,
    *,
    effective: Effective | None = None,
    overridden: Mapping[str, str] | None = None,
    scope: Scope | None = None,
) -> Preflight:
    """Look at a closure without running it; its root may be a composition or a fragment.

    ``scope`` is what the caller brings (the root's ``env`` is added here); without it, and without
    ``effective``, variables and contexts are not judged. ``overridden`` as in :func:`violations`.
    """
    graph = walk_closure(closure)
    root = graph.units[graph.root]
    inner = None if scope is None else scope.within(root.script.env)
    refused = None
    if root.refused and (root.kind != "fragment" or root.is_unread):
        refused = script_error(root.key, root.refused, root.refused_count)
    return Preflight(
        graph=graph,
        violations=violations(graph, effective=effective, scope=inner, overridden=overridden),
        refused=refused,
    )


def load_composed(
    closure: Closure,
    grammar: CommandGrammar,
    *,
    platform: str,
    target: str,
    overridden: Mapping[str, str] | None = None,
    scope: Scope | None = None,
    path_of: Callable[[str], str] = str,
) -> ComposedPlan:
    """The composed plan of a closure whose root is a composition.

    ``platform`` and ``target`` are the effective ones; ``path_of`` spells a source in a refusal's text.
    Raises ``INVALID_ARGS``:
    ``fragment_composition_required`` for a fragment as the root, the first violation of the table,
    or (as for any script) what is wrong with the root itself or with a filled-in step.
    """
    root = closure.units[closure.root]
    if root.kind == "fragment":
        raise composition_required(root.key)
    look = preflight(
        closure,
        effective=Effective(platform=platform, target=target),
        overridden=overridden,
        scope=scope,
    )
    look.raise_first(path_of)
    graph = look.graph
    if scope is not None:
        inner = scope.within(root.script.env)
        for key in (graph.root, *(key for key in graph.bottom_up if key != graph.root)):
            _refuse_unfit(graph.units[key], inner, grammar)
    fragments = [
        (graph.identities[key], graph.units[key]) for key in graph.bottom_up if key != graph.root
    ]
    return ComposedPlan(
        path=root.key,
        platform=platform,
        target=target,
        graph=graph,
        composition_digest=composition_digest(root, platform, target, fragments),
        stats=closure.stats,
        warnings=tuple(
            (key, warning) for key, unit in graph.units.items() for warning in unit.script.warnings
        ),
    )


def _refuse_unfit(unit: Unit, scope: Scope, grammar: CommandGrammar) -> None:
    issues = IssueList()
    for step in unit.steps:
        issues.extend(binding_issues(step, scope, grammar))
    error = issues.error(unit.key)
    if error:
        raise error
