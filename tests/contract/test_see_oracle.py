"""Role and name of every node against Chromium's own tree, over the pinned corpus (web.md, 2)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.see_cdp import a_page, serving
from tests.support.see_oracle import Verdict, compare

CORPUS = Path(__file__).parent / "corpus"
PAGES = sorted(path.stem for path in CORPUS.glob("*.html"))

DECLARED = {
    "details": [
        ("missing button: ours '', theirs 'Details'", "the browser's own summary has no element")
    ],
    "editing": [
        (
            "role textbox: ours 'textbox', theirs 'generic'",
            "an editing host takes text: it is a textbox here",
        )
    ],
    "inline": [
        ("name math: ours 'y=2', theirs ''", "a formula's text is its name here, not a tree of symbols")
    ],
    "mail": [
        (
            "name generic: ours 'Tue, May 12', theirs ''",
            "an author-given title counts whatever the role (identity.md, 3)",
        )
    ],
    "roles": [
        (
            "role table: ours 'table', theirs 'generic'",
            "whether a table is one must not depend on its looks",
        ),
        (
            "role option: ours 'option', theirs 'generic'",
            "a role outside its usual parent is still what is meant",
        ),
        ("role treeitem: ours 'treeitem', theirs 'generic'", "the same"),
        ("role listitem: ours 'listitem', theirs 'generic'", "the same"),
    ],
    "rtl": [("extra text: ours 'かんじ', theirs ''", "a ruby annotation is text on the screen")],
}
"""Every difference that is left, with its reason; the test holds the corpus to exactly this list."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def verdicts() -> AsyncIterator[dict[str, Verdict]]:
    found = {}
    with serving(str(CORPUS)) as port:
        async with a_page() as page:
            for name in PAGES:
                await page.goto(f"http://127.0.0.1:{port}/{name}.html")
                found[name] = await compare(page)
    yield found


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("name", PAGES)
async def test_differences_from_the_browsers_tree_are_exactly_the_declared_ones(
    name: str, verdicts: dict[str, Verdict]
) -> None:
    assert sorted(map(str, verdicts[name].differences)) == sorted(
        difference for difference, _ in DECLARED.get(name, [])
    )


@pytest.mark.parametrize("name", PAGES)
async def test_states_are_those_of_the_browsers_tree(name: str, verdicts: dict[str, Verdict]) -> None:
    assert list(map(str, verdicts[name].state_differences)) == []


async def test_agreement_over_the_corpus_is_at_least_99_5_percent(
    verdicts: dict[str, Verdict], capsys: pytest.CaptureFixture[str]
) -> None:
    compared = sum(verdict.compared for verdict in verdicts.values())
    agreed = sum(verdict.agreed for verdict in verdicts.values())
    states = sum(verdict.states for verdict in verdicts.values())
    accounted: dict[str, int] = {}
    for verdict in verdicts.values():
        for why, count in verdict.accounted.items():
            accounted[why] = accounted.get(why, 0) + count
    with capsys.disabled():
        print(f"\nrole and name agree on {agreed} of {compared} nodes: {100 * agreed / compared:.2f} %")
        print(f"states agree on {states} matched nodes; {len(verdicts)} pages; not nodes of ours:")
        for why, count in sorted(accounted.items(), key=lambda pair: -pair[1]):
            print(f"  {count:5} {why}")
    assert compared > 1_500
    assert len(verdicts) >= 25
    assert agreed / compared >= 0.995
