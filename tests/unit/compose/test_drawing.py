"""The graph to look at: who pins whom, what is stale or broken."""

from __future__ import annotations

from tests.support.compositions import closure_of, digest_of, fragment, include, pinned, root

from surefoot.compose import (
    GraphView,
    graph_mermaid,
    graph_text,
    graph_view,
    stale_sources,
    walk_closure,
)


def _view() -> GraphView:
    sources = pinned(
        {
            "main.ad": root(
                "@include mid ./mid.ad",
                "@include leaf ./leaf.ad",
                'include "./leaf.ad"',
                include("gone", "./gone.ad"),
                include("flat", "./flat.ad"),
            ),
            "mid.ad": fragment("@include leaf ./leaf.ad"),
            "leaf.ad": fragment("press id=a"),
            "flat.ad": "press id=a\n",
        }
    )
    sources["leaf.ad"] = fragment("press id=b").encode()
    graph = walk_closure(closure_of(sources))
    return graph_view(graph, stale_sources(graph))


def test_every_include_has_its_state() -> None:
    assert [(edge.source, edge.call_site_id, edge.state) for edge in _view().edges] == [
        ("main.ad", "mid", "current"),
        ("mid.ad", "leaf", "stale"),
        ("main.ad", "leaf", "stale"),
        ("main.ad", None, "unpinned"),
        ("main.ad", "gone", "missing"),
        ("main.ad", "flat", "not_a_fragment"),
    ]


def test_sources_to_repin_are_named_leaf_first() -> None:
    assert _view().stale == ("mid.ad", "main.ad")


def test_text_is_a_tree_with_marks() -> None:
    leaf = digest_of(fragment("press id=b").encode())[7:19]
    old = digest_of(fragment("press id=a").encode())[7:19]
    lines = graph_text(_view()).split("\n")
    assert lines[0] == "main.ad (composition)"
    assert lines[1].startswith("  mid: mid.ad (fragment ")
    assert lines[2:] == [
        f"    leaf: leaf.ad (fragment {leaf})  ! stale, pinned {old}",
        f"  leaf: leaf.ad (fragment {leaf})  ! stale, pinned {old}",
        f"  ?: leaf.ad (fragment {leaf})  ! not pinned",
        "  gone: ./gone.ad  ! not there",
        "  flat: flat.ad (script)  ! no fragment",
    ]


def test_fragment_seen_before_is_not_opened_again() -> None:
    sources = {"main.ad": root("@include one ./a.ad", "@include two ./a.ad"), "a.ad": fragment()}
    lines = graph_text(graph_view(walk_closure(closure_of(pinned(sources))), ())).split("\n")
    assert [line.endswith(" (above)") for line in lines] == [False, False, True]


def test_cycle_is_shown_and_ends() -> None:
    sources = {
        "main.ad": root(include("a", "./a.ad")).encode(),
        "a.ad": fragment(include("a", "./a.ad")).encode(),
    }
    view = graph_view(walk_closure(closure_of(sources)), ())
    assert [edge.state for edge in view.edges] == ["stale", "cycle"]
    assert graph_text(view).endswith("! includes this again")


def test_mermaid_draws_current_pins_solid_and_others_dashed() -> None:
    assert graph_mermaid(_view()).split("\n") == [
        "flowchart TD",
        '  n0["main.ad"]',
        '  n1["mid.ad"]',
        '  n2["leaf.ad"]',
        '  n3["flat.ad"]',
        '  n0 -->|"mid"| n1',
        '  n1 -.->|"leaf: stale"| n2',
        '  n0 -.->|"leaf: stale"| n2',
        '  n0 -.->|"?: not pinned"| n2',
        '  g1["./gone.ad"]',
        '  n0 -.->|"gone: not there"| g1',
        '  n0 -.->|"flat: no fragment"| n3',
    ]


def test_names_from_files_cannot_leave_their_label() -> None:
    sources = {"main.ad": root(include('a"]<b>', "./x.ad").replace('a"]', 'a\\"]')).encode()}
    drawn = graph_mermaid(graph_view(walk_closure(closure_of(sources)), ()))
    assert '|"a#quot;]#lt;b#gt;: not there"|' in drawn
