"""Frames: one tree over same-origin and cross-origin ones, rects in the top viewport (web.md, Seeing)."""

# ruff: noqa: E501 - a page is one string, its outline another: broken up they cannot be compared
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.see_cdp import Page, PageFrame, a_page, serving
from tests.support.see_view import one, outline

from surefoot.drivers.web.see import Frame, FrameGone, FrameHost, capture

pytestmark = pytest.mark.asyncio(loop_scope="module")

OUTER = """<!doctype html><title>Outer</title><body style="margin:0"><h1 style="margin:0;height:40px">Top</h1>
<div style="padding-left:20px"><iframe src="http://localhost:PORT/inner.html" width=300 height=100
style="border:5px solid;padding:3px"></iframe></div><button>After</button>"""
INNER = """<!doctype html><title>Inner</title><body style="margin:0"><button style="position:absolute;left:10px;
top:7px;width:50px;height:20px">In</button><input type=password value=hunter2 aria-label=P>"""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder: Path = tmp_path_factory.mktemp("frames")
    with serving(str(folder)) as port:
        (folder / "outer.html").write_text(OUTER.replace("PORT", str(port)))
        (folder / "inner.html").write_text(INNER)
        yield port


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def page() -> AsyncIterator[Page]:
    async with a_page() as made:
        yield made


async def opened(page: Page, port: int) -> Page:
    """The outer page with its cross-origin frame attached as a session of its own."""
    await page.goto(f"http://127.0.0.1:{port}/outer.html")
    for _ in range(200):
        await page.refresh()
        if any(frame.separate and frame.url.endswith("inner.html") for frame in page.frames()):
            break
        await asyncio.sleep(0.02)
    return page


async def test_a_cross_origin_frame_stands_below_its_owner(page: Page, port: int) -> None:
    seen = await capture(await opened(page, port))
    origin = f"http://localhost:{port}"
    assert outline(seen) == [
        'heading "Top" level=1',
        f'iframe author="{origin}"',
        '  document "Inner"',
        '    button "In" hittable',
        '    textbox "P" hittable editable password has_value',
        'button "After" hittable',
    ]


async def test_rects_in_a_frame_are_in_the_top_viewport(page: Page, port: int) -> None:
    rect = one(await capture(await opened(page, port)), "button", "In").rect
    assert rect is not None
    assert (rect.x, rect.y, rect.width, rect.height) == (20 + 5 + 3 + 10, 40 + 5 + 3 + 7, 50, 20)


async def test_a_scaled_frame_scales_its_rects(page: Page) -> None:
    await page.show(
        "<title>T</title><body style='margin:0'><iframe title=F style='border:0;transform-origin:0 0;"
        "transform:scale(.5)' srcdoc=\"<body style='margin:0'><button style='position:absolute;left:40px;"
        "top:20px;width:60px;height:20px'>b</button>\"></iframe>"
    )
    rect = one(await capture(page), "button").rect
    assert rect is not None
    assert (rect.x, rect.y, rect.width, rect.height) == (20, 10, 30, 10)


async def test_indexes_are_document_order_over_all_frames(page: Page) -> None:
    await page.show(
        "<title>T</title><p>a</p><iframe title=F srcdoc='<p>b</p>'></iframe><p>c</p>"
        "<iframe title=G srcdoc='<p>d</p>'></iframe><p>e</p>"
    )
    tree = (await capture(page)).tree
    assert [node.index for node in tree] == list(range(len(tree)))
    assert [node.label for node in tree if node.role == "text"] == ["a", "b", "c", "d", "e"]
    assert all(node.parent < node.index for node in tree)
    assert all(tree[node.parent].depth == node.depth - 1 for node in tree if node.parent >= 0)


async def test_hidden_frames_are_out_and_do_not_count_for_change(page: Page) -> None:
    await page.show(
        "<title>T</title><p>x</p><iframe style='display:none' srcdoc='<p>never</p>'></iframe>"
    )
    seen = await capture(page)
    assert outline(seen) == ["paragraph", '  text "x"']
    assert len(seen.epoch.split(";")) == 1


async def test_focus_counts_only_along_the_chain_of_focused_frames(page: Page) -> None:
    await page.show(
        "<title>T</title><input aria-label=out><iframe title=F srcdoc='<input aria-label=in>'></iframe>"
    )
    await page.run("frames[0].document.querySelector('input').focus(), 0")
    inside = await capture(page)
    await page.run("document.querySelector('input').focus(), 0")
    outside = await capture(page)
    assert [n.label for n in inside.tree if n.focused] == ["F", "in"]
    assert [n.label for n in outside.tree if n.focused] == ["out"]


class Broken:
    """A host whose child frames cannot be read: they navigate whenever one asks."""

    navigating = False

    def __init__(self, page: Page) -> None:
        self._frames: list[Frame] = [page.frames()[0], *(Leaving(frame) for frame in page.frames()[1:])]

    def frames(self) -> Sequence[Frame]:
        return self._frames


class Leaving:
    def __init__(self, frame: PageFrame) -> None:
        self.id, self.parent, self.url, self.origin = frame.id, frame.parent, frame.url, frame.origin
        self.separate = frame.separate
        self.owner = frame.owner
        self.closed_hosts = frame.closed_hosts

    async def evaluate(self, expression: str) -> str:
        raise FrameGone(self.id)


async def test_a_frame_that_cannot_be_read_is_a_node_that_says_so(page: Page) -> None:
    await page.show("<title>T</title><iframe title=F srcdoc='<p>x</p>'></iframe>")
    host: FrameHost = Broken(page)
    assert outline(await capture(host)) == ["iframe \"F\" opaque='frame is navigating or gone'"]
