"""What a capture says when a page is too much, too little, or not readable now."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest
import pytest_asyncio
from tests.support.see_cdp import Page, PageFrame, a_page
from tests.support.see_view import one, outline

from surefoot.drivers.web.see import Frame, FrameGone, capture
from surefoot.errors import CaptureUnreadable

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def page() -> AsyncIterator[Page]:
    async with a_page() as made:
        yield made


async def test_B029_unpaired_surrogates_are_replaced_and_disclosed(page: Page) -> None:
    await page.show("<title>T</title><button id=b>x</button><p>👋 𠮷</p>")
    await page.run("b.textContent = 'bad \\ud800 end', 0")
    seen = await capture(page)
    assert one(seen, "button").label == "bad \ufffd end"
    assert one(seen, "text").label == "👋 𠮷"
    assert seen.notes == ("1 strings had unpaired surrogates; they were replaced by U+FFFD",)


async def test_at_most_100_000_nodes_and_it_says_so(page: Page) -> None:
    await page.show("<title>T</title><select id=d></select>")
    await page.run("d.innerHTML = '<option>x</option>'.repeat(110000), 0")
    seen = await capture(page)
    assert len(seen.tree) <= 100_000
    assert seen.truncated
    assert any("100000 nodes" in note for note in seen.notes)


async def test_deep_nesting_is_bounded_and_disclosed(page: Page) -> None:
    await page.show("<title>T</title><div id=d></div>")
    await page.run(
        "let at = d; for (let i = 0; i < 1500; i++)"
        "  at = at.appendChild(document.createElement('blockquote')); 0"
    )
    seen = await capture(page)
    assert 900 < len(seen.tree) <= 1_001
    assert seen.truncated
    assert seen.notes == ("elements nested deeper than 1000 levels are left out",)


async def test_long_strings_are_cut_and_disclosed(page: Page) -> None:
    await page.show("<title>T</title><p id=p></p>")
    await page.run("p.textContent = 'x'.repeat(20000), 0")
    seen = await capture(page)
    assert len(one(seen, "text").label) == 10_000
    assert seen.notes == ("1 strings were longer than 10000 characters and were cut",)


async def test_an_empty_document_is_a_content_verdict(page: Page) -> None:
    await page.goto("about:blank")
    with pytest.raises(CaptureUnreadable) as raised:
        await capture(page)
    assert raised.value.verdict == "empty_document"


async def test_a_titled_page_without_content_is_sparse(page: Page) -> None:
    await page.show("<title>App</title><div id=root></div>")
    seen = await capture(page)
    assert (seen.quality, outline(seen)) == ("sparse", [])


async def test_a_page_with_content_is_ok(page: Page) -> None:
    await page.show("<title>App</title><p>x</p>")
    assert (await capture(page)).quality == "ok"


async def test_while_navigating_nothing_is_read(page: Page) -> None:
    await page.show("<p>x</p>")
    page.navigating = True
    try:
        with pytest.raises(CaptureUnreadable) as raised:
            await capture(page)
    finally:
        page.navigating = False
    assert raised.value.verdict == "navigating"


class Vanishing:
    """A top frame that navigates away while it is read."""

    def __init__(self, frame: PageFrame) -> None:
        self.id, self.parent, self.url, self.origin = frame.id, None, frame.url, frame.origin
        self.separate = False

    async def evaluate(self, expression: str) -> str:
        raise FrameGone(self.id)

    async def closed_hosts(self, numbers: Sequence[int]) -> Sequence[int]:
        raise FrameGone(self.id)

    async def owner(self) -> int | None:
        return None


class VanishingHost:
    navigating = False

    def __init__(self, page: Page) -> None:
        self._top = Vanishing(page.frames()[0])

    def frames(self) -> Sequence[Frame]:
        return [self._top]


async def test_a_document_lost_during_the_walk_is_navigating(page: Page) -> None:
    await page.show("<p>x</p>")
    with pytest.raises(CaptureUnreadable) as raised:
        await capture(VanishingHost(page))
    assert raised.value.verdict == "navigating"


async def test_no_frame_at_all_is_navigating() -> None:
    class Nothing:
        navigating = False

        def frames(self) -> Sequence[Frame]:
            return []

    with pytest.raises(CaptureUnreadable) as raised:
        await capture(Nothing())
    assert raised.value.verdict == "navigating"


async def test_the_walker_installs_itself_once_per_document(page: Page) -> None:
    await page.show("<p>x</p>")
    before = page.evaluations
    await capture(page)
    await capture(page)
    assert page.evaluations - before == 3
