"""The native path of a ref is for a screen that is as the ref's snapshot saw it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.stage import Rule, Stage, app, sets, stage

from surefoot.errors import SurefootError
from surefoot.interact import DispatchPath, press


async def on_stage(directory: Path, tree: str, *rules: Rule) -> Stage:
    on = await stage(app(tree, *rules), directory)
    await on.snapshot()
    return on


async def test_an_unchanged_screen_takes_it_without_a_capture(tmp_path: Path) -> None:
    on = await on_stage(tmp_path, 'document "App"(button "Pay" =A)')
    captures = on.session.cost.captures
    done = await press(on.session, on.ref("A"))
    assert done.path is DispatchPath.NATIVE_REF
    assert on.session.cost.captures == captures


async def test_an_element_that_became_enabled_is_pressed(tmp_path: Path) -> None:
    on = await on_stage(tmp_path, 'document "App"(button "Pay" =A enabledif=ready)')
    on.set("ready")
    done = await press(on.session, on.ref("A"))
    assert (done.path, on.pressed()) == (DispatchPath.RUNTIME_REF, ["A"])


async def test_an_element_that_took_another_name_is_refused(tmp_path: Path) -> None:
    on = await on_stage(
        tmp_path,
        'document "App"(button "Pay ${name}" =A, status "x" if=name)',
        sets("press", "A", "name"),
    )
    on.set("name", "all")
    with pytest.raises(SurefootError) as caught:
        await press(on.session, on.ref("A"))
    assert caught.value.reason == "ref_target_changed"
    assert on.pressed() == []


async def test_an_element_that_is_gone_is_refused_with_the_frame_as_it_was(tmp_path: Path) -> None:
    on = await on_stage(tmp_path, 'document "App"(button "Pay" =A if=!gone, button "Stay" =B)')
    target, other = on.ref("A"), on.ref("B")
    on.set("gone")
    with pytest.raises(SurefootError) as caught:
        await press(on.session, target)
    assert caught.value.reason == "ref_target_gone"
    await press(on.session, other)
    assert on.pressed() == ["B"]
