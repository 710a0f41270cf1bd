"""Entering text: it arrives byte for byte, or the answer says what is there instead."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.faults import Hands, cases

HOSTILE = "a; echo hi $(id) 'q' \"w\" `x` *"
TEXTS = {
    "the_row": HOSTILE,
    "a_variable": "$HOME ${PATH} %PATH% !!",
    "a_pipe_and_a_redirection": "x | tee /tmp/owned > /tmp/owned && :",
    "a_line_that_ends_the_quote": "'; touch owned; '",
    "backslashes": "C:\\new\\table \\' \\\"",
    "a_leading_dash": "--force",
    "markup": "<img src=x onerror=say('owned')>",
    "javascript": "'); say('owned'); ('",
    "protocol_syntax": '"}}\u0000'.replace("\u0000", "") + '{"id":1}',
    "blanks_at_both_ends": "  two  spaces  ",
    "other_scripts": "žluťoučký 漢字 עברית 😀",
}
FIELD = '<input aria-label="Field">'


# B057: a text that a shell, a page or a protocol could take for a command.
@cases("B057", **TEXTS)
def test_a_text_arrives_as_it_is_and_nothing_is_executed(hands: Hands, case: str) -> None:
    hands.show(FIELD)
    done = hands.do("fill", "label=Field", "--", case)
    assert done["text"]["value"] == case
    hands.do("press", "label=Field")
    assert hands.do("fill", "label=Field", "")["text"]["value"] == ""
    hands.do("press", "label=Field")
    assert hands.do("type", "--", case)["text"]["value"] == case
    assert hands.do("get", "attrs", "label=Field")["attrs"]["value"] == case
    assert hands.said() == ""
    assert not (hands.cwd / "owned").exists()


@cases(
    "B057",
    **{
        f"recorded_{name}": TEXTS[name]
        for name in ("the_row", "a_variable", "backslashes", "blanks_at_both_ends", "other_scripts")
    },
)
def test_a_text_survives_its_script(hands: Hands, case: str) -> None:
    hands.app('document "App"(textbox "Field" #field)')
    hands.ask("close")
    script = hands.cwd / "text.ad"
    script.unlink(missing_ok=True)
    app = sorted(hands.cwd.glob("app*.json"), key=lambda file: file.stat().st_mtime)[-1]
    hands.do("open", f"./{app.name}", "--platform", "sim", f"--save-script={script}")
    hands.do("fill", "id=field", "--", case)
    hands.do("close")
    kept = hands.cwd / "kept.ad"
    kept.write_text(script.read_text().removesuffix("close\n"))
    hands.do("replay", str(kept))
    assert hands.do("get", "attrs", "id=field")["attrs"]["value"] == case


BLOCKING = """<input aria-label="Field"><script>
document.querySelector('input').addEventListener('input', () => {
  const until = performance.now() + 60; while (performance.now() < until); });
</script>"""
FORTY = "The quick brown fox jumps over the lazy!"


# B060: fields that are slow, or that lose or change what is entered; what they hold in the end.
@cases(
    "B060",
    a_handler_that_blocks=(BLOCKING, FORTY),
    a_field_that_is_drawn_anew="""<div id=box></div><script>
function draw(v) { box.innerHTML = '<input aria-label="Field">'; const i = box.firstChild;
  i.value = v; i.oninput = () => { if (i.value.length == 1) { draw(i.value);
  box.firstChild.focus(); box.firstChild.setSelectionRange(1, 1) } } } draw('')</script>""",
    a_controlled_field="""<input aria-label="Field"><script>let state = ''; const f =
document.querySelector('input'); f.oninput = () => { state = f.value; f.value = '';
setTimeout(() => f.value = state) }</script>""",
)
def test_every_character_arrives_once_and_in_order(hands: Hands, case: Any) -> None:
    page, text = case if isinstance(case, tuple) else (case, "Hello")
    hands.show(page)
    done = hands.do("fill", "label=Field", text)
    assert done["text"]["value"] == text
    assert hands.do("get", "attrs", "label=Field")["attrs"]["value"] == text


# B060, B064: what the field makes of the text, and what the error shows as there now.
CHANGING = {
    "upper_case": ("f.value = f.value.toUpperCase()", "Item one", "ITEM ONE"),
    "digits_only": ("f.value = f.value.replace(/\\D/g, '')", "a1b2", "12"),
    "cut_off": ("f.value = f.value.slice(0, 3)", "Item one", "Ite"),
    "doubled": ("f.value = f.value.replace(/(.)$/, '$1$1')", "ab", None),
    "emptied": ("f.value = ''", "Item one", ""),
}


@cases("B060", **CHANGING)
def test_a_field_that_holds_something_else_is_an_error_that_shows_it(
    hands: Hands, case: tuple[str, str, str | None]
) -> None:
    _mismatch(hands, case, ())


@cases("B064", **{f"by_keys_{name}": case for name, case in CHANGING.items()})
def test_keys_one_by_one_are_read_back_too(hands: Hands, case: tuple[str, str, str | None]) -> None:
    _mismatch(hands, case, ("--delay-ms", "5"))


def _mismatch(hands: Hands, case: tuple[str, str, str | None], flags: tuple[str, ...]) -> None:
    handler, text, actual = case
    hands.show(
        f'{FIELD}<script>const f = document.querySelector("input"); f.oninput = () => {{ {handler} }}'
        "</script>"
    )
    failed = hands.ask("fill", "label=Field", text, *flags)
    assert failed.refused == ("COMMAND_FAILED", "text_mismatch")
    details = failed.error["details"]
    assert details["typed"] is True
    assert details["actual"] == hands.do("get", "attrs", "label=Field")["attrs"].get("value", "")
    if actual is not None:
        assert details["actual"] == actual
    assert (json.dumps(details["actual"]) if details["actual"] else "nothing") in failed.error[
        "message"
    ]
    assert 'textbox "Field"' in failed.error["message"]


@cases(
    "B064",
    partial_on_another_platform='textbox "Name" #f drops=" "',
    by_keys='textbox "Name" #f drops=e',
)
def test_a_partial_text_on_another_platform_never_passes(hands: Hands, case: str) -> None:
    hands.app(f'document "App"({case})')
    failed = hands.ask("fill", "id=f", "Item one", "--delay-ms", "1")
    assert failed.refused == ("COMMAND_FAILED", "text_mismatch")
    assert failed.error["details"]["actual"] in ("Itemone", "Itm on")


@cases("B060", a_first_try_that_is_damaged='textbox "Name" #f dropsonce')
def test_a_damaged_entry_is_cleared_and_entered_once_more(hands: Hands, case: str) -> None:
    hands.app(f'document "App"({case})')
    assert hands.do("fill", "id=f", FORTY)["text"] == {"value": FORTY, "retried": True}


@cases("B060", a_secret_is_masked="hunter2")
def test_a_mismatch_of_a_secret_does_not_show_it(hands: Hands, case: str) -> None:
    hands.show(
        '<input type=password aria-label="Field"><script>const f = document.querySelector("input");'
        "f.oninput = () => { f.value = f.value.slice(0, 6) }</script>"
    )
    failed = hands.ask("fill", "label=Field", case)
    assert failed.reason == "text_mismatch"
    assert "hunter" not in json.dumps(failed.body)
    assert "typed" in failed.error["message"]


EDITABLE = '<div contenteditable role=textbox aria-label="Note" style="min-height:80px">{0}</div>'
LINES = "L1\nL2\nL3"


# B061: line breaks, in what takes them.
@pytest.mark.parametrize("how", [(), ("--delay-ms", "2")], ids=["at-once", "by-keys"])
@cases(
    "B061",
    contenteditable=EDITABLE.format(""),
    plaintext_only=EDITABLE.format("").replace("contenteditable", "contenteditable=plaintext-only"),
    with_content_before=EDITABLE.format("<p>old</p><p>text</p>"),
    a_text_area='<textarea aria-label="Note" rows=5></textarea>',
    blank_lines_between=EDITABLE.format("<div>x</div>"),
)
def test_line_breaks_arrive(hands: Hands, how: tuple[str, ...], case: str) -> None:
    hands.show(case)
    done = hands.do("fill", "label=Note", LINES, *how)
    assert done["text"]["value"] == LINES
    assert hands.do("get", "attrs", "label=Note")["attrs"]["value"] == LINES


@cases("B061", in_a_field_of_one_line=FIELD)
def test_line_breaks_in_a_field_of_one_line_are_refused(hands: Hands, case: str) -> None:
    hands.show(case)
    failed = hands.ask("fill", "label=Field", LINES)
    assert failed.code == "COMMAND_FAILED"
    assert failed.reason in ("text_mismatch", "bad_value")


# B062: fill replaces, read-back reads what the element shows.
@cases(
    "B062",
    contenteditable=EDITABLE.format(""),
    with_content_before=EDITABLE.format("<b>Old</b> text"),
    an_editable_span='<span contenteditable role=textbox aria-label="Note">x</span>',
    an_editor_that_wraps_in_paragraphs=EDITABLE.format("<p><br></p>"),
    an_input='<input aria-label="Note" value="Old">',
    a_text_area='<textarea aria-label="Note">Old</textarea>',
)
def test_filling_twice_leaves_the_text_once(hands: Hands, case: str) -> None:
    hands.show(case)
    for _ in range(2):
        assert hands.do("fill", "label=Note", "Hello")["text"]["value"] == "Hello"
    assert hands.do("get", "attrs", "label=Note")["attrs"]["value"] == "Hello"
    assert hands.do("fill", "label=Note", "")["text"]["value"] == ""
