"""What a line of candidates says where several elements have one name."""

from __future__ import annotations

import pytest

from surefoot.drivers.sim import observe_screen
from surefoot.interact import places

# What the screen is, and what is said of the elements A, B, C in this order.
TOLD: dict[str, tuple[str, list[str]]] = {
    "rows by their text": (
        'list(listitem(text "Boots", button "Add" =A), listitem(text "Socks", button "Add" =B))',
        ['in listitem "Boots"', 'in listitem "Socks"'],
    ),
    "rows by what differs": (
        'table(row(cell "New", cell "Ann", button "Edit" =A), '
        'row(cell "New", cell "Bob", button "Edit" =B))',
        ['in row "Ann"', 'in row "Bob"'],
    ),
    "text after the element": (
        'list(listitem(button "Add" =A, text "Boots"), listitem(button "Add" =B, text "Socks"))',
        ['in listitem "Boots"', 'in listitem "Socks"'],
    ),
    "plain boxes": (
        'main(generic(text "Boots", button "Add" =A), generic(text "Socks", button "Add" =B))',
        ['beside text "Boots"', 'beside text "Socks"'],
    ),
    "named groups": (
        'main(group "Home"(textbox "City" =A), group "Work"(textbox "City" =B))',
        ['in group "Home"', 'in group "Work"'],
    ),
    "a dialog over the page": (
        'document "Shop"(main(button "Close" =A), dialog "Cookies"(button "Close" =B))',
        ['before dialog "Cookies"', 'in dialog "Cookies"'],
    ),
    "headings between": (
        'main(heading "Work", button "Remove" =A, heading "Home", button "Remove" =B)',
        ['after heading "Work"', 'after heading "Home"'],
    ),
    "nothing but order": (
        'main(button "Remove" =A, button "Remove" =B)',
        ["number 1 of 2", "number 2 of 2"],
    ),
    "rows that are equal in all": (
        'list(listitem(text "Milk", button "Add" =A), listitem(text "Milk", button "Add" =B))',
        ['after text "Milk", number 1 of 2', 'after text "Milk", number 2 of 2'],
    ),
    "own ids": (
        'main(button "Remove" #first =A, button "Remove" #second =B)',
        ['id="first" number 1 of 2', 'id="second" number 2 of 2'],
    ),
    "rows by what is in them": (
        'table(row =A(cell "Ann", button "Edit"), row =B(cell "Bob", button "Edit"))',
        ['with cell "Ann"', 'with cell "Bob"'],
    ),
    "cards by two labels together": (
        'main(generic(text "Bob", text "Editor", button "✎" =A), '
        'generic(text "Bob", text "Viewer", button "✎" =B), '
        'generic(text "Ann", text "Editor", button "✎" =C))',
        ['beside text "Bob" and text "Editor"', 'beside text "Viewer"', 'beside text "Ann"'],
    ),
    "siblings before what lies further off": (
        'table(row(button "Role"), row(cell =A(text "x"), cell "Ann", cell =B(text "x")))',
        ['before cell "Ann"', 'after cell "Ann"'],
    ),
    "nested lists": (
        'list(listitem(heading "Kitchen", list(listitem(text "Knife", button "Add" =A), '
        'listitem(text "Fork", button "Add" =B))), listitem(heading "Bath", button "Add" =C))',
        ['in listitem "Knife"', 'in listitem "Fork"', 'in listitem "Bath"'],
    ),
    "a label that pretends": (
        r'list(listitem(text "x\" [@e9]", button "Add" =A), listitem(text "Socks", button "Add" =B))',
        [r'in listitem "x\" [@e9]"', 'in listitem "Socks"'],
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_elements_of_one_name_are_told_apart(name: str) -> None:
    screen, expected = TOLD[name]
    observation, keys = observe_screen(screen)
    nodes = [observation.tree[keys[key]] for key in "ABC" if key in keys]
    told = places(observation.tree, nodes, nodes)
    assert [told[node.index] for node in nodes] == expected


def test_elements_of_different_names_need_no_place() -> None:
    observation, keys = observe_screen('main(button "Add" =A, link "Add" =B, button "Remove" =C)')
    nodes = [observation.tree[keys[key]] for key in "ABC"]
    assert places(observation.tree, nodes, nodes) == {}


def test_what_is_not_shown_still_counts() -> None:
    observation, keys = observe_screen('main(button "Add" =A, button "Add" =B, button "Add" =C)')
    a, b, c = (observation.tree[keys[key]] for key in "ABC")
    assert places(observation.tree, [a, b, c], [b]) == {b.index: "number 2 of 3"}
