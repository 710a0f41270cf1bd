"""Items, their keys, and the labels around a target (identity.md 1; docs/identity.md)."""

from __future__ import annotations

import pytest
from tests.support.identity_play import outcome, recorded

from surefoot.identity import ItemEvidence, ItemKey


def item_of(screen: str, key: str = "A") -> ItemEvidence | None:
    return recorded(f'document "App"(main({screen}))', key).item


def keys_of(screen: str, key: str = "A") -> list[str]:
    found = item_of(screen, key)
    return [] if found is None else [key.label for key in found.keys]


def moves(before: str, after: str, key: str = "A") -> str:
    return outcome(f'document "App"(main({before}))', f'document "App"(main({after}))', key)


# -- which item ------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["listitem", "row", "option", "treeitem", "article"])
def test_the_item_is_the_nearest_ancestor_of_an_item_role(role: str) -> None:
    found = item_of(f'list({role}(group(text "Alice", button "Go" =A)))')
    assert found == ItemEvidence(of=role, keys=(ItemKey(role="text", label="Alice"),))


def test_without_an_item_role_it_is_the_nearest_generic_with_a_usable_label() -> None:
    found = item_of(
        'generic(text "Alice", generic(button "Edit", button "Go" =A)), generic(button "Go")'
    )
    assert found == ItemEvidence(of="generic", up=1, keys=(ItemKey(role="text", label="Alice"),))


def test_a_generic_below_another_role_is_none() -> None:
    assert item_of('generic(text "Alice", group(button "Go" =A)), group(button "Go")') is None


def test_a_generic_that_holds_all_equals_is_none() -> None:
    assert item_of('generic(text "Alice", button "Go" =A, text "Bob", button "Go")') is None


def test_1280_the_item_is_the_dispatched_container() -> None:
    found = item_of('group =A hittable(text "Alice", text "Admin"), group hittable(text "Bob")')
    assert found == ItemEvidence(of="group", keys=(ItemKey(role="text", label="Admin"),))


def test_1280_no_generic_beyond_the_dispatched_container_is_the_item() -> None:
    assert item_of('generic(generic =A hittable(text "Alice"), generic hittable(text "Bob"))') is None


def test_a_nameless_target_that_holds_labels_is_its_own_item() -> None:
    row = 'listitem =A hittable(text "{}", switch "On")'
    found = item_of(f'list({row.format("Wi-Fi")}, listitem hittable(text "Sound", switch))')
    assert found == ItemEvidence(of="listitem", keys=(ItemKey(role="text", label="Wi-Fi"),))
    assert moves(f"list({row.format('Wi-Fi')})", f"list({row.format('Sound')})") == "refused 3"


# -- which keys ------------------------------------------------------------------------------------


def test_the_first_label_no_sibling_item_holds_is_the_key_joined_by_the_next_usable() -> None:
    rows = (
        'listitem(text "Al", text "adm", text "Oslo", button "Go" =A), listitem(text "Al", button "Go")'
    )
    assert keys_of(f"list({rows})") == ["adm", "Oslo"]


def test_the_last_label_is_joined_by_the_one_before_it() -> None:
    rows = 'listitem(text "Al", text "adm", button "Go" =A), listitem(text "Al", button "Go")'
    assert keys_of(f"list({rows})") == ["adm", "Al"]


def test_else_the_first_pair_that_no_sibling_item_holds() -> None:
    rows = (
        'listitem(text "Al", text "adm", button "Go" =A),'
        'listitem(text "Al", text "usr", button "Go"), listitem(text "Bo", text "adm", button "Go")'
    )
    assert keys_of(f"list({rows})") == ["Al", "adm"]


def test_sibling_items_without_the_control_count_too() -> None:
    rows = 'listitem(text "Al", text "x1 one", button "Go" =A), listitem(text "Al", text "two")'
    assert keys_of(f"list({rows})")[0] == "x1 one"


def test_items_of_another_list_do_not() -> None:
    assert keys_of(
        'list(listitem(text "Al", button "Go" =A)), group(list(listitem(text "Al", text "two")))'
    ) == ["Al"]


def test_the_targets_own_role_and_label_are_no_key() -> None:
    assert keys_of('list(listitem(button "Go" =A, button "Go", text "Al"))') == ["Al"]


def test_labels_of_nested_items_are_no_keys() -> None:
    screen = 'tree(treeitem(text "src", button "Go" =A, group(treeitem(text "a.py", button "Go"))))'
    assert keys_of(screen) == ["src"]


def test_labels_in_the_targets_subtree_are_no_keys() -> None:
    assert keys_of('list(listitem(button "Go" =A(text "Go now"), text "Al"))') == ["Al"]


def test_controls_are_tried_where_no_usable_label_makes_the_item_unique() -> None:
    rows = 'listitem(text "Al", button "Undo", button "Go" =A), listitem(text "Al", button "Go")'
    assert keys_of(f"list({rows})")[0] == "Undo"


def test_numbers_are_tried_last() -> None:
    rows = 'listitem(text "$5.84", button "Go" =A), listitem(text "$7.10", button "Go")'
    assert keys_of(f"list({rows})") == ["$5.84"]


def test_a_rows_position_is_no_key() -> None:
    rows = 'row(cell "1", cell(button "Go" =A)), row(cell "2", cell(button "Go"))'
    assert keys_of(f"table({rows})") == []


@pytest.mark.parametrize("role", ["tab", "option", "heading"])
def test_what_names_its_item_needs_no_key(role: str) -> None:
    assert item_of(f'list(listitem({role} "Inbox" =A hittable, text "Mail"))') is None


def test_a_counter_beside_a_link_is_no_key_of_it() -> None:
    assert item_of('list(listitem(link "Inbox" =A, text "3"), listitem(link "Spam", text "1"))') is None


def test_an_id_does_not_spare_the_item() -> None:
    before = 'list(listitem(text "Alice", button "Go" #go =A))'
    assert keys_of(before) == ["Alice"]
    assert moves(before, 'list(listitem(text "Bob", button "Go" #go =B))') == "refused 3"


def test_a_link_that_names_its_row_is_joined_by_the_usable_texts_of_the_row() -> None:
    row = 'list(listitem(link "Mirror" =A, text "{}", text "3"))'
    assert keys_of(row.format("Oslo")) == ["Oslo"]
    assert moves(row.format("Oslo"), row.format("Rome")) == "refused 3"


def test_where_the_target_is_unique_its_items_labels_need_not_be() -> None:
    rows = 'listitem(text "Al", button "Go" =A), listitem(text "Al")'
    assert keys_of(f"list({rows})") == ["Al"]


# -- replay: items ---------------------------------------------------------------------------------


def test_all_keys_must_be_held() -> None:
    rows = 'list(listitem(text "Al", text "adm", button "Go" =A))'
    assert moves(rows, 'list(listitem(text "Al", text "usr", button "Go" =B))') == "refused 3"


def test_what_lies_between_the_target_and_its_item_may_change() -> None:
    before = 'list(listitem(text "Al", button "Go" =A), listitem(text "Bo", button "Go"))'
    after = (
        'list(listitem(generic(text "Al", img, generic(button "Go" =A, img))),'
        'listitem(text "Bo", button "Go"))'
    )
    assert moves(before, after) == "=A"


def test_a_div_around_a_cards_controls_is_no_step_up() -> None:
    before = 'generic(text "Al", button "Edit", button "Go" =A), generic(text "Bo", button "Go")'
    after = (
        'generic(text "Al", generic(button "Edit", button "Go" =A)), generic(text "Bo", button "Go")'
    )
    assert moves(before, after) == "=A"


def test_a_control_that_moved_to_another_card_is_refused() -> None:
    before = 'generic(generic(text "Alpha"), generic(text "Beta", button "Retry" =A))'
    after = 'generic(generic(text "Alpha", button "Retry" =B), generic(text "Beta"))'
    assert moves(before, after) == "refused 3"


def test_rows_inserted_reordered_and_removed_elsewhere_change_nothing() -> None:
    def table(*names: str) -> str:
        rows = ", ".join(f'row(cell "{name}", cell(button "Delete" ={name}))' for name in names)
        return f"table({rows})"

    before = table("Al", "Bo", "Cy")
    for after in (table("Zed", "Al", "Bo", "Cy"), table("Cy", "Bo", "Al"), table("Bo", "Cy")):
        assert moves(before, after, "Bo") == "=Bo"


def test_a_record_that_is_gone_is_refused_however_many_are_left() -> None:
    before = 'list(listitem(text "Al", button "Go" =A), listitem(text "Bo", button "Go"))'
    assert moves(before, 'list(listitem(text "Bo", button "Go"))') == "refused 3"


# -- between ---------------------------------------------------------------------------------------


def between_of(screen: str, key: str = "A") -> tuple[str | None, str | None] | None:
    return recorded(f'document "App"({screen})', key).between


FLAT = 'main(text "Contacts", text "Al", button "Go" =A, text "Bo", button "Go" =B)'


def test_equals_without_items_are_told_apart_by_the_labels_around() -> None:
    assert between_of(FLAT) == ("Al – Contacts", "Bo")
    assert between_of(FLAT, "B") == ("Bo", None)


def test_the_search_does_not_look_past_another_of_the_equals() -> None:
    screen = 'main(text "Top", button "Go", button "Edit", button "Go" =A, button "Undo")'
    assert between_of(screen) == ("Edit", "Undo")


def test_where_a_stretch_has_no_label_at_all_the_search_goes_on_past_the_equal() -> None:
    assert between_of('main(text "Top", button "Go", button "Go" =A)') == ("Top", None)


def test_a_heading_is_the_last_label_looked_at() -> None:
    screen = 'main(text "Top", heading "Sub", text "Al", button "Go" =A, text "Bo", button "Go")'
    assert between_of(screen) == ("Al", "Bo")


def test_labels_outside_the_common_container_are_not_between() -> None:
    screen = 'main(text "Top", group(text "Al", button "Go" =A, button "Go"), text "End")'
    assert between_of(screen) == ("Al", None)


def test_labels_in_another_frame_are_not_looked_at() -> None:
    screen = 'main(text "Top", iframe(text "Ad"), button "Go" =A, text "x end", button "Go")'
    assert between_of(screen) == ("Top", "x end")


def test_both_sides_must_be_equal() -> None:
    after = 'main(text "Contacts", text "Al", button "Go" =A, text "Cy", button "Go")'
    assert outcome(f'document "App"({FLAT})', f'document "App"({after})') == "refused 3"


def test_a_heading_that_tells_equals_apart_makes_neighbours_unneeded() -> None:
    screen = 'main(heading "Card", button "Go" =A, heading "Bank", button "Go")'
    assert between_of(screen) is None
    assert recorded(f'document "App"({screen})').section == "Card"


def test_a_lone_control_among_texts_is_known_by_them() -> None:
    assert between_of('main(group(button "Go" =A, text "Al", text "Bo"))') == (None, "Al – Bo")


def test_other_buttons_of_a_record_may_lie_between_a_control_and_its_text() -> None:
    flat = 'main(region(button "Print" =A, button "View", text "{}", text "Private"))'
    assert between_of(flat.format("Ann")) == (None, "Ann – Private")
    before, after = (f'document "App"({flat.format(name)})' for name in ("Ann", "Ida"))
    assert outcome(before, after) == "refused 3"


def test_a_control_alone_in_a_nameless_card_is_known_by_the_labels_beside_it_too() -> None:
    card = 'generic(text "{}", text "{}", button "Go" =A, text "{}")'
    before = card.format("Al", "adm", "Bo")
    evidence = recorded(f'document "App"(main({before}))')
    assert evidence.item is not None
    assert evidence.between == ("adm – Al", "Bo")
    moved = 'generic(text "Al", button "Go" =B, text "adm", text "Bo")'
    assert moves(before, moved) == "refused 3"


def test_what_stands_outside_a_card_is_not_beside_its_control() -> None:
    before = 'generic(generic(text "Al", text "adm", button "Go" =A), generic(text "Bo"))'
    after = 'generic(generic(text "Al", text "adm", button "Go" =A), generic(text "Cy"))'
    assert moves(before, after) == "=A"


# -- peers and nth -----------------------------------------------------------------------------------


def test_peers_counts_those_the_context_does_not_tell_apart() -> None:
    screen = 'document "App"(main(list(listitem(text "Al", button "+", text "gift", button "+" =A))))'
    evidence = recorded(screen)
    assert (evidence.peers, evidence.nth) == (2, 1)


def test_a_unique_target_has_one_peer_and_no_nth() -> None:
    evidence = recorded('document "App"(main(button "Go" =A))')
    assert (evidence.peers, evidence.nth) == (1, None)


def test_a_twin_is_refused_on_either_side() -> None:
    one = 'button "Pay" =A'
    assert moves(one, f'button "Pay" =B, {one}') == "refused 6"
    assert moves(one, f'{one}, button "Pay" =B') == "refused 6"


def test_of_two_equals_the_one_left_is_refused() -> None:
    assert moves('button "Pay" =A, button "Pay"', 'button "Pay" =B') == "refused 6"
