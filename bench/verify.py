"""What a step's verification costs beside a snapshot of the same page: ``python bench/verify.py``.

Pages of 1,000 and 20,000 elements in a real browser; the target is a record's button, recorded on one
capture and verified on the next, after the selector was resolved on it, which a step without evidence
pays for too. Limit: 10 % of the snapshot. Growth: ``bench/growth.py``.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.see import page_of
from tests.support.see_cdp import Page, a_page

from surefoot.drivers.web.see import capture
from surefoot.identity import IdentityView, Verified, record_target, verify
from surefoot.selectors import Ambiguous, build_chain, match, resolve_for_action

SIZES = (1_000, 20_000)
LIMIT = 0.10


async def measure(page: Page, size: int) -> float:
    """Print one line; the share of a snapshot that a verification costs."""
    await page.show(page_of("mixed", size))
    first = await capture(page)
    buttons = [node for node in first.tree if node.role == "button" and node.label == "Add"]
    target = buttons[len(buttons) // 2]
    evidence = record_target(IdentityView(first.tree), target)
    selector = build_chain(first.tree, target).selector
    looks: list[float] = []
    checks: list[float] = []
    for _ in range(11 if size <= 1_000 else 5):
        await page.run("document.querySelector('main').append(document.createElement('hr')), 0")
        begun = time.perf_counter()
        observation = await capture(page)
        looked = time.perf_counter()
        found = resolve_for_action(observation.tree, match(observation.tree, selector))
        matches = match(observation.tree, selector).nodes
        assert isinstance(found, Ambiguous)
        seen = time.perf_counter()
        verdict = verify(IdentityView(observation.tree), evidence, matches, None)
        done = time.perf_counter()
        assert isinstance(verdict, Verified)
        assert verdict.node.index == target.index
        looks.append((looked - begun) * 1000)
        checks.append((done - seen) * 1000)
    look, check = statistics.median(looks), statistics.median(checks)
    print(
        f"{size:>6} elements: snapshot {look:.1f} ms, verification {check:.2f} ms, {check / look:.1%}"
    )
    return check / look


async def main() -> int:
    async with a_page() as page:
        shares = [await measure(page, size) for size in SIZES]
    print(f"limit {LIMIT:.0%} of a snapshot")
    return 0 if max(shares) <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
