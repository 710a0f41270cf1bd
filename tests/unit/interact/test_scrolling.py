"""Scrolling tells the truth about its effect, and searching by scrolling ends (B049, B052, B054)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.support.stage import NO_FAST_PATHS, Stage, app, point, selector, stage

from surefoot.drivers.sim import AppSpec
from surefoot.drivers.sim.spec import Action, Delayed, Rule
from surefoot.errors import SurefootError
from surefoot.interact import press, scroll, scroll_until

LONG = 'document "Page"(main(button "Row ${i}" =r repeat=100 height=40))'
LIST = (
    'document "Page"(main(heading "Leaves",'
    ' list "Leaves" =L scroll=y height=200 virtual(listitem "Leaf ${i}" =l repeat=200 height=20)))'
)


async def test_scroll_says_how_far_content_moved(tmp_path: Path) -> None:
    on = await stage(LONG, tmp_path)
    done = await scroll(on.session, "down", pixels=300)
    assert done.data.scroll is not None
    assert (done.data.scroll.moved_y, done.data.scroll.effect) == (300, True)
    assert done.data.hint is None


async def test_scroll_moves_most_of_the_viewport_by_default(tmp_path: Path) -> None:
    on = await stage(LONG, tmp_path)
    done = await scroll(on.session, "down")
    assert done.data.scroll is not None
    assert done.data.scroll.moved_y == 480


async def test_page_that_cannot_scroll_leaves_it_to_the_list_in_it(tmp_path: Path) -> None:
    on = await stage(LIST, tmp_path)
    done = await scroll(on.session, "down", pixels=100)
    assert done.data.scroll is not None
    assert done.data.scroll.moved_y == 100


async def test_scroll_of_a_container_by_ref(tmp_path: Path) -> None:
    on = await stage(LIST, tmp_path)
    await on.snapshot()
    done = await scroll(on.session, "down", pixels=60, target=on.ref("L"))
    assert done.data.target is not None
    assert done.data.target.role == "list"


async def test_b049_scroll_at_the_edge_says_that_nothing_moved(tmp_path: Path) -> None:
    on = await stage(LONG, tmp_path)
    await scroll(on.session, "bottom")
    done = await scroll(on.session, "down")
    assert done.data.scroll is not None
    assert (done.data.scroll.effect, done.data.scroll.at_edge) == (False, True)
    assert done.data.hint == "Nothing moved: it stands at the edge."


async def test_b049_third_scroll_without_effect_hints_another_way(tmp_path: Path) -> None:
    on = await stage('document "Page"(main(text "Short"))', tmp_path)
    hints = [(await scroll(on.session, "down")).data.hint for _ in range(3)]
    assert hints[0] == hints[1]
    assert hints[2] is not None
    assert hints[2].startswith("3 scrolls down in a row moved nothing.")


async def test_b049_other_direction_starts_counting_anew(tmp_path: Path) -> None:
    on = await stage('document "Page"(main(text "Short"))', tmp_path)
    for direction in ("down", "down", "up"):
        done = await scroll(on.session, direction)
    assert done.data.hint is not None
    assert not done.data.hint.startswith("3 scrolls")


async def test_scroll_expires_the_frame(tmp_path: Path) -> None:
    on = await stage(LONG, tmp_path)
    await on.snapshot()
    await scroll(on.session, "down")
    with pytest.raises(SurefootError) as caught:
        await press(on.session, on.ref("r"))
    assert caught.value.reason == "ref_frame_expired"


@pytest.mark.parametrize("pixels", [0, -5, 2_000_000, float("nan")])
async def test_amounts_are_bounded(pixels: float, tmp_path: Path) -> None:
    on = await stage(LONG, tmp_path)
    with pytest.raises(SurefootError) as caught:
        await scroll(on.session, "down", pixels=pixels)
    assert (caught.value.code, caught.value.reason) == ("INVALID_ARGS", "bad_amount")
    assert on.inputs() == []


async def test_b054_row_of_a_virtual_list_is_found(tmp_path: Path) -> None:
    on = await stage(LIST, tmp_path)
    done = await scroll_until(on.session, "down", selector('label="Leaf 150"'), timeout_ms=600_000)
    assert done.data.scroll is not None
    assert done.data.scroll.found
    assert done.data.target is not None
    assert done.data.target.label == "Leaf 150"
    assert done.data.resolution is None


async def missed(on: Stage, text: str, timeout_ms: float) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        await scroll_until(on.session, "down", selector(text), timeout_ms=timeout_ms)
    return caught.value


async def test_b054_row_that_does_not_exist_ends_at_the_proven_end(tmp_path: Path) -> None:
    on = await stage(LIST, tmp_path)
    error = await missed(on, 'label="Leaf 9999"', 600_000)
    assert (error.code, error.reason) == ("ELEMENT_NOT_FOUND", "scroll_end_reached")
    assert error.details["scrolls"] > 20
    assert error.details["lastVisible"][-1] == "Leaf 200"


async def test_b054_search_ends_when_its_time_is_spent(tmp_path: Path) -> None:
    on = await stage(LIST, tmp_path)
    error = await missed(on, 'label="Leaf 199"', 500)
    assert (error.code, error.reason) == ("TIMEOUT", "scroll_budget_spent")
    assert error.details["scrolls"] >= 1
    assert error.details["movedPixels"] > 0


GROWING = (
    'document(main(list "Feed" =L scroll=y height=200 (listitem "Post ${i}" repeat=20 height=20,'
    ' listitem "More ${i}" repeat=20 height=20 if=loaded,'
    ' listitem "Rest ${i}" repeat=20 height=20 if=all)))'
)


def growing(*rules: Rule) -> AppSpec:
    spec = app(GROWING, *rules, without=NO_FAST_PATHS)
    return msgspec.structs.replace(spec, variables={**spec.variables, "asked": ""})


async def test_a_list_that_loads_more_at_its_end_is_waited_for(tmp_path: Path) -> None:
    """The next part comes 600 ms after its end is reached, and the one after that 1.2 s later."""
    loads = Action(after=Delayed(ms=600, do=(Action(set={"loaded": "1"}),)))
    rest = Action(after=Delayed(ms=1_800, do=(Action(set={"all": "1"}),)))
    begins = Rule(scroll="L", when="!asked", do=(Action(set={"asked": "1"}), loads, rest))
    on = await stage(growing(begins), tmp_path)
    done = await scroll_until(on.session, "down", selector('label="Rest 18"'))
    assert done.data.scroll is not None
    assert done.data.scroll.found


async def test_an_end_that_loads_nothing_more_for_two_seconds_is_one(tmp_path: Path) -> None:
    on = await stage(growing(), tmp_path)
    error = await missed(on, "label=Nowhere", 30_000)
    assert error.reason == "scroll_end_reached"
    assert 2_000 <= on.clock.now_ms() < 4_000


async def test_what_is_in_view_needs_no_scroll(tmp_path: Path) -> None:
    on = await stage(LONG, tmp_path)
    done = await scroll_until(on.session, "down", selector('label="Row 1"'))
    assert done.data.scroll is not None
    assert (done.data.scroll.scrolls, done.data.scroll.effect) == (0, False)
    assert on.inputs() == []


async def test_b052_row_that_shows_ten_pixels_is_scrolled_further(tmp_path: Path) -> None:
    on = await stage(
        'document "Page"(main(text "Tall" height=590, button "Row" =r height=40))', tmp_path
    )
    done = await scroll_until(on.session, "down", selector("label=Row"))
    assert done.data.scroll is not None
    assert done.data.scroll.scrolls == 1
    await press(on.session, point(10, 590))
    assert on.pressed() == ["r"]
