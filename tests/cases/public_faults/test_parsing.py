"""Words of a caller and lines of a script: read as meant, or refused at once with the right form."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.faults import Hands, cases

from surefoot.commands import SCRIPT_GRAMMAR
from surefoot.errors import ErrorCode, SurefootError
from surefoot.plan import load_plan
from surefoot.script import Scope, Script, Template, action_node, literal, write_script
from surefoot.selectors import parse_selector, write_selector


# B071: a word that is no part of the form, the word that has to be named, and the form to show.
@cases(
    "B071",
    wait_visible=(("wait", "visible", 'label="General"', "5000"), "visible"),
    wait_exists=(("wait", "exists", 'label="General"', "5000"), "exists"),
    wait_for=(("wait", "for", 'label="General"'), "for"),
    wait_hidden=(("wait", "hidden", 'label="General"', "5000"), "hidden"),
    a_misspelled_key=(("wait", 'lable="General"', "5000"), "lable"),
    a_plain_word=(("wait", "General", "5000"), "General"),
    a_time_with_a_unit=(("wait", "label=General", "5s"), "5s"),
    a_negative_time=(("wait", "label=General", "-5"), "-5"),
    is_with_an_unknown_predicate=(("is", "visibel", "label=General"), "visibel"),
    get_with_an_unknown_field=(("get", "txt", "label=General"), "txt"),
    find_with_an_unknown_action=(("find", "label", "General", "clik"), "clik"),
    a_flag_that_is_none=(("wait", "label=General", "--timout", "5"), "--timout"),
    a_command_that_is_none=(("clik", "label=General"), "clik"),
)
def test_a_misplaced_word_is_refused_at_once_with_the_right_form(
    hands: Hands, case: tuple[tuple[str, ...], str]
) -> None:
    argv, word = case
    hands.show("<h1>General</h1>")
    begun = time.monotonic()
    refused = hands.ask(*argv)
    assert time.monotonic() - begun < 2
    assert refused.code == "INVALID_ARGS"
    error = refused.error
    assert word in error["message"]
    told = error["message"] + error["hint"]
    assert "surefoot " in told or "did you mean" in told


@cases("B071", wait_text_with_a_selector='label="General"')
def test_a_text_that_looks_like_a_selector_times_out_with_the_form_it_may_mean(
    hands: Hands, case: str
) -> None:
    hands.show("<h1>General</h1>")
    late = hands.ask("wait", "text", case, "100")
    assert late.refused == ("TIMEOUT", "wait_text_missing")
    assert f"surefoot wait '{case}'" in late.error["hint"]
    hands.show('<p>Write label="General" here</p>')
    hands.do("wait", "text", case, "100")


QUOTED = {
    "double_quotes": ('Say "hi"', '"Say \\"hi\\""'),
    "a_single_quote": ("it's", '"it\'s"'),
    "in_single_quotes": ('Say "hi"', "'Say \"hi\"'"),
    "a_backslash": ("C:\\x", '"C:\\\\x"'),
    "a_code_point": ("caf\u00e9", '"caf\\u00e9"'),
    "a_pair_of_escapes": ("\U0001f600", '"\\ud83d\\ude00"'),
    "bars": ("a || b", '"a || b"'),
    "an_equals_sign": ("a=b", '"a=b"'),
}


# B076: the label, and how a selector writes it.
@cases("B076", **QUOTED)
def test_escapes_in_a_selector_are_decoded(hands: Hands, case: tuple[str, str]) -> None:
    label, written = case
    hands.show(
        "<button>Other</button><script>const b = document.createElement('button');"
        f"b.textContent = {json.dumps(label)}; b.onclick = () => say('pressed');"
        "document.body.append(b)</script>"
    )
    hands.do("click", f"label={written}")
    assert hands.said() == "pressed"
    selector = parse_selector(f"label={written}")
    assert parse_selector(write_selector(selector)) == selector
    hands.do("click", write_selector(selector))


def written(*positionals: str) -> str:
    action = action_node("fill", [literal(text) for text in positionals], {})
    return write_script(Script(path="x.ad", nodes=(action,)), SCRIPT_GRAMMAR)


def read(text: str) -> tuple[Template, ...]:
    plan = load_plan(text.encode(), path="x.ad", grammar=SCRIPT_GRAMMAR, scope=Scope.of())
    return plan.steps[0].positionals


# B077: an argument as it must come back from its script.
@cases(
    "B077",
    two_spaces="  two  spaces  ",
    only_spaces="   ",
    tabs="\ta\t\tb",
    empty="",
    a_hash_first="# no comment",
    a_hash_inside="a # b",
    quotes="\"'\" '\"'",
    a_backslash_at_the_end="C:\\",
    a_dollar_brace="${NOT_A_VARIABLE} $x \\${y}",
    line_breaks="one\ntwo\r\nthree",
    a_no_break_space="\u00a0a\u00a0",
    a_dash="--count",
)
def test_an_argument_survives_writing_and_reading(case: str) -> None:
    assert read(written('id="q"', case)) == (literal('id="q"'), literal(case))


@cases("B077", any_text=None)
def test_every_argument_survives_writing_and_reading(case: None) -> None:
    @given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40))
    def law(text: str) -> None:
        assert read(written('id="q"', text)) == (literal('id="q"'), literal(text))

    law()


# B078: a line, and the arguments it has.
@cases(
    "B078",
    an_escaped_single_quote=("wait text 'it\\'s'", ("text", "it's")),
    an_escape_in_double_quotes=('wait text "a\\nb"', ("text", "a\nb")),
    no_escapes_in_single_quotes=("wait text 'a\\nb'", ("text", "a\\nb")),
    a_code_point=('wait text "\\u00e9"', ("text", "\u00e9")),
    double_quotes_in_single_ones=("wait text 'say \"hi\"'", ("text", 'say "hi"')),
    single_quotes_in_double_ones=('wait text "it\'s"', ("text", "it's")),
    a_selector_with_blanks=('click label="Two words"', ('label="Two words"',)),
)
def test_a_quoted_argument_is_decoded_by_the_grammar(case: tuple[str, tuple[str, ...]]) -> None:
    line, positionals = case
    plan = load_plan(line.encode(), path="x.ad", grammar=SCRIPT_GRAMMAR, scope=Scope.of())
    assert plan.steps[0].positionals == tuple(map(literal, positionals))


# B078: a script, and where its fault is.
@cases(
    "B078",
    an_unclosed_double_quote=('open http://x\nclick "abc', 2, 7),
    an_unclosed_single_quote=("open http://x\nclick 'abc", 2, 7),
    an_unclosed_quote_in_a_selector=('open http://x\n\n  click label="abc', 3, 15),
    a_bad_escape=('open http://x\nclick "a\\qb"', 2, None),
    an_unclosed_quote_on_the_last_of_many_lines=("click label=a\n" * 39 + 'fill id=q "x', 40, 11),
)
def test_a_bad_line_is_refused_with_its_place_before_anything_runs(
    hands: Hands, case: tuple[str, int, int | None]
) -> None:
    text, line, column = case
    hands.show("<button id=a onclick=\"say('pressed')\">a</button>")
    hands.file("bad.ad", text)
    refused = hands.ask("replay", "bad.ad")
    assert refused.code == "INVALID_ARGS"
    details = refused.error["details"]
    assert details["line"] == line
    if column is not None:
        assert details["column"] == column
    assert f"bad.ad:{line}:{details['column']}" in refused.error["message"]
    shown = hands.complaint("replay", "bad.ad").splitlines()
    assert any(text.strip() == "^" or set(text.strip()) == {"^"} for text in shown)
    assert hands.said() == ""
    with pytest.raises(SurefootError) as caught:
        load_plan(text.encode(), path="bad.ad", grammar=SCRIPT_GRAMMAR, scope=Scope.of())
    assert caught.value.code is ErrorCode.INVALID_ARGS


MODAL = """<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend',
`<div role=dialog aria-modal=true aria-label="Rate us" style="position:fixed;inset:0;background:#fff">
<button>Later</button><button>Rate now</button></div>`), 30)</script>"""


# B073: what shows up instead, and what the timeout says of it.
@pytest.mark.parametrize("wait", ["text", "selector", "absent", "find"])
@cases(
    "B073",
    a_modal_of_the_page=(MODAL, "dialog", "Rate us", ["Later", "Rate now"]),
    a_dialog_element=(
        "<script>setTimeout(() => { const d = document.createElement('dialog');"
        "d.innerHTML = '<h2>Session expired</h2><button>Sign in</button>';"
        "document.body.append(d); d.showModal() }, 30)</script>",
        "dialog",
        "Session expired",
        ["Sign in"],
    ),
    another_page=("<h1>Not found</h1><button>Home</button>", "page", "Page", ["Home"]),
)
def test_a_timeout_says_what_is_on_the_screen(
    hands: Hands, wait: str, case: tuple[str, str, str, list[str]]
) -> None:
    page, kind, title, buttons = case
    hands.show(page)
    argv = {
        "text": ("wait", "text", "Saved", "250"),
        "selector": ("wait", "label=Saved", "250"),
        "absent": ("wait", "absent", "role=document", "250"),
        "find": ("find", "Saved", "wait", "250"),
    }[wait]
    late = hands.ask(*argv)
    assert late.code == "TIMEOUT"
    surface = late.error["details"]["surface"]
    assert (surface["kind"], surface["title"]) == (kind, title)
    assert surface["buttons"] == buttons
    text = hands.complaint(*argv)
    for word in (title, *buttons):
        assert json.dumps(word) in text


@cases("B073", a_native_dialog=None)
def test_a_wait_ends_at_once_for_a_native_dialog_and_says_so(hands: Hands, case: None) -> None:
    hands.show("<script>setTimeout(() => alert('Disk full'), 100)</script>")
    begun = time.monotonic()
    ended = hands.ask("wait", "label=Saved", "8000")
    assert time.monotonic() - begun < 4
    assert ended.code == "DIALOG_PENDING"
    assert "Disk full" in ended.error["message"]
    assert "surefoot dialog" in ended.error["hint"]
    hands.do("dialog", "accept")
