"""Sources: read once, parsed once, never outside the root; what cannot be had is a typed finding."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.support.compositions import (
    GRAMMAR,
    closure_of,
    fragment,
    include,
    is_fragment_safe,
    load,
    pinned,
    refusal,
    root,
)

from surefoot.compose import (
    Closure,
    MemoryReader,
    SourceProblem,
    SourceRefused,
    joined,
    load_composed,
    locator_problem,
    read_closure,
)
from surefoot.errors import SurefootError
from surefoot.script import MAX_SOURCE_BYTES


class Counting(MemoryReader):
    """Counts reads; a source named in ``gone`` vanishes between its resolution and its read."""

    def __init__(self, sources: dict[str, bytes], gone: str | None = None) -> None:
        super().__init__(sources)
        self.reads: Counter[str] = Counter()
        self.gone = gone

    def read(self, key: str, limit: int) -> bytes:
        self.reads[key] += 1
        if key == self.gone:
            raise SourceRefused("missing")
        return super().read(key, limit)


def _twice() -> dict[str, bytes]:
    return pinned(
        {
            "main.ad": root("@include a ./f/a.ad", "@include b ./f/../f/a.ad", "@include c ./b.ad"),
            "b.ad": fragment("@include a f/a.ad"),
            "f/a.ad": fragment("press id=a"),
        }
    )


def test_fragment_used_three_times_is_read_and_parsed_once() -> None:
    sources = _twice()
    reader = Counting(sources)
    closure = closure_of(sources, reader=reader)
    assert dict(reader.reads) == {"f/a.ad": 1, "b.ad": 1}
    assert closure.stats.parsed == 3
    assert closure.stats.held_bytes == sum(map(len, sources.values()))


def test_run_consumes_the_bytes_that_were_checked() -> None:
    sources = _twice()
    reader = Counting(sources)
    closure = closure_of(sources, reader=reader)
    reader.sources["f/a.ad"] = fragment("press id=evil").encode()
    plan = load_composed(closure, GRAMMAR, platform="sim", target="desktop")
    assert [step.step.positionals for step in plan.steps if step.step.command == "press"] == [
        ("id=a",)
    ] * 3
    assert dict(reader.reads) == {"f/a.ad": 1, "b.ad": 1}


def test_include_that_vanishes_before_its_read_is_missing() -> None:
    sources = _twice()
    closure = closure_of(sources, reader=Counting(sources, gone="f/a.ad"))
    with pytest.raises(SurefootError) as caught:
        load_composed(closure, GRAMMAR, platform="sim", target="desktop")
    assert caught.value.reason == "fragment_missing"


@pytest.mark.parametrize(
    ("locator", "problem"),
    [
        ("/etc/passwd", "absolute"),
        ("C:/flows/a.ad", "absolute"),
        ("\\\\host\\a.ad", "absolute"),
        ("~/a.ad", "absolute"),
        ("../a.ad", "outside_root"),
        ("f/../../a.ad", "outside_root"),
        (".", "missing"),
        ("./gone.ad", "missing"),
    ],
)
def test_locator_that_names_no_file_of_the_root_is_missing(locator: str, problem: str) -> None:
    text = include("a", "WHERE").replace('"WHERE"', "'" + locator + "'")
    error = refusal({"main.ad": root(text).encode()})
    assert (error.reason, error.details["problem"]) == ("fragment_missing", problem)
    assert error.details["locator"] == locator


@pytest.mark.parametrize("problem", ["outside_root", "unreadable", "missing"])
def test_refusal_of_the_reader_is_reported_at_the_include(problem: SourceProblem) -> None:
    class Linked(MemoryReader):
        def resolve(self, including: str, locator: str) -> str:
            raise SourceRefused(problem)

    data = root(include("a", "./link.ad")).encode()
    closure = read_closure("main.ad", data, Linked({}), GRAMMAR, is_fragment_safe)
    with pytest.raises(SurefootError) as caught:
        load_composed(closure, GRAMMAR, platform="sim", target="desktop")
    details = caught.value.details
    assert (details["reason"], details["problem"]) == ("fragment_missing", problem)


def test_parent_directory_inside_the_root_is_a_locator() -> None:
    sources = {"flows/main.ad": root("@include a ../shared/a.ad"), "shared/a.ad": fragment()}
    assert load(pinned(sources), "flows/main.ad").steps[1].step.source.path == "shared/a.ad"


@pytest.mark.parametrize(
    ("data", "reason", "problem"),
    [
        (b"fragment-v1\n# \xff\n", "fragment_unsupported", "not_utf8"),
        (b"fragment-v1\n\0\n", "fragment_unsupported", "nul_byte"),
        (b"#" * (MAX_SOURCE_BYTES + 1), "fragment_bounds", "too_large"),
        (b"", "fragment_unsupported", "no_fragment_guard"),
    ],
    ids=["not-utf8", "nul", "huge", "empty"],
)
def test_child_that_is_no_text_of_a_script_is_refused(data: bytes, reason: str, problem: str) -> None:
    error = refusal({"main.ad": root(include("a", "./a.ad")).encode(), "a.ad": data})
    assert (error.reason, error.details["problem"]) == (reason, problem)


def test_closure_asks_for_each_source_once_and_can_be_fed_by_anyone() -> None:
    sources = _twice()
    closure = Closure("main.ad", sources["main.ad"], GRAMMAR, is_fragment_safe)
    asked: list[str] = []
    while closure.wanted() or closure.unread():
        for wanted in closure.wanted():
            closure.resolved(wanted, joined(wanted.including, wanted.locator))
        for key in closure.unread():
            asked.append(key)
            closure.supply(key, sources[key])
    assert asked == ["f/a.ad", "b.ad"]
    assert len(load_composed(closure, GRAMMAR, platform="sim", target="desktop").steps) == 9


def test_plain_locator_has_no_problem() -> None:
    assert locator_problem("./fragments/login.ad") is None
    assert locator_problem("a:b.ad") == "absolute"
