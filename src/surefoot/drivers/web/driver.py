"""The web platform: finds, starts, shares and ends browsers; opens sessions in them."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec

from surefoot.drivers.admission import check_cdp, check_url
from surefoot.drivers.protocol import App, Capability, Device, DriverEvent, Finding, OpenRequest
from surefoot.drivers.web.app import CAPABILITIES, WebApp
from surefoot.drivers.web.connect.attach import connect
from surefoot.drivers.web.connect.browser import Browser
from surefoot.drivers.web.connect.find import candidates, find_browser, install_command
from surefoot.drivers.web.connect.launch import launch
from surefoot.drivers.web.pages.downloads import sweep
from surefoot.drivers.web.pages.page import Page
from surefoot.errors import SurefootError, invalid_args

DEFAULT_VIEWPORT = (1280, 720)

Key = tuple[str, bool, str | None]
"""What tells browsers apart: program (or address), headed, profile directory."""


class WebDriver:
    """One per daemon. Sessions share a browser unless they ask for another program or profile."""

    def __init__(self) -> None:
        self._browsers: dict[Key, Browser] = {}
        self._starting = asyncio.Lock()
        self._swept: set[str] = set()
        self._closed = False

    @property
    def platform(self) -> str:
        return "web"

    @property
    def capabilities(self) -> frozenset[Capability]:
        return CAPABILITIES

    @property
    def pid(self) -> int | None:
        """The process id of the browser that was started first and still runs."""
        for browser in self._browsers.values():
            if browser.launched is not None and not browser.lost:
                return browser.launched.process.pid
        return None

    async def open(self, request: OpenRequest, on_event: Callable[[DriverEvent], None]) -> WebApp:
        """Open a URL for a new session, in a context of its own.

        Raises ``INVALID_ARGS`` (no URL), ``DEVICE_NOT_FOUND`` (no browser), ``APP_NOT_FOUND``
        (``unreachable``); nothing of the session is left then.
        """
        check_url(request.target)
        browser = await self._browser(request)
        context_id, page = await self._session(browser, request)
        app = WebApp(browser, context_id, request, on_event)
        try:
            await app.begin(page)
            await app.goto(request.target, request.timeout_ms)
        except BaseException:
            await asyncio.shield(app.close())
            raise
        await self._prewarm(browser)
        return app

    async def reopen(self, app: App, request: OpenRequest) -> None:
        """Go to another URL in a session's tab; in a new context on request or if its browser died."""
        if not isinstance(app, WebApp):
            raise invalid_args("This session is not on the web.")
        check_url(request.target)
        if request.relaunch or app.lost:
            browser = await self._browser(request)
            context_id, page = await self._session(browser, request)
            await app.move_to(browser, context_id, page, request)
        await app.goto(request.target, request.timeout_ms)

    async def _session(self, browser: Browser, request: OpenRequest) -> tuple[str | None, Page]:
        """A context of its own; in a named profile or the user's browser, a tab of the one there is."""
        if request.profile is None and request.cdp is None:
            return await browser.session_context()
        return None, await browser.new_page(None)

    async def _prewarm(self, browser: Browser) -> None:
        launched = browser.launched
        if launched is not None and launched.found.kind == "full":
            await browser.prewarm()

    async def _browser(self, request: OpenRequest) -> Browser:
        """The browser for a request: the running one of its kind, else a new one."""
        if request.cdp is not None:
            launches = bool(request.browser_path or request.headed or request.profile)
            check_cdp(request.cdp, launches=launches)
        async with self._starting:
            if request.state_dir not in self._swept:  # its first session: what is there is left over
                self._swept.add(request.state_dir)
                sweep(request.state_dir)
            if request.cdp is not None:
                key: Key = (request.cdp, False, None)
            else:
                found = find_browser(request.browser_path, headed=request.headed)
                key = (found.path, request.headed, _absolute(request.profile))
            browser = self._browsers.get(key)
            if browser is not None and not browser.lost:
                return browser
            if browser is not None:
                await browser.close()
            if request.cdp is not None:
                browser = Browser(await connect(request.cdp), None, None)
            else:
                launched = await launch(
                    found,
                    request.state_dir,
                    headed=request.headed,
                    profile_dir=request.profile,
                    viewport=request.viewport or DEFAULT_VIEWPORT,
                )
                viewport = None if request.headed else DEFAULT_VIEWPORT
                browser = Browser(launched.connection, launched, viewport)
            self._browsers[key] = browser
            await browser.begin()
            return browser

    async def devices(self) -> Sequence[Device]:
        """Every browser found here, the preferred one first."""
        found = await asyncio.to_thread(lambda: list(candidates()))
        return [
            Device(
                id=browser.path,
                name="headless shell" if browser.kind == "shell" else "browser",
                platform="web",
                available=True,
                detail=f"{browser.path} ({browser.source})",
            )
            for browser in found
        ]

    async def doctor(self) -> Sequence[Finding]:
        """What was found, and the one command that installs what is missing."""
        return [_browser_finding(), _sandbox_finding(), _display_finding(), _attach_finding()]

    async def close(self) -> None:
        """End every browser started here; let go of the user's. Idempotent."""
        browsers, self._browsers = list(self._browsers.values()), {}
        await asyncio.gather(*(browser.close() for browser in browsers))


def _absolute(path: str | None) -> str | None:
    return os.path.abspath(path) if path else None


def _browser_finding() -> Finding:
    try:
        found = find_browser()
    except SurefootError as error:
        return Finding(name="browser", ok=False, found=error.message, fix=install_command())
    kind = "headless shell" if found.kind == "shell" else "whole browser"
    return Finding(name="browser", ok=True, found=f"{found.path} ({kind}; {found.source})")


def _sandbox_finding() -> Finding:
    if os.geteuid() == 0:
        said = "off: running as root, where the browser's sandbox cannot work (--no-sandbox)"
        return Finding(name="sandbox", ok=True, found=said)
    return Finding(name="sandbox", ok=True, found="on")


def _display_finding() -> Finding:
    whole = any(found.kind == "full" for found in candidates())
    shown = sys.platform == "darwin" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    lacks = [] if whole else ["whole browser"]
    lacks += [] if shown else ["display"]
    said = "possible" if not lacks else f"not possible: there is no {' and no '.join(lacks)}"
    return Finding(name="headed", ok=True, found=said)


def _attach_finding() -> Finding:
    if find_spec("websockets") is None:
        return Finding(
            name="attach",
            ok=False,
            found="websockets is not installed",
            fix="pip install 'surefoot[web]'",
        )
    return Finding(name="attach", ok=True, found="possible (--cdp)")
