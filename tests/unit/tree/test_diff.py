"""What differs between two captures."""

from __future__ import annotations

from tests.support.trees import el, tree

from surefoot.tree import FieldChange, Rect, Tree, TreeDiff, diff_trees, is_interactive


def shape(found: TreeDiff) -> tuple[list[str], list[str], list[str]]:
    return (
        [node.label for node in found.added],
        [node.label for node in found.removed],
        [change.after.label for change in found.changed],
    )


def renamed(view: Tree, prefix: str) -> Tree:
    """The same tree from another document: every handle is another."""
    from msgspec.structs import replace

    return Tree([replace(node, handle=prefix + node.handle) for node in view])


def test_a_tree_does_not_differ_from_itself() -> None:
    view = tree(el("document", el("button", "A"), el("button", "A")))
    found = diff_trees(view, view)
    assert found.empty
    assert found.unchanged == 3


def test_a_moved_node_is_no_difference() -> None:
    before = tree(el("button", "A", handle="a", rect=Rect(0, 0, 9, 9)))
    after = tree(el("button", "A", handle="a", rect=Rect(0, 500, 9, 9)))
    assert diff_trees(before, after).empty


def test_handles_match_nodes_whose_label_changed() -> None:
    before = tree(el("document", el("button", "Add", handle="b")))
    after = tree(el("document", el("text", "new"), el("button", "Added", handle="b", enabled=False)))
    found = diff_trees(before, after)
    assert shape(found) == (["new"], [], ["Added"])
    assert found.changed[0].fields == (
        FieldChange("label", "Add", "Added"),
        FieldChange("enabled", True, False),
    )


def test_a_handle_with_another_role_is_another_node() -> None:
    before = tree(el("button", "A", handle="x"))
    after = tree(el("link", "B", handle="x"))
    assert shape(diff_trees(before, after)) == (["B"], ["A"], [])


def test_another_document_is_matched_by_identity() -> None:
    before = tree(el("document", el("button", "A"), el("button", "B")))
    after = renamed(tree(el("document", el("button", "B"), el("button", "C"))), "n")
    found = diff_trees(before, after, same_document=False)
    assert shape(found) == (["C"], ["A"], [])
    assert found.unchanged == 2


def test_equal_handles_of_another_document_mean_nothing() -> None:
    before = tree(el("button", "A", handle="1"), el("button", "B", handle="2"))
    after = tree(el("button", "B", handle="1"), el("button", "A", handle="2"))
    assert diff_trees(before, after, same_document=False).empty


def test_an_id_matches_a_node_whose_label_changed_in_another_document() -> None:
    before = tree(el("status", "1 item", id="count"))
    after = renamed(tree(el("status", "2 items", id="count")), "n")
    found = diff_trees(before, after, same_document=False)
    assert found.changed[0].fields == (FieldChange("label", "1 item", "2 items"),)


def test_the_path_is_part_of_identity() -> None:
    before = tree(el("main", el("button", "A")))
    after = renamed(tree(el("dialog", el("button", "A"))), "n")
    found = diff_trees(before, after, same_document=False)
    assert (found.added_total, found.removed_total) == (2, 2)


def test_covered_is_a_difference_and_what_covers_it_is_not() -> None:
    free = tree(el("button", "A"), el("dialog"), el("dialog"))
    under_one = tree(el("button", "A", covered_by=1), el("dialog"), el("dialog"))
    under_two = tree(el("button", "A", covered_by=2), el("dialog"), el("dialog"))
    assert diff_trees(free, under_one).changed[0].fields == (FieldChange("covered", False, True),)
    assert diff_trees(under_one, under_two).empty


def test_irrelevant_nodes_are_left_out() -> None:
    before = tree(el("document"))
    after = tree(el("document", el("generic"), el("button", "A")))
    found = diff_trees(before, after, relevant=is_interactive)
    assert shape(found) == (["A"], [], [])


def test_a_limit_keeps_the_totals() -> None:
    after = tree(*(el("button", str(number)) for number in range(10)))
    found = diff_trees(tree(), after, limit=3)
    assert (len(found.added), found.added_total, found.truncated) == (3, 10, True)


def table(prefix: str, *rows: tuple[str, str]) -> Tree:
    """A table drawn anew: each row a name, a role and a button; no handle is known."""
    drawn = [
        el("row", el("cell", name), el("cell", role), el("cell", el("button", f"Promote {name}")))
        for name, role in rows
    ]
    return renamed(tree(el("table", *drawn)), prefix)


def rows_of(found: TreeDiff, after: Tree) -> list[tuple[str, str]]:
    """Each new node with the first cell of its row."""
    return [(node.label, after[node.parent + 1].label) for node in found.added if node.role == "cell"]


def test_a_cell_of_a_table_drawn_anew_is_new_in_its_own_row() -> None:
    before = table("a", ("Hana", "Editor"), ("Ivo", "Viewer"), ("Jill", "Admin"))
    after = table("b", ("Hana", "Admin"), ("Ivo", "Viewer"), ("Jill", "Admin"))
    found = diff_trees(before, after)
    assert rows_of(found, after) == [("Admin", "Hana")]
    assert [node.label for node in found.removed] == ["Editor"]


def test_two_rows_drawn_anew_that_exchanged_a_cell_both_differ() -> None:
    before = table("a", ("Hana", "Editor"), ("Ivo", "Viewer"), ("Jill", "Admin"))
    after = table("b", ("Hana", "Admin"), ("Ivo", "Viewer"), ("Jill", "Editor"))
    found = diff_trees(before, after)
    assert rows_of(found, after) == [("Admin", "Hana"), ("Editor", "Jill")]
    assert sorted(node.label for node in found.removed) == ["Admin", "Editor"]


def test_a_row_inserted_in_a_table_drawn_anew_is_new_and_no_other() -> None:
    before = table("a", ("Hana", "Editor"), ("Jill", "Admin"))
    after = table("b", ("Ada", "Editor"), ("Hana", "Viewer"), ("Jill", "Admin"))
    found = diff_trees(before, after)
    new = [node.label for node in found.added if node.label]
    assert new == ["Ada", "Editor", "Promote Ada", "Viewer"]
    assert [node.label for node in found.removed] == ["Editor"]


def test_rows_in_another_order_drawn_anew_are_no_difference() -> None:
    before = table("a", ("Hana", "Editor"), ("Ivo", "Viewer"), ("Jill", "Admin"))
    after = table("b", ("Jill", "Admin"), ("Hana", "Editor"), ("Ivo", "Viewer"))
    assert diff_trees(before, after).empty


def test_of_equal_rows_drawn_anew_the_one_that_changed_is_told() -> None:
    def boxes(prefix: str, *checked: bool) -> Tree:
        items = [
            el("listitem", el("checkbox", "", checked=str(on).lower()), el("text", f"Todo {n}"))
            for n, on in enumerate(checked)
        ]
        return renamed(tree(el("list", *items)), prefix)

    before, after = boxes("a", False, False, True), boxes("b", False, True, True)
    found = diff_trees(before, after)
    assert [after[change.after.index + 1].label for change in found.changed] == ["Todo 1"]


def test_the_rest_of_a_list_that_was_filtered_is_the_same() -> None:
    before = table("a", ("Hana", "Editor"), ("Ivo", "Viewer"), ("Jill", "Admin"))
    after = table("b", ("Jill", "Admin"))
    found = diff_trees(before, after)
    assert not found.added
    assert not found.changed
    assert [n.label for n in found.removed if n.role == "button"] == ["Promote Hana", "Promote Ivo"]
