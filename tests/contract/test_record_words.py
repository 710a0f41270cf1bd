"""The words of a record tell its button from its like, whatever element holds them.

Three records with one button each; the middle one is recorded. Where its record is replaced, nothing
is verified; where the records change places, it is found or refused, and never another's.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

import pytest
import pytest_asyncio
from tests.support.see_cdp import Page, a_page

from surefoot.drivers.web.see import capture
from surefoot.identity import IdentityView, TargetEvidence, Verified, verify
from surefoot.recording import recorded_targets
from surefoot.selectors import Disambiguated, Unique, match, resolve_for_action
from surefoot.tree import Node, Observation

pytestmark = pytest.mark.asyncio(loop_scope="module")

Record = Callable[[str], str]


def kind(around: str, inside: str) -> tuple[str, Record]:
    """Records written with ``%`` for what they say, in an element."""
    return around, lambda words: inside.replace("%", f"{words} <button>Delete</button>")


KINDS: dict[str, tuple[str, Record]] = {
    "a heading": kind("div", "<h3>%</h3><p>desc</p>"),
    "a heading in a box": kind("div", "<div><h3>%</h3><p>desc</p></div>"),
    "a heading of a list item": kind("ul", "<li><h3>%</h3></li>"),
    "an option": kind("ul role=listbox", "<li role=option>%</li>"),
    "a menu item": kind("ul role=menu", "<li role=menuitem>%</li>"),
    "a tree item": kind("ul role=tree", "<li role=treeitem>%</li>"),
    "a link": kind("div", "<div role=link tabindex=0>%</div>"),
    "a summary": kind("div", "<details><summary>%</summary>x</details>"),
    "a tab": kind("div role=tablist", "<div role=tab tabindex=0>%</div>"),
    "a radio button": kind("div role=radiogroup", "<div role=radio aria-checked=false>%</div>"),
    "a tooltip": kind("div", "<div role=tooltip>%</div>"),
    "a term": kind("dl", "<dt>%</dt><dd>d</dd>"),
    "a row header": kind("table", "<tr><th scope=row>%</th><td>data</td></tr>"),
    "a caption": kind("div", "<table><caption>%</caption><tr><td>q</td></tr></table>"),
    "a legend": kind("div", "<fieldset><legend>%</legend>q</fieldset>"),
    "a button beside": (
        "ul",
        lambda words: f"<li><button>{words}</button><button>Delete</button></li>",
    ),
    "paragraphs of a card": (
        "div",
        lambda words: f"<div><p>New</p><p>{words}</p><p><button>Delete</button></p></div>",
    ),
    "a picture": (
        "ul",
        lambda words: f"<li><img alt={words} src='data:,'><button>Delete</button></li>",
    ),
}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def page() -> AsyncIterator[Page]:
    async with a_page() as made:
        yield made


async def shown(page: Page, name: str, words: Sequence[str]) -> tuple[Observation, list[Node]]:
    """The screen with those records, and their buttons in order."""
    around, record = KINDS[name]
    records = "".join(record(word) for word in words)
    end = around.split()[0]
    await page.show(f"<title>App</title><main><h1>People</h1><{around}>{records}</{end}></main>")
    seen = await capture(page)
    return seen, [node for node in seen.tree if (node.role, node.label) == ("button", "Delete")]


async def found(page: Page, name: str, words: Sequence[str]) -> str | None:
    """Whose button the evidence of the second of Alice, Bob and Cyd leads to, on another screen."""
    before, buttons = await shown(page, name, ["Alice", "Bob", "Cyd"])
    (target,), evidence = recorded_targets("press", [(before, buttons[1])], "pre_dispatch")
    assert isinstance(evidence, TargetEvidence)
    after, buttons = await shown(page, name, words)
    matches = match(after.tree, target.chain.selector)
    settled = resolve_for_action(after.tree, matches)
    winner = settled.node if isinstance(settled, Unique | Disambiguated) else None
    verdict = verify(IdentityView(after.tree), evidence, matches.nodes, winner)
    if not isinstance(verdict, Verified):
        return None
    return words[[node.index for node in buttons].index(verdict.node.index)]


@pytest.mark.parametrize("name", KINDS)
async def test_a_replaced_record_s_button_is_not_pressed(name: str, page: Page) -> None:
    assert await found(page, name, ["Alice", "Zed", "Cyd"]) is None


@pytest.mark.parametrize("name", KINDS)
async def test_of_records_that_changed_places_none_other_is_pressed(name: str, page: Page) -> None:
    assert await found(page, name, ["Bob", "Alice", "Cyd"]) in ("Bob", None)


@pytest.mark.parametrize("name", KINDS)
async def test_a_record_inserted_before_is_no_change(name: str, page: Page) -> None:
    assert await found(page, name, ["Zed", "Alice", "Bob", "Cyd"]) == "Bob"
