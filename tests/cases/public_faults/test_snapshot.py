"""What a snapshot shows: everything that can be acted on, nothing that cannot, one line a node."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from tests.support.faults import Hands, cases, ref_of

from surefoot.text import normalize

TABS = "<div onclick=\"parent.say('one')\">One</div><div onclick=\"parent.say('two')\">Two</div>"


def srcdoc(body: str) -> str:
    return f'<iframe title="Inside" srcdoc="{html.escape(body)}"></iframe>'


# B013: what is in the frame; "Two" in it is pressed.
@cases(
    "B013",
    onclick=TABS,
    cursor_pointer="<style>div {cursor: pointer}</style><div>One</div><div>Two</div>"
    "<script>document.body.onclick = e => parent.say(e.target.textContent.toLowerCase())</script>",
    listener="<div>One</div><div id=two>Two</div><script>document.getElementById('two')"
    ".addEventListener('click', () => parent.say('two'))</script>",
    tabindex="<div tabindex=0>One</div><div tabindex=0 onclick=\"parent.say('two')\">Two</div>",
    a_frame_in_the_frame=srcdoc(TABS.replace("parent.say", "parent.parent.say")).replace(
        "<iframe", "<iframe style='height:90px'"
    ),
)
def test_a_clickable_box_in_a_frame_has_a_ref_that_works(hands: Hands, case: str) -> None:
    hands.show(srcdoc(case))
    hands.do("wait", "label=Two", "5000")
    hands.do("click", hands.ref("Two"))
    assert hands.said() == "two"


# B017: elements of an Android screen that say nothing of themselves.
@cases(
    "B017",
    a_clickable_view=("generic hittable =A", {"role": "generic", "hittable": True}),
    a_check_box_with_an_id_only=(
        'checkbox #"app:id/agree" unchecked =A',
        {"role": "checkbox", "id": "app:id/agree", "checked": "false"},
    ),
    an_image_button="button =A",
    an_empty_field=("textbox =A", {"role": "textbox"}),
)
def test_an_element_without_text_is_listed_and_can_be_pressed(hands: Hands, case: Any) -> None:
    notation, expected = case if isinstance(case, tuple) else (case, {"role": "button"})
    hands.app(
        f'document "App"({notation}, status "${{said}}" #said)',
        flavour="android",
        variables={"said": "nothing"},
        on=[{"press": "A", "do": [{"set": {"said": "pressed"}}]}],
    )
    node = next(node for node in hands.nodes("-i") if node["role"] == expected["role"])
    assert expected.items() <= node.items()
    hands.do("press", "@" + node["ref"])
    assert hands.said() == "pressed"


FIVE = "".join(f"<button onclick=\"say('{n}')\">B{n}</button>" for n in range(1, 6))
OVER = "position:fixed;inset:0;background:#fff8"


# B031: what lies over five buttons, and how many of them it covers.
@cases(
    "B031",
    a_full_screen_box=(f'<div style="{OVER}"></div>', 5),
    a_box_that_lets_through=(f'<div style="{OVER};pointer-events:none"></div>', 0),
    a_box_over_two=('<div style="position:fixed;left:0;top:0;width:140px;height:60px"></div>', 2),
    an_invisible_box_that_takes_hits=(f'<div style="{OVER};opacity:0"></div>', 5),
    a_hidden_box=(f'<div style="{OVER};visibility:hidden"></div>', 0),
    a_modal_of_the_page=(f'<div role=dialog aria-label=Rate style="{OVER}">Rate us</div>', 5),
)
def test_what_is_covered_is_marked_and_counted(hands: Hands, case: tuple[str, int]) -> None:
    overlay, covered = case
    hands.show(FIVE + overlay)
    data = hands.do("snapshot", "-i")
    marked = [n["label"] for n in data["nodes"] if "coveredBy" in n and n["role"] == "button"]
    shown = [n["label"] for n in data["nodes"] if n["role"] == "button"]
    free = [label for label in shown if label not in marked]
    assert len(free) == 5 - covered
    assert data.get("covered", 0) >= covered - len(marked)
    if covered:
        text = hands.text("snapshot", "-i")
        assert re.search(r"# \d+ nodes? covered by something else|\[covered by ", text)
    pressed = hands.ask("press", "label=B1")
    assert pressed.body["success"] is (covered == 0)
    assert hands.said() == ("1" if covered == 0 else "")


# B032: a scope that denotes nothing, in every spelling, on both platforms: one rule.
@cases(
    "B032",
    a_label=("Nope", "scope_not_found"),
    a_selector=('label="Nope"', "scope_not_found"),
    a_role_selector=("role=dialog", "scope_not_found"),
    part_of_a_label=("Sav", "scope_not_found"),
)
def test_a_scope_that_matches_nothing_shows_nothing_and_says_so(
    hands: Hands, case: tuple[str, str]
) -> None:
    scope, reason = case
    answers = []
    for platform in ("web", "sim"):
        if platform == "web":
            hands.show("<main><button>Save</button></main>")
        else:
            hands.app('document "Page"(main(button "Save"))')
        for argv in (("snapshot",), ("snapshot", "-i"), ("snapshot", "--raw")):
            data = hands.do(*argv, "-s", scope)
            answers.append((data["nodes"], data.get("reason")))
        assert "no node matches the scope" in hands.text("snapshot", "-s", scope)
    assert answers == [([], reason)] * 6


@cases("B032", a_ref_that_was_never_given="@e999")
def test_a_scope_by_an_unknown_ref_is_an_error(hands: Hands, case: str) -> None:
    hands.show("<main><button>Save</button></main>")
    hands.do("snapshot")
    refused = hands.ask("snapshot", "-s", case)
    assert refused.refused == ("COMMAND_FAILED", "ref_not_issued")


AWKWARD = {
    "quotes": 'Say "hi"',
    "a_backslash": "C:\\temp\\new",
    "a_line_break": "one\ntwo",
    "a_tab": "a\tb",
    "all_of_them": '"\\\n\t\r"',
    "a_closing_bracket": "x] [@e1] [disabled",
    "an_escape_sequence": "\x1b[2Jgone",
    "line_separators": "a\u2028b\u2029c\u0085d",
    "direction_overrides": "abc\u202edef\u202c",
    "an_astral_character": "😀 \U00020000",
}


# B069: the label stands on one line as a JSON string, and the selector of it finds the element.
@cases("B069", **AWKWARD)
def test_a_label_with_syntax_in_it_stays_one_line(hands: Hands, case: str) -> None:
    hands.show(
        "<script>const b = document.createElement('button');"
        f"b.setAttribute('aria-label', {json.dumps(case)});"
        "b.onclick = () => say('pressed'); document.body.append(b)</script>"
    )
    lines = [line for line in hands.text("snapshot", "-i").splitlines() if "- button" in line]
    assert len(lines) == 1
    found = re.fullmatch(r'- button ("(?:[^"\\]|\\.)*") \[@e\d+\]', lines[0])
    assert found is not None
    assert all(character >= " " for character in found[1])
    shown = json.loads(found[1])
    label = next(node["label"] for node in hands.nodes("-i") if node["role"] == "button")
    assert normalize(shown) == label
    hands.do("press", f"role=button label={json.dumps(label)}")
    assert hands.said() == "pressed"


# B029: labels an encoder may not survive, as JavaScript writes them; what JSON shows of them.
@cases(
    "B029",
    an_emoji=("'\\u{1F600} ok'", "😀 ok"),
    an_ideograph_of_extension_b=("'\\u{20BB7}'", "\U00020bb7"),
    half_a_pair=("'a\\ud83db'", "a\ufffdb"),
    the_other_half=("'a\\ude00b'", "a\ufffdb"),
    a_pair_the_wrong_way_round=("'\\ude00\\ud83d'", "\ufffd\ufffd"),
    a_family_of_joined_emoji=("'👨\\u200d👩\\u200d👧'", "👨\u200d👩\u200d👧"),
)
def test_any_text_survives_a_snapshot(hands: Hands, case: tuple[str, str]) -> None:
    written, expected = case
    hands.show(
        "<script>const b = document.createElement('button');"
        f"b.setAttribute('aria-label', {written}); document.body.append(b)</script>"
    )
    data = hands.do("snapshot", "-i")
    label = next(node["label"] for node in data["nodes"] if node["role"] == "button")
    assert label == expected
    if "\ufffd" in expected:
        assert any("U+FFFD" in warning for warning in data["warnings"])
    hands.do("press", ref_of(data, label))
    assert "- button" in hands.text("snapshot", "-i")


@cases("B029", on_another_platform='document "App"(button "\\ud83d ok", button "😀 \U00020bb7")')
def test_any_text_survives_a_snapshot_of_another_platform(hands: Hands, case: str) -> None:
    hands.app(case)
    labels = [node["label"] for node in hands.nodes("-i") if node["role"] == "button"]
    assert labels == ["\ufffd ok", "😀 \U00020bb7"]


# B067, B068: how the page writes a name, and how a caller writes it.
NAMES = {
    "a_no_break_space": ("foo&nbsp;bar", "foo bar"),
    "a_narrow_no_break_space": ("foo&#8239;bar", "foo bar"),
    "a_run_of_blanks": ("foo \n  bar", "foo bar"),
    "blanks_around": ("  foo bar ", "foo bar"),
    "written_with_the_no_break_space": ("foo&nbsp;bar", "foo\u00a0bar"),
    "decomposed_letters": ("Cafe&#769;", "Caf\u00e9"),
}
IGNORABLE = {
    "a_soft_hyphen": ("super&shy;cali", "supercali"),
    "a_zero_width_space": ("super&#8203;cali", "supercali"),
    "a_byte_order_mark": ("super&#xfeff;cali", "supercali"),
    "a_direction_mark": ("super&lrm;cali", "supercali"),
    "written_with_the_soft_hyphen": ("supercali", "super\u00adcali"),
}


def _means_it(hands: Hands, written: str, name: str) -> None:
    hands.show(f"<button onclick=\"say('pressed')\">{written}</button>")
    selector = f"label={json.dumps(name)}"
    hands.do("press", selector)
    assert hands.do("is", "visible", selector)["passed"] is True
    assert hands.do("is", "text", "role=button", name)["passed"] is True
    hands.do("wait", selector, "1000")
    hands.do("wait", "text", name, "1000")
    assert hands.do("find", name)["matchCount"] == 1
    assert hands.said() == "pressed"


@cases("B067", **NAMES)
def test_blanks_are_one_kind_in_every_command(hands: Hands, case: tuple[str, str]) -> None:
    _means_it(hands, *case)


@cases("B068", **IGNORABLE)
def test_characters_nobody_sees_do_not_count(hands: Hands, case: tuple[str, str]) -> None:
    _means_it(hands, *case)


@cases("B067", recorded_and_replayed=("foo&nbsp;bar", "foo bar"))
def test_a_recording_of_such_a_name_replays(hands: Hands, case: tuple[str, str]) -> None:
    _replays(hands, *case)


@cases("B068", recorded_and_replayed=("super&shy;cali", "supercali"))
def test_a_recording_of_a_name_with_invisible_characters_replays(
    hands: Hands, case: tuple[str, str]
) -> None:
    _replays(hands, *case)


def _replays(hands: Hands, written: str, name: str) -> None:
    url = hands.page(f"<button onclick=\"say('pressed')\">{written}</button>")
    script = hands.cwd / f"name-{len(hands.pages.page('x'))}-{name[:3]}.ad"
    hands.session = "recorded"
    try:
        hands.do("open", url, f"--save-script={script}")
        hands.do("press", hands.ref(name))
        hands.do("close")
        assert f'label=\\"{name}\\"' in script.read_text()
        assert hands.do("replay", str(script))["replayed"] == 3
    finally:
        hands.ask("close")
        hands.session = "web"
