"""What lies over what: ``covered_by`` names the node that takes the hit (web.md; fault B031)."""

# ruff: noqa: E501 - a page is one string, its outline another: broken up they cannot be compared
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.support.see_cdp import Page, a_page
from tests.support.see_view import one

from surefoot.drivers.web.see import capture
from surefoot.tree import Observation

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def page() -> AsyncIterator[Page]:
    async with a_page() as made:
        yield made


def cover(seen: Observation, role: str = "button", label: str | None = None) -> str | None:
    """Role and label of what covers the one such node."""
    index = one(seen, role, label).covered_by
    return None if index is None else f"{seen.tree[index].role} {seen.tree[index].label}".strip()


FULL = "position:fixed;inset:0;background:#fff8"

CASES: dict[str, tuple[str, str | None]] = {
    "B031-full-screen-box": (f"<button>a</button><div style='{FULL}'></div>", "generic"),
    "B031-pointer-events-none": (
        f"<button>a</button><div style='{FULL};pointer-events:none'></div>",
        None,
    ),
    "named-overlay": (
        f"<button>a</button><div role=dialog aria-label=Cookies style='{FULL}'></div>",
        "dialog Cookies",
    ),
    "overlay-out-of-the-tree": (
        f"<button>a</button><div aria-hidden=true style='{FULL}'></div>",
        "generic",
    ),
    "stretched-link": (
        "<style>.s::after{content:'';position:absolute;inset:0}</style><div style='position:relative'>"
        "<button>a</button><a href=# class=s>all</a></div>",
        "link all",
    ),
    "own-child-takes-the-hit": ("<button><span>a</span></button>", None),
    "label-over-its-control": (
        "<label style='position:relative'><input type=checkbox><span style='position:absolute;inset:0'>x</span></label>"
        "<button>a</button>",
        None,
    ),
    "scrolled-out-of-its-container-is-not-covered": (
        "<div style='height:50px;overflow:auto'><div style='height:200px'>t</div><button>a</button></div>"
        "<p style='height:300px'>below</p>",
        None,
    ),
    "off-screen-is-not-covered": ("<div style='height:5000px'>t</div><button>a</button>", None),
    "link-broken-over-lines": (
        "<p style='width:110px;font:16px monospace'>aaaaaaaa <a role=button href=#>a a</a> bbb</p>",
        None,
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_cover_of_the_button(name: str, page: Page) -> None:
    html, expected = CASES[name]
    await page.show(f"<title>T</title>{html}")
    assert cover(await capture(page)) == expected


async def test_a_label_does_not_cover_its_own_control(page: Page) -> None:
    await page.show(f"<title>T</title>{CASES['label-over-its-control'][0]}")
    assert cover(await capture(page), "checkbox") is None


async def test_an_overlay_in_a_shadow_root_is_named_by_its_node(page: Page) -> None:
    await page.show(
        "<title>T</title><button>a</button><div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML="
        f"\"<div role=alert aria-label=Wait style='{FULL}'></div>\"</script>"
    )
    assert cover(await capture(page)) == "alert Wait"


FRAME = (
    "<iframe title=F style='border:0;width:300px;height:100px' srcdoc='<button>in</button>'></iframe>"
)


async def test_what_lies_over_a_frame_covers_what_is_in_it(page: Page) -> None:
    await page.show(f"<title>T</title>{FRAME}<div style='{FULL}'></div>")
    assert cover(await capture(page)) == "generic"


async def test_a_frame_under_nothing_covers_nothing(page: Page) -> None:
    await page.show(f"<title>T</title>{FRAME}")
    assert cover(await capture(page)) is None


async def test_what_is_scrolled_out_with_its_frame_is_not_covered(page: Page) -> None:
    await page.show(
        f"<title>T</title><div style='height:40px;overflow:hidden'><div style='height:60px'></div>{FRAME}</div>"
        "<p style='height:400px'>x</p>"
    )
    assert cover(await capture(page)) is None


async def test_an_overlay_covers_through_two_levels_of_frames(page: Page) -> None:
    inner = FRAME.replace("'", "&quot;").replace('"', "&quot;")
    await page.show(
        f"<title>T</title><iframe title=O width=400 height=200 srcdoc=\"{inner}\"></iframe><div style='{FULL}'></div>"
    )
    assert cover(await capture(page)) == "generic"
