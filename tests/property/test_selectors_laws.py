"""Laws of the selectors room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.support.draw_trees import IDS, LABELS, RECTS, ROLES, WINDOWS, trees

from surefoot.errors import ErrorCode, SurefootError
from surefoot.selectors import (
    BOOL_KEYS,
    STRING_KEYS,
    Alternative,
    Ambiguous,
    Disambiguated,
    Equals,
    Match,
    Selector,
    State,
    Term,
    Unique,
    build_chain,
    match,
    parse_selector,
    resolve_for_action,
    resolve_for_read,
    satisfies,
    write_selector,
)
from surefoot.text import normalize, normalize_id
from surefoot.tree import Tree

TROUBLE = " \t\n\x00\x1b\x7f\xa0\xad\u200b\u202e\u2028'\"\\|=\ufe0f\U000e0041😀é"
VALUES = st.text(
    st.one_of(st.sampled_from(TROUBLE), st.characters(exclude_categories=["Cs"])), max_size=12
)


def _fits(term: Equals) -> bool:
    compared = normalize_id(term.value) if term.key == "id" else normalize(term.value)
    return term.key == "value" or bool(compared)


EQUALS = st.builds(Equals, st.sampled_from(STRING_KEYS), VALUES).filter(_fits)
TERMS: st.SearchStrategy[Term] = st.one_of(
    EQUALS, st.builds(State, st.sampled_from(BOOL_KEYS), st.booleans())
)
SELECTORS = st.builds(
    Selector,
    st.lists(
        st.builds(
            Alternative, st.lists(TERMS, min_size=1, max_size=4, unique_by=lambda t: t.key).map(tuple)
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
)

# Selectors over the words random trees are made of, so that they match something.
LIKELY_TERMS: st.SearchStrategy[Term] = st.one_of(
    st.builds(Equals, st.just("label"), st.sampled_from([text for text in LABELS if text])),
    st.builds(Equals, st.just("text"), st.sampled_from(["Save", "v"])),
    st.builds(Equals, st.just("role"), st.sampled_from(ROLES)),
    st.builds(Equals, st.just("id"), st.sampled_from([text for text in IDS if text])),
    st.builds(Equals, st.just("value"), st.sampled_from(["", "v"])),
    st.builds(Equals, st.just("appname"), st.sampled_from(["shop", "system"])),
    st.builds(State, st.sampled_from(BOOL_KEYS), st.booleans()),
)
LIKELY = st.builds(
    Selector,
    st.lists(
        st.builds(
            Alternative,
            st.lists(LIKELY_TERMS, min_size=1, max_size=3, unique_by=lambda t: t.key).map(tuple),
        ),
        min_size=1,
        max_size=2,
    ).map(tuple),
)


@given(SELECTORS)
def test_parse_of_write_is_identity(selector: Selector) -> None:
    assert parse_selector(write_selector(selector)) == selector


@given(SELECTORS)
def test_written_selectors_are_one_printable_line(selector: Selector) -> None:
    assert len(write_selector(selector).splitlines()) == 1


@given(
    st.text(st.one_of(st.sampled_from("labelrovis=\"'\\| \t"), st.characters(exclude_categories=())))
)
def test_any_text_parses_or_is_refused_with_its_place(text: str) -> None:
    refusal = None
    try:
        selector = parse_selector(text)
    except SurefootError as error:
        refusal = error
    if refusal is None:
        assert parse_selector(write_selector(selector)) == selector
    else:
        assert refusal.code is ErrorCode.INVALID_ARGS
        assert str(refusal.details["reason"]).startswith("selector_")
        assert 1 <= refusal.details["column"] <= len(text) + 1
        assert len(str(refusal.details["excerpt"]).split("\n")) == 2


@given(trees(), LIKELY)
def test_a_match_is_what_the_terms_say_node_by_node(tree: Tree, selector: Selector) -> None:
    found = match(tree, selector, windows=WINDOWS)
    expected = Match(None, ())
    for position, alternative in enumerate(selector.alternatives):
        nodes = tuple(node for node in tree if satisfies(tree, node, alternative, windows=WINDOWS))
        if nodes:
            expected = Match(position, nodes)
            break
    assert found == expected


@given(trees(), LIKELY, st.booleans())
def test_resolution_is_one_of_the_matches_or_all_of_them(
    tree: Tree, selector: Selector, for_fill: bool
) -> None:
    found = match(tree, selector)
    result = resolve_for_action(tree, found, for_fill=for_fill)
    if isinstance(result, Ambiguous):
        assert result.candidates == found.nodes
        assert len(result.shown) + result.more == len(found.nodes)
    elif isinstance(result, Unique):
        assert found.nodes == (result.node,)
    elif isinstance(result, Disambiguated):
        assert result.node in found.nodes
        assert result.node not in result.alternatives
        assert result.match_count == len(found.nodes) > 1
        assert len(result.alternatives) == min(5, result.match_count - 1)
        assert tree.is_chain(found.nodes)
    else:
        assert not found.nodes


@given(trees(), LIKELY, st.data())
def test_geometry_has_no_part_in_the_choice(
    tree: Tree, selector: Selector, data: st.DataObject
) -> None:
    moved = Tree([replace(node, rect=data.draw(RECTS)) for node in tree])
    for rule in (resolve_for_action, resolve_for_read):
        here = rule(tree, match(tree, selector))
        there = rule(moved, match(moved, selector))
        assert type(here) is type(there)
        if isinstance(here, Unique | Disambiguated) and isinstance(there, Unique | Disambiguated):
            assert here.node.index == there.node.index
            assert here.actionable.index == there.actionable.index


@given(trees(), LIKELY)
def test_a_read_is_never_stricter_than_a_mutation(tree: Tree, selector: Selector) -> None:
    found = match(tree, selector)
    if isinstance(resolve_for_read(tree, found), Ambiguous):
        assert isinstance(resolve_for_action(tree, found), Ambiguous)


@given(trees(), st.booleans(), st.sampled_from([(), ("Save",), ("Add all",)]))
def test_a_chain_denotes_what_it_says(tree: Tree, for_fill: bool, literals: tuple[str, ...]) -> None:
    for node in tree:
        chain = build_chain(tree, node, for_fill=for_fill, avoid_literals=literals)
        assert parse_selector(chain.text) == chain.selector
        assert all(satisfies(tree, node, item) for item in chain.selector.alternatives)
        found = match(tree, chain.selector)
        assert chain.match_count == len(found.nodes)
        result = resolve_for_action(tree, found, for_fill=for_fill)
        acts_on_it = isinstance(result, Unique | Disambiguated) and result.node is node
        assert chain.is_exact == acts_on_it
        assert not any(literal in chain.text for literal in literals)
