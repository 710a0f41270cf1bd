"""How fast is a snapshot? Ours against ``Accessibility.getFullAXTree``, in the same run, as ratios.

``python bench/see.py [sizes…]``: pages of 100, 1,000, 5,000 and 20,000 elements; our figure includes
transfer, decoding and assembly in Python. Prints medians in ms, the ratio, and the growth exponent
from the second to the last size (web.md, requirement 7).
"""

from __future__ import annotations

import asyncio
import math
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.see_cdp import Page, a_page

from surefoot.drivers.web.see import capture, unchanged

SIZES = (100, 1_000, 5_000, 20_000)
STYLE = """
body{font-family:sans-serif} .card{border:1px solid #ccc;padding:4px} .btn{cursor:pointer}
.req::after{content:" *"} .badge{background:#eee} .row{display:flex} .pane{overflow:auto;max-height:90vh}
"""


def page_of(elements: int) -> str:
    """A page of about that many elements: records with headings, texts, controls, tables and lists."""
    record = """<div class="card" id="card-{i}x"><h3>Item {i}</h3><p>Some text with <b>bold</b> and
<a href="#l{i}" title="More">a link</a>.</p><div class="row"><label class="req" for="f{i}x">Amount</label>
<input id="f{i}x" value="{i}"><select><option>One</option><option selected>Two</option></select>
<label><input type="checkbox"> Keep</label><button class="btn" data-testid="add-{i}-b">Add</button></div>
<ul><li>First</li><li><span class="badge">2</span> second</li></ul>
<div role="button" tabindex="0" aria-expanded="false"><span>More</span></div></div>"""
    count = max(1, round(elements / 21))
    records = "".join(record.format(i=i) for i in range(count))
    return f"<title>Bench</title><style>{STYLE}</style><main><h1>Records</h1>{records}</main>"


async def median_ms(
    call: Callable[[], Awaitable[Any]], rounds: int, before: Callable[[], Awaitable[Any]]
) -> float:
    times = []
    for _ in range(rounds):
        await before()
        start = time.perf_counter()
        await call()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


async def measure(page: Page, size: int) -> tuple[int, float, float, float]:
    """Elements on the page; medians of ours, of getFullAXTree and of ``unchanged``."""
    await page.show(page_of(size))
    elements = await page.run("document.querySelectorAll('*').length")
    rounds = 11 if size <= 1_000 else 5 if size <= 5_000 else 3

    async def touch() -> None:
        await page.run("document.querySelector('h3').firstChild.data += '.', 0")

    async def theirs() -> None:
        await page.browser.send("Accessibility.getFullAXTree", {}, page.session)

    await capture(page)
    ours = await median_ms(lambda: capture(page), rounds, touch)
    observation = await capture(page)
    same = await median_ms(lambda: unchanged(page, observation), rounds, lambda: asyncio.sleep(0))
    full = await median_ms(theirs, max(3, rounds // 2), touch)
    return elements, ours, full, same


async def main(sizes: tuple[int, ...]) -> None:
    print(f"{'elements':>9} {'ours ms':>9} {'AXTree ms':>10} {'ratio':>6} {'unchanged ms':>13}")
    points = []
    async with a_page() as page:
        for size in sizes:
            elements, ours, full, same = await measure(page, size)
            points.append((elements, ours))
            print(f"{elements:>9} {ours:>9.1f} {full:>10.1f} {full / ours:>6.1f} {same:>13.1f}")
    if len(points) > 2:
        (n0, t0), (n1, t1) = points[1], points[-1]
        print(f"growth exponent from {n0} to {n1}: {math.log(t1 / t0) / math.log(n1 / n0):.2f}")


if __name__ == "__main__":
    asyncio.run(main(tuple(map(int, sys.argv[1:])) or SIZES))
