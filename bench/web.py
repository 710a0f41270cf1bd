"""The web driver against Playwright, whole commands and whole journeys, in one run.

``python bench/web.py [rounds]`` measures, interleaved on the same Chromium binary:

- a press by selector on a 1,000-element page: the installed command against ``locator.click`` plus
  the round trip of a command that does nothing (``session list``); limit 1.2;
- the same 20-step journey through the demo shop: ``replay`` against hand-written Playwright with the
  same waits and assertions, each in a fresh context of a warm browser; limit 1.3;
- starting a session: ``open`` against a new context and page;
- snapshots of 100, 1,000, 5,000 and 20,000 elements against Playwright's ``aria_snapshot`` (against
  Chromium's own tree: ``bench/see.py``);
- captures per interaction over the journey with ``--settle``;
- memory (PSS) of the browser's processes with one and with two sessions.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from bench.see import page_of  # noqa: E402
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402
from shop.server import Shop  # noqa: E402

from surefoot import Surefoot  # noqa: E402
from surefoot.drivers.web.connect.find import find_browser  # noqa: E402

SUREFOOT = str(Path(sys.executable).with_name("surefoot"))
SIZES = (100, 1_000, 5_000, 20_000)
TARGET = """<button onclick="this.title += '.'">Target</button>"""
PRESSED = 'role="button" label="Target"'

JOURNEY = """\
context platform=web target=desktop
open "{url}"
wait "role=heading label=\\"Sign in\\"" 5000
fill "label=\\"Email\\"" "ada@example.com"
fill "label=\\"Password\\"" "correct horse"
press "label=\\"Remember me\\""
press "role=button label=\\"Sign in\\""
wait "role=heading label=\\"Catalogue\\"" 5000
fill "label=\\"Search\\"" "Rope"
press "role=button label=\\"Add\\""
wait "text" "Rope is in the basket" 5000
press "role=link label=\\"Basket\\""
wait "role=heading label=\\"Basket\\"" 5000
is "visible" "role=button label=\\"Checkout\\""
press "role=button label=\\"Checkout\\""
fill "label=\\"Full name\\"" "Ada Byron"
fill "label=\\"Street\\"" "12 Square"
press "label=\\"I accept the terms\\""
press "role=button label=\\"Place order\\""
wait "role=heading label=\\"Order confirmed\\"" 5000
close
"""


def by_hand(browser: Browser, url: str) -> None:
    """The journey's steps, waits and assertions in Playwright."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    page.goto(url)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("Email").fill("ada@example.com")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_label("Remember me").click()
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Catalogue")).to_be_visible()
    page.get_by_label("Search").fill("Rope")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("Rope is in the basket")).to_be_visible()
    page.get_by_role("link", name="Basket").click()
    expect(page.get_by_role("heading", name="Basket")).to_be_visible()
    expect(page.get_by_role("button", name="Checkout")).to_be_visible()
    page.get_by_role("button", name="Checkout").click()
    page.get_by_label("Full name").fill("Ada Byron")
    page.get_by_label("Street").fill("12 Square")
    page.get_by_label("I accept the terms").click()
    page.get_by_role("button", name="Place order").click()
    expect(page.get_by_role("heading", name="Order confirmed")).to_be_visible()
    context.close()


@contextlib.contextmanager
def served_pages() -> Iterator[str]:
    """``/<n>``: a page of about ``n`` elements with one button called Target."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            size = int(self.path.strip("/") or 0)
            body = page_of("mixed", size).replace("</main>", TARGET + "</main>").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def interleaved(
    rounds: int, before: Callable[[], object] | None = None, **works: Callable[[], object]
) -> dict[str, float]:
    """The median milliseconds of each, run in turns, one uncounted turn first.

    ``before`` runs, untimed, before each.
    """
    times: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(rounds + 1):
        for name, work in works.items():
            if before is not None:
                before()
            taken = timed(work)
            if turn:
                times[name].append(taken)
    return {name: statistics.median(taken) for name, taken in times.items()}


def command(*words: str) -> None:
    """One run of the installed command."""
    subprocess.run([SUREFOOT, *words], stdout=subprocess.DEVNULL, check=True)


def pss_mb(pid: int) -> float:
    """Proportional set size of a process and all below it, in MB."""
    total, waiting = 0, [pid]
    while waiting:
        current = waiting.pop()
        with contextlib.suppress(OSError):
            rollup = Path(f"/proc/{current}/smaps_rollup").read_text(encoding="ascii")
            total += next(
                int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")
            )
            for children in Path(f"/proc/{current}/task").glob("*/children"):
                waiting += map(int, children.read_text(encoding="ascii").split())
    return total / 1024


def press(rounds: int, url: str, page: Page) -> bool:
    command("open", f"{url}1000")
    page.goto(f"{url}1000")
    took = interleaved(
        rounds,
        ours=lambda: command("press", PRESSED),
        trip=lambda: command("session", "list"),
        click=lambda: page.get_by_role("button", name="Target").click(),
    )
    command("close")
    ratio = took["ours"] / (took["click"] + took["trip"])
    print(
        f"press, 1,000 elements    ours {took['ours']:.1f} ms (whole command); Playwright click "
        f"{took['click']:.1f} + round trip {took['trip']:.1f}; ratio {ratio:.2f} (limit 1.2)"
    )
    return ratio <= 1.2


def replay(rounds: int, client: Surefoot, browser: Browser, shop: Shop) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "journey.ad"
        script.write_text(JOURNEY.format(url=shop.url), encoding="utf-8")
        took = interleaved(
            rounds,
            ours=lambda: client.replay(str(script)),
            theirs=lambda: by_hand(browser, shop.url),
        )
    ratio = took["ours"] / took["theirs"]
    print(
        f"20-step journey          ours {took['ours']:.0f} ms; Playwright by hand "
        f"{took['theirs']:.0f} ms; ratio {ratio:.2f} (limit 1.3)"
    )
    return ratio <= 1.3


def start(rounds: int, client: Surefoot, browser: Browser, shop: Shop) -> None:
    def theirs() -> None:
        context = browser.new_context()
        context.new_page().goto(shop.url)
        context.close()

    took = interleaved(rounds, ours=lambda: client.open(shop.url).close(), theirs=theirs)
    print(
        f"open a session           ours {took['ours']:.0f} ms; Playwright {took['theirs']:.0f} ms; "
        f"ratio {took['ours'] / took['theirs']:.2f}"
    )


def snapshots(rounds: int, client: Surefoot, page: Page, url: str) -> None:
    for size in SIZES:
        count = rounds if size <= 1_000 else max(3, rounds // 4)
        page.goto(f"{url}{size}")
        with client.open(f"{url}{size}") as session:

            def touch() -> None:
                page.get_by_role("button", name="Target").dispatch_event("click")
                session.press(PRESSED)

            took = interleaved(
                count,
                touch,
                ours=session.snapshot,
                theirs=lambda: page.locator("body").aria_snapshot(timeout=120_000),
            )
        ours, theirs = took["ours"], took["theirs"]
        print(
            f"snapshot, {size:>6} elem.   ours {ours:.1f} ms (request to typed nodes); "
            f"aria_snapshot {theirs:.1f} ms; {theirs / ours:.1f} times as fast"
        )


def captures(client: Surefoot, shop: Shop) -> bool:
    spent: list[int] = []
    with client.open(shop.url) as session:
        session.snapshot()
        acts: list[Callable[[], object]] = [
            lambda: session.fill('label="Email"', "ada@example.com", settle=True),
            lambda: session.fill('label="Password"', "correct horse", settle=True),
            lambda: session.press('label="Sign in" role=button', settle=True),
            lambda: session.fill('label="Search"', "Rope", settle=True),
            lambda: session.press('role=button label="Add"', settle=True),
            lambda: session.press('role=link label="Basket"', settle=True),
            lambda: session.press('role=button label="Checkout"', settle=True),
            lambda: session.fill('label="Full name"', "Ada Byron", settle=True),
            lambda: session.press('label="I accept the terms"', settle=True),
        ]
        for act in acts:
            act()
            cost = session.last_cost
            assert cost is not None
            spent.append(cost.captures)
    mean = statistics.mean(spent)
    print(f"captures an interaction  mean {mean:.2f}, most {max(spent)} (limits 1.1 and 2)")
    return mean <= 1.1 and max(spent) <= 2


def memory(client: Surefoot, browser_pid: int, shop: Shop) -> None:
    with client.open(shop.url):
        one = pss_mb(browser_pid)
        with client.with_options(session="second").open(shop.url):
            two = pss_mb(browser_pid)
    print(f"memory of the browser    {one:.0f} MB with a session, {two - one:.0f} MB for one more")


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as state, served_pages() as url, Shop() as shop:
        os.environ["SUREFOOT_STATE_DIR"] = state
        found = find_browser()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=found.path, args=["--no-sandbox"] if os.getuid() == 0 else []
            )
            page = browser.new_page()
            client = Surefoot().with_options(cost=True)
            try:
                print(f"{found.path}, {rounds} rounds, medians")
                good = [press(rounds, url, page), replay(rounds, client, browser, shop)]
                start(rounds, client, browser, shop)
                good.append(captures(client, shop))
                status = client.daemon_status()
                if status.browser_pid is not None:
                    memory(client, status.browser_pid, shop)
                snapshots(rounds, client, page, url)
            finally:
                client.disconnect()
                command("daemon", "stop")
                browser.close()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
