"""On a page nobody changed, everything recorded replays: no false divergence.

Every interactive element of every page of the demo shop, at three viewports: recorded as a press
records it (by the node a ref denotes, and by what its own selector resolves to), the page reloaded,
then the selector resolved and the evidence verified on the new capture.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio
from shop.server import PAGES, Shop

from surefoot.check import MUTATIONS
from surefoot.drivers import DriverEvent, Gesture, OpenRequest
from surefoot.drivers.web import WebApp, WebDriver
from surefoot.identity import IdentityView, TargetEvidence, Verified, verify
from surefoot.recording import recorded_targets
from surefoot.selectors import Disambiguated, Selector, Unique, match, resolve_for_action
from surefoot.tree import Node, Observation, Tree

VIEWPORTS = ((1280, 720), (768, 1024), (390, 844))
NAMES = sorted(page.stem for page in PAGES.glob("*.html"))


@pytest_asyncio.fixture(loop_scope="function")
async def app(tmp_path: Path) -> AsyncIterator[tuple[WebApp, str]]:
    """The shop, signed in, with something in the basket."""

    def ignore(_event: DriverEvent) -> None:
        return

    with Shop() as shop:
        driver = WebDriver()
        try:
            opened = await driver.open(
                OpenRequest(target=shop.url, session="s", state_dir=str(tmp_path)), ignore
            )
            for label, text in (("Email", "ada@example.com"), ("Password", "correct horse")):
                await opened.fill(await named(opened, label), text)
            await opened.pointer(await named(opened, "Sign in", "button"), Gesture())
            await opened.pointer(await named(opened, "Add", "button"), Gesture())
            yield opened, shop.url
        finally:
            await driver.close()


async def named(app: WebApp, label: str, role: str | None = None) -> Node:
    tree = (await app.observe()).tree
    found = (tree[index] for index in tree.by_label[label])
    return next(node for node in found if role is None or node.role == role)


def resolved(observation: Observation, selector: Selector) -> tuple[tuple[Node, ...], Node | None]:
    """The selector's matches and the one the ambiguity rule settles on."""
    matches = match(observation.tree, selector)
    found = resolve_for_action(observation.tree, matches)
    return matches.nodes, found.node if isinstance(found, Unique | Disambiguated) else None


@pytest.mark.parametrize("size", VIEWPORTS, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("page", NAMES)
async def test_every_interactive_element_replays_after_a_reload(
    app: tuple[WebApp, str], page: str, size: tuple[int, int]
) -> None:
    opened, url = app
    await opened.set_viewport(*size)
    await opened.goto(f"{url}{page}.html", 10_000)
    before = await opened.observe()
    recorded: list[tuple[Node, Selector, TargetEvidence]] = []
    for index in before.tree.interactive:
        node = before.tree[index]
        nodes = [node]
        (target,), _ = recorded_targets("press", [(before, node)], "pre_dispatch")
        by_selector = resolved(before, target.chain.selector)[1]
        if by_selector is not None:
            nodes.append(by_selector)
        for subject in nodes:
            (target,), evidence = recorded_targets("press", [(before, subject)], "pre_dispatch")
            assert isinstance(evidence, TargetEvidence)
            assert evidence.verification == "verified"
            recorded.append((subject, target.chain.selector, evidence))
    assert len(recorded) > 1

    await opened.history("reload")
    after = await opened.observe()
    view = IdentityView(after.tree)
    assert len(after.tree) == len(before.tree)
    for subject, selector, evidence in recorded:
        matches, winner = resolved(after, selector)
        verdict = verify(view, evidence, matches, winner)
        assert isinstance(verdict, Verified), (subject, verdict)
        assert verdict.node.index == subject.index


def without(tree: Tree, node: Node) -> Tree:
    """The tree after the node and all below it were taken away."""
    gone = set(range(node.index, tree.subtree_ends[node.index]))
    kept = [other for other in tree if other.index not in gone]
    place = {-1: -1} | {other.index: index for index, other in enumerate(kept)}
    return Tree(
        [
            msgspec.structs.replace(other, index=index, parent=place[other.parent], covered_by=None)
            for index, other in enumerate(kept)
        ]
    )


@pytest.mark.parametrize("page", NAMES)
async def test_a_changed_page_never_leads_to_another_element(
    app: tuple[WebApp, str], page: str
) -> None:
    """Every change of the robustness score, and the element gone: the same element or a refusal."""
    opened, url = app
    await opened.goto(f"{url}{page}.html", 10_000)
    before = await opened.observe()
    tree = before.tree
    for index in tree.interactive:
        node = tree[index]
        (target,), evidence = recorded_targets("press", [(before, node)], "pre_dispatch")
        assert isinstance(evidence, TargetEvidence)
        changed = [change(tree, node) for change in MUTATIONS.values()]
        screens = [(after.tree, after.at) for after in changed if after is not None]
        for now, there in [*screens, (without(tree, node), None)]:
            matches, winner = resolved(msgspec.structs.replace(before, tree=now), target.chain.selector)
            verdict = verify(IdentityView(now), evidence, matches, winner)
            if isinstance(verdict, Verified):
                assert verdict.node.index == there, (node, verdict)
