"""How fast is a snapshot? Ours against ``Accessibility.getFullAXTree``, in the same run, as ratios.

``python bench/see.py [sizes…]``: a mixed page of 100, 1,000, 5,000 and 20,000 elements, then other
shapes of page at 1,000 and 5,000. Our figure includes transfer, decoding and assembly in Python; the
two take turns, and each has a change of the page before it. Medians (and minima) in ms, the ratio of
the medians, and the growth exponent from the second to the last size (web.md, requirement 7).
"""

from __future__ import annotations

import asyncio
import math
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.see_cdp import Page, a_page

from surefoot.drivers.web.see import capture, unchanged

SIZES = (100, 1_000, 5_000, 20_000)
SHAPE_SIZES = (1_000, 5_000)
WARM_UP = 20
AX_TREE = "Accessibility.getFullAXTree"
STYLE = """
body{font-family:sans-serif} .card{border:1px solid #ccc;padding:4px} .btn{cursor:pointer}
.req::after{content:" *"} .badge{background:#eee} .row{display:flex}
"""

# Name of a shape: elements of one record, and the record.
SHAPES = {
    "mixed": (
        21,
        """<div class="card" id="card-{i}x"><h3>Item {i}</h3><p>Some text with <b>bold</b> and
<a href="#l{i}" title="More">a link</a>.</p>
<div class="row"><label class="req" for="f{i}x">Amount</label><input id="f{i}x" value="{i}"><select>
<option>One</option><option selected>Two</option></select>
<label><input type="checkbox"> Keep</label>
<button class="btn" data-testid="add-{i}-b">Add</button></div>
<ul><li>First</li><li><span class="badge">2</span> second</li></ul>
<div role="button" tabindex="0" aria-expanded="false"><span>More</span></div></div>""",
    ),
    "rows": (3, '<div class="row"><span>Item {i}</span><button id="b{i}x">Add</button></div>'),
    "links": (2, '<li><a href="#{i}">Link {i}</a></li>'),
    "text": (
        4,
        "<p>Lorem ipsum dolor <b>sit amet</b>, consectetur <a href='#'>adipiscing</a> elit, sed do"
        " <i>eiusmod</i> tempor incididunt ut labore et dolore {i}.</p>",
    ),
    "nested": (
        10,
        "<div><div><div><div><h2>Title {i}</h2><p>Some text</p></div></div>"
        "<div><div><button><span>Buy</span></button></div></div></div></div>",
    ),
    "table": (
        7,
        "<tr><td>{i}</td><td>Name {i}</td><td><a href='#'>open</a></td>"
        "<td><button>Delete</button></td></tr>",
    ),
}
SHAPES["ruled"] = SHAPES["mixed"]  # under a style sheet of many rules, so that each element is asked
RULES = 400


def page_of(shape: str, elements: int) -> str:
    """A page of about that many elements of one shape."""
    size, record = SHAPES[shape]
    body = "".join(record.replace("{i}", str(i)) for i in range(max(1, round(elements / size))))
    wrap = {"table": "<table border=1>{}</table>", "links": "<ul>{}</ul>"}.get(shape, "{}")
    more = (
        "".join(f".c-{i}{{opacity:0;cursor:pointer}}" for i in range(RULES)) if shape == "ruled" else ""
    )
    head = f"<title>Bench</title><style>{STYLE}{more}</style>"
    return f"{head}<main><h1>Records</h1>{wrap.format(body)}</main>"


async def timed(call: Callable[[], Awaitable[Any]]) -> float:
    """Milliseconds of one call."""
    start = time.perf_counter()
    await call()
    return (time.perf_counter() - start) * 1000


async def measure(page: Page, shape: str, size: int) -> tuple[int, float]:
    """Print one line for a page; its elements and our median."""
    await page.show(page_of(shape, size))
    elements = await page.run("document.querySelectorAll('*').length")
    first = await timed(lambda: capture(page))
    for _ in range(WARM_UP):
        await capture(page)

    async def touch() -> None:
        """Change the page, and let it draw the change: neither side is to wait for that."""
        await page.run("document.querySelector('main').append(document.createElement('hr')), 0")
        await asyncio.sleep(0.05)

    ours, theirs, same = [], [], []
    for _ in range(25 if size <= 1_000 else 9 if size <= 5_000 else 3):
        await touch()
        ours.append(await timed(lambda: capture(page)))
        await touch()
        theirs.append(await timed(partial(page.browser.send, AX_TREE, {}, page.session)))
        same.append(await timed(partial(unchanged, page, await capture(page))))
    ratio = median(theirs) / median(ours)
    print(
        f"{shape:8} {elements:>8} {median(ours):>9.1f} ({min(ours):>6.1f}) {median(theirs):>9.1f}"
        f" ({min(theirs):>7.1f}) {ratio:>6.1f} {first:>8.1f} {median(same):>9.1f}"
    )
    return elements, median(ours)


async def main(sizes: tuple[int, ...]) -> None:
    heads = f"{'ours (min)':>18} {'AXTree (min)':>19} {'ratio':>6} {'first':>8} {'unchanged':>9}"
    print(f"{'shape':8} {'elements':>8} {heads}")
    async with a_page() as page:
        points = [await measure(page, "mixed", size) for size in sizes]
        if len(points) > 2:
            (n0, t0), (n1, t1) = points[1], points[-1]
            print(f"growth exponent from {n0} to {n1}: {math.log(t1 / t0) / math.log(n1 / n0):.2f}")
        for size in SHAPE_SIZES:
            for shape in SHAPES:
                if shape != "mixed":
                    await measure(page, shape, size)


if __name__ == "__main__":
    asyncio.run(main(tuple(map(int, sys.argv[1:])) or SIZES))
