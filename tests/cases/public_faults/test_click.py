"""Pressing: on what is meant, seen, uncovered; and selectors that mean several things."""

from __future__ import annotations

import json
import re

import pytest
from tests.support.faults import Hands, cases

from surefoot import SurefootError

GO = "<button onclick=\"say('went')\">Go</button>"


# B041: where the button is; each is brought into view and pressed.
@pytest.mark.parametrize("by", ["ref", "selector"])
@cases(
    "B041",
    below=f"<div style='height:3000px'></div>{GO}",
    far_right=f"<div style='width:4000px;text-align:right'>{GO}</div>",
    in_a_scroll_box="<div style='height:100px;overflow:auto'><div style='height:900px'></div>"
    f"{GO}</div>",
    in_a_box_below=f"<div style='height:2000px'></div><div style='height:90px;overflow:auto'>"
    f"<div style='height:900px'></div>{GO}</div>",
    in_a_frame_below="<div style='height:2000px'></div>"
    "<iframe srcdoc=\"<div style='height:900px'></div>"
    "<button onclick=&quot;parent.say('went')&quot;>Go</button>\"></iframe>",
    under_a_sticky_head="<div style='position:sticky;top:0;height:80px;background:#fff'>Head</div>"
    f"<div style='height:1500px'></div>{GO}<div style='height:3000px'></div>",
)
def test_what_is_off_screen_is_scrolled_into_view_and_pressed(hands: Hands, by: str, case: str) -> None:
    hands.show(case)
    hands.do("wait", "label=Go", "5000")
    target = "label=Go"
    if by == "ref":
        snapshot = hands.do("snapshot")
        ref = next(node["ref"] for node in snapshot["nodes"] if node.get("label") == "Go")
        target = f"@{ref}"
    pressed = hands.do("click", target)
    assert pressed["point"]["y"] >= 0
    assert hands.said() == "went"


# B041: where no scrolling leads.
@cases(
    "B041",
    left_of_the_page=('<button style="position:absolute;left:-500px">Go</button>', "left"),
    above_the_page=('<button style="position:absolute;top:-500px">Go</button>', "up"),
    fixed_below=('<button style="position:fixed;top:5000px">Go</button>', "down"),
)
def test_what_cannot_be_reached_is_refused_with_its_direction(
    hands: Hands, case: tuple[str, str]
) -> None:
    page, direction = case
    hands.show(page)
    refused = hands.ask("click", "label=Go")
    assert refused.code == "ELEMENT_OFFSCREEN"
    assert refused.error["details"]["direction"] == direction
    assert 'button "Go"' in refused.error["message"]


COVER = "position:fixed;inset:0;background:#fff"


# B042: what lies over the button, and what the error calls it.
@cases(
    "B042",
    a_cookie_banner=(
        f'<div role=dialog aria-label="Cookies" style="{COVER}"><button>Accept</button></div>',
        {"role": "dialog", "label": "Cookies"},
    ),
    a_region=(
        f'<section aria-label="Offer" style="{COVER}">Buy</section>',
        {"role": "region", "label": "Offer"},
    ),
    a_button=(
        f'<button style="{COVER};width:100%">Close</button>',
        {"role": "button", "label": "Close"},
    ),
    a_plain_box_with_text=(f'<div style="{COVER}"><p>Please wait</p></div>', {}),
    a_box_that_says_nothing=(f'<div style="{COVER}"></div>', {}),
)
def test_what_covers_an_element_is_named_with_a_ref(
    hands: Hands, case: tuple[str, dict[str, str]]
) -> None:
    overlay, expected = case
    hands.show(GO + overlay)
    for argv in (("click", "label=Go"), ("fill", "label=Go", "x"))[:1]:
        refused = hands.ask(*argv)
        assert refused.code == "ELEMENT_COVERED"
        cover = refused.error["details"]["coveredBy"]
        assert expected.items() <= cover.items()
        assert cover["role"] in refused.error["message"]
        assert f"@{cover['ref']}~s{cover['refsGeneration']}" in refused.error["message"]
        assert hands.do("get", "attrs", f"@{cover['ref']}")["attrs"]["role"] == cover["role"]
    assert hands.said() == ""


@cases("B042", the_banner_can_be_dealt_with=None)
def test_the_covering_element_can_be_acted_on_by_what_the_error_says(hands: Hands, case: None) -> None:
    hands.show(f'{GO}<button style="{COVER};width:100%" onclick="this.remove()">Dismiss</button>')
    cover = hands.ask("click", "label=Go").error["details"]["coveredBy"]
    hands.do("press", f"@{cover['ref']}~s{cover['refsGeneration']}")
    hands.do("click", "label=Go")
    assert hands.said() == "went"


# B044: a label that matches something that takes no activation, beside the row that is meant.
@cases(
    "B044",
    a_map_pin='image "HQ" rect=300:200:30:30 unhittable =pin, row "HQ, Main St" hittable =row',
    a_caption='text "HQ" =pin, link "HQ, Main St" =row',
)
def test_a_match_that_takes_no_activation_is_disclosed(hands: Hands, case: str) -> None:
    hands.app(
        f'document "Map"(main({case}, status "${{said}}" #said))',
        variables={"said": "nothing"},
        on=[{"press": "row", "do": [{"set": {"said": "opened"}}]}],
    )
    pressed = hands.do("press", "label=HQ")
    assert pressed["targetHittable"] is False
    assert "snapshot -i" in pressed["hint"]
    assert "takes no activation" in hands.text("press", "label=HQ")
    strict = hands.ask("press", "label=HQ hittable=true")
    assert strict.refused == ("ELEMENT_NOT_FOUND", "selector_not_found")
    assert hands.said() == "nothing"
    assert "targetHittable" not in hands.do("press", 'label="HQ, Main St"')
    assert hands.said() == "opened"


def button(label: str, style: str = "", **attributes: str) -> str:
    extra = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<button style='{style}'{extra} onclick=\"say('pressed')\">{label}</button>"


# B045: two things of one name. Size, place, order, state and id never choose.
TWO = {
    "two_equal_buttons": button("Remove") * 2,
    "one_much_larger": button("Remove", "width:400px;height:90px") + button("Remove"),
    "one_off_screen": button("Remove") + "<div style='height:3000px'></div>" + button("Remove"),
    "one_disabled": button("Remove", disabled="") + button("Remove"),
    "one_focused": button("Remove") + button("Remove", autofocus=""),
    "one_in_a_frame": button("Remove") + "<iframe srcdoc='<button>Remove</button>'></iframe>",
    "two_ids": button("Remove", id="first") + button("Remove", id="second"),
    "a_button_and_a_link": button("Remove") + "<a href='#x'>Remove</a>",
}


@cases("B045", **TWO)
def test_a_mutation_never_chooses_between_equals(hands: Hands, case: str) -> None:
    hands.show(case)
    for argv in (
        ("press", "label=Remove"),
        ("longpress", "label=Remove"),
        ("find", "Remove", "click"),
        ("press", "label=Remove", "--settle"),
    ):
        refused = hands.ask(*argv)
        assert refused.code == "AMBIGUOUS_MATCH"
        details = refused.error["details"]
        assert details["matchCount"] == 2
        assert len(details["candidates"]) == 2
        assert len(set(details["candidateLines"])) == 2
    assert hands.said() == ""
    first = details["candidates"][-1]
    hands.do("press", f"@{first['ref']}~s{details['refsGeneration']}")


@cases("B045", a_hidden_twin=button("Remove") + "<p aria-label=Remove role=img style='opacity:0'></p>")
def test_a_read_may_prefer_the_one_that_takes_activation_and_says_so(hands: Hands, case: str) -> None:
    hands.show(case)
    resolution = hands.do("get", "attrs", "label=Remove")["resolution"]
    assert resolution["kind"] == "disambiguated"
    assert resolution["tiebreak"] == "single-hittable"
    assert resolution["matchCount"] == 2
    assert not resolution["winnerDiagnostic"]["diagnostic"].startswith("@")


def row(number: int, text: str = "", action: str = "Edit") -> str:
    return f"<li>{text or f'Task {number}'} <button>{action}</button></li>"


# B046: seven rows, and how the first line tells its element from the others.
@cases(
    "B046",
    rows_of_a_list=(
        "<ul>" + "".join(map(row, range(1, 8))) + "</ul>",
        'button "Edit" in listitem "Task 1"',
    ),
    rows_of_a_table=(
        "<table><tr><th>Name<th>Do</tr>"
        + "".join(f"<tr><td>Ann {n}<td><button>Edit</button></tr>" for n in range(1, 8))
        + "</table>",
        'button "Edit" in row "Ann 1',
    ),
    plain_boxes=(
        "".join(f"<div><b>Card {n}</b><button>Edit</button></div>" for n in range(1, 8)),
        'button "Edit"',
    ),
    headings=(
        "".join(f"<h2>Part {n}</h2><button>Edit</button>" for n in range(1, 8)),
        'button "Edit" after heading "Part 1"',
    ),
    nothing_around=("<button>Edit</button>" * 7, 'button "Edit" number 1 of 7'),
)
def test_an_ambiguity_shows_its_candidates_told_apart(hands: Hands, case: tuple[str, str]) -> None:
    page, first = case
    hands.show(page)
    text = hands.complaint("press", "label=Edit")
    lines = [line.strip() for line in text.splitlines() if line.startswith("  ")]
    assert len(lines) == 6
    assert lines[5] == "+2 more"
    assert re.fullmatch(r"@e\d+~s\d+ " + re.escape(first) + r".*", lines[0])
    told = [line.partition(" ")[2] for line in lines]
    assert len(set(told)) == 6
    asked = hands.ask("press", "label=Edit").error
    assert [line.partition(" ")[2] for line in asked["details"]["candidateLines"]] == told
    assert asked["details"]["more"] == 2
    for line in told:
        assert line in asked["message"]
    with hands.client() as client, pytest.raises(SurefootError) as caught:
        client.press(label="Edit")
    assert [line.partition(" ")[2] for line in caught.value.details["candidateLines"]] == told
    listed = hands.text("find", "label", "Edit")
    assert listed.splitlines()[1].startswith('- button "Edit" [@e')


# B047: what an inspection is spelled like; the one match must not be pressed.
@cases(
    "B047",
    find=("find", "Dictionary"),
    find_list=("find", "Dictionary", "list"),
    find_exists=("find", "Dictionary", "exists"),
    find_by_role=("find", "role", "button"),
    find_text=("find", "Dictionary", "get_text"),
    find_wait=("find", "Dictionary", "wait", "500"),
    get=("get", "attrs", "label=Dictionary"),
    a_question=("is", "enabled", "label=Dictionary"),
)
def test_an_inspection_never_mutates(hands: Hands, case: tuple[str, ...]) -> None:
    hands.show("<button onclick=\"say('opened')\" onfocus=\"say('focused')\">Dictionary</button>")
    hands.do("snapshot", "-i")
    hands.do(*case)
    assert hands.said() == ""


@cases(
    "B047",
    nothing_found=("press", "label=Dictionery"),
    several_found=("press", "role=button"),
    a_timeout=("wait", "label=Nothing", "10"),
    an_old_ref=("press", "@e2~s1"),
)
def test_the_advice_of_an_error_is_an_inspection(hands: Hands, case: tuple[str, ...]) -> None:
    hands.show(
        "<button onclick=\"say('a')\">Dictionary</button><button onclick=\"say('b')\">Other</button>"
    )
    hint = hands.ask(*case).error["hint"]
    for advised in re.findall(r"`surefoot ([^`]*)`", hint):
        if "<" not in advised:
            assert hands.run(*advised.split()).returncode == 0
    assert hands.said() == ""


DELETE = "<button onclick=\"say('deleted')\">Delete</button>" * 1


# B048: the first of two steps fails in some way; the second must not run.
@cases(
    "B048",
    not_found=(["click", "label=Missing"], "ELEMENT_NOT_FOUND"),
    several=(["click", "role=button"], "AMBIGUOUS_MATCH"),
    disabled=(["click", "label=Off"], "ELEMENT_DISABLED"),
    a_question_with_the_answer_no=(["is", "enabled", "label=Off"], "COMMAND_FAILED"),
    a_wait_that_ran_out=(["wait", "label=Missing", "10"], "TIMEOUT"),
    an_old_ref=(["click", "@e2~s1"], "COMMAND_FAILED"),
)
def test_a_batch_stops_at_its_first_failure(hands: Hands, case: tuple[list[str], str]) -> None:
    step, code = case
    hands.show(f"{DELETE}<button disabled>Off</button>")
    steps = json.dumps([step, ["click", "label=Delete"]])
    failed = hands.ask("batch", "--steps", steps)
    assert failed.code == code
    assert failed.error["details"]["step"] == 1
    assert hands.said() == ""


@cases(
    "B048",
    a_misspelled_step=[["clik", "label=Delete"]],
    a_bad_selector=[["click", "labell=Delete"]],
    a_flag_that_is_none=[["click", "label=Delete", "--nope"]],
)
def test_a_batch_with_a_bad_step_runs_none(hands: Hands, case: list[list[str]]) -> None:
    hands.show(DELETE)
    failed = hands.ask("batch", "--steps", json.dumps([["click", "label=Delete"], *case]))
    assert failed.code == "INVALID_ARGS"
    assert failed.error["details"]["step"] == 2
    assert hands.said() == ""


# B042: a miss is told from a cover, and says what was seen instead.
@cases(
    "B042",
    a_part_of_the_label=("label=Gen", 'Closest: heading "General settings"'),
    another_case=('label="general settings"', 'Closest: heading "General settings"'),
    a_misspelling=('role=button label="Svae"', 'Closest: button "Save"'),
    nothing_like_it=("label=Qwxyz", 'On the screen: page "Page" with buttons "Save"'),
)
def test_a_miss_names_what_is_closest_or_what_is_there(hands: Hands, case: tuple[str, str]) -> None:
    selector, seen = case
    hands.show("<h1>General settings</h1><button>Save</button>")
    missed = hands.ask("press", selector)
    assert missed.refused == ("ELEMENT_NOT_FOUND", "selector_not_found")
    assert selector in missed.error["message"]
    assert seen in missed.error["message"]
