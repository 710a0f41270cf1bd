"""Under which title a target stands (identity.md 1; docs/identity.md)."""

from __future__ import annotations

import pytest
from tests.support.identity_play import outcome, recorded


def section_of(screen: str) -> str | None:
    return recorded(f'document "App"({screen})').section


def moves(before: str, after: str) -> str:
    return outcome(f'document "App"({before})', f'document "App"({after})')


NEXT = 'button "Next" =A'


@pytest.mark.parametrize(
    ("screen", "expected"),
    [
        pytest.param(f'main({NEXT}, heading "After")', None, id="a-heading-after-it-is-none"),
        pytest.param(f'main(heading "Ship", {NEXT})', "Ship", id="the-heading-before-it"),
        pytest.param(f'main(heading "Ship 2 of 3", {NEXT})', "Ship of", id="without-digits"),
        pytest.param(f'main(heading "12", {NEXT})', None, id="not-a-number"),
        pytest.param(f'main(heading "A x", heading "Ship", {NEXT})', "Ship", id="the-nearest"),
        pytest.param(
            f'main(heading "Buy", form(heading "Ship", {NEXT}))', "Ship – Buy", id="and-the-one-above"
        ),
        pytest.param(
            f'main(heading "Ship", {NEXT.replace("=A", "#next =A")})', "Ship", id="with-an-id"
        ),
        pytest.param(
            f'main author="Shop"(heading "Ship", {NEXT})', "Ship", id="under-a-labelled-ancestor"
        ),
        pytest.param(
            f'main(heading "Buy", list(listitem(heading "Lamp")), {NEXT})', "Buy", id="not-an-items-own"
        ),
        pytest.param(
            f'main(heading "Buy", region(heading "News", button "Read"), {NEXT})',
            "Buy",
            id="not-of-a-neighbour-with-controls",
        ),
        pytest.param(
            f'main(generic(heading "Buy", text "Step 1"), {NEXT})', "Buy", id="of-a-plain-header"
        ),
        pytest.param(
            f'main(form(text "Ship", textbox "Street", {NEXT}))', "Ship", id="else-the-first-text"
        ),
        pytest.param(f'main(form(text "Step 1 of 4", text "Ship", {NEXT}))', "Ship", id="a-usable-one"),
        pytest.param(
            f'main(heading "Buy", form(text "Ship", textbox "Street", {NEXT}))',
            "Ship – Buy",
            id="a-text-and-the-heading-above",
        ),
        pytest.param(f'main(iframe({NEXT}), heading "x")', None, id="not-past-its-frame"),
        pytest.param(
            f'main(heading "Buy", iframe(group({NEXT})))', None, id="no-heading-outside-its-frame"
        ),
    ],
)
def test_section(screen: str, expected: str | None) -> None:
    assert section_of(screen) == expected


def test_an_item_known_by_a_label_stands_under_its_lists_heading() -> None:
    before = f'main(heading "Friends", list(listitem(text "Al", {NEXT})))'
    after = f'main(heading "Blocked", list(listitem(text "Al", {NEXT})))'
    assert section_of(before) == "Friends"
    assert moves(before, after) == "refused 3"


def test_next_under_shipping_is_not_next_under_payment() -> None:
    assert moves(f'main(heading "Ship", {NEXT})', f'main(heading "Pay", {NEXT})') == "refused 3"


def test_a_counter_in_the_title_changes_nothing() -> None:
    assert moves(f'main(heading "Inbox 3", {NEXT})', f'main(heading "Inbox 41", {NEXT})') == "=A"


def test_a_text_put_before_the_title_changes_nothing() -> None:
    before = f'main(form(text "Ship", textbox "Street", {NEXT}))'
    after = f'main(form(text "New rates", text "Ship", textbox "Street", {NEXT}))'
    assert moves(before, after) == "=A"


def test_a_block_with_a_heading_and_controls_put_before_it_changes_nothing() -> None:
    before = f'main(heading "Ship", {NEXT})'
    after = f'main(heading "Ship", region(heading "News", button "Read"), {NEXT})'
    assert moves(before, after) == "=A"


def test_a_nearer_heading_is_another_section() -> None:
    before = f'main(heading "Ship", {NEXT})'
    after = f'main(heading "Ship", heading "Extras", {NEXT})'
    assert moves(before, after) == "refused 3"


# -- dialogs -----------------------------------------------------------------------------------------


DIALOG = 'dialog author="Confirm"(text "{}", button "OK" =A, button "Cancel")'


def test_a_dialog_is_known_by_what_it_asks() -> None:
    before, after = DIALOG.format("Delete the file?"), DIALOG.format("Delete the account?")
    assert section_of(before) == "Delete the file?"
    assert moves(before, after) == "refused 3"


def test_a_dialogs_heading_and_question_are_one_title() -> None:
    dialog = 'dialog(heading "Sure?", text "Delete the file?", button "OK" =A)'
    assert section_of(dialog) == "Sure? – Delete the file?"


def test_a_number_in_the_question_may_change() -> None:
    assert moves(DIALOG.format("Delete 3 files?"), DIALOG.format("Delete 5 files?")) == "=A"


def test_a_div_around_the_question_and_the_buttons_changes_nothing() -> None:
    after = 'dialog author="Confirm"(generic(text "Delete the file?", button "OK" =A, button "Cancel"))'
    assert moves(DIALOG.format("Delete the file?"), after) == "=A"
