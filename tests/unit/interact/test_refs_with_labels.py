"""When a trailing label stands in for a ref: live for an element that is gone, in a replay for any."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.stage import stage

from surefoot.errors import SurefootError
from surefoot.interact import ActOptions, press
from surefoot.wire import ExactResolution, LabelFallbackResolution

REPLAYED = ActOptions(stale_label=True, readiness_ms=2_000)


async def test_live_label_never_overrides_a_refused_admission(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Save" =A))', tmp_path)
    await on.snapshot()
    on.session.refs.expire()
    with pytest.raises(SurefootError) as caught:
        await press(on.session, on.ref("A", "Save"))
    assert caught.value.reason == "ref_frame_expired"
    assert on.inputs() == []


async def test_replayed_ref_without_a_frame_is_found_by_its_label(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Other" =B, button "Save" =A))', tmp_path)
    done = await press(on.session, on.ref("B", "Save"), options=REPLAYED)
    assert done.data.resolution == LabelFallbackResolution()
    assert on.pressed() == ["A"]


async def test_replayed_ref_without_a_label_is_refused(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Save" =A))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await press(on.session, on.ref("A"), options=REPLAYED)
    assert caught.value.reason == "ref_frame_expired"
    assert on.clock.now_ms() == 0


async def test_replayed_label_is_never_the_first_of_several(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Save" =A, button "Save" =B))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await press(on.session, on.ref("A", "Save"), options=REPLAYED)
    assert caught.value.code == "AMBIGUOUS_MATCH"
    assert on.inputs() == []


async def test_label_that_names_nothing_is_typed(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Save" =A))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await press(on.session, on.ref("A", "Gone"), options=REPLAYED)
    assert (caught.value.code, caught.value.reason) == ("ELEMENT_NOT_FOUND", "ref_label_not_found")
    assert caught.value.details["readiness"]["end"] == "timeout"


async def test_admitted_ref_of_a_replay_is_exact_and_waits_for_nothing(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Save" =A))', tmp_path)
    await on.snapshot()
    done = await press(on.session, on.ref("A", "Another label"), options=REPLAYED)
    assert done.data.resolution == ExactResolution()
    assert on.clock.now_ms() == 0


async def test_live_fallback_keeps_the_role_of_what_is_gone(tmp_path: Path) -> None:
    """A text of the same label is not the button that went away."""
    on = await stage('document "App"(main(button "Save" =A if=!x, text "Save" =T if=x))', tmp_path)
    await on.snapshot()
    target = on.ref("A", "Save")
    on.set("x")
    with pytest.raises(SurefootError) as caught:
        await press(on.session, target)
    assert caught.value.reason == "ref_label_not_found"
    assert on.inputs() == []
