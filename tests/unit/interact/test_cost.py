"""What looking costs: at most two captures an interaction, unchanged screens are not read again."""

from __future__ import annotations

from pathlib import Path

from tests.support.stage import NO_FAST_PATHS, Stage, app, selector, sets, stage

from surefoot.drivers import SettlePolicy
from surefoot.interact import ActOptions, fill, observe, press, resolve_read, scroll
from surefoot.session import CostCounters

CHANGING = (
    'document "App"(main(button "Add" =A, button "Same" =S, textbox "Name" =N, status "Added" if=x))'
)
BOTH = ActOptions(settle=SettlePolicy(), verify=True)


async def on_stage(directory: Path) -> Stage:
    return await stage(app(CHANGING, sets("press", "A", "x"), without=NO_FAST_PATHS), directory)


async def test_unchanged_screen_serves_the_next_look(tmp_path: Path) -> None:
    on = await on_stage(tmp_path)
    first = await observe(on.session)
    assert await observe(on.session) is first
    assert on.session.cost == CostCounters(captures=1, polls=0, reused=1)


async def test_fresh_look_is_a_capture(tmp_path: Path) -> None:
    on = await on_stage(tmp_path)
    await observe(on.session)
    await observe(on.session, fresh=True)
    assert on.session.cost.captures == 2


async def test_press_with_settle_and_verify_looks_twice(tmp_path: Path) -> None:
    on = await on_stage(tmp_path)
    await press(on.session, selector("label=Add"), options=BOTH)
    assert on.session.cost.captures == 2


async def test_settled_screen_serves_the_next_step(tmp_path: Path) -> None:
    on = await on_stage(tmp_path)
    await press(on.session, selector("label=Add"), options=BOTH)
    mark = on.session.cost.mark()
    await fill(on.session, selector("label=Name"), "Ann", BOTH)
    spent = on.session.cost.since(mark)
    assert (spent.captures, spent.reused) == (1, 1)


async def test_press_that_changes_nothing_costs_one_capture_in_all(tmp_path: Path) -> None:
    on = await on_stage(tmp_path)
    await press(on.session, selector("label=Same"), options=ActOptions(verify=True))
    mark = on.session.cost.mark()
    await press(on.session, selector("label=Same"), options=ActOptions(verify=True))
    assert on.session.cost.since(mark).captures == 0


async def test_read_and_scroll_reuse_too(tmp_path: Path) -> None:
    on = await on_stage(tmp_path)
    await observe(on.session)
    await resolve_read(on.session, selector("label=Name"))
    await scroll(on.session, "down")
    assert on.session.cost.captures == 1


async def test_looks_of_a_settle_are_polls(tmp_path: Path) -> None:
    on = await on_stage(tmp_path)
    await press(on.session, selector("label=Add"), options=BOTH)
    assert on.session.cost.polls >= 1
