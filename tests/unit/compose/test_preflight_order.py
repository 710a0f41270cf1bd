"""The seed's total order: of two violations anywhere in the closure the smaller rank is reported."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from tests.support.compositions import (
    NOWHERE,
    closure_of,
    digest_of,
    fragment,
    guard,
    include,
    load,
    look,
    pinned,
    refusal,
    root,
)

from surefoot.compose import (
    MAX_DEPTH,
    REASONS,
    Closure,
    ControlNode,
    Effective,
    Rule,
    preflight,
)
from surefoot.errors import SurefootError
from surefoot.script import Scope

Sources = dict[str, bytes]
Plant = Callable[[Sources], tuple[str, ...]]
"""Adds files to the closure and returns the lines of the root that bring its violation in."""


def _pin(sources: Sources, name: str, text: str) -> tuple[str, ...]:
    sources[f"{name}.ad"] = text.encode()
    return (include(name, f"./{name}.ad", digest_of(text.encode())),)


def _missing(_sources: Sources) -> tuple[str, ...]:
    return (include("gone", "./gone.ad"),)


def _unsupported(sources: Sources) -> tuple[str, ...]:
    return _pin(sources, "flat", "press id=a\n")


def _size(sources: Sources) -> tuple[str, ...]:
    return _pin(sources, "huge", fragment("#" * 70_000))


def _cycle(sources: Sources) -> tuple[str, ...]:
    return _pin(sources, "loop", fragment(include("again", "./loop.ad")))


def _call_site(sources: Sources) -> tuple[str, ...]:
    sources["bare.ad"] = fragment().encode()
    return ('include "./bare.ad"',)


def _stale(sources: Sources) -> tuple[str, ...]:
    sources["old.ad"] = fragment().encode()
    return (include("old", "./old.ad", NOWHERE),)


def _lifecycle(sources: Sources) -> tuple[str, ...]:
    return _pin(sources, "opens", fragment('open "x"'))


def _no_guard(sources: Sources) -> tuple[str, ...]:
    return _pin(sources, "bold", fragment().replace(guard(), "press id=a"))


def _guard_evidence(sources: Sources) -> tuple[str, ...]:
    return _pin(sources, "weak", fragment().replace('"verified"', '"unverifiable"'))


def _context(sources: Sources) -> tuple[str, ...]:
    return _pin(sources, "phone", fragment(on="mobile"))


def _variable(sources: Sources) -> tuple[str, ...]:
    return _pin(sources, "asks", fragment('type "${NOBODY}"'))


PLANTS: tuple[tuple[Rule, Plant], ...] = (
    (Rule.MISSING_SOURCE, _missing),
    (Rule.UNSUPPORTED, _unsupported),
    (Rule.SIZE_BOUND, _size),
    (Rule.INCLUDE_CYCLE, _cycle),
    (Rule.CALL_SITE, _call_site),
    (Rule.STALE_DIGEST, _stale),
    (Rule.LIFECYCLE, _lifecycle),
    (Rule.ENTRY_GUARD_MISSING, _no_guard),
    (Rule.ENTRY_GUARD_EVIDENCE, _guard_evidence),
    (Rule.CONTEXT_MISMATCH, _context),
    (Rule.VARIABLE_UNBOUND, _variable),
)
"""What can be planted beside another; the bounds on sources, depth and controls have tests of their
own."""

PAIRS = [
    pytest.param(first, second, id=f"{first[0].name.lower()}-before-{second[0].name.lower()}")
    for at, first in enumerate(PLANTS)
    for second in PLANTS[at + 1 :]
]


def test_order_and_reasons_are_those_of_the_seed() -> None:
    assert [(rule.name.lower(), REASONS[rule]) for rule in Rule] == [
        ("missing_source", "fragment_missing"),
        ("unsupported", "fragment_unsupported"),
        ("source_bound", "fragment_bounds"),
        ("depth_bound", "fragment_bounds"),
        ("size_bound", "fragment_bounds"),
        ("include_cycle", "fragment_cycle"),
        ("call_site", "fragment_call_site_invalid"),
        ("control_identity", "fragment_control_identity_invalid"),
        ("stale_digest", "fragment_stale"),
        ("lifecycle", "fragment_lifecycle"),
        ("entry_guard_missing", "fragment_entry_guard"),
        ("entry_guard_evidence", "fragment_entry_guard"),
        ("context_mismatch", "fragment_context_mismatch"),
        ("variable_unbound", "fragment_variable_unbound"),
    ]


@pytest.mark.parametrize(("rule", "plant"), PLANTS, ids=[rule.name.lower() for rule, _ in PLANTS])
def test_planted_violation_alone_is_reported(rule: Rule, plant: Plant) -> None:
    sources: Sources = {}
    lines = plant(sources)
    error = refusal({**sources, "main.ad": root(*lines).encode()})
    assert error.reason == REASONS[rule]
    assert error.details["rule"] == rule.name.lower()


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_smaller_rank_is_reported_wherever_it_stands(
    first: tuple[Rule, Plant], second: tuple[Rule, Plant]
) -> None:
    """The B105 matrix: every pair of reasons, the higher one written first."""
    sources: Sources = {}
    lines = (*second[1](sources), *first[1](sources))
    error = refusal({**sources, "main.ad": root(*lines).encode()})
    assert error.details["rule"] == first[0].name.lower()


def test_B105_missing_beats_stale_beats_context() -> None:
    sources: Sources = {}
    lines = (*_context(sources), *_stale(sources))
    flow = {**sources, "main.ad": root(*lines).encode()}
    assert refusal(flow).reason == "fragment_stale"
    assert (
        refusal({**flow, "main.ad": root(*lines, *_missing({})).encode()}).reason == "fragment_missing"
    )


def test_violation_below_is_found_behind_a_stale_parent() -> None:
    sources = {
        "main.ad": root(include("a", "./a.ad")).encode(),
        "a.ad": fragment(include("gone", "./sub/gone.ad")).encode(),
    }
    details = refusal(sources).details
    assert (details["reason"], details["source"]) == ("fragment_missing", "a.ad")
    assert (details["locator"], details["callSiteId"]) == ("./sub/gone.ad", "gone")


def test_equal_ranks_are_told_in_document_order() -> None:
    sources = {
        "main.ad": root(include("a", "./a.ad"), include("b", "./first-gone.ad")).encode(),
        "a.ad": fragment(include("inner", "./second-gone.ad")).encode(),
    }
    assert refusal(sources).details["locator"] == "./second-gone.ad"


def _chain(length: int) -> dict[str, str]:
    sources = {"main.ad": root("@include f1 ./f1.ad")}
    for at in range(1, length):
        sources[f"f{at}.ad"] = fragment(f"@include f{at + 1} ./f{at + 1}.ad")
    sources[f"f{length}.ad"] = fragment()
    return sources


def test_deepest_admitted_nesting_runs() -> None:
    plan = load(pinned(_chain(MAX_DEPTH)))
    assert len(plan.steps[MAX_DEPTH].address.invocation_path) == MAX_DEPTH


def test_nesting_past_the_depth_bound_is_refused_where_it_passes_it() -> None:
    details = refusal(pinned(_chain(MAX_DEPTH + 1))).details
    assert (details["reason"], details["rule"]) == ("fragment_bounds", "depth_bound")
    assert details["callSiteId"] == f"f{MAX_DEPTH + 1}"


def test_depth_is_that_of_the_longest_way_to_a_fragment() -> None:
    sources = _chain(MAX_DEPTH)
    sources["main.ad"] = root(f"@include last ./f{MAX_DEPTH}.ad", "@include f1 ./f1.ad")
    sources[f"f{MAX_DEPTH}.ad"] = fragment("@include below ./below.ad")
    sources["below.ad"] = fragment()
    assert refusal(pinned(sources)).details["rule"] == "depth_bound"


def test_depth_never_masks_a_cycle() -> None:
    sources = {
        "main.ad": root(include("a", "./a.ad")).encode(),
        "a.ad": fragment(include("b", "./b.ad")).encode(),
        "b.ad": fragment(include("a", "./a.ad")).encode(),
    }
    details = refusal(sources).details
    assert (details["reason"], details["source"]) == ("fragment_cycle", "b.ad")


def test_root_that_includes_itself_is_a_cycle() -> None:
    assert refusal({"main.ad": root(include("me", "./main.ad")).encode()}).reason == "fragment_cycle"


def test_more_sources_than_the_bound_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surefoot.compose.closure.MAX_SOURCES", 3)
    names = ("a", "b", "c")
    lines = [f"@include {name} ./{name}.ad" for name in names]
    sources = pinned({"main.ad": root(*lines), **{f"{name}.ad": fragment() for name in names}})
    details = refusal(sources).details
    assert (details["rule"], details["callSiteId"]) == ("source_bound", "c")


def test_sources_together_past_the_bound_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surefoot.compose.closure.MAX_CLOSURE_BYTES", 1000)
    names = ("a", "b", "c")
    lines = [f"@include {name} ./{name}.ad" for name in names]
    sources = pinned({"main.ad": root(*lines), **{f"{name}.ad": fragment() for name in names}})
    details = refusal(sources).details
    assert (details["rule"], details["problem"]) == ("size_bound", "closure_too_large")


def test_plan_that_doubles_at_every_level_is_refused_without_being_expanded() -> None:
    sources = {"main.ad": root("@include f1 ./f1.ad")}
    for at in range(1, MAX_DEPTH):
        below = f"./f{at + 1}.ad"
        sources[f"f{at}.ad"] = fragment(f"@include a {below}", f"@include b {below}")
    sources[f"f{MAX_DEPTH}.ad"] = fragment("press id=a")
    details = refusal(pinned(sources)).details
    assert (details["rule"], details["problem"]) == ("size_bound", "too_many_steps")


def _with_controls(*ids: str | None) -> Closure:
    closure = closure_of(pinned({"main.ad": root("@include a ./a.ad"), "a.ad": fragment()}))
    unit = closure.units["a.ad"]
    controls = tuple(
        ControlNode(kind="retry", control_id=name, nodes=(), line=9 + at) for at, name in enumerate(ids)
    )
    closure.units["a.ad"] = msgspec.structs.replace(unit, nodes=(*unit.nodes, *controls))
    return closure


@pytest.mark.parametrize(("ids", "problem"), [((None,), "missing"), (("again", "again"), "duplicate")])
def test_control_without_an_identity_of_its_own_is_refused(
    ids: tuple[str | None, ...], problem: str
) -> None:
    found = preflight(_with_controls(*ids)).violations
    assert (found[0].reason, found[0].problem) == ("fragment_control_identity_invalid", problem)


def test_controls_with_their_own_identities_pass_that_gate() -> None:
    rules = [violation.rule for violation in preflight(_with_controls("a", "b")).violations]
    assert rules == [Rule.STALE_DIGEST]  # the nodes were put in behind the pin


def _stale_below() -> Sources:
    sources = pinned(
        {
            "main.ad": root(
                "@include mid ./mid.ad", "@include top ./top.ad", "@include leaf ./leaf.ad"
            ),
            "top.ad": fragment("@include mid ./mid.ad"),
            "mid.ad": fragment("@include leaf ./leaf.ad"),
            "leaf.ad": fragment("press id=a"),
            "apart.ad": fragment(),
        }
    )
    return {**sources, "leaf.ad": fragment("press id=b").encode()}


def test_stale_leaf_names_its_ancestors_leaf_first() -> None:
    details = refusal(_stale_below()).details
    assert (details["reason"], details["source"], details["callSiteId"]) == (
        "fragment_stale",
        "mid.ad",
        "leaf",
    )
    assert details["chain"] == ["mid.ad", "top.ad", "main.ad"]


def test_stale_error_tells_both_digests() -> None:
    sources = _stale_below()
    details = refusal(sources).details
    assert details["actualDigest"] == digest_of(sources["leaf.ad"])
    assert details["expectedDigest"] == digest_of(fragment("press id=a").encode())


def test_ancestor_repinned_already_is_no_longer_in_the_chain() -> None:
    sources = _stale_below()
    old = digest_of(fragment("press id=a").encode())
    new = digest_of(sources["leaf.ad"])
    sources["mid.ad"] = sources["mid.ad"].replace(old.encode(), new.encode())
    details = refusal(sources).details
    assert (details["source"], details["callSiteId"]) == ("main.ad", "mid")
    assert details["chain"] == ["top.ad", "main.ad"]


def test_all_violations_are_collected_in_the_order_of_report() -> None:
    sources: Sources = {}
    lines = (*_variable(sources), *_stale(sources), *_missing(sources))
    found = look({**sources, "main.ad": root(*lines).encode()}).violations
    assert [violation.rule for violation in found] == [
        Rule.MISSING_SOURCE,
        Rule.STALE_DIGEST,
        Rule.VARIABLE_UNBOUND,
    ]


def test_static_look_judges_neither_context_nor_variables() -> None:
    sources: Sources = {}
    lines = (*_variable(sources), *_context(sources))
    assert preflight(closure_of({**sources, "main.ad": root(*lines).encode()})).violations == ()


def test_details_have_the_keys_of_a_preflight_error() -> None:
    details = refusal({"main.ad": root(include("gone", "./gone.ad")).encode()}).details
    assert details == {
        "reason": "fragment_missing",
        "rule": "missing_source",
        "source": "main.ad",
        "locator": "./gone.ad",
        "expectedDigest": NOWHERE,
        "callSiteId": "gone",
        "line": 5,
        "at": {"path": "main.ad", "line": 5, "column": 1},
        "problem": "missing",
        "chain": [],
    }


def test_message_shows_the_place_and_says_that_nothing_ran() -> None:
    error = refusal({"main.ad": root(include("gone", "./gone.ad")).encode()})
    assert isinstance(error, SurefootError)
    assert error.message == ('main.ad:5:1: "./gone.ad" is not there.\n  include "./gone.ad"\n  ^^^^^^^')
    assert error.hint.startswith("Nothing was executed.")


def test_scope_of_the_root_counts_for_its_fragments() -> None:
    sources: Sources = {}
    lines = _variable(sources)
    flow = root(*lines, header="context platform=sim target=desktop\nenv NOBODY=x")
    effective = Effective(platform="sim", target="desktop")
    closure = closure_of({**sources, "main.ad": flow.encode()})
    assert preflight(closure, effective=effective, scope=Scope.of()).violations == ()
