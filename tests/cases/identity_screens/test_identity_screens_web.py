"""The rows of ``screens.tsv`` as pages of a real browser: captured, recorded, verified.

The markup is made from the row's own notation, one element each; nothing of ``=A`` is in it. Marked
elements are found again by their place among those of their role.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from html import escape

import pytest
import pytest_asyncio
from tests.cases.identity_screens.test_identity_screens import ALLOWED, Row, rows
from tests.support.see_cdp import Page, a_page

from surefoot.drivers.sim.notation import Template, parse_screen
from surefoot.drivers.web.see import capture
from surefoot.identity import IdentityView, Refused, TargetEvidence, Verified, verify
from surefoot.recording import recorded_targets
from surefoot.selectors import Disambiguated, Unique, match, resolve_for_action
from surefoot.tree import Node, Observation

pytestmark = pytest.mark.asyncio(loop_scope="module")

TAGS = {
    "main": "main",
    "heading": "h2",
    "text": "p",
    "button": "button",
    "table": "table",
    "row": "tr",
    "cell": "td",
    "list": "ul",
    "listitem": "li",
    "generic": "div",
    "tree": "div role=tree",
    "treeitem": "div role=treeitem",
    "group": "div role=group",
}
NAMED_BY_CONTENT = ("heading", "text", "button", "link")


def markup(part: Template) -> str:
    """The element, as an author of a page would write it."""
    name, inside = escape(part.label), "".join(map(markup, part.children))
    id = f' id="{escape(part.id)}"' if part.id else ""
    if part.role == "document":
        return f"<title>{name}</title>{inside}"
    if part.role == "textbox":
        return f'<input aria-label="{name}"{id}>'
    if part.role == "link":
        return f'<a href="#"{id}>{name}</a>'
    tag = TAGS[part.role]
    presses = " tabindex=0 onclick='void 0'" if part.role == "generic" and part.key else ""
    if part.role in NAMED_BY_CONTENT:
        inside = name + inside
    elif name:
        id += f' aria-label="{name}"'
    return f"<{tag}{id}{presses}>{inside}</{tag.split()[0]}>"


def marked(part: Template) -> Iterator[Template]:
    """The elements that can be meant, in document order."""
    if part.key:
        yield part
    for child in part.children:
        yield from marked(child)


async def shown(page: Page, notation: str) -> tuple[Observation, dict[str, Node]]:
    """What a capture sees of the screen, and its marked elements."""
    (root,) = parse_screen(notation)
    await page.show(markup(root))
    seen = await capture(page)
    parts = list(marked(root))
    (role,) = {part.role for part in parts}
    nodes = [
        node for node in seen.tree if node.role == role and (role != "generic" or node.hittable is True)
    ]
    assert len(nodes) == len(parts), notation
    return seen, {part.key: node for part, node in zip(parts, nodes, strict=True)}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def page() -> AsyncIterator[Page]:
    async with a_page() as made:
        yield made


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.screen.replace(" ", "-"))
async def test_screen_in_a_browser(row: Row, page: Page) -> None:
    key = row.target.split()[0].removeprefix("=")
    before, nodes = await shown(page, row.before)
    (target,), evidence = recorded_targets("press", [(before, nodes[key])], "pre_dispatch")
    assert isinstance(evidence, TargetEvidence)
    assert evidence.verification == "verified"

    after, nodes = await shown(page, row.after)
    matches = match(after.tree, target.chain.selector)
    found = resolve_for_action(after.tree, matches)
    winner = found.node if isinstance(found, Unique | Disambiguated) else None
    verdict = verify(IdentityView(after.tree), evidence, matches.nodes, winner)
    if isinstance(verdict, Refused):
        outcome = "refuse"
    else:
        assert isinstance(verdict, Verified)
        same = key in nodes and after.tree.contains(nodes[key], verdict.node)
        outcome = "truth" if same else "wrong"
    assert outcome in ALLOWED[row.outcome]
