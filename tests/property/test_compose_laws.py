"""Laws of compositions over generated graphs (issue: fragments; seed 0020, slice 1)."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.compositions import (
    GRAMMAR,
    closure_of,
    fragment,
    is_fragment_safe,
    load,
    look,
    pinned,
    root,
)

from surefoot.compose import (
    Closure,
    ComposedPlan,
    MemoryReader,
    ResumeRequest,
    Rule,
    SourceRefused,
    address_token,
    check_composed_resume,
    graph_mermaid,
    graph_text,
    graph_view,
    parse_token,
    propose_pins,
    stale_sources,
    violations,
    walk_closure,
)
from surefoot.errors import SurefootError
from surefoot.script import MAX_SOURCE_BYTES


class Drawn(msgspec.Struct, frozen=True):
    """A composition as data: fragment ``n`` lies in its own directory and calls only higher numbers.

    ``calls[n]`` and ``root`` are lists of (child, place of the call among the steps); ``steps[n]`` how
    many presses fragment ``n`` has behind its guard.
    """

    root: tuple[int, ...]
    calls: tuple[tuple[int, ...], ...]
    steps: tuple[int, ...]

    @property
    def keys(self) -> list[str]:
        return [f"d{at % 3}/f{at}.ad" for at in range(len(self.calls))]

    def callers_of(self, changed: int) -> set[str]:
        """The fragment's transitive callers in the closure, by key; the root if it reaches it."""
        found: set[int] = {changed}
        for at in range(len(self.calls) - 1, -1, -1):
            if found & set(self.calls[at]):
                found.add(at)
        keys = {self.keys[at] for at in found & self.reachable() if at != changed}
        return keys | ({"main.ad"} if found & set(self.root) else set())

    def reachable(self) -> set[int]:
        found = set(self.root)
        for at in range(len(self.calls)):
            if at in found:
                found |= set(self.calls[at])
        return found


@st.composite
def drawn(draw: st.DrawFn, most: int = 7) -> Drawn:
    count = draw(st.integers(1, most))
    calls = tuple(
        tuple(draw(st.lists(st.integers(at + 1, count - 1), max_size=2))) if at + 1 < count else ()
        for at in range(count)
    )
    steps = tuple(draw(st.integers(0, 2)) for _ in range(count))
    return Drawn(
        root=tuple(draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=3))),
        calls=calls,
        steps=steps,
    )


def texts(graph: Drawn, edits: Mapping[int, str] | None = None) -> dict[str, str]:
    """The sources with ``@include`` lines; ``edits`` are lines added to a fragment."""
    sources = {"main.ad": root(*_includes("main.ad", graph, graph.root))}
    for at, key in enumerate(graph.keys):
        lines = [f"press id=s{at}-{step}" for step in range(graph.steps[at])]
        lines += _includes(key, graph, graph.calls[at])
        lines += [edits[at]] if edits and at in edits else []
        sources[key] = fragment(*lines, label=f"Screen {at}")
    return sources


def _includes(source: str, graph: Drawn, calls: tuple[int, ...]) -> list[str]:
    where = posixpath.dirname(source) or "."
    return [
        f"@include c{place} {posixpath.relpath(graph.keys[child], where)}"
        for place, child in enumerate(calls)
    ]


def repinned(sources: dict[str, bytes], key: str = "main.ad") -> dict[str, bytes]:
    edits = propose_pins(walk_closure(closure_of(sources, key)))
    return {**sources, **{edit.path: edit.after for edit in edits}}


def digests(plan: ComposedPlan) -> dict[str, str]:
    """Every source's digest: fragments by their own, the root by the composition's."""
    own = {key: identity.digest for key, identity in plan.graph.identities.items()}
    return {**own, "main.ad": plan.composition_digest}


@given(drawn())
def test_every_address_is_unique_and_its_token_reads_back(graph: Drawn) -> None:
    steps = load(pinned(texts(graph))).steps
    assert len({step.address for step in steps}) == len(steps)
    for step in steps:
        assert parse_token(address_token(step.address)) == step.address


@given(drawn())
def test_invocations_share_the_digest_of_their_fragment_and_no_address(graph: Drawn) -> None:
    owners: dict[str, set[object]] = {}
    for step in load(pinned(texts(graph))).steps:
        owners.setdefault(step.step.source.path, set()).add(step.address.owner)
    assert all(len(found) == 1 for found in owners.values())


@given(drawn(), st.data())
def test_child_edit_changes_all_and_only_its_transitive_callers(
    graph: Drawn, data: st.DataObject
) -> None:
    changed = data.draw(st.sampled_from(sorted(graph.reachable())))
    sources = pinned(texts(graph))
    before = digests(load(sources))
    edited = pinned(texts(graph, {changed: "press id=edited"}))
    stale = {**sources, graph.keys[changed]: _only_body(sources, graph, changed)}
    after = digests(load(repinned(stale)))
    moved = {key for key in before if before[key] != after[key]}
    assert moved == graph.callers_of(changed) | {graph.keys[changed]}
    assert after == digests(load(edited))


def _only_body(sources: dict[str, bytes], graph: Drawn, changed: int) -> bytes:
    return sources[graph.keys[changed]].rstrip(b"\n") + b"\npress id=edited\n"


@given(drawn(), st.data())
def test_edited_leaf_is_stale_until_each_caller_is_repinned(graph: Drawn, data: st.DataObject) -> None:
    changed = data.draw(st.sampled_from(sorted(graph.reachable())))
    sources = pinned(texts(graph))
    sources[graph.keys[changed]] = _only_body(sources, graph, changed)
    found = look(sources)
    assert {violation.rule for violation in found.violations} == {Rule.STALE_DIGEST}
    first = found.first
    assert first is not None
    assert set(first.chain) == graph.callers_of(changed)
    assert first.chain[-1] == "main.ad"
    edits = propose_pins(found.graph)
    assert tuple(edit.path for edit in edits) == first.chain
    assert violations(walk_closure(closure_of(repinned(sources)))) == ()


@given(drawn(), st.integers(0, 3), st.data())
def test_inserted_sibling_changes_no_address_of_other_fragments(
    graph: Drawn, at: int, data: st.DataObject
) -> None:
    sources = texts(graph)
    child = data.draw(st.sampled_from(graph.keys))
    lines = sources["main.ad"].split("\n")
    lines.insert(3 + min(at, len(graph.root)), f"@include inserted {child}")
    before = load(pinned(sources)).steps
    after = load(pinned({**sources, "main.ad": "\n".join(lines)})).steps
    others = [
        step.address
        for step in after
        if not step.is_root and step.address.invocation_path[0].call_site_id != "inserted"
    ]
    assert others == [step.address for step in before if not step.is_root]


NOTES = st.sampled_from(
    ["# a note", "", "   ", "# recorded 2026-11-30T12:00:00Z", "#agent-device:other {}"]
)


@given(
    drawn(), st.lists(st.tuples(st.integers(0, 30), NOTES), max_size=6), st.sampled_from(["\n", "\r\n"])
)
def test_comments_blanks_times_devices_and_directories_change_no_digest(
    graph: Drawn, notes: list[tuple[int, str]], end: str
) -> None:
    sources = pinned(texts(graph))
    noisy = {f"elsewhere/{key}": _noisy(data, notes, end) for key, data in sources.items()}
    plain, other = load(sources), load(noisy, "elsewhere/main.ad")
    assert other.composition_digest == plain.composition_digest
    assert [step.address for step in other.steps] == [step.address for step in plain.steps]


def _noisy(data: bytes, notes: list[tuple[int, str]], end: str) -> bytes:
    lines = data.decode().replace("target=desktop", 'target=desktop device="box 7"').split("\n")
    for at, note in notes:
        place = at % len(lines)
        if place == 0 or not lines[place - 1].startswith("# agent-device:"):
            lines.insert(place, note)
    return end.join(lines).encode()


@given(drawn(), st.data())
def test_resume_is_admitted_exactly_at_root_steps_and_entries(
    graph: Drawn, data: st.DataObject
) -> None:
    plan = load(pinned(texts(graph)))
    at = data.draw(st.integers(0, len(plan.steps) - 1))
    step = plan.steps[at]
    request = ResumeRequest(
        from_=address_token(step.address), composition_digest=plan.composition_digest
    )
    if step.is_root or step.address.local_step == 1:
        assert check_composed_resume(plan, request) == at
        return
    with pytest.raises(SurefootError) as caught:
        check_composed_resume(plan, request)
    assert caught.value.reason == "fragment_resume_unsupported"


@st.composite
def broken(draw: st.DrawFn) -> dict[str, bytes]:
    """A closure with faults of every kind, cycles among them; it may also be sound."""
    count = draw(st.integers(1, 5))
    names = [f"f{at}.ad" for at in range(count)]
    locators = st.sampled_from([*names, "main.ad", "gone.ad", "../out.ad", "/abs.ad", "sub/../f0.ad"])
    lines = st.one_of(
        locators.map(lambda name: f"include {name}"),
        st.tuples(st.sampled_from("abc"), locators).map(
            lambda pair: (
                f'# agent-device:fragment-ref-v1 {{"callSiteId":"{pair[0]}","digest":'
                f'"sha256:{"0" * 64}"}}\ninclude {pair[1]}'
            )
        ),
        st.sampled_from(
            [
                *("press id=a", 'open "x"', 'type "${X}"', "env A=1", "fragment-v1", 'press "'),
                *("# agent-device:fragment-ref-v1 {}", "context target=mobile", "wait 1", "nonsense"),
            ]
        ),
    )
    body = st.lists(lines, max_size=5)
    sources = {name: fragment(*draw(body)).encode() for name in names if draw(st.booleans())}
    return {**sources, "main.ad": root(*draw(body)).encode()}


@given(broken())
def test_any_closure_is_admitted_or_refused_typed_and_can_be_drawn(sources: dict[str, bytes]) -> None:
    found = look(sources)
    ranks = [violation.rank for violation in found.violations]
    assert ranks == sorted(ranks)
    view = graph_view(found.graph, stale_sources(found.graph))
    assert graph_text(view)
    assert graph_mermaid(view)
    refused = _error(sources)
    if refused is None:
        assert found.violations == ()
        return
    assert refused.code == "INVALID_ARGS"
    if found.refused is None and found.first is not None:
        assert refused.details == found.first.details


def _error(sources: dict[str, bytes]) -> SurefootError | None:
    try:
        load(sources)
    except SurefootError as error:
        return error
    return None


@given(broken())
def test_answer_does_not_depend_on_the_order_in_which_sources_arrive(sources: dict[str, bytes]) -> None:
    closure = Closure("main.ad", sources["main.ad"], GRAMMAR, is_fragment_safe)
    reader = MemoryReader(sources)
    while closure.wanted() or closure.unread():
        for wanted in reversed(closure.wanted()):
            try:
                closure.resolved(wanted, reader.resolve(wanted.including, wanted.locator))
            except SourceRefused as refused:
                closure.refused(wanted, refused.problem)
        for key in reversed(closure.unread()):
            try:
                closure.supply(key, reader.read(key, MAX_SOURCE_BYTES))
            except SourceRefused as refused:
                closure.unsupplied(key, refused.problem)
    backwards = sorted(str(one) for one in violations(walk_closure(closure)))
    assert backwards == sorted(str(one) for one in violations(walk_closure(closure_of(sources))))
