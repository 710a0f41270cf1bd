"""Contracts of seeing: the whole screen, in order, the same element under the same handle."""

from __future__ import annotations

from tests.contract.contracts.model import Contract, Stage, contract, labels, matches

from surefoot.drivers import Gesture
from surefoot.tree import Rect

SEEING_CONTRACTS: list[Contract] = []


@contract(SEEING_CONTRACTS)
async def the_whole_tree_comes_in_document_order(stage: Stage) -> None:
    opened = await stage.open("controls")
    tree = (await opened.app.observe()).tree
    assert [node.index for node in tree] == list(range(len(tree)))
    assert all(node.parent < node.index for node in tree)
    assert all(node.depth == (tree[node.parent].depth + 1 if node.parent >= 0 else 0) for node in tree)
    buttons = [node.label for node in tree if node.role == "button"]
    assert buttons == [
        *(
            "Alpha",
            "Beta",
            "Remove",
            "Remove",
            "Remove",
            "Disabled",
            "Inert",
            "Zero",
            "Beyond",
            "Twice",
        ),
        *(
            "Touch",
            "Vanish",
            "Doomed",
            "Renew",
            "Fresh",
            "Fence",
            "Lock",
            "Lockable",
            "Under",
            "Glazed",
        ),
    ]


@contract(SEEING_CONTRACTS)
async def what_lies_outside_the_viewport_is_in_the_tree(stage: Stage) -> None:
    opened = await stage.open("scrolling")
    observation = await opened.app.observe()
    assert {"Row 1", "Row 50", "Far below"} <= labels(observation)
    far = matches(observation, "button", "Far below")[0]
    assert far.visible
    assert far.rect is not None
    assert not far.rect.intersects(observation.viewport)


@contract(SEEING_CONTRACTS)
async def an_element_keeps_its_handle_over_captures(stage: Stage) -> None:
    opened = await stage.open("controls")
    first = {node.handle: (node.role, node.label) for node in (await opened.app.observe()).tree}
    await opened.app.pointer(await opened.node("button", "Vanish"), Gesture())
    second = {node.handle: (node.role, node.label) for node in (await opened.app.observe()).tree}
    assert set(first) - set(second) == {h for h, what in first.items() if what[1] == "Doomed"}
    assert {h: first[h] for h in second if h in first} == second


@contract(SEEING_CONTRACTS)
async def no_two_elements_share_a_handle(stage: Stage) -> None:
    opened = await stage.open("controls")
    handles = [node.handle for node in (await opened.app.observe()).tree]
    assert len(handles) == len(set(handles))


@contract(SEEING_CONTRACTS)
async def a_replaced_element_gets_another_handle(stage: Stage) -> None:
    opened = await stage.open("controls")
    before = await opened.node("button", "Fresh")
    await opened.app.pointer(await opened.node("button", "Renew"), Gesture())
    assert (await opened.node("button", "Fresh")).handle != before.handle


@contract(SEEING_CONTRACTS)
async def states_and_ids_are_reported(stage: Stage) -> None:
    opened = await stage.open("controls")
    observation = await opened.app.observe()
    disabled, alpha = (
        matches(observation, "button", "Disabled")[0],
        matches(observation, "button", "Alpha")[0],
    )
    assert (disabled.enabled, alpha.enabled, alpha.hittable, alpha.id) == (False, True, True, "alpha")
    assert matches(observation, "checkbox", "Agree")[0].checked == "false"
    assert matches(observation, "heading", "Controls")[0].level == 1
    await opened.app.pointer(await opened.node("checkbox", "Agree"), Gesture())
    assert (await opened.node("checkbox", "Agree")).checked == "true"


@contract(SEEING_CONTRACTS)
async def fields_show_what_they_hold(stage: Stage) -> None:
    opened = await stage.open("text")
    observation = await opened.app.observe()
    name, fixed = (
        matches(observation, "textbox", "Name")[0],
        matches(observation, "textbox", "Fixed")[0],
    )
    assert (name.value, name.has_value, name.editable, name.readonly) == ("old", True, True, False)
    assert (fixed.value, fixed.editable, fixed.readonly) == ("fixed", False, True)
    assert matches(observation, "textbox", "Long")[0].multiline
    assert not matches(observation, "textbox", "Off")[0].enabled
    await opened.app.focus(name)
    assert (await opened.node("textbox", "Name")).focused


@contract(SEEING_CONTRACTS)
async def a_password_is_in_no_observation(stage: Stage) -> None:
    opened = await stage.open("text")
    field = await opened.node("textbox", "Password")
    assert (field.password, field.has_value, field.value) == (True, True, None)
    assert "hunter2" not in repr((await opened.app.observe()).tree.nodes)
    await opened.app.fill(field, "correct horse")
    assert "correct horse" not in repr((await opened.app.observe()).tree.nodes)


@contract(SEEING_CONTRACTS)
async def a_covered_element_names_its_cover(stage: Stage) -> None:
    opened = await stage.open("controls")
    observation = await opened.app.observe()
    under = matches(observation, "button", "Under")[0]
    assert under.covered_by == matches(observation, "region", "Wall")[0].index
    assert matches(observation, "button", "Glazed")[0].covered_by is None
    assert matches(observation, "button", "Alpha")[0].covered_by is None


@contract(SEEING_CONTRACTS)
async def boxes_are_in_the_viewports_coordinates(stage: Stage) -> None:
    opened = await stage.open("controls")
    observation = await opened.app.observe()
    assert (observation.viewport.x, observation.viewport.y) == (0, 0)
    assert matches(observation, "button", "Under")[0].rect == Rect(500, 0, 100, 40)


@contract(SEEING_CONTRACTS)
async def the_same_screen_is_unchanged_and_a_changed_one_is_not(stage: Stage) -> None:
    opened = await stage.open("controls")
    before = await opened.app.observe()
    assert await opened.app.unchanged(before)
    await opened.app.pointer(await opened.node("button", "Alpha"), Gesture())
    assert not await opened.app.unchanged(before)
    assert await opened.app.unchanged(await opened.app.observe())


@contract(SEEING_CONTRACTS)
async def a_control_that_changed_is_a_changed_screen(stage: Stage) -> None:
    opened = await stage.open("text")
    before = await opened.app.observe()
    await opened.app.fill(await opened.node("textbox", "Name"), "new")
    assert not await opened.app.unchanged(before)


@contract(SEEING_CONTRACTS)
async def a_scrolled_screen_is_a_changed_screen(stage: Stage) -> None:
    opened = await stage.open("scrolling")
    before = await opened.app.observe()
    await opened.app.scroll(None, "down", 200)
    assert not await opened.app.unchanged(before)


@contract(SEEING_CONTRACTS)
async def equal_screens_have_equal_epochs_and_other_screens_others(stage: Stage) -> None:
    opened = await stage.open("controls")
    first, second = await opened.app.observe(), await opened.app.observe()
    assert first.epoch == second.epoch
    await opened.app.pointer(await opened.node("button", "Alpha"), Gesture())
    assert (await opened.app.observe()).epoch != first.epoch


@contract(SEEING_CONTRACTS)
async def a_screenshot_is_a_png(stage: Stage) -> None:
    opened = await stage.open("scrolling")
    part, whole = await opened.app.screenshot(), await opened.app.screenshot(full=True)
    viewport = (await opened.app.observe()).viewport
    for png in (part, whole):
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(png[16:20]) >= viewport.width
    assert int.from_bytes(part[20:24]) == viewport.height
    assert int.from_bytes(whole[20:24]) > 3000
