"""Relations between the nodes of one capture."""

from __future__ import annotations

from tests.support.trees import el, seen, tree

from surefoot.tree import ScrollExtent, Window, find_window, foreign_windows, layer_of

SHOP = tree(
    el(
        "document",
        el("list", el("listitem", el("text", "A")), el("listitem"), scroll=ScrollExtent(0, 0, 0, 9)),
        el("button", "Pay  now", id="pay"),
    )
)


def test_children_are_in_document_order() -> None:
    assert [node.index for node in SHOP.children(SHOP[0])] == [1, 5]


def test_subtree_ends_after_the_last_descendant() -> None:
    assert [node.index for node in SHOP.subtree(SHOP[1])] == [1, 2, 3, 4]


def test_ancestors_go_from_the_parent_to_the_root() -> None:
    assert [node.index for node in SHOP.ancestors(SHOP[3])] == [2, 1, 0]


def test_contains_is_reflexive_and_follows_the_tree() -> None:
    assert SHOP.contains(SHOP[1], SHOP[1])
    assert SHOP.contains(SHOP[1], SHOP[3])
    assert not SHOP.contains(SHOP[1], SHOP[5])
    assert not SHOP.contains(SHOP[3], SHOP[1])


def test_chain_needs_each_below_the_one_before() -> None:
    assert SHOP.is_chain([SHOP[0], SHOP[1], SHOP[3]])
    assert not SHOP.is_chain([SHOP[2], SHOP[4]])


def test_sibling_counts_among_the_parents_children() -> None:
    assert [SHOP.sibling(node) for node in SHOP] == [0, 0, 0, 0, 1, 1]


def test_scroll_region_is_the_nearest_scrollable_ancestor_and_not_the_node_itself() -> None:
    assert SHOP.scroll_region(SHOP[3]) == SHOP[1]
    assert SHOP.scroll_region(SHOP[1]) is None


def test_a_scrollview_without_extent_scrolls() -> None:
    view = tree(el("scrollview", el("text", "x")))
    assert view.scroll_region(view[1]) == view[0]


def test_labels_are_normalised_once() -> None:
    assert SHOP.labels[5] == "Pay now"
    assert SHOP.labels is SHOP.labels


def test_text_is_the_label_else_the_value() -> None:
    fields = tree(el("textbox", "Email", value="a@b"), el("textbox", value="c@d"), el("generic"))
    assert fields.texts == ("Email", "c@d", "")


def test_an_empty_value_is_a_value_and_none_is_not() -> None:
    fields = tree(el("textbox", value=""), el("generic"))
    assert fields.by_value == {"": [0]}


def test_the_first_of_nodes_that_share_a_handle_is_found() -> None:
    twins = tree(el("text", "a", handle="x"), el("text", "b", handle="x"))
    assert twins.find_handle("x") == twins[0]
    assert twins.find_handle("y") is None


def test_layers_tell_app_chrome_and_foreign_windows_apart() -> None:
    windows = (Window("w1", "Shop", "shop"), Window("w2", "Volume", "system", foreign=True))
    view = seen(
        el("window", window="w1"),
        el("button", "Close", window="w1", chrome=True),
        el("button", "Mute", window="w2", chrome=True),
        windows=windows,
    )
    foreign = foreign_windows(view)
    assert [layer_of(node, foreign) for node in view.tree] == ["app", "chrome", "foreign"]
    assert find_window(view, view.tree[2]) == windows[1]
