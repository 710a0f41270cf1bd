"""Text in pieces: what reads as one, what does not, and what is inside an element."""

from __future__ import annotations

import pytest

from surefoot.tree import Node, Rect, Tree, inner_pieces, reads, text_runs


def node(
    index: int,
    parent: int,
    role: str,
    label: str = "",
    *,
    value: str | None = None,
    visible: bool = True,
    editable: bool = False,
    password: bool = False,
    rect: Rect | None = None,
) -> Node:
    depth = 0 if parent < 0 else 1 if parent == 0 else 2
    return Node(
        index=index,
        parent=parent,
        depth=depth,
        handle=f"h{index}",
        role=role,
        label=label,
        value=value,
        visible=visible,
        editable=editable,
        password=password,
        rect=rect,
    )


def line(*pieces: str, role: str = "paragraph", y: tuple[int, ...] = ()) -> Tree:
    """One element with a text a piece, each ``y`` pixels from the top."""
    tops = y or tuple(0 for _ in pieces)
    texts = [
        node(2 + at, 1, "text", piece, rect=Rect(at * 40, top, 40, 16))
        for at, (piece, top) in enumerate(zip(pieces, tops, strict=True))
    ]
    return Tree([node(0, -1, "document"), node(1, 0, role), *texts])


def test_the_pieces_of_a_paragraph_are_one_run() -> None:
    tree = line("3", "items", "left")
    assert [(found.index, pieces) for found, pieces in text_runs(tree)] == [(1, ("3", "items", "left"))]


def test_a_paragraph_reads_on_over_a_line_break() -> None:
    assert len(text_runs(line("Plain paragraph with", "a link", y=(0, 18)))) == 1


def test_texts_of_a_list_item_are_one_run_on_one_line() -> None:
    assert len(text_runs(line("Total:", "€ 12", role="listitem"))) == 1


def test_texts_under_each_other_are_no_run() -> None:
    assert text_runs(line("Total:", "€ 12", role="listitem", y=(0, 18))) == []


def test_a_control_between_ends_a_run() -> None:
    tree = Tree(
        [
            node(0, -1, "document"),
            node(1, 0, "paragraph"),
            node(2, 1, "text", "Delete"),
            node(3, 1, "button", "x"),
            node(4, 1, "text", "all"),
        ]
    )
    assert text_runs(tree) == []


def test_what_is_hidden_is_in_no_run() -> None:
    tree = Tree(
        [
            node(0, -1, "document"),
            node(1, 0, "paragraph"),
            node(2, 1, "text", "Nothing"),
            node(3, 1, "text", "was deleted", visible=False),
        ]
    )
    assert text_runs(tree) == []


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("3 items left", True),
        ("items left", True),
        ("3items", True),
        ("tems le", True),
        ("3 item left", False),
        ("3  items", False),
        ("i tems", False),
        (".*", False),
    ],
)
def test_a_seam_is_a_blank_or_nothing(wanted: str, said: bool) -> None:
    assert reads(("3", "items", "left"), wanted) is said


def test_the_whole_text_is_asked_for_where_it_must_be_all() -> None:
    assert reads(("3", "items"), "3 items", whole=True)
    assert not reads(("3", "items", "left"), "3 items", whole=True)


def test_the_empty_text_is_only_nothing_at_all() -> None:
    assert reads((), "", whole=True)
    assert not reads(("Pay Ada",), "", whole=True)


def test_inside_an_element_without_text_are_its_visible_texts_once_each() -> None:
    tree = Tree(
        [
            node(0, -1, "document"),
            node(1, 0, "status"),
            node(2, 1, "link", "Undo"),
            node(3, 2, "text", "Undo"),
            node(4, 1, "text", "Deleted"),
            node(5, 1, "text", "secret", visible=False),
        ]
    )
    assert inner_pieces(tree, tree[1]) == ("Undo", "Deleted")
    assert inner_pieces(tree, tree[2]) == ("Undo",)


def test_an_empty_field_reads_empty_whatever_is_inside() -> None:
    tree = Tree([node(0, -1, "document"), node(1, 0, "textbox", value=""), node(2, 1, "text", "hint")])
    assert inner_pieces(tree, tree[1]) == ("",)


@pytest.mark.parametrize(
    ("field", "read"),
    [
        (node(1, 0, "textbox", "Email", value="a@b", editable=True), "a@b"),
        (node(1, 0, "textbox", "Email", value="", editable=True), ""),
        (node(1, 0, "combobox", "Rows", value="5"), "5"),
        (node(1, 0, "textbox", "Password", password=True, editable=True), "Password"),
        (node(1, 0, "slider", "Volume", value="3"), "Volume"),
    ],
    ids=lambda one: one if isinstance(one, str) else one.role,
)
def test_a_field_reads_what_it_holds(field: Node, read: str) -> None:
    tree = Tree([node(0, -1, "document"), field])
    assert inner_pieces(tree, tree[1]) == (read,)


def test_a_container_reads_what_is_in_it_whatever_it_is_called() -> None:
    tree = Tree(
        [
            node(0, -1, "document", "Users · App"),
            node(1, 0, "table", "Users"),
            node(2, 1, "row"),
            node(3, 2, "cell", "Ann"),
            node(4, 2, "cell", "Age"),
            node(5, 4, "text", "31"),
            node(6, 2, "cell"),
            node(7, 6, "button", "Actions"),
            node(8, 1, "row", "Nothing here"),
            node(9, 1, "textbox", "Search", value="a b", editable=True),
        ]
    )
    assert inner_pieces(tree, tree[2]) == ("Ann", "31", "Actions")
    assert inner_pieces(tree, tree[1]) == ("Ann", "31", "Actions", "Nothing here", "Search", "a b")
    assert inner_pieces(tree, tree[0]) == ("Ann", "31", "Actions", "Nothing here", "Search", "a b")
    assert inner_pieces(tree, tree[8]) == ("Nothing here",)
