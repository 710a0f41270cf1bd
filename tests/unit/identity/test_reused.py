"""An element that lives on in a list that shows other records in its elements."""

from __future__ import annotations

import pytest

from surefoot.drivers.sim import observe_screen
from surefoot.identity import IdentityView, left_item

BEFORE = 'list(listitem(text "Boots", button "Add" =A), listitem(text "Socks", button "Add" =B))'


def left(before: str, after: str, key: str) -> list[str]:
    """The labels of the item that the element left; none where it stands there still."""
    old, keys = observe_screen(before)
    new, keys_after = observe_screen(after)
    item = left_item(
        IdentityView(old.tree), old.tree[keys[key]], IdentityView(new.tree), new.tree[keys_after[key]]
    )
    return [] if item is None else [kept.label for kept in item.keys]


@pytest.mark.parametrize(
    ("after", "labels"),
    [
        (BEFORE, []),
        (BEFORE.replace("Boots", "Hats"), []),
        (BEFORE.replace("Socks", "Gloves"), ["Socks"]),
        (BEFORE.replace("Boots", "New").replace("Socks", "Boots"), ["Socks"]),
        (BEFORE.replace('text "Socks"', 'text "Socks", text "sold out"'), []),
    ],
)
def test_an_element_of_a_row_belongs_to_the_text_of_its_row(after: str, labels: list[str]) -> None:
    assert left(BEFORE, after, "B") == labels


def test_an_element_that_stands_in_no_item_left_none() -> None:
    before = 'document "App"(main(heading "Cart", button "Pay" =A))'
    assert left(before, before.replace("Cart", "Basket"), "A") == []
