"""Whether anything changed since a capture: mutation records, and what they miss (web.md)."""

# ruff: noqa: E501 - a page is one string, its outline another: broken up they cannot be compared
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from msgspec.structs import replace
from tests.support.see_cdp import Page, a_page

from surefoot.drivers.web.see import capture, unchanged

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCREEN = """<title>T</title><style id=css>.q{color:red}</style><p id=p class=q>text</p><input id=i><input id=c type=checkbox>
<select id=s><option>a<option>b</select><select id=m multiple><option selected>a<option>b</select><textarea id=t></textarea>
<div id=sc style="height:40px;overflow:auto"><div style="height:400px">tall</div></div><div id=h></div>
<div id=pop popover>pop</div><details id=d><summary>s</summary>x</details><button id=b>b</button><div id=late></div>
<iframe id=f title=F srcdoc="<p>in</p>"></iframe><div style="height:3000px"></div>
<script>h.attachShadow({mode:'open'}).innerHTML='<p>shadow</p>'</script>"""

CHANGES = {
    "nothing": ("0", True),
    "a text": ("p.firstChild.data = 'other'", False),
    "an attribute": ("p.className = 'z'", False),
    "a node": ("p.append('x')", False),
    "a text in a shadow root": ("h.shadowRoot.firstChild.textContent = 'x'", False),
    "a text in a frame": ("frames[0].document.querySelector('p').textContent = 'x'", False),
    "a value": ("i.value = 'v'", False),
    "a textarea's value": ("t.value = 'v'", False),
    "checked by property": ("c.checked = true", False),
    "indeterminate by property": ("c.indeterminate = true", False),
    "a selected index": ("s.selectedIndex = 1", False),
    "a second selected option": ("m.options[1].selected = true", False),
    "an inserted style rule": ("css.sheet.insertRule('p{display:none}')", False),
    "a disabled style sheet": ("css.sheet.disabled = true", False),
    "an adopted style sheet": ("document.adoptedStyleSheets = [new CSSStyleSheet()]", False),
    "a late shadow root": ("late.attachShadow({mode:'open'}).innerHTML = '<p>x</p>'", False),
    "a custom validity": ("i.setCustomValidity('bad')", False),
    "a scrolled container": ("sc.scrollTop = 20", False),
    "a scrolled page": ("scrollTo(0, 50)", False),
    "a popover": ("pop.showPopover()", False),
    "the focus": ("b.focus()", False),
    "the title": ("document.title = 'U'", False),
    "the address": ("history.pushState(0, '', '#x')", False),
    "a rewritten rule that moves things": ("css.sheet.cssRules[0].style.height = '90px'", False),
    "a finished animation": ("p.animate([{opacity:1},{opacity:1}], 1).finish()", True),
}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def page() -> AsyncIterator[Page]:
    async with a_page() as made:
        yield made


@pytest.mark.parametrize("name", CHANGES)
async def test_unchanged_after(name: str, page: Page) -> None:
    script, expected = CHANGES[name]
    await page.show(SCREEN)
    seen = await capture(page)
    await page.run(f"void ({script})")
    assert await unchanged(page, seen) is expected


async def test_a_running_animation_is_never_unchanged(page: Page) -> None:
    await page.show(SCREEN)
    await page.run("p.animate([{opacity:1},{opacity:.5}], {duration: 1000, iterations: Infinity}), 0")
    seen = await capture(page)
    assert not await unchanged(page, seen)


async def test_asking_costs_one_small_question_a_frame(page: Page) -> None:
    await page.show(SCREEN)
    seen = await capture(page)
    before = page.evaluations
    assert await unchanged(page, seen)
    assert page.evaluations - before == 2


async def test_two_captures_of_the_same_screen_have_the_same_epoch(page: Page) -> None:
    await page.show(SCREEN)
    assert (await capture(page)).epoch == (await capture(page)).epoch


async def test_another_document_at_the_same_address_is_a_change(page: Page) -> None:
    await page.show(SCREEN)
    seen = await capture(page)
    await page.show(SCREEN)
    assert not await unchanged(page, seen)


async def test_a_navigation_under_way_is_a_change(page: Page) -> None:
    await page.show(SCREEN)
    seen = await capture(page)
    page.navigating = True
    try:
        assert not await unchanged(page, seen)
    finally:
        page.navigating = False


async def test_an_epoch_of_another_kind_is_a_change(page: Page) -> None:
    await page.show(SCREEN)
    seen = await capture(page)
    assert not await unchanged(page, replace(seen, epoch="something else"))


async def test_a_password_of_the_same_length_leaves_no_trace_in_the_epoch(page: Page) -> None:
    await page.show("<title>T</title><input type=password id=i value=aaaa>")
    seen = await capture(page)
    await page.run("i.value = 'bbbb', 0")
    assert await unchanged(page, seen)
