"""Recordings and replays: bound to what was meant, published only when they were asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.faults import Hands, Outcome, cases, ref_of

from surefoot import ErrorCode, SurefootError
from surefoot.wire import InteractionData

Act = Callable[[Hands], object]


@pytest.fixture
def hands(hands: Hands, tmp_path: Path) -> Iterator[Hands]:
    """The module's hands in a session and a directory of this test's own."""
    before = hands.session, hands.cwd
    hands.session, hands.cwd = "recording", tmp_path
    yield hands
    hands.ask("close")
    hands.session, hands.cwd = before


def recorded(hands: Hands, page: str, act: Act) -> Path:
    """The script of a session on the page."""
    script = hands.cwd / "flow.ad"
    hands.do("open", hands.page(page), f"--save-script={script}")
    act(hands)
    hands.do("close")
    return script


def replayed(hands: Hands, script: Path, page: str) -> Outcome:
    """The script replayed on another page, whose session stays open."""
    moved = re.sub(r"http://[^\"]*", hands.page(page), script.read_text())
    changed = script.with_name("changed.ad")
    changed.write_text(moved)
    return hands.ask("replay", str(changed), "--keep-session")


def press_ref(label: str, offset: int = 0, role: str | None = None) -> Act:
    """Press by ref: the node with the label, or the one so many nodes before or after it."""

    def act(hands: Hands) -> None:
        data = hands.do("snapshot")
        ref = ref_of(data, label, role)
        number = int(re.sub(r"@e(\d+)~.*", r"\1", ref)) + offset
        hands.do("press", f"@e{number}")

    return act


def same_or_refused(hands: Hands, outcome: Outcome, said: str, *, must_act: bool = True) -> None:
    """The replay acted on the recorded element, or it diverged and nothing happened."""
    if must_act:
        assert outcome.body["success"], outcome.body
    if outcome.body["success"]:
        assert hands.said() == said
    else:
        assert outcome.code == "REPLAY_DIVERGENCE"
        assert hands.said() == ""


def rows(*labels: str, row: str) -> str:
    return "".join(row.format(label) for label in labels)


# B081: rows that share an id, before and after a row is inserted on top.
@cases(
    "B081",
    buttons="<div id=title role=button tabindex=0 onclick=\"say('{0}')\">{0}</div>",
    links="<a id=title href='#' onclick=\"say('{0}')\">{0}</a><br>",
    a_test_id="<button data-testid=row onclick=\"say('{0}')\">{0}</button>",
)
def test_an_id_that_several_share_is_no_identity(hands: Hands, case: str) -> None:
    labels = [f"Setting {letter}" for letter in "ABCDEFGHIJK"]
    script = recorded(hands, rows(*labels, row=case), press_ref("Setting B"))
    assert "title" not in script.read_text()
    assert "id=" not in re.sub(r"^#.*$", "", script.read_text(), flags=re.M)
    same_or_refused(hands, replayed(hands, script, rows("New", *labels, row=case)), "Setting B")


# B082: the pressed element has no label of its own; the label is in it.
@cases(
    "B082",
    a_clickable_box="<div style='cursor:pointer' onclick=\"say('{0}')\"><span>{0}</span></div>",
    a_box_with_a_handler="<div onclick=\"say('{0}')\"><p>{0}</p></div>",
    a_focusable_box="<div tabindex=0 onclick=\"say('{0}')\"><b>{0}</b> <i>more</i></div>",
)
def test_a_press_of_a_nameless_row_is_bound_to_its_text(hands: Hands, case: str) -> None:
    labels = [f"Order {letter}" for letter in "ABCDEFGHIJKL"]
    script = recorded(hands, rows(*labels, row=case), press_ref("Order C"))
    same_or_refused(hands, replayed(hands, script, rows("New", *labels, row=case)), "Order C")


@cases("B082", the_row_is_gone="<div style='cursor:pointer' onclick=\"say('{0}')\"><b>{0}</b></div>")
def test_a_nameless_row_that_is_gone_is_not_replaced_by_another(hands: Hands, case: str) -> None:
    labels = [f"Order {letter}" for letter in "ABCDEFGHIJKL"]
    script = recorded(hands, rows(*labels, row=case), press_ref("Order C"))
    gone = replayed(hands, script, rows(*labels[:2], *labels[3:], row=case))
    assert gone.code == "REPLAY_DIVERGENCE"
    assert hands.said() == ""


ADD = "<li><span>{0}</span> <button onclick=\"say('{0}')\">Add</button></li>"
CARD = "<div><b>{0}</b><button onclick=\"say('{0}')\">Add</button></div>"


# B083: rows of one look, told apart by their text; the list is scrolled, sorted, filtered.
@cases(
    "B083",
    one_row_gone_above=(ADD, ["Boots", "Socks", "Hats"], ["Socks", "Hats"]),
    one_row_more_above=(ADD, ["Boots", "Socks", "Hats"], ["New", "Boots", "Socks", "Hats"]),
    another_order=(ADD, ["Boots", "Socks", "Hats"], ["Hats", "Socks", "Boots"]),
    only_it_left=(ADD, ["Boots", "Socks", "Hats"], ["Socks"]),
    cards_without_roles=(CARD, ["Boots", "Socks", "Hats"], ["New", "Hats", "Boots", "Socks"]),
)
def test_a_row_is_the_row_of_its_text_wherever_it_stands(
    hands: Hands, case: tuple[str, list[str], list[str]]
) -> None:
    row, before, after = case
    script = recorded(hands, f"<ul>{rows(*before, row=row)}</ul>", press_beside("Socks"))
    same_or_refused(hands, replayed(hands, script, f"<ul>{rows(*after, row=row)}</ul>"), "Socks")


@cases("B083", a_list=ADD, cards=CARD)
def test_a_row_whose_text_is_gone_is_not_replaced_by_another(hands: Hands, case: str) -> None:
    script = recorded(hands, rows("Boots", "Socks", "Hats", row=case), press_beside("Socks"))
    gone = replayed(hands, script, rows("Boots", "Gloves", "Hats", row=case))
    assert gone.code == "REPLAY_DIVERGENCE"
    assert hands.said() == ""


def press_beside(text: str) -> Act:
    """Press by ref: the first button after a text."""

    def act(hands: Hands) -> None:
        nodes = hands.do("snapshot")["nodes"]
        at = next(number for number, node in enumerate(nodes) if node.get("label") == text)
        button = next(node for node in nodes[at:] if node["role"] == "button")
        hands.do("press", "@" + button["ref"])

    return act


TODO = "<li><input type=checkbox onchange=\"say('{0}')\"> {0}</li>"
NAMED = "<li><label><input type=checkbox onchange=\"say('{0}')\"> {0}</label></li>"
BUTTON = "<li>{0} <button onclick=\"say('{0}')\">Done</button></li>"


# B084: one item when it was recorded, two when it is replayed.
@pytest.mark.parametrize("place", ["before", "after"])
@cases("B084", a_check_box=TODO, a_named_check_box=NAMED, a_button=BUTTON)
def test_a_selector_that_was_unique_once_never_takes_another(
    hands: Hands, place: str, case: str
) -> None:
    def act(hands: Hands) -> None:
        hands.do("press", f"role={'button' if 'button' in case else 'checkbox'}")

    script = recorded(hands, f"<ul>{rows('Milk', row=case)}</ul>", act)
    labels = ("Bread", "Milk") if place == "before" else ("Milk", "Bread")
    outcome = replayed(hands, script, f"<ul>{rows(*labels, row=case)}</ul>")
    same_or_refused(hands, outcome, "Milk", must_act=False)


SELECT = """<button id={0} aria-haspopup=listbox onclick="list.hidden = !list.hidden">Applied</button>
<ul id=list role=listbox aria-label=Status hidden>
<li role=option onclick="say('option')">Applied</li><li role=option>Rejected</li></ul>"""


# B086: a name that stands twice once the list is open.
@cases("B086", with_an_id=SELECT.format("status"), without_an_id=SELECT.replace("id={0} ", ""))
def test_a_step_is_unique_in_the_state_it_is_recorded_in(hands: Hands, case: str) -> None:
    def act(hands: Hands) -> None:
        hands.do("press", "label=Applied role=button")
        press_ref("Applied", role="option")(hands)

    script = recorded(hands, case, act)
    same_or_refused(hands, replayed(hands, script, case), "option")
    hands.do("close")
    same_or_refused(hands, replayed(hands, script, f"<div>{case}</div>"), "option")


@cases("B088", a_second_open=(), a_second_open_that_records=("--save-script=second.ad",))
def test_an_aborted_recording_never_writes(hands: Hands, case: tuple[str, ...]) -> None:
    script = hands.cwd / "first.ad"
    hands.do("open", hands.page("<button>Go</button>"), f"--save-script={script}")
    other = hands.page("<button>Other</button>")
    second = hands.ask("open", other, *case)
    if case:
        assert second.code == "INVALID_ARGS"
        second = hands.ask("open", other)
    assert any("recording" in warning for warning in second.data["warnings"])
    assert hands.do("session", "list")["sessions"][-1]["recording"] == "ABORTED"
    refused = hands.ask("close", "--save-script")
    assert refused.code == "INVALID_ARGS"
    assert hands.do("close").get("saved") is None
    assert list(hands.cwd.glob("*.ad")) == []


@cases(
    "B089",
    without_a_path=("--save-script",),
    with_a_path=("--save-script=late.ad",),
    with_force=("--save-script=late.ad", "--force"),
)
def test_a_session_that_was_never_recorded_saves_nothing(hands: Hands, case: tuple[str, ...]) -> None:
    hands.do("open", hands.page("<button onclick=\"say('pressed')\">Go</button>"))
    hands.do("press", "label=Go")
    refused = hands.ask("close", *case)
    assert refused.refused == ("INVALID_ARGS", "recording_not_armed")
    assert "surefoot open" in refused.error["hint"]
    assert "surefoot close" in refused.error["hint"]
    assert hands.said() == "pressed"
    assert list(hands.cwd.glob("*.ad")) == []
    hands.do("close")


# B091: requests that carry the flag of another command.
@cases(
    "B091",
    press=("press", {"target": "label=Go", "saveScript": True}),
    press_as_written=("press", {"target": "label=Go", "save_script": "x.ad"}),
    snapshot=("snapshot", {"saveScript": "x.ad"}),
    batch=(
        "batch",
        {"steps": '[{"command": "press", "arguments": {"target": "label=Go", "saveScript": true}}]'},
    ),
    batch_of_lines=("batch", {"steps": '[["press", "label=Go", "--save-script"]]'}),
    provenance=("press", {"target": "label=Go", "provenance": {"kind": "replay"}}),
)
def test_no_request_arms_a_recording_by_a_field(
    hands: Hands, case: tuple[str, dict[str, object]]
) -> None:
    command, arguments = case
    hands.do("open", hands.page("<button onclick=\"say('pressed')\">Go</button>"))
    with hands.client() as client, pytest.raises(SurefootError) as caught:
        client._call(command, arguments, InteractionData)
    assert caught.value.code is ErrorCode.INVALID_ARGS
    assert hands.said() == ""
    assert "recording" not in hands.do("session", "list")["sessions"][-1]
    hands.do("close")
    assert list(hands.cwd.glob("*.ad")) == []


@cases("B091", on_the_command_line=("press", "label=Go", "--save-script"))
def test_no_other_command_takes_the_flag(hands: Hands, case: tuple[str, ...]) -> None:
    hands.do("open", hands.page("<button>Go</button>"))
    assert hands.ask(*case).code == "INVALID_ARGS"


# B039: a password typed as it is, and under a name.
@cases("B039", fill=("fill", "id=pw", "pw1-Canary"))
def test_a_literal_password_in_a_recording_is_warned_about(hands: Hands, case: tuple[str, ...]) -> None:
    page = '<input id=pw type=password aria-label="Password">'
    hands.do("open", hands.page(page), "--save-script=a.ad")
    warned = hands.do(*case)
    assert any("--record-as" in warning for warning in warned["warnings"])
    assert "pw1-Canary" not in json.dumps(warned)
    hands.do("close")
    hands.do("open", hands.page(page), "--save-script=b.ad")
    assert "warnings" not in hands.do(*case, "--record-as", "PASSWORD")
    hands.do("close")
    script = (hands.cwd / "b.ad").read_text()
    assert "pw1-Canary" not in script
    assert '"${PASSWORD}"' in script


MISS = 'press "label=\\"Nobody\\""'


# B096: a step that fails in some way; the answer is a divergence with all of its parts.
@cases(
    "B096",
    nothing_matches=MISS,
    several_match='press "role=\\"button\\""',
    a_predicate_that_fails='is visible "label=\\"Nobody\\""',
    a_wait_that_runs_out='wait "label=\\"Nobody\\"" 50',
    a_field_that_takes_no_text='fill "label=\\"Go\\"" "x"',
    no_dialog_to_answer="dialog accept",
    a_tab_that_is_not_there="tab select 9",
)
def test_a_step_that_fails_is_a_divergence_whatever_failed(hands: Hands, case: str) -> None:
    page = hands.page("<button>Go</button><button>Stay</button>")
    hands.file("flow.ad", f'context platform=web\nopen "{page}"\n{case}\nclose\n')
    failed = hands.ask("replay", "flow.ad")
    assert failed.code == "REPLAY_DIVERGENCE"
    divergence = failed.error["details"]["divergence"]
    assert divergence["version"] == 1
    assert divergence["step"]["source"] == {"path": "flow.ad", "line": 3}
    for key in ("kind", "action", "cause", "screen", "resume", "repairHint", "suggestions"):
        assert key in divergence
    assert divergence["screen"]["state"] in ("available", "unavailable")
    assert "allowed" in divergence["resume"]


# B103: the script is the caller's file, wherever the daemon runs.
@cases("B103", two_callers_with_a_file_of_one_name=("one", "two"))
def test_a_script_is_read_from_the_callers_place(hands: Hands, case: tuple[str, str]) -> None:
    root = hands.cwd
    said = []
    for word in case:
        hands.cwd = root / word
        hands.cwd.mkdir()
        page = hands.page(f"<button onclick=\"say('{word}')\">Go</button>")
        hands.file("flow.ad", f'context platform=web\nopen "{page}"\npress "label=\\"Go\\""\n')
        hands.do("replay", "flow.ad")
        said.append(hands.said())
        hands.do("close")
    hands.cwd = root
    assert said == list(case)
    missing = hands.ask("replay", "flow.ad")
    assert missing.refused == ("INVALID_ARGS", "file_not_found")


GO = "<button onclick=\"say('went')\">Go</button><button onclick=\"say('stayed')\">Stay</button>"


# B108: what a page puts around its content between recording and replay.
@pytest.mark.parametrize("by", ["ref", "selector"])
@cases(
    "B108",
    a_box="<div>{0}</div>",
    many_boxes="<div><div><div><div>{0}</div></div></div></div>",
    a_box_before_it="<div>Banner</div>{0}",
    a_box_of_text="<span>Banner {0}</span>",
    a_table_for_layout="<table role=presentation><tr><td>{0}</table>",
)
def test_a_wrapper_changes_nothing(hands: Hands, by: str, case: str) -> None:
    def act(hands: Hands) -> None:
        if by == "ref":
            press_ref("Go")(hands)
        else:
            hands.do("press", "label=Go")

    script = recorded(hands, GO, act)
    outcome = replayed(hands, script, case.format(GO))
    same_or_refused(hands, outcome, "went")


STEPS = "".join(f"<button onclick=\"say('{n}')\">Step {n}</button>" for n in (1, 2, 3))
GROWING = STEPS.replace("say('1')", "say('1'); document.body.prepend(document.createElement('button'))")


@cases("B111", a_page_that_grows=GROWING, a_page_that_stays=STEPS)
def test_steps_by_ref_are_recorded_by_what_they_mean(hands: Hands, case: str) -> None:
    def act(hands: Hands) -> None:
        for number in (1, 2, 3):
            press_ref(f"Step {number}")(hands)

    script = recorded(hands, STEPS, act)
    assert not re.search(r"@e\d", script.read_text())
    same_or_refused(hands, replayed(hands, script, case), "1 2 3")
