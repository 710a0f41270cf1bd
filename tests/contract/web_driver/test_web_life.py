# ruff: noqa: E501, ASYNC240, ASYNC110 - pages are written in line, and waited for from outside
"""Launch, crash, hang, kill: a typed end or a usable session, and nothing left behind (web.md, 1 and 6)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from surefoot.drivers import Driver, DriverEvent, Gesture, OpenRequest, SettlePolicy
from surefoot.drivers.web import WebApp, WebDriver
from surefoot.errors import CaptureUnreadable, SurefootError

pytestmark = pytest.mark.asyncio(loop_scope="session")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def family(pid: int) -> set[int]:
    """A process and all its descendants."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(
                    (entry / "stat").read_text().rpartition(")")[2].split()[1]
                )
            except (FileNotFoundError, ProcessLookupError):
                continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


async def gone(pids: set[int], seconds: float = 10) -> set[int]:
    deadline = time.monotonic() + seconds
    while (left := {pid for pid in pids if alive(pid)}) and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    return left


@pytest_asyncio.fixture(loop_scope="session")
async def own(tmp_path: Path) -> AsyncIterator[Callable[..., Any]]:
    """A driver of the test's own, that it may kill."""
    driver = WebDriver()

    async def opened(url: str, **more: Any) -> tuple[WebDriver, WebApp, list[DriverEvent]]:
        events: list[DriverEvent] = []
        request = OpenRequest(target=url, session="own", state_dir=str(tmp_path), **more)
        return driver, await driver.open(request, events.append), events

    yield opened
    await driver.close()


async def test_the_driver_keeps_the_protocol(driver: WebDriver, screen: Any) -> None:
    from surefoot.drivers import App

    assert isinstance(driver, Driver)
    assert isinstance(screen.app, App)


async def test_closing_the_driver_leaves_no_process_and_no_profile(site: Any, tmp_path: Path) -> None:
    site.put("/blank", "<title>blank</title><p>blank")
    driver = WebDriver()
    request = OpenRequest(target=site.url("/blank"), session="s", state_dir=str(tmp_path))
    app = await driver.open(request, lambda _event: None)
    assert driver.pid is not None
    pids = family(driver.pid)
    assert len(pids) > 2
    arguments = Path(f"/proc/{driver.pid}/cmdline").read_bytes().split(b"\0")
    assert b"--remote-debugging-pipe" in arguments
    assert not [argument for argument in arguments if argument.startswith(b"--remote-debugging-port")]
    assert (b"--no-sandbox" in arguments) == (os.geteuid() == 0)
    assert Path(f"/proc/{driver.pid}/exe").resolve().name.startswith(("chrom", "headless"))
    await app.close()
    await app.close()
    await driver.close()
    assert await gone(pids) == set()
    assert list((tmp_path / "browser").glob("profile-*")) == []
    assert not (tmp_path / "downloads" / "s").exists()


async def test_half_downloads_of_a_killed_daemon_are_swept_by_the_next_first_session(
    site: Any, own: Any, tmp_path: Path
) -> None:
    half = "0a1b2c3d-1111-2222-3333-0123456789ab.crdownload"
    kept = tmp_path / "downloads" / "gone"
    for name in ("gone", "empty", "half"):
        (tmp_path / "downloads" / name).mkdir(parents=True)
    for path in (kept / half, kept / "report.pdf", kept / "mine.crdownload"):
        path.write_text("x")
    (tmp_path / "downloads" / "half" / half).write_text("x")
    site.put("/blank", "<title>blank</title><p>blank")
    driver, _, _ = await own(site.url("/blank"))
    assert sorted(path.name for path in kept.iterdir()) == ["mine.crdownload", "report.pdf"]
    assert sorted(path.name for path in kept.parent.iterdir()) == ["gone", "own"]
    living = kept.parent / "own" / half
    living.write_text("x")
    request = OpenRequest(target=site.url("/blank"), session="next", state_dir=str(tmp_path))
    await driver.open(request, lambda _event: None)
    assert living.exists()


PARENT = """
import asyncio, sys
from surefoot.drivers import OpenRequest
from surefoot.drivers.web import WebDriver

async def main():
    driver = WebDriver()
    await driver.open(OpenRequest(target=sys.argv[1], session="s", state_dir=sys.argv[2]), lambda e: None)
    print(driver.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_a_killed_daemon_takes_its_browser_with_it_and_the_profile_is_swept(
    site: Any, own: Any, tmp_path: Path
) -> None:
    url = site.put("/blank", "<title>blank</title><p>blank")
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, url, str(tmp_path), stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    pid = int(await parent.stdout.readline())
    pids = family(pid)
    parent.send_signal(signal.SIGKILL)
    await parent.wait()
    assert await gone(pids) == set()
    (left,) = (tmp_path / "browser").glob("profile-*")
    await own(url)
    assert not left.exists()


async def test_a_killed_browser_is_a_typed_end_and_the_next_open_works(
    site: Any, own: Any, soon: Any
) -> None:
    url = site.put("/blank", "<title>blank</title><p>blank")
    driver, app, events = await own(url)
    first = driver.pid
    pids = family(first)
    waiting = asyncio.ensure_future(app.settle(SettlePolicy(quiet_ms=60_000, timeout_ms=60_000)))
    await asyncio.sleep(0.05)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(SurefootError) as caught:
        await waiting
    assert caught.value.reason == "driver_lost"
    with pytest.raises(SurefootError) as caught:
        await app.observe()
    assert caught.value.reason == "driver_lost"
    assert [event.kind for event in events] == ["lost"]
    assert await gone(pids) == set()
    await driver.reopen(app, app.request)
    assert (await app.observe()).page.title == "blank"
    assert driver.pid != first


async def crash(app: WebApp) -> None:
    with pytest.raises(SurefootError) as caught:
        await app._tabs.current().call("Page.crash", deadline=5)
    assert caught.value.reason == "app_crashed"


async def test_a_crashed_page_is_loaded_again_with_its_cookies(site: Any, own: Any, soon: Any) -> None:
    url = site.put("/cookie", "<title>c</title><button>Go</button>", Set_Cookie="kept=yes")
    _driver, app, events = await own(url)
    (node,) = [
        node for node in (await app.observe()).tree if node.label == "Go" and node.role == "button"
    ]
    await crash(app)
    with pytest.raises(CaptureUnreadable) as caught:
        await app.observe()
    assert caught.value.verdict == "crashed_recovering"
    assert [event.kind for event in events] == ["crashed"]
    await soon(lambda: not app._tabs.recovering)
    assert (await app.observe()).page.url == url
    answer = await app._tabs.current().call("Runtime.evaluate", {"expression": "document.cookie"})
    assert answer["result"]["value"] == "kept=yes"
    with pytest.raises(SurefootError) as missed:
        await app.pointer(node, Gesture())
    assert missed.value.reason == "node_detached"
    await crash(app)
    with pytest.raises(SurefootError) as again:
        await app.observe()
    assert again.value.reason == "app_crashed"
    await app.goto(url, 10_000)
    assert (await app.observe()).page.title == "c"


async def test_a_hung_page_ends_by_its_deadline_and_can_be_left(site: Any, own: Any) -> None:
    url = site.put("/hang", "<title>hang</title><button>Go</button>")
    other = site.put("/blank", "<title>blank</title><p>blank")
    _driver, app, _events = await own(url)
    page = app._tabs.current()
    page.start("Runtime.evaluate", {"expression": "for (;;);"})
    with pytest.raises(SurefootError) as caught:
        await page.call("Runtime.evaluate", {"expression": "1"}, deadline=0.3)
    assert (caught.value.code, caught.value.reason) == ("TIMEOUT", "driver_deadline")
    outcome = await app.settle(SettlePolicy(timeout_ms=100))
    assert (outcome.settled, outcome.why) == (False, "the page gave no answer")
    await app.goto(other, 10_000)
    assert (await app.observe()).page.title == "blank"


async def test_a_hung_session_is_closed_all_the_same(site: Any, own: Any) -> None:
    url = site.put("/hang", "<title>hang</title><button>Go</button>")
    _driver, app, _events = await own(url)
    app._tabs.current().start("Runtime.evaluate", {"expression": "for (;;);"})
    began = time.monotonic()
    await app.close()
    assert time.monotonic() - began < 4
    with pytest.raises(SurefootError) as caught:
        await app.observe()
    assert caught.value.reason == "tab_closed"


async def test_a_failed_open_leaves_no_context(own: Any, site: Any) -> None:
    url = site.put("/blank", "<title>blank</title><p>blank")
    _driver, app, _events = await own(url)
    before = len(app.browser.pages)
    with pytest.raises(SurefootError):
        await own("http://127.0.0.1:1/")
    assert len(app.browser.pages) == before


async def test_a_relaunch_starts_with_fresh_cookies(site: Any, own: Any) -> None:
    url = site.put("/plain", "<p>x")
    driver, app, _events = await own(url)
    await app._tabs.current().call("Runtime.evaluate", {"expression": "document.cookie = 'a=1'"})
    await driver.reopen(
        app, OpenRequest(target=url, session="own", state_dir=app.request.state_dir, relaunch=True)
    )
    answer = await app._tabs.current().call("Runtime.evaluate", {"expression": "document.cookie"})
    assert answer["result"]["value"] == ""


async def test_a_profile_keeps_its_cookies_and_its_directory(site: Any, tmp_path: Path) -> None:
    url = site.put("/plain", "<p>x")
    profile = tmp_path / "profile"
    request = OpenRequest(target=url, session="s", state_dir=str(tmp_path), profile=str(profile))
    for expected in ("", "a=1"):
        driver = WebDriver()
        app = await driver.open(request, lambda _event: None)
        answer = await app._tabs.current().call("Runtime.evaluate", {"expression": "document.cookie"})
        assert answer["result"]["value"] == expected
        await app._tabs.current().call(
            "Runtime.evaluate", {"expression": "document.cookie = 'a=1; max-age=9999'"}
        )
        await driver.close()
    assert profile.is_dir()


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/no/such/browser", "browser_not_found"), ("/bin/true", "browser_start_failed")],
)
async def test_a_browser_that_is_none_is_a_typed_refusal(
    own: Any, tmp_path: Path, path: str, reason: str
) -> None:
    with pytest.raises(SurefootError) as caught:
        await own("http://127.0.0.1/", browser_path=path)
    assert (caught.value.code, caught.value.reason) == ("DEVICE_NOT_FOUND", reason)
    assert list((tmp_path / "browser").glob("profile-*")) == []


async def test_attaching_leaves_the_users_browser_and_tabs_alone(
    site: Any, driver: WebDriver, screen: Any, tmp_path: Path
) -> None:
    url = site.put("/user", "<title>user</title><button onclick=\"window.open('/user')\">Go</button>")
    binary = screen.app.browser.launched.found.path
    flags = [
        "--headless=new",
        "--remote-debugging-port=0",
        "--no-sandbox",
        f"--user-data-dir={tmp_path / 'user'}",
        url,
    ]
    users = await asyncio.create_subprocess_exec(
        binary, *flags, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        port_file = tmp_path / "user" / "DevToolsActivePort"
        async with asyncio.timeout(20):
            while not port_file.exists() or not port_file.read_text().strip():
                await asyncio.sleep(0.05)
        port = port_file.read_text().split()[0]
        attached = WebDriver()
        request = OpenRequest(
            target=url, session="s", state_dir=str(tmp_path), cdp=f"http://127.0.0.1:{port}"
        )
        app = await attached.open(request, lambda _event: None)
        (node,) = [
            node for node in (await app.observe()).tree if node.label == "Go" and node.role == "button"
        ]
        delivery = await app.pointer(node, Gesture())
        assert delivery.opened_tab is not None
        assert len(await app.tabs()) == 2
        assert attached.pid is None
        await app.close()
        await attached.close()
        assert users.returncode is None
        again = WebDriver()
        app = await again.open(request, lambda _event: None)
        targets = await app.browser.connection.call("Target.getTargets")
        urls = [target["url"] for target in targets["targetInfos"] if target["type"] == "page"]
        assert urls == [url, url]
        await again.close()
    finally:
        users.terminate()
        await users.wait()


async def test_an_address_nobody_answers_at_is_no_device(own: Any) -> None:
    with pytest.raises(SurefootError) as caught:
        await own("http://127.0.0.1/", cdp="http://127.0.0.1:1")
    assert (caught.value.code, caught.value.reason) == ("DEVICE_NOT_FOUND", "cdp_unreachable")


async def test_doctor_says_what_was_found(driver: WebDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = {finding.name: finding for finding in await driver.doctor()}
    assert findings["browser"].ok
    assert findings["attach"].ok
    if os.geteuid() == 0:
        assert "--no-sandbox" in findings["sandbox"].found
    monkeypatch.setenv("SUREFOOT_BROWSER", "/no/such/browser")
    findings = {finding.name: finding for finding in await driver.doctor()}
    assert not findings["browser"].ok
    assert findings["browser"].fix


async def test_devices_are_the_browsers_of_this_machine(driver: WebDriver) -> None:
    devices = await driver.devices()
    assert devices
    assert all(
        device.available and device.platform == "web" and Path(device.id).is_file()
        for device in devices
    )


async def test_a_window_without_a_display_is_a_typed_refusal(
    own: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(SurefootError) as caught:
        await own("http://127.0.0.1/", headed=True)
    assert (caught.value.code, caught.value.reason) == ("DEVICE_NOT_FOUND", "no_display")


async def test_a_cancelled_press_leaves_the_session_usable(screen: Any) -> None:
    await screen.goto("<button id=go>Go</button>")
    node = await screen.node("Go")
    held = asyncio.ensure_future(screen.app.pointer(node, Gesture(hold_ms=5000)))
    await asyncio.sleep(0.1)
    held.cancel()
    with pytest.raises(asyncio.CancelledError):
        await held
    await screen.app.pointer(node, Gesture())
    assert (await screen.log())[-1] == "click:go:true"
