"""Seed 0012, decision 3: the six verification paths through the real commands, and what they report."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.replays import SCRIPT, available, replays

from surefoot.commands.output.divergence_text import divergence_lines
from surefoot.errors import ErrorCode

ONE = 'document "Shop"(main(heading "Basket" level=1, button "Pay" =pay))'
ROWS = """document "Shop"(main(heading "Basket" level=1, list "Items"(
    listitem(text "Rope", button "Remove" =rope),
    listitem(text "Lamp", button "Remove" =lamp))))"""
PRESS = "press 'role=button label=Pay'"
SECOND_ROW = "press @e10"
LETTER = (
    '# agent-device:target-v1 {"role":"button","label":"Remove","ancestry":[{"role":"%s"}],'
    '"sibling":%d,"viewportOrder":%d%s,"verification":"verified"}'
)


def letter(role: str, sibling: int, order: int, region: str = "") -> str:
    """Evidence of another tool: by the letter of the seed, without a context."""
    return LETTER % (role, sibling, order, region)


async def test_path_1_recorded_unverifiable_refuses_before_any_look(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    path = await made.record(PRESS)
    text = path.read_text("utf-8").replace('"verification":"verified"', '"verification":"unverifiable"')
    path.write_text(text, encoding="utf-8")
    report = await made.report()
    binding = report.target_binding
    assert binding is not None
    assert (report.kind, binding.classification) == ("identity-unverifiable", "identity-unverifiable")
    assert binding.match_count is None
    assert made.inputs() == []


async def test_on_path_1_the_match_count_is_left_out_never_null(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    path = await made.record(PRESS)
    text = path.read_text("utf-8").replace('"verification":"verified"', '"verification":"unverifiable"')
    path.write_text(text, encoding="utf-8")
    error, _ = await made.divergence()
    assert "matchCount" not in error.details["divergence"]["targetBinding"]


async def test_path_2_a_selector_that_matches_nothing_is_a_selector_miss(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    await made.record(PRESS)
    made.change(ONE.replace('"Pay"', '"Pay now"'))
    report = await made.report()
    binding = report.target_binding
    assert binding is not None
    assert (report.kind, binding.match_count) == ("selector-miss", 0)
    assert report.cause.code == "ELEMENT_NOT_FOUND"
    assert made.inputs() == []


async def test_path_3_a_match_without_the_identity_is_a_mismatch(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    await made.record(PRESS)
    made.change('document "Shop"(main(heading "Basket" level=1, toolbar(button "Pay" =other)))')
    report = await made.report()
    binding = report.target_binding
    assert binding is not None
    assert (report.kind, binding.match_count) == ("identity-mismatch", 1)
    assert [(item.field, item.recorded, item.observed) for item in binding.mismatches] == [
        ("ancestry[0]", "main", "toolbar")
    ]
    assert made.inputs() == []


async def test_path_4_the_recorded_target_is_acted_on(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    await made.record(PRESS)
    assert (await made.replay("--keep-session")).replayed == 2
    assert made.inputs() == ["press pay"]


async def test_path_5_a_unique_but_wrong_rebind_is_a_mismatch(tmp_path: Path) -> None:
    """The selector now leads to one other element while the recorded one is still there."""
    made = replays(tmp_path, ROWS)
    made.write(letter("listitem", 1, 1), 'press "role=button label=Remove visible=true"')
    made.change(
        """document "Shop"(main(heading "Basket" level=1, toolbar(button "Remove" =other), list "Items"(
            listitem(text "Lamp", button "Remove" =lamp hidden))))"""
    )
    report = await made.report()
    binding = report.target_binding
    assert binding is not None
    assert (report.kind, binding.match_count) == ("identity-mismatch", 1)
    assert made.inputs() == []


async def test_path_5_evidence_that_denotes_another_than_the_winner(tmp_path: Path) -> None:
    made = replays(tmp_path, ROWS)
    path = await made.record("snapshot", SECOND_ROW)
    *head, press, close = path.read_text("utf-8").splitlines()
    assert press.startswith("press")
    path.write_text("\n".join([*head, 'press "role=button label=Remove enabled=true"', close]))
    made.change(ROWS.replace('"Remove" =lamp', '"Remove" =lamp disabled'))
    report = await made.report()
    binding = report.target_binding
    assert binding is not None
    assert (report.kind, binding.match_count) == ("identity-mismatch", 1)
    assert [item.rect is not None for item in binding.candidates] == [True]
    assert made.inputs() == []


async def test_path_6_signals_that_isolate_nothing_are_unverifiable(tmp_path: Path) -> None:
    made = replays(tmp_path, ROWS)
    made.write(letter("listitem", 7, 9), "press 'role=button label=Remove'")
    report = await made.report()
    binding = report.target_binding
    assert binding is not None
    assert (report.kind, binding.match_count) == ("identity-unverifiable", 2)
    assert [item.ref for item in binding.candidates] == ["e7", "e10"]
    assert made.inputs() == []


async def test_path_6_lists_five_candidates_at_most_in_document_order(tmp_path: Path) -> None:
    rows = ", ".join(f'listitem(button "Remove" =b{n})' for n in range(7))
    made = replays(tmp_path, f'document "Shop"(main(list "Items"({rows})))')
    made.write(letter("listitem", 7, 9), "press 'role=button label=Remove'")
    report = await made.report()
    binding = report.target_binding
    assert binding is not None
    assert [item.ref for item in binding.candidates] == ["e5", "e7", "e9", "e11", "e13"]
    assert binding.match_count == 7
    assert report.truncated is True


@pytest.mark.parametrize(
    "screen",
    [
        pytest.param(ONE.replace('"Pay"', '"Buy"'), id="selector-miss"),
        pytest.param(ONE.replace("main(", "main(toolbar(").replace("=pay)", "=pay))"), id="mismatch"),
    ],
)
async def test_B096_every_refused_step_is_a_divergence_with_the_whole_report(
    tmp_path: Path, screen: str
) -> None:
    made = replays(tmp_path, ONE)
    await made.record(PRESS)
    made.change(screen)
    error, report = await made.divergence()
    assert set(error.details["divergence"]) >= {
        "version", "kind", "step", "action", "cause", "screen", "suggestions", "suggestionCount",
        "resume", "repairHint", "targetBinding",
    }  # fmt: skip
    assert available(report).refs


async def test_B045_an_unannotated_ambiguous_step_is_refused_as_live(tmp_path: Path) -> None:
    made = replays(tmp_path, ROWS)
    made.write("press 'role=button label=Remove'")
    before = made.clock.now_ms()
    error, report = await made.divergence()
    assert (report.kind, report.cause.code) == ("action-failure", "AMBIGUOUS_MATCH")
    assert error.reason == "ambiguous_match"
    assert made.clock.now_ms() == before
    assert [item.ref for item in report.suggestions] == ["e7", "e10"]
    assert made.inputs() == []


async def test_B045_evidence_decides_among_equals_and_says_so(tmp_path: Path) -> None:
    made = replays(tmp_path, ROWS)
    await made.record("snapshot", SECOND_ROW)
    made.change(
        ROWS.replace('list "Items"(', 'list "Items"(listitem(text "Oil", button "Remove" =oil),')
    )
    await made.replay("--keep-session")
    assert made.inputs() == ["press lamp"]


async def test_B081_a_shared_id_is_demoted_and_the_row_is_bound_by_its_label(tmp_path: Path) -> None:
    rows = [f'listitem(text "Row {name}" #title =r{name})' for name in "abcd"]
    made = replays(tmp_path, f'document "Rows"(main(list "L"({", ".join(rows)})))')
    path = await made.record("get text 'label=\"Row b\"'")
    assert '"id":"title"' not in path.read_text("utf-8")
    rows.insert(0, 'listitem(text "Row new" #title)')
    made.change(f'document "Rows"(main(list "L"({", ".join(rows)})))')
    assert (await made.replay()).replayed == 3


async def test_B108_a_wrapper_changes_nothing(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    await made.record(PRESS)
    made.change(ONE.replace("main(", 'generic(text "banner"), generic(main(', 1) + ")")
    await made.replay("--keep-session")
    assert made.inputs() == ["press pay"]


async def test_B111_a_script_holds_selectors_never_positions(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    path = await made.record("snapshot", "press @e4")
    steps = [line for line in path.read_text("utf-8").splitlines() if line.startswith("press")]
    assert steps == ['press "role=\\"button\\" label=\\"Pay\\" || label=\\"Pay\\""']


def board(*cards: str) -> str:
    return f'document "Board"(main(heading "Board" level=1, {", ".join(cards)}))'


CARD, DONE = 'button "Card" =card', 'button "Done" =done'
DRAG = "drag 'label=Card' 'label=Done'"


async def test_two_endpoints_are_verified_as_one(tmp_path: Path) -> None:
    made = replays(tmp_path, board(CARD, DONE))
    path = await made.record(DRAG)
    assert "targets-v1" in path.read_text("utf-8")
    await made.replay("--keep-session")
    assert made.inputs() == ["drag card"]


@pytest.mark.parametrize(
    ("cards", "kind", "endpoint"),
    [
        ((f"toolbar({CARD})", DONE), "identity-mismatch", "source"),
        ((CARD, f"toolbar({DONE})"), "identity-mismatch", "destination"),
        ((CARD.replace("Card", "Ticket"), DONE), "selector-miss", "source"),
        ((CARD, DONE.replace("Done", "Ready")), "selector-miss", "destination"),
    ],
)
async def test_either_endpoint_refuses_the_whole_drag(
    tmp_path: Path, cards: tuple[str, ...], kind: str, endpoint: str
) -> None:
    made = replays(tmp_path, board(CARD, DONE))
    await made.record(DRAG)
    made.change(board(*cards))
    report = await made.report()
    assert report.target_binding is not None
    assert (report.kind, report.target_binding.endpoint) == (kind, endpoint)
    assert made.inputs() == []


async def test_where_the_region_scrolls_on_the_message_names_scroll_until(tmp_path: Path) -> None:
    people = [f'listitem(text "Name {letter * 2}", button "Call")' for letter in "ABCDEFGHIJKLMNOP"]
    screen = f'document "C"(main(list "People" scroll=y height=300 virtual({", ".join(people)})))'
    made = replays(tmp_path, screen)
    await made.record("snapshot", "press @e6")
    made.change(screen.replace("Name AA", "Zed"))
    report = await made.report()
    assert report.kind == "identity-mismatch"
    assert "not rendered" in report.cause.message
    assert "scroll down --until" in report.cause.message


async def test_the_error_s_code_is_always_the_divergence_s(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write("press label=Nope")
    said = await made.say("replay", SCRIPT)
    assert said.exit_code == 1
    assert said.stderr.startswith(f"error {ErrorCode.REPLAY_DIVERGENCE.value} action-failure: ")


FOLLOW = (
    'document(main(heading "Account" level=1, button "Follow" #act =act, button "Pay 1" #pay =pay))'
)


async def test_an_id_stands_against_another_label_and_the_replay_says_so(tmp_path: Path) -> None:
    made = replays(tmp_path, FOLLOW)
    await made.record("press id=act")
    made.change(FOLLOW.replace("Follow", "Delete account"))
    replayed = await made.replay("--keep-session")
    assert replayed.warnings == (
        'step 2 pressed button "Delete account", which was "Follow" when recorded',
    )
    assert made.inputs() == ["press act"]


async def test_a_divergence_after_it_says_so_too(tmp_path: Path) -> None:
    made = replays(tmp_path, FOLLOW)
    await made.record("press id=act", "press id=pay")
    made.change(
        FOLLOW.replace("Follow", "Delete account").replace("#pay", "#paid").replace("Pay", "Buy")
    )
    error, report = await made.divergence()
    told = 'step 2 pressed button "Delete account", which was "Follow" when recorded'
    assert error.details["warnings"] == [told]
    assert f"before it: {told}" in divergence_lines(error, report)


@pytest.mark.parametrize(
    ("before", "after", "command"),
    [
        pytest.param("Pay 1", "Pay 23", "press id=pay", id="digits"),
        pytest.param("Follow", "Delete account", "get text id=act --record", id="a-reading"),
        pytest.param("Follow", "Follow", "press id=act", id="unchanged"),
    ],
)
async def test_what_is_no_other_name_is_not_told(
    tmp_path: Path, before: str, after: str, command: str
) -> None:
    made = replays(tmp_path, FOLLOW)
    await made.record(command)
    made.change(FOLLOW.replace(before, after))
    assert (await made.replay()).warnings == ()
