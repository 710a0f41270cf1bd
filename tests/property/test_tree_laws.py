"""Laws of the tree room."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.support.draw_trees import observation, trees
from tests.support.trees import VIEWPORT

from surefoot.tree import (
    Placing,
    Tree,
    canonical_role,
    diff_trees,
    project,
    render_diff,
    render_projection,
)


@given(st.text(max_size=40))
def test_canonical_role_is_idempotent_and_a_safe_token(name: str) -> None:
    role = canonical_role(name)
    assert canonical_role(role) == role
    assert re.fullmatch("[a-z0-9]{1,64}", role)


@given(trees())
def test_relations_agree_with_parents(tree: Tree) -> None:
    for node in tree:
        above = list(tree.ancestors(node))
        assert all(tree.contains(ancestor, node) for ancestor in above)
        assert [other.index for other in tree.subtree(node)] == [
            other.index for other in tree if other == node or node in tree.ancestors(other)
        ]
        assert tree.children(node) == tuple(other for other in tree if other.parent == node.index)
        if above:
            assert tree.children(above[0])[tree.sibling(node)] == node


@given(trees())
def test_the_scroll_region_is_an_ancestor_and_the_nearest_that_scrolls(tree: Tree) -> None:
    for node in tree:
        expected = next((item for item in tree.ancestors(node) if item.scroll is not None), None)
        assert tree.scroll_region(node) == expected


@given(trees(), st.booleans(), st.booleans(), st.one_of(st.none(), st.integers(0, 4)), st.data())
def test_a_projection_never_invents_reorders_or_repeats(
    tree: Tree, interactive: bool, raw: bool, depth: int | None, data: st.DataObject
) -> None:
    scope = data.draw(st.sampled_from([None, *tree.nodes]))
    view = project(observation(tree), interactive=interactive, raw=raw, depth=depth, scope=scope)
    inside = tree.subtree(scope) if scope is not None else tree.nodes
    for entries in (view.entries, view.chrome, view.foreign):
        indexes = [entry.node.index for entry in entries]
        assert indexes == sorted(set(indexes))
        for position, entry in enumerate(entries):
            assert entry.node is tree[entry.node.index]
            assert entry.node in inside
            assert entry.parent < position
            if entry.parent >= 0:
                above = entries[entry.parent]
                assert above.depth + 1 == entry.depth
                assert tree.contains(above.node, entry.node)
            else:
                assert entry.depth == 0
    assert len(set(view.nodes)) == len(view.nodes)


@given(trees(), st.booleans(), st.booleans())
def test_every_node_is_shown_or_counted(tree: Tree, interactive: bool, raw: bool) -> None:
    view = project(observation(tree), interactive=interactive, raw=raw)
    away = sum(item.interactive + item.other for item in view.off_screen)
    assert len(view.nodes) + view.hidden + view.omitted + away == len(tree)
    assert (view.reason is not None) == (not view.nodes and not view.off_screen)


@given(trees())
def test_what_is_hittable_and_visible_is_never_just_left_out(tree: Tree) -> None:
    view = project(observation(tree), interactive=True, list_off_screen=True)
    shown = {node.index for node in view.nodes}
    assert shown >= {node.index for node in tree if node.hittable and node.visible}


@given(trees())
def test_nothing_in_view_is_summed_up(tree: Tree) -> None:
    placing = Placing(tree, VIEWPORT)
    for node in tree:
        if placing.on_screen(node):
            assert node.rect is not None
            assert node.rect.intersects(VIEWPORT)


@given(trees(), st.booleans())
def test_a_tree_does_not_differ_from_itself(tree: Tree, same_document: bool) -> None:
    found = diff_trees(tree, tree, same_document=same_document)
    assert found.empty
    assert found.unchanged == len(tree)


@given(trees())
def test_a_tree_does_not_differ_from_the_same_screen_of_another_document(tree: Tree) -> None:
    other = Tree([replace(node, handle="n" + node.handle) for node in tree])
    assert diff_trees(tree, other, same_document=False).empty


@given(trees(), trees(), st.booleans())
def test_a_difference_accounts_for_every_node_of_both_trees(
    before: Tree, after: Tree, same_document: bool
) -> None:
    found = diff_trees(before, after, same_document=same_document)
    assert found.unchanged + found.changed_total + found.removed_total == len(before)
    assert found.unchanged + found.changed_total + found.added_total == len(after)
    assert all(change.fields for change in found.changed)


@given(trees(), trees())
def test_text_has_exactly_one_line_an_item(before: Tree, after: Tree) -> None:
    view = project(observation(after), interactive=True)
    lines = render_projection(after, view, lambda node: f"@e{node.index}")
    assert sum(line.lstrip().startswith("- ") for line in lines) == len(view.nodes)
    found = diff_trees(before, after)
    total = found.added_total + found.removed_total + found.changed_total
    assert len(render_diff(before, after, found)) == max(total, 1)
