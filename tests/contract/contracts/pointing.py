"""Contracts of pointing: exactly the node, or a refusal after which nothing has happened."""

from __future__ import annotations

from tests.contract.contracts.model import Contract, Stage, contract, refused

from surefoot.drivers import Gesture, Point
from surefoot.errors import ErrorCode

POINTING_CONTRACTS: list[Contract] = []
PRESS = Gesture()


@contract(POINTING_CONTRACTS)
async def a_press_reaches_exactly_the_node_among_equal_ones(stage: Stage) -> None:
    opened = await stage.open("controls")
    for nth, name in enumerate(("One", "Two", "Three")):
        delivery = await opened.app.pointer(await opened.node("button", "Remove", nth), PRESS)
        assert await opened.shows(f"removed {name}")
        assert delivery.point is not None
        assert not delivery.fallback_taken


@contract(POINTING_CONTRACTS)
async def a_node_of_an_earlier_capture_still_names_its_element(stage: Stage) -> None:
    opened = await stage.open("controls")
    fresh = await opened.node("button", "Fresh")
    await opened.app.pointer(await opened.node("button", "Vanish"), PRESS)
    await opened.app.pointer(fresh, PRESS)
    assert await opened.shows("pressed Fresh")


@contract(POINTING_CONTRACTS)
async def a_double_press_is_one_gesture(stage: Stage) -> None:
    opened = await stage.open("controls")
    await opened.app.pointer(await opened.node("button", "Twice"), Gesture(count=2))
    assert await opened.shows("pressed Twice")


@contract(POINTING_CONTRACTS)
async def hovering_and_the_other_button_arrive(stage: Stage) -> None:
    opened = await stage.open("controls")
    await opened.app.pointer(await opened.node("button", "Touch"), Gesture(kind="hover"))
    assert await opened.shows("touched")
    await opened.app.pointer(await opened.node("button", "Touch"), Gesture(button="right"))
    assert await opened.shows("menu of Touch")


@contract(POINTING_CONTRACTS)
async def a_point_hits_what_lies_on_top_there(stage: Stage) -> None:
    opened = await stage.open("controls")
    await opened.app.pointer_at(Point(550, 20), PRESS)
    assert await opened.shows("pressed Wall")
    await opened.app.pointer_at(Point(550, 120), PRESS)
    assert await opened.shows("pressed Glazed")


@contract(POINTING_CONTRACTS)
async def a_covered_node_is_refused_and_the_cover_named(stage: Stage) -> None:
    opened = await stage.open("controls")
    wall = await opened.node("region", "Wall")
    call = opened.app.pointer(await opened.node("button", "Under"), PRESS)
    error = await refused(call, ErrorCode.ELEMENT_COVERED, "covered")
    assert error.details["coveredBy"] == {"role": "region", "label": "Wall", "handle": wall.handle}
    assert await opened.shows("nothing yet")


@contract(POINTING_CONTRACTS)
async def what_takes_no_hits_covers_nothing(stage: Stage) -> None:
    opened = await stage.open("controls")
    await opened.app.pointer(await opened.node("button", "Glazed"), PRESS)
    assert await opened.shows("pressed Glazed")


@contract(POINTING_CONTRACTS)
async def a_disabled_node_is_refused(stage: Stage) -> None:
    opened = await stage.open("controls")
    call = opened.app.pointer(await opened.node("button", "Disabled"), PRESS)
    await refused(call, ErrorCode.ELEMENT_DISABLED, "disabled")
    assert await opened.shows("nothing yet")


@contract(POINTING_CONTRACTS)
async def a_node_disabled_since_it_was_seen_is_refused(stage: Stage) -> None:
    opened = await stage.open("controls")
    lockable = await opened.node("button", "Lockable")
    await opened.app.pointer(await opened.node("button", "Lock"), PRESS)
    await refused(opened.app.pointer(lockable, PRESS), ErrorCode.ELEMENT_DISABLED, "disabled")
    assert await opened.shows("nothing yet")


@contract(POINTING_CONTRACTS)
async def a_node_made_inert_since_it_was_seen_is_refused(stage: Stage) -> None:
    opened = await stage.open("controls")
    inert = await opened.node("button", "Inert")
    await opened.app.pointer(await opened.node("button", "Fence"), PRESS)
    await refused(opened.app.pointer(inert, PRESS), ErrorCode.ELEMENT_DISABLED, "inert")
    assert await opened.shows("nothing yet")


@contract(POINTING_CONTRACTS)
async def a_node_that_is_gone_is_refused(stage: Stage) -> None:
    opened = await stage.open("controls")
    doomed = await opened.node("button", "Doomed")
    await opened.app.pointer(await opened.node("button", "Vanish"), PRESS)
    await refused(opened.app.pointer(doomed, PRESS), ErrorCode.ELEMENT_NOT_FOUND, "node_detached")
    assert await opened.shows("nothing yet")


@contract(POINTING_CONTRACTS)
async def a_node_replaced_by_an_equal_one_is_refused(stage: Stage) -> None:
    opened = await stage.open("controls")
    fresh = await opened.node("button", "Fresh")
    await opened.app.pointer(await opened.node("button", "Renew"), PRESS)
    await refused(opened.app.pointer(fresh, PRESS), ErrorCode.ELEMENT_NOT_FOUND, "node_detached")
    assert await opened.shows("nothing yet")


@contract(POINTING_CONTRACTS)
async def a_node_of_the_page_before_is_refused(stage: Stage) -> None:
    opened = await stage.open("events")
    work = await opened.node("button", "Work")
    await opened.app.pointer(await opened.node("link", "Next"), PRESS)
    assert await opened.shows_soon("The next page")
    await refused(opened.app.pointer(work, PRESS), ErrorCode.ELEMENT_NOT_FOUND, "node_detached")


@contract(POINTING_CONTRACTS)
async def a_node_without_area_is_refused(stage: Stage) -> None:
    opened = await stage.open("controls")
    call = opened.app.pointer(await opened.node("button", "Zero"), PRESS)
    await refused(call, ErrorCode.ELEMENT_OFFSCREEN, "zero_size")
    assert await opened.shows("nothing yet")


@contract(POINTING_CONTRACTS)
async def a_node_no_scrolling_reaches_is_refused(stage: Stage) -> None:
    opened = await stage.open("controls")
    call = opened.app.pointer(await opened.node("button", "Beyond"), PRESS)
    error = await refused(call, ErrorCode.ELEMENT_OFFSCREEN, "offscreen")
    assert error.details["direction"] == "left"
    assert await opened.shows("nothing yet")


@contract(POINTING_CONTRACTS)
async def a_node_below_the_fold_is_brought_into_view(stage: Stage) -> None:
    opened = await stage.open("scrolling")
    delivery = await opened.app.pointer(await opened.node("button", "Far below"), PRESS)
    observation = await opened.app.observe()
    assert await opened.shows("pressed Far below")
    assert delivery.point is not None
    assert 0 <= delivery.point.y < observation.viewport.height


@contract(POINTING_CONTRACTS)
async def a_node_in_a_scroll_container_is_brought_into_view(stage: Stage) -> None:
    opened = await stage.open("scrolling")
    await opened.app.pointer(await opened.node("button", "Row 40"), PRESS)
    assert await opened.shows("pressed Row 40")


@contract(POINTING_CONTRACTS)
async def a_native_target_is_pressed_by_its_handle(stage: Stage) -> None:
    opened = await stage.open("controls")
    assert "native_target" in opened.app.capabilities
    await opened.app.press_native((await opened.node("button", "Beta")).handle)
    assert await opened.shows("pressed Beta")


@contract(POINTING_CONTRACTS)
async def a_moving_node_is_pressed_once_it_rests(stage: Stage) -> None:
    opened = await stage.open("motion")
    await opened.app.pointer(await opened.node("button", "Arriving"), PRESS)
    assert await opened.shows("pressed Arriving")


@contract(POINTING_CONTRACTS)
async def a_node_that_never_rests_is_refused(stage: Stage) -> None:
    opened = await stage.open("motion")
    await opened.app.pointer(await opened.node("link", "Restless"), PRESS)
    assert await opened.shows_soon("Roamer")
    call = opened.app.pointer(await opened.node("button", "Roamer"), PRESS)
    await refused(call, ErrorCode.COMMAND_FAILED, "moving")
    assert await opened.shows("nothing yet")


@contract(POINTING_CONTRACTS)
async def a_drag_ends_on_its_destination(stage: Stage) -> None:
    opened = await stage.open("motion")
    source, destination = await opened.node("button", "Parcel"), await opened.node("button", "Shelf")
    await opened.app.drag(source, destination, 50)
    assert await opened.shows("dropped")
