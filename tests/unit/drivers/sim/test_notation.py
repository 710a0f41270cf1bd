"""The notation for screens: what it accepts, what it means, and how it refuses."""

from __future__ import annotations

import pytest

from surefoot.drivers.sim import observe_screen
from surefoot.errors import ErrorCode, SurefootError


def outline(tree: str) -> list[tuple[int, str, str, str]]:
    observation, _ = observe_screen(tree)
    return [(node.depth, node.role, node.label, node.id) for node in observation.tree]


def test_elements_come_in_document_order_with_role_label_and_id() -> None:
    assert outline('document "App"(main(heading "Cart", button "Pay" #save =A))') == [
        (0, "document", "App", ""),
        (1, "main", "", ""),
        (2, "heading", "Cart", ""),
        (2, "button", "Pay", "save"),
    ]


def test_keys_name_the_node_they_were_written_on() -> None:
    _, keys = observe_screen('document "App"(main(button "Delete" =A, button "Delete" =B))')
    assert keys == {"A": 2, "B": 3}


def test_white_space_and_line_breaks_are_free() -> None:
    assert outline('document\n(\n  main ( text   "a" ,\n text "b" )\n)') == outline(
        'document(main(text "a",text "b"))'
    )


def test_several_roots_stand_side_by_side() -> None:
    observation, _ = observe_screen('document "App"(text "a"), alert "Low battery"')
    assert [node.parent for node in observation.tree] == [-1, 0, -1]


def test_labels_are_json_strings() -> None:
    assert outline('button "Say \\"hi\\"\\n\\u00e9"') == [(0, "button", 'Say "hi"\né', "")]


def test_ids_of_other_platforms_are_read_as_they_are() -> None:
    assert outline('cell "Wi-Fi" #android:id/title, text "x" #"two words"') == [
        (0, "cell", "Wi-Fi", "android:id/title"),
        (0, "text", "x", "two words"),
    ]


def test_roles_pass_the_alias_table() -> None:
    assert [role for _, role, _, _ in outline('AXButton "a", textfield, statictext "b"')] == [
        "button",
        "textbox",
        "text",
    ]


def test_a_repeated_element_counts_its_copies() -> None:
    assert outline('list(listitem repeat=2(text "Row ${i}" #row-${i}))') == [
        (0, "list", "", ""),
        (1, "listitem", "", ""),
        (2, "text", "Row 1", "row-1"),
        (1, "listitem", "", ""),
        (2, "text", "Row 2", "row-2"),
    ]


def test_an_undeclared_variable_in_a_label_stays_as_it_is_written() -> None:
    assert outline('text "${HOME}"') == [(0, "text", "${HOME}", "")]


def test_states_are_written_as_flags_and_attributes() -> None:
    observation, _ = observe_screen(
        'document(checkbox "a" checked, switch "b", radio "c" mixed, option "d" selected,'
        ' button "e" expanded, heading "f" level=2,'
        ' textbox "g" required readonly value="v" input=email,'
        ' textbox "h" multiline focused, button "i" disabled)'
    )
    a, b, c, d, e, f, g, h, i = observation.tree.nodes[1:]
    assert (a.checked, b.checked, c.checked) == ("true", "false", "mixed")
    assert (d.selected, e.expanded, f.level) == (True, True, 2)
    assert (g.required, g.readonly, g.editable, g.value, g.input_type) == (
        True,
        True,
        False,
        "v",
        "email",
    )
    assert (h.multiline, h.focused, h.editable, h.value, h.has_value) == (True, True, True, "", False)
    assert (i.enabled, a.enabled) == (False, True)


def test_windows_and_chrome_are_inherited() -> None:
    observation, _ = observe_screen('document(navigation chrome(button "Back"), text "x")')
    assert [node.chrome for node in observation.tree] == [False, True, True, False]


WRONG = [
    ("", 1, 1, "expected a role"),
    ("button butto", 1, 8, "unknown flag 'butto'"),
    ("button disable", 1, 8, "unknown flag 'disable'"),
    ('button "a', 1, 8, "this string is never closed"),
    ('button "a" "b"', 1, 12, "label is given twice"),
    ("button #a #b", 1, 11, "id is given twice"),
    ("main(button", 1, 12, "the parenthesis of 'main' is never closed"),
    ("main(button))", 1, 13, "this parenthesis closes nothing"),
    ("main()", 1, 6, "expected a role"),
    ("main(\n  button,\n)", 3, 1, "expected a role"),
    ("button level=two", 1, 8, "level takes a whole number"),
    ("button rect=1:2:3", 1, 8, "rect takes x:y:width:height"),
    ("list scroll=z", 1, 6, "scroll takes x or y"),
    ("button colour=red", 1, 8, "unknown attribute 'colour'"),
    ("button = a", 1, 9, "expected a word or a quoted string"),
    ("main) text", 1, 5, "this parenthesis closes nothing"),
    ("main(text) text", 1, 12, "expected a comma"),
    ("main(" * 200 + "text" + ")" * 200, 1, 1001, "nested deeper than 200"),
]


@pytest.mark.parametrize(("tree", "line", "column", "says"), WRONG)
def test_a_mistake_is_refused_with_its_place(tree: str, line: int, column: int, says: str) -> None:
    with pytest.raises(SurefootError) as caught:
        observe_screen(tree)
    error = caught.value
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "bad_screen_notation")
    assert (error.details["line"], error.details["column"]) == (line, column)
    assert says in error.message
    assert "^" in error.message


def test_a_misspelt_flag_names_the_nearest_one() -> None:
    with pytest.raises(SurefootError) as caught:
        observe_screen("button disabeld")
    assert caught.value.hint == "Did you mean `disabled`?"


def test_the_deepest_allowed_nesting_is_rendered() -> None:
    observation, _ = observe_screen("main(" * 199 + "text" + ")" * 199)
    assert observation.tree[199].depth == 199
