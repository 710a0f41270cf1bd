"""Contracts of scrolling: what moved, how far, and whether the edge is reached."""

from __future__ import annotations

from tests.contract.contracts.model import Contract, Opened, Stage, contract

from surefoot.tree import Node

SCROLLING_CONTRACTS: list[Contract] = []


async def rows(opened: Opened) -> Node:
    return await opened.node("list", "Rows")


@contract(SCROLLING_CONTRACTS)
async def a_container_scrolls_by_so_many_pixels(stage: Stage) -> None:
    opened = await stage.open("scrolling")
    outcome = await opened.app.scroll(await rows(opened), "down", 60)
    assert (outcome.moved_x, outcome.moved_y, outcome.at_edge) == (0, 60, False)
    scroll = (await rows(opened)).scroll
    assert scroll is not None
    assert (scroll.y, scroll.max_y) == (60, 900)


@contract(SCROLLING_CONTRACTS)
async def a_container_stops_at_its_edges(stage: Stage) -> None:
    opened = await stage.open("scrolling")
    down = await opened.app.scroll(await rows(opened), "bottom", 0)
    assert (down.moved_y, down.at_edge) == (900, True)
    still = await opened.app.scroll(await rows(opened), "down", 60)
    assert (still.moved_y, still.at_edge) == (0, True)
    up = await opened.app.scroll(await rows(opened), "up", 5000)
    assert (up.moved_y, up.at_edge) == (-900, True)


@contract(SCROLLING_CONTRACTS)
async def a_node_in_a_container_scrolls_the_container(stage: Stage) -> None:
    opened = await stage.open("scrolling")
    outcome = await opened.app.scroll(await opened.node("button", "Row 2"), "down", 40)
    assert outcome.moved_y == 40
    scroll = (await rows(opened)).scroll
    assert scroll is not None
    assert scroll.y == 40


@contract(SCROLLING_CONTRACTS)
async def the_page_scrolls_without_a_node(stage: Stage) -> None:
    opened = await stage.open("scrolling")
    before = await opened.node("button", "Far below")
    outcome = await opened.app.scroll(None, "down", 250)
    assert (outcome.moved_y, outcome.at_edge) == (250, False)
    observation = await opened.app.observe()
    assert observation.scroll is not None
    assert observation.scroll.y == 250
    after = await opened.node("button", "Far below")
    assert before.rect is not None
    assert after.rect is not None
    assert (after.rect.y, after.handle) == (before.rect.y - 250, before.handle)
    assert (await opened.app.scroll(None, "bottom", 0)).at_edge
    assert (await opened.app.scroll(None, "top", 0)).at_edge
