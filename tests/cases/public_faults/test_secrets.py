"""Secrets: never in a capture, an answer, a log or a file; and redaction that touches nothing else."""

from __future__ import annotations

import json
from typing import Any

from tests.support.faults import Hands, cases

CANARY = "tulip-Walrus-93"


def everything(hands: Hands) -> str:
    """What every way of looking at the screen says."""
    answers = []
    for argv in (
        ("snapshot", "-i"),
        ("snapshot", "--raw", "--json"),
        ("snapshot", "--level", "digest"),
        ("diff", "snapshot"),
        ("find", "role", "textbox"),
        ("get", "attrs", "id=pw"),
        ("get", "text", "id=pw"),
        ("wait", "label=Never", "1"),
        ("press", "label=Never"),
        ("tab", "list"),
        ("session", "list"),
        ("events", "--json"),
    ):
        done = hands.run(*argv)
        answers.append(done.stdout + done.stderr)
    with hands.client() as client:
        answers.append(repr(client.snapshot(raw=True)))
    return "\n".join(answers)


# B033: password fields, and what a capture says of them.
@cases(
    "B033",
    an_input=f'<input id=pw type=password value="{CANARY}" aria-label=Password>',
    in_a_frame='<input id=pw type=password value="x" aria-label=Outer>'
    f"<iframe srcdoc='<input type=password value=\"{CANARY}\" aria-label=Password>'></iframe>",
    in_a_shadow_root="<div id=pw role=group aria-label=Box></div><script>"
    "document.getElementById('pw').attachShadow({mode: 'open'}).innerHTML ="
    f"'<input type=password value=\"{CANARY}\" aria-label=Password>'</script>",
    with_a_label_around=f'<label>Password <input id=pw type=password value="{CANARY}"></label>',
    labelled_by_itself="<input id=pw type=password aria-labelledby=pw "
    f'value="{CANARY}" title=Password>',
    revealed_and_hidden_again=f'<input id=pw type=password value="{CANARY}" aria-label=Password>'
    "<script>const i = document.getElementById('pw'); i.type = 'text'; i.type = 'password'</script>",
)
def test_the_value_of_a_password_field_is_in_no_capture(hands: Hands, case: str) -> None:
    hands.show(case)
    assert CANARY not in everything(hands)
    node = next(node for node in hands.nodes("-i") if node.get("password") and node["hasValue"])
    assert "value" not in node
    assert "[password, filled]" in hands.text("snapshot", "-i")


@cases("B033", another_platform='textbox "Password" #pw password value="hunter2"')
def test_the_value_of_a_password_field_of_another_platform_is_in_no_capture(
    hands: Hands, case: str
) -> None:
    hands.app(f'document "App"({case})')
    assert "hunter2" not in everything(hands)


# B034: a secret that is part of other words, and a page on which it must change nothing.
PAGE = "<label>Password <input id=pw type=password></label><label>e24 <input id=e2></label>" + "".join(
    f"<button>Row {n}</button>" for n in range(1, 30)
)


@cases("B034", like_a_ref="e2", part_of_a_label="ssw", a_letter="a", a_number="1", a_role="but")
def test_a_short_secret_changes_no_label_and_no_ref(hands: Hands, case: str) -> None:
    hands.show(PAGE)
    before = hands.do("snapshot", "--raw")["nodes"]
    hands.do("fill", "id=pw", case)
    data = hands.do("snapshot", "--raw")
    kept = ("ref", "role", "label", "id", "index")
    assert [[node.get(key) for key in kept] for node in data["nodes"]] == [
        [node.get(key) for key in kept] for node in before
    ]
    text = hands.text("snapshot", "-i")
    assert 'textbox "Password"' in text
    assert 'button "Row 29" [@e' in text
    hands.do("press", 'label="Row 2"')


@cases("B034", a_word_of_the_page="Passwords", a_part_of_a_word="Passw")
def test_a_secret_inside_a_longer_word_leaves_it(hands: Hands, case: str) -> None:
    hands.show(PAGE)
    hands.do("fill", "id=pw", case)
    assert 'textbox "Password"' in hands.text("snapshot", "-i")


# B036: what a page does with a password; no file under the state directory may hold it.
LEAKS = {
    "console_log": "i.oninput = () => console.log(i.value)",
    "console_error": "i.oninput = () => { console.error(i.value); console.table([i.value]) }",
    "an_exception": "i.oninput = () => { throw new Error(i.value) }",
    "a_rejected_promise": "i.oninput = () => Promise.reject(i.value)",
    "an_attribute": "i.oninput = () => i.setAttribute('data-x', i.value)",
}


@cases("B036", **LEAKS)
def test_no_sink_keeps_a_typed_password(hands: Hands, case: str) -> None:
    hands.session = "leaks"
    try:
        url = hands.page(
            '<input id=pw type=password aria-label="Password">'
            f"<script>const i = document.getElementById('pw'); {case}</script>"
        )
        hands.do("open", url)
        answers = [
            hands.run("--json", "--debug", "--cost", *argv).stdout
            for argv in (
                ("fill", "id=pw", CANARY, "--settle", "--verify"),
                ("fill", "label=Nobody", CANARY),
                ("press", "id=pw"),
                ("type", CANARY),
                ("snapshot", "--raw"),
                ("events",),
            )
        ]
        assert json.loads(answers[0])["success"]
        assert CANARY not in "".join(answers) + everything(hands)
        hands.do("close")
    finally:
        hands.ask("close")
        hands.session = "web"
    files = [path for path in hands.state.rglob("*") if path.is_file()]
    assert len(files) > 2
    assert [str(path) for path in files if CANARY.encode() in path.read_bytes()] == []


@cases("B036", in_an_error_of_the_command=("fill", "id=pw", CANARY, "--no-such-flag"))
def test_a_refused_command_line_is_not_kept_either(hands: Hands, case: tuple[str, ...]) -> None:
    hands.show('<input id=pw type=password aria-label="Password">')
    done = hands.run("--json", "--debug", *case)
    assert done.returncode == 2
    assert CANARY not in done.stdout + done.stderr
    files = [path for path in hands.state.rglob("*") if path.is_file()]
    assert [str(path) for path in files if CANARY.encode() in path.read_bytes()] == []


# B037: where the page shows again what was entered, and what a caller is told then.
ECHOES = {
    "a_label_after_blur": "i.onblur = () => out.textContent = 'You typed ' + i.value",
    "a_label_at_once": "i.oninput = () => out.textContent = i.value",
    "an_aria_label": "i.oninput = () => out.setAttribute('aria-label', 'Hello ' + i.value)",
    "another_field": "i.oninput = () => two.value = i.value",
    "the_title": "i.oninput = () => document.title = 'Hi ' + i.value",
    "the_address": "i.oninput = () => history.replaceState(null, '', "
    "'?p=' + encodeURIComponent(i.value))",
    "an_item_of_a_list": "i.oninput = () => "
    "list.innerHTML = '<li><button>' + i.value + '</button></li>'",
    "a_field_that_turns_into_text": "i.onblur = () => i.type = 'text'",
}
ECHO = (
    '<input id=pw type=password aria-label="Password"><p id=out role=status></p>'
    "<label>Two <input id=two></label><ul id=list></ul><button id=next>Next</button>"
    "<script>const i = document.getElementById('pw'); {0}</script>"
)


@cases("B037", **ECHOES)
def test_a_page_that_repeats_a_password_is_not_repeated(hands: Hands, case: str) -> None:
    hands.show(ECHO.format(case))
    filled = hands.text("fill", "id=pw", CANARY, "--settle")
    assert CANARY not in filled
    pressed = hands.text("press", "id=next", "--settle")
    assert CANARY not in pressed
    assert CANARY not in everything(hands)


@cases(
    "B037",
    named_and_in_a_label=ECHOES["a_label_after_blur"],
    named_and_in_another_field=ECHOES["another_field"],
    named_and_in_the_address=ECHOES["the_address"],
)
def test_a_text_with_a_name_is_told_by_its_name(hands: Hands, case: str) -> None:
    hands.session = "named"
    script = hands.cwd / "named.ad"
    script.unlink(missing_ok=True)
    try:
        url = hands.page(ECHO.format(case).replace("type=password", "type=text"))
        hands.do("open", url, f"--save-script={script}")
        filled = hands.do("fill", "id=pw", CANARY, "--record-as", "SECRET", "--settle")
        assert filled["text"]["value"] == "${SECRET}"
        hands.do("press", "id=next")
        seen = everything(hands)
        assert CANARY not in seen
        assert "<var:SECRET>" in seen
        hands.do("close")
        assert "${SECRET}" in script.read_text()
    finally:
        hands.ask("close")
        hands.session = "web"


@cases(
    "B037",
    a_field_that_cuts=("i.oninput = () => i.value = i.value.slice(0, 4)", "text_mismatch", True),
    a_field_that_is_read_only=("i.readOnly = true", "readonly", False),
    a_field_too_short=("i.maxLength = 3", "maxlength", False),
)
def test_a_failure_says_whether_anything_was_typed_and_shows_nothing_of_it(
    hands: Hands, case: Any
) -> None:
    script, reason, typed = case
    hands.show(
        '<input id=pw type=password aria-label="Password">'
        f"<script>const i = document.getElementById('pw'); {script}</script>"
    )
    failed = hands.ask("fill", "id=pw", CANARY)
    assert failed.refused == ("COMMAND_FAILED", reason)
    assert failed.error["details"]["typed"] is typed
    said = "Text was typed." if typed else "Nothing was typed."
    assert said in failed.error["message"]
    assert CANARY[:4] not in json.dumps(failed.body)
