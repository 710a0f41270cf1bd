"""Text and keys: read back, secrets kept, and a failure says whether anything was typed (B037)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.support.stage import app, selector, stage

from surefoot.drivers import TextOutcome
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact import ActOptions, fill, key, press, type_text
from surefoot.tree import Node, Observation
from surefoot.wire import TextData

FORM = 'document "Form"(main(textbox "Name" =N, textbox "Password" =P password, button "Go" =B))'


async def test_fill_answers_with_what_the_field_holds(tmp_path: Path) -> None:
    on = await stage(FORM, tmp_path)
    done = await fill(on.session, selector("label=Name"), "Ann")
    assert done.data.text == TextData(value="Ann")
    assert done.data.target is not None
    assert done.data.target.label == "Name"


async def test_password_is_never_read_back(tmp_path: Path) -> None:
    on = await stage(FORM, tmp_path)
    done = await fill(on.session, selector("label=Password"), "hunter2")
    assert done.data.text == TextData(secret=True)
    assert b"hunter2" not in msgspec.json.encode(done.data)


async def test_parameterised_text_is_shown_as_its_placeholder(tmp_path: Path) -> None:
    on = await stage(FORM, tmp_path)
    options = ActOptions(shown_as="${NAME}")
    done = await fill(on.session, selector("label=Name"), "Ann", options)
    assert done.data.text == TextData(value="${NAME}")


# tree, what is filled, reason, whether anything was typed
REFUSALS = [
    ("not editable", 'button "F"', "x", "not_editable", False),
    ("read-only", 'textbox "F" readonly', "x", "readonly", False),
    ("too long", 'textbox "F" maxlength=2', "xyz", "maxlength", False),
    ("bad characters", 'textbox "F" accepts=12', "x", "bad_value", False),
    ("disabled", 'textbox "F" disabled', "x", "disabled", False),
    ("filtered", 'textbox "F" drops=x', "axb", "text_mismatch", True),
    ("never arrived", 'textbox "F" undelivered', "x", "not_delivered", None),
]
SAID = {
    False: "Nothing was typed.",
    True: "Text was typed.",
    None: "Whether text was typed is unknown; look before typing again.",
}


@pytest.mark.parametrize(
    ("field", "text", "reason", "typed"),
    [row[1:] for row in REFUSALS],
    ids=[f"B037-{row[0]}" for row in REFUSALS],
)
async def test_failure_says_whether_anything_was_typed(
    field: str, text: str, reason: str, typed: bool | None, tmp_path: Path
) -> None:
    on = await stage(f'document "Form"(main({field}))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await fill(on.session, selector("label=F"), text)
    assert caught.value.reason == reason
    assert caught.value.details.get("typed", False) is typed
    if reason != "disabled":  # refused by a guard, before the question arises
        assert caught.value.message.endswith(SAID[typed])
        assert str(caught.value) == caught.value.message


async def test_mismatch_carries_the_actual_value(tmp_path: Path) -> None:
    on = await stage('document "Form"(main(textbox "F" drops=x))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await fill(on.session, selector("label=F"), "axb")
    assert caught.value.details["actual"] == "ab"


async def test_mismatch_of_a_parameterised_text_shows_none_of_it(tmp_path: Path) -> None:
    on = await stage('document "Form"(main(textbox "F" drops=x))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await fill(on.session, selector("label=F"), "7x9", ActOptions(shown_as="${CODE}"))
    assert caught.value.message == "${CODE} could not be entered (text_mismatch). Text was typed."
    assert "79" not in repr(caught.value.details)


async def test_fill_never_takes_a_fast_path(tmp_path: Path) -> None:
    on = await stage(app('document "Form"(main(textbox "F" =F))'), tmp_path)
    await on.snapshot()
    done = await fill(on.session, on.ref("F"), "x")
    assert done.path == "runtime-ref"


async def test_fill_means_the_field_around_a_text(tmp_path: Path) -> None:
    on = await stage('document "Form"(main(textbox "" =F(text "Your name" =T)))', tmp_path)
    done = await fill(on.session, selector('role=text label="Your name"'), "Ann")
    assert done.targets[0].node.role == "textbox"


async def test_type_appends_to_the_focus(tmp_path: Path) -> None:
    on = await stage('document "Form"(main(textbox "F" =F value=ab))', tmp_path)
    await press(on.session, selector("label=F"))
    done = await type_text(on.session, "cd")
    assert done.data.text == TextData(value="abcd")
    assert done.data.resolution is None


async def test_type_without_a_focus_types_nothing(tmp_path: Path) -> None:
    on = await stage('document "Form"(main(textbox "F" =F))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await type_text(on.session, "cd")
    assert (caught.value.reason, caught.value.details["typed"]) == ("no_focus", False)


class _Armed:
    kind = "authoring"
    active = True


async def test_recording_keeps_the_focused_node_of_a_key(tmp_path: Path) -> None:
    on = await stage('document "Form"(main(textbox "F" =F focused))', tmp_path)
    assert (await key(on.session, "Enter")).focused is None
    on.session.recording = _Armed()
    done = await key(on.session, "Enter")
    assert done.focused is not None
    assert done.focused.node.label == "F"


async def test_guarded_type_refuses_another_focus_before_typing(tmp_path: Path) -> None:
    on = await stage('document "Form"(main(textbox "F" =F focused))', tmp_path)

    def guard(observation: Observation, node: Node) -> None:
        raise SurefootError(ErrorCode.REPLAY_DIVERGENCE, f"{node.label} has the focus")

    with pytest.raises(SurefootError) as caught:
        await type_text(on.session, "x", ActOptions(guard=guard))
    assert caught.value.message == "F has the focus"
    assert on.inputs() == []


async def test_guarded_type_without_a_focus_is_refused(tmp_path: Path) -> None:
    on = await stage('document "Form"(main(textbox "F" =F))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await key(on.session, "Enter", ActOptions(guard=lambda *_: None))
    assert caught.value.reason == "no_focus"
    assert on.inputs() == []


async def test_unknown_key_is_refused(tmp_path: Path) -> None:
    on = await stage(FORM, tmp_path)
    with pytest.raises(SurefootError) as caught:
        await key(on.session, "Hyperspace")
    assert caught.value.code == "INVALID_ARGS"


async def test_retry_is_told(tmp_path: Path) -> None:
    on = await stage('document "Form"(main(textbox "F" =F dropsonce))', tmp_path)
    done = await fill(on.session, selector("label=F"), "abcd")
    assert done.data.text == TextData(value="abcd", retried=True)


async def test_a_text_that_could_not_be_read_back_is_no_secret(tmp_path: Path) -> None:
    on = await stage(FORM, tmp_path)
    typed = on.session.app.fill

    async def unread(node: Node, text: str, delay_ms: int = 0) -> TextOutcome:
        return msgspec.structs.replace(await typed(node, text, delay_ms), value=None)

    on.session.app.fill = unread  # type: ignore[method-assign]
    done = await fill(on.session, selector("label=Name"), "Ann Lovelace")
    assert done.data.text == TextData()
    assert not on.session.hidden.texts
