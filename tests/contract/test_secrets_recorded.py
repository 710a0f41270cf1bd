"""Parameterised inputs: the live field gets the literal, everything else gets ``${NAME}``."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from tests.support.commands_room import Room
from tests.support.stage import NO_FAST_PATHS, Action, app
from tests.support.stage import Rule as When

from surefoot.drivers.sim import AppSpec
from surefoot.drivers.sim.spec import DialogSpec
from surefoot.errors import ErrorCode
from surefoot.session.hidden import MAX_TEXTS

CANARY = "tulip-Walrus-93"
SCRIPT = "flow.ad"


def page(*rules: When) -> AppSpec:
    """A form whose labels repeat what was entered."""
    made = app(
        """document "Sign in"(
            heading "Welcome ${secret}" level=1,
            form "Account" author="Account of tulip-Walrus-93"(
                button "Continue as ${secret}" =echo,
                button "Inside" =inside),
            main(
                textbox "Name" #name =name bind=secret,
                textbox "Password" #pw =pw password,
                textbox "Copy" #copy =copy bind=copied,
                status "You typed ${secret}" if=secret,
                list "People"(
                    listitem(text "Ada", button "Open" =ada),
                    listitem(text "${secret}", button "Open" =open)),
                button "Ask" =ask,
                button "Next" =next))""",
        When(
            press="ask",
            do=(Action(dialog=DialogSpec(kind="confirm", message="Sure, ${secret}?")),),
        ),
        *rules,
        without=NO_FAST_PATHS,
    )
    return AppSpec(
        name=made.name,
        start=made.start,
        screens=made.screens,
        variables={"secret": "", "copied": ""},
        without=made.without,
    )


async def armed(directory: Path, *, known: bool = True) -> Room:
    made = Room(directory, {"stage": page()})
    await made.do("open", "stage", f"--save-script={SCRIPT}")
    if known:
        await made.do("fill", "id=name", CANARY, "--record-as", "SECRET")
    return made


def script(made: Room) -> str:
    return (made.directory / SCRIPT).read_text(encoding="utf-8")


def step(made: Room, line: str) -> tuple[dict[str, object] | None, str]:
    """The annotation and the line of the step that begins so."""
    lines = script(made).splitlines()
    at = next(i for i, text in enumerate(lines) if text.startswith(line))
    note = lines[at - 1]
    evidence = json.loads(note[note.index("{") :]) if note.startswith("#") else None
    return evidence, lines[at]


# -- what may be parameterised -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("fill id=name TEXT --record-as SECRET", "fill"),
        ("find label Name fill TEXT --record-as SECRET", "fill"),
        ("find label Name type TEXT --record-as SECRET", "type"),
    ],
    ids=["fill", "find-fill", "find-type"],
)
async def test_a_named_text_is_entered_and_the_script_gets_its_name(
    tmp_path: Path, command: str, line: str
) -> None:
    made = await armed(tmp_path, known=False)
    answer = await made.text(*shlex.split(command.replace("TEXT", CANARY)))
    assert made.app.device.variables["secret"] == CANARY
    assert "→ ${SECRET}" in answer.replace('"', "")
    assert CANARY not in answer
    await made.do("close")
    assert CANARY not in script(made)
    assert step(made, line)[1].endswith('"${SECRET}"')


async def test_a_typed_text_may_have_a_name_too(tmp_path: Path) -> None:
    made = await armed(tmp_path, known=False)
    await made.do("press", "id=name")
    answer = await made.text("type", CANARY, "--record-as", "SECRET")
    assert CANARY not in answer
    assert made.app.device.variables["secret"] == CANARY
    await made.do("close")
    assert step(made, "type")[1] == 'type "${SECRET}"'
    assert CANARY not in script(made)


async def test_a_recorded_placeholder_replays_with_its_value(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("press", "label=Next")
    await made.do("close")
    unset = await made.refused("replay", SCRIPT)
    assert unset.code is ErrorCode.INVALID_ARGS
    assert "SECRET" in unset.message
    await made.do("replay", SCRIPT, "-e", f"SECRET={CANARY}", "--keep-session")
    assert made.app.device.variables["secret"] == CANARY


# -- refusals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pw", "AD_PW", "1PW", "P-W", "", "PÄSS"])
@pytest.mark.parametrize(
    "command", ["fill id=name x", "type x", "find Name fill x"], ids=["fill", "type", "find"]
)
async def test_a_name_that_is_none_is_refused(tmp_path: Path, command: str, name: str) -> None:
    made = await armed(tmp_path, known=False)
    error = await made.refused(*command.split(), "--record-as", name)
    assert error.code is ErrorCode.INVALID_ARGS
    assert made.inputs() == []


@pytest.mark.parametrize(
    "command",
    ["fill id=name TEXT", "type TEXT", "find Name fill TEXT", "find Name type TEXT"],
    ids=["fill", "type", "find-fill", "find-type"],
)
@pytest.mark.parametrize("state", ["never", "aborted", "published", "not-recorded"])
async def test_a_name_needs_an_armed_recording(tmp_path: Path, command: str, state: str) -> None:
    made = Room(tmp_path, {"stage": page()})
    await made.do("open", "stage", *(() if state == "never" else (f"--save-script={SCRIPT}",)))
    if state == "aborted":
        await made.do("open", "stage")
    if state == "published":
        await made.do("wait", "label=Next")
        await made.do("session", "save-script")
    more = ("--no-record",) if state == "not-recorded" else ()
    words = command.replace("TEXT", CANARY).split()
    error = await made.refused(*words, "--record-as", "SECRET", *more)
    assert error.code is ErrorCode.INVALID_ARGS
    assert error.reason == ("record_conflict" if state == "not-recorded" else "no_recording")
    assert made.inputs() == []
    assert CANARY not in error.message


async def test_a_find_that_enters_nothing_takes_no_name(tmp_path: Path) -> None:
    made = await armed(tmp_path, known=False)
    error = await made.refused("find", "Next", "click", "--record-as", "SECRET")
    assert error.code is ErrorCode.INVALID_ARGS
    assert made.inputs() == []


async def test_a_session_that_hides_all_it_can_takes_no_further_secret(tmp_path: Path) -> None:
    made = await armed(tmp_path, known=False)
    for number in range(MAX_TEXTS):
        made.session.hidden.learn(f"secret number {number}", "MANY")
    error = await made.refused("fill", "id=name", CANARY, "--record-as", "SECRET")
    assert error.reason == "too_many_secrets"
    assert made.inputs() == []
    await made.do("fill", "id=name", "secret number 7", "--record-as", "AGAIN")


# -- echoes in the script ------------------------------------------------------------------------------


async def test_a_label_that_echoes_is_redacted_and_its_evidence_unverifiable(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("press", f'label="Continue as {CANARY}"')
    record = made.session.actions.records[-1]
    assert record.evidence is not None
    text = repr(record)
    assert CANARY not in text
    assert "Continue as ${SECRET}" in text
    assert "verification='unverifiable'" in text
    assert record.targets[0].chain.text == 'role="button"'


async def test_an_ancestor_that_echoes_makes_the_evidence_unverifiable(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("press", "label=Inside")
    await made.do("close")
    evidence, line = step(made, "press")
    assert evidence is not None
    assert evidence["ancestry"] == [
        {"role": "form", "label": "Account of ${SECRET}"},
        {"role": "document"},
    ]
    assert evidence["verification"] == "unverifiable"
    assert line == 'press "role=\\"button\\" label=\\"Inside\\" || label=\\"Inside\\""'


async def test_section_and_screen_that_echo_are_dropped(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("press", "label=Next")
    await made.do("close")
    evidence, _ = step(made, "press")
    assert evidence is not None
    assert "screen" not in evidence
    assert "section" not in evidence
    assert evidence["verification"] == "verified"


async def test_a_key_that_echoes_is_dropped(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    refs = [node.ref for node in (await made.do("snapshot", "-i")).nodes if node.label == "Open"]
    await made.do("press", f"@{refs[1]}")
    await made.do("close")
    evidence, _ = step(made, "press")
    assert evidence is not None
    assert "item" not in evidence
    assert (evidence["peers"], evidence["nth"]) == (2, 1)
    assert CANARY not in script(made)


async def test_a_wait_for_a_label_that_echoes_has_no_annotation_and_names_the_variable(
    tmp_path: Path,
) -> None:
    made = await armed(tmp_path)
    await made.do("wait", f'label="You typed {CANARY}"')
    await made.do("wait", "text", f"typed {CANARY}")
    await made.do("is", "visible", f"label='You typed {CANARY}'")
    assert (await made.refused("session", "save-script")).reason == "destination_guard_missing"
    await made.do("close")
    text = script(made)
    assert CANARY not in text
    assert 'wait "label=\\"You typed ${SECRET}\\""' in text
    assert 'wait "text" "typed ${SECRET}"' in text
    assert 'is "visible" "label=\\"You typed ${SECRET}\\""' in text
    assert step(made, "wait")[0] is None


async def test_a_dialog_that_echoes_is_recorded_by_the_variable_and_replays(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("press", "label=Ask")
    told = await made.text("dialog", "get")
    assert CANARY not in told
    await made.do("dialog", "accept")
    await made.do("close")
    assert CANARY not in script(made)
    assert 'dialog "accept" --message "Sure, ${SECRET}?"' in script(made)
    data = await made.do("replay", SCRIPT, "-e", "SECRET=another-value")
    assert data.replayed == 5


# -- replays that are recorded -------------------------------------------------------------------------


async def test_a_recorded_replay_keeps_the_placeholder_and_protects_its_value(tmp_path: Path) -> None:
    made = await armed(tmp_path, known=False)
    body = (
        'context platform=sim\nfill id=name "${WHO}"\nfill id=copy "Dear ${WHO}"\npress label=Inside\n'
    )
    (tmp_path / "body.ad").write_text(body, encoding="utf-8")
    await made.do("replay", "body.ad", "-e", f"WHO={CANARY}")
    assert made.app.device.variables["secret"] == CANARY
    assert CANARY not in await made.text("snapshot")
    await made.do("close")
    text = script(made)
    assert CANARY not in text
    assert '"${WHO}"' in text
    assert '"Dear ${WHO}"' in text
    assert "Account of ${WHO}" in text


async def test_a_step_that_names_its_text_is_refused_before_step_one_where_nothing_records(
    tmp_path: Path,
) -> None:
    made = Room(tmp_path, {"stage": page()})
    body = "context platform=sim\nopen stage\nfill id=name x --record-as WHO\nclose\n"
    (tmp_path / "body.ad").write_text(body, encoding="utf-8")
    error = await made.refused("replay", "body.ad")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "no_recording")
    assert (error.details["line"], error.details["column"]) == (3, 16)
    assert not [*made.store]
    body = "context platform=sim\nfill id=name x --record-as WHO\n"
    (tmp_path / "body.ad").write_text(body, encoding="utf-8")
    recorded = await armed(tmp_path / "other", known=False)
    (recorded.directory / "body.ad").write_text(body, encoding="utf-8")
    assert (await recorded.do("replay", "body.ad")).replayed == 1
    error = await recorded.refused("replay", "body.ad", "--no-record")
    assert error.reason == "no_recording"


async def test_a_recorded_replay_of_a_dialog_keeps_the_template_of_its_message(tmp_path: Path) -> None:
    made = await armed(tmp_path, known=False)
    body = (
        'context platform=sim\nfill id=name "${WHO}"\npress label=Ask\n'
        'dialog accept --message "Sure, ${WHO}?"\n'
    )
    (tmp_path / "body.ad").write_text(body, encoding="utf-8")
    await made.do("replay", "body.ad", "-e", f"WHO={CANARY}")
    await made.do("close")
    assert CANARY not in script(made)
    assert 'dialog "accept" --message "Sure, ${WHO}?"' in script(made)


# -- what is shown -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [CANARY, "ab", "7", "two words", 'quo"ted', "tab\there", "x/y?z=1&w"])
async def test_a_field_that_holds_a_named_text_is_hidden_whatever_its_length(
    tmp_path: Path, text: str
) -> None:
    made = await armed(tmp_path, known=False)
    await made.do("fill", "id=copy", text, "--record-as", "SECRET")
    for argv in (("snapshot", "--raw", "--json"), ("get", "attrs", "id=copy", "--json")):
        answer = json.loads((await made.say(*argv)).stdout)["data"]
        nodes = answer.get("nodes") or [answer["attrs"]]
        (field,) = [node for node in nodes if node.get("id") == "copy"]
        assert field["value"] == "<var:SECRET>"


async def test_a_field_is_followed_when_the_page_rewrites_what_it_holds(tmp_path: Path) -> None:
    made = await armed(tmp_path, known=False)
    await made.do("fill", "id=copy", "ab", "--record-as", "SHORT")
    made.app.device.variables["copied"] = "a-b (checked)"
    made.app.device.changed()
    assert "a-b" not in await made.text("snapshot", "--raw", "--json")
    await made.do("fill", "id=copy", "plain")
    made.app.device.variables["copied"] = "plain again"
    made.app.device.changed()
    assert "plain again" in await made.text("snapshot", "--raw", "--json")


async def test_a_text_typed_in_pieces_is_hidden_as_a_whole(tmp_path: Path) -> None:
    made = await armed(tmp_path, known=False)
    await made.do("press", "id=copy")
    await made.do("type", "ab", "--record-as", "FIRST")
    await made.do("type", "cd", "--record-as", "SECOND")
    assert made.app.device.variables["copied"] == "abcd"
    assert "abcd" not in await made.text("snapshot", "--raw", "--json")


async def test_a_divergence_and_its_artefact_hide_it(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    body = "context platform=sim\npress label=Nobody\n"
    (tmp_path / "body.ad").write_text(body, encoding="utf-8")
    said = await made.say("replay", "body.ad", "--json", "--level", "digest")
    report = json.loads(said.stdout)["error"]["details"]["divergence"]
    assert report["redacted"] is True
    assert CANARY not in said.stdout + (await made.say("replay", "body.ad")).stderr
    artefacts = list(made.session.directory.glob("divergence-*.json"))
    assert artefacts
    assert [path for path in artefacts if CANARY in path.read_text()] == []


async def test_a_failure_hides_it_even_before_anything_was_typed(tmp_path: Path) -> None:
    made = await armed(tmp_path, known=False)
    made.app.device.variables["secret"] = CANARY
    made.app.device.changed()
    said = await made.say("fill", f'label="You typed {CANARY}"', CANARY, "--record-as", "SECRET")
    assert said.exit_code == 1
    assert CANARY not in said.stderr
    said = await made.say("fill", "label=Open", CANARY, "--record-as", "SECRET", "--json")
    assert json.loads(said.stdout)["error"]["code"] == "AMBIGUOUS_MATCH"
    assert CANARY not in said.stdout


async def test_a_screenshot_with_refs_hides_it(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    answer = await made.text("screenshot", "shot.png", "--overlay-refs", "--json")
    labels = [item.get("label") for item in json.loads(answer)["data"]["overlays"]]
    assert "Continue as <var:SECRET>" in labels
    assert CANARY not in answer


async def test_a_save_that_fails_on_an_echo_hides_it(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("press", f'label="Continue as {CANARY}"')
    for argv in (("close",), ("close", "--json")):
        said = await made.say(*argv)
        assert CANARY not in said.stdout + said.stderr
        assert "target_not_portable" in said.stdout + said.stderr


async def test_the_robustness_of_a_save_hides_it(tmp_path: Path) -> None:
    made = await armed(tmp_path)
    await made.do("press", "label=Inside")
    await made.do("wait", f'label="You typed {CANARY}"')
    answer = await made.text("close", "--json")
    assert "<var:SECRET>" in answer
    assert CANARY not in answer


@pytest.mark.parametrize(
    ("command", "warned"),
    [("key s", True), ("key Shift+3", True), ("key Enter", False), ("find Password type s", True)],
)
async def test_what_is_entered_literally_into_a_password_field_is_warned_about(
    tmp_path: Path, command: str, warned: bool
) -> None:
    made = await armed(tmp_path, known=False)
    await made.do("press", "id=pw")
    answer = await made.text(*command.split())
    assert ("warning: A literal goes into a password field" in answer) is warned
