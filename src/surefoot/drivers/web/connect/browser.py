"""Which browser is running, which contexts and tabs does it have, and whose are they?

One browser per daemon, one browser context per session: cookies and storage apart, and a crash or a
hang stays in its context. Tabs are attached at birth by browser-level auto-attach (a launched
browser), or on discovery (a browser the user runs, whose other tabs are none of our business).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from surefoot.drivers.web.connect.cdp import CdpError, Connection, lost_error
from surefoot.drivers.web.connect.launch import Launched
from surefoot.drivers.web.pages.faults import closed_error
from surefoot.drivers.web.pages.page import Page
from surefoot.errors import SurefootError

PAGES_ONLY = [{"type": "page", "exclude": False}, {"exclude": True}]
CLOSE_DEADLINE = 3.0

PageListener = Callable[[Page], None]


class Browser:
    """A browser one can make contexts and tabs in. ``launched`` is ``None`` for the user's own."""

    def __init__(
        self, connection: Connection, launched: Launched | None, viewport: tuple[int, int] | None
    ) -> None:
        self.connection = connection
        self.launched = launched
        self.viewport = viewport
        self.viewports: dict[str | None, tuple[int, int]] = {}  # by context, where it is its own
        self.pages: dict[str, Page] = {}  # by target id
        self._by_session: dict[str, Page] = {}
        self._owned: set[str] = set()  # context ids made here
        self._listeners: dict[str | None, PageListener] = {}
        self._adopted: dict[str, PageListener] = {}  # target id -> listener, in shared contexts
        self._arrivals: dict[str, asyncio.Future[Page]] = {}
        self._spare: asyncio.Task[tuple[str, Page]] | None = None
        self.on_download: dict[str | None, Callable[[str, dict[str, Any]], None]] = {}
        self._closing = False
        connection.subscribe("", self._event)
        connection.on_lost = self._lost

    @property
    def lost(self) -> bool:
        return self.connection.lost is not None

    @property
    def own(self) -> bool:
        """Whether this daemon launched it (and may close it)."""
        return self.launched is not None

    async def begin(self) -> None:
        """Start watching for tabs."""
        send = self.connection.start
        discover = send("Target.setDiscoverTargets", {"discover": True, "filter": PAGES_ONLY})
        if self.own:
            attach = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
            await send("Target.setAutoAttach", {**attach, "filter": PAGES_ONLY}).result()
        await discover.result()

    def page_setup(self, context_id: str | None) -> list[tuple[str, dict[str, Any]]]:
        """Calls every new tab of a context gets before its first document."""
        viewport = self.viewports.get(context_id, self.viewport)
        if viewport is None:
            return []
        return [("Emulation.setDeviceMetricsOverride", metrics(*viewport))]

    # -- contexts and tabs -------------------------------------------------------------------------

    async def new_context(self) -> str:
        """A browser context of its own (cookies, storage, downloads)."""
        made = await self.connection.call("Target.createBrowserContext", {"disposeOnDetach": True})
        context_id = str(made["browserContextId"])
        self._owned.add(context_id)
        return context_id

    async def dispose_context(self, context_id: str) -> None:
        """Close a context with all its tabs, even hung ones; ``beforeunload`` has no say."""
        self._listeners.pop(context_id, None)
        self.on_download.pop(context_id, None)
        for page in [page for page in self.pages.values() if page.context_id == context_id]:
            self._forget(page)
        if self.lost:
            return
        with contextlib.suppress(CdpError, SurefootError):
            await self.connection.call(
                "Target.disposeBrowserContext",
                {"browserContextId": context_id},
                deadline=CLOSE_DEADLINE,
            )
        self._owned.discard(context_id)

    async def new_page(self, context_id: str | None) -> Page:
        """A blank tab, attached and ready."""
        params: dict[str, Any] = {"url": "about:blank"}
        if context_id is not None:
            params["browserContextId"] = context_id
        target_id = (await self.connection.call("Target.createTarget", params))["targetId"]
        page = self.pages.get(target_id)
        if page is None and not self.own:
            page = await self._attach_to(target_id, context_id, None)
        if page is None:
            arrival: asyncio.Future[Page] = asyncio.get_running_loop().create_future()
            self._arrivals[target_id] = arrival
            try:
                async with asyncio.timeout(10):
                    page = await arrival
            except TimeoutError:
                raise closed_error() from None
            finally:
                self._arrivals.pop(target_id, None)
        await page.ready()
        return page

    async def prewarm(self) -> None:
        """Keep one context with a blank tab at hand where making one is slow (a whole browser)."""
        if self._spare is None and self.own and not self.lost:
            self._spare = asyncio.ensure_future(self._make_spare())
            self._spare.add_done_callback(lambda task: task.cancelled() or task.exception())

    async def _make_spare(self) -> tuple[str, Page]:
        context_id = await self.new_context()
        return context_id, await self.new_page(context_id)

    async def session_context(self) -> tuple[str, Page]:
        """A fresh context and its first tab: the prewarmed one if there is one."""
        spare, self._spare = self._spare, None
        if spare is not None:
            with contextlib.suppress(CdpError, SurefootError):
                context_id, page = await spare
                if not page.closed and not page.crashed:
                    return context_id, page
        return await self._make_spare()

    async def close_page(self, page: Page) -> None:
        """Close a tab; ``beforeunload`` is skipped. Idempotent."""
        if page.closed or self.lost:
            return
        with contextlib.suppress(CdpError, SurefootError):
            await self.connection.call(
                "Target.closeTarget", {"targetId": page.target_id}, deadline=CLOSE_DEADLINE
            )
        self._forget(page)

    def listen(self, context_id: str | None, listener: PageListener) -> None:
        """Tell ``listener`` of every tab that opens by itself in a context."""
        self._listeners[context_id] = listener

    def adopt(self, page: Page, listener: PageListener) -> None:
        """In a context shared with others: tell ``listener`` of tabs that ``page`` opens."""
        self._adopted[page.target_id] = listener

    # -- events ----------------------------------------------------------------------------------

    def _event(self, method: str, params: dict[str, Any]) -> None:
        match method:
            case "Target.attachedToTarget":
                self._attached(params)
            case "Target.detachedFromTarget":
                page = self._by_session.get(params["sessionId"])
                if page is not None:
                    self._forget(page)
            case "Target.targetDestroyed":
                page = self.pages.get(params["targetId"])
                if page is not None:
                    self._forget(page)
            case "Target.targetInfoChanged":
                page = self.pages.get(params["targetInfo"]["targetId"])
                if page is not None:
                    page.title = str(params["targetInfo"].get("title", ""))
            case "Target.targetCreated":
                info = params["targetInfo"]
                if not self.own and info.get("openerId") in self._adopted:
                    task = asyncio.ensure_future(
                        self._attach_to(
                            info["targetId"], info.get("browserContextId"), info["openerId"]
                        )
                    )
                    task.add_done_callback(lambda done: done.cancelled() or done.exception())
            case "Target.targetCrashed":
                page = self.pages.get(params["targetId"])
                if page is not None:
                    page.set_crashed()
            case "Browser.downloadWillBegin" | "Browser.downloadProgress":
                for hear in list(self.on_download.values()):
                    hear(method, params)

    def _attached(self, params: dict[str, Any]) -> None:
        info = params["targetInfo"]
        session_id = params["sessionId"]
        if info["targetId"] in self.pages:
            return
        context_id = info.get("browserContextId")
        page = self._enrol(info["targetId"], session_id, context_id, info.get("openerId"))
        page.title = str(info.get("title", ""))
        page.attach(resume=bool(params.get("waitingForDebugger")))
        arrival = self._arrivals.get(page.target_id)
        if arrival is not None and not arrival.done():
            arrival.set_result(page)
        self._announce(page)

    async def _attach_to(self, target_id: str, context_id: str | None, opener: str | None) -> Page:
        attached = await self.connection.call(
            "Target.attachToTarget", {"targetId": target_id, "flatten": True}
        )
        page = self.pages.get(target_id)
        if page is None:
            page = self._enrol(target_id, attached["sessionId"], context_id, opener)
            page.attach(resume=False)
            self._announce(page)
        return page

    def _enrol(
        self, target_id: str, session_id: str, context_id: str | None, opener: str | None
    ) -> Page:
        page = Page(self, target_id, session_id, context_id, opener)
        self.pages[target_id] = page
        self._by_session[session_id] = page
        return page

    def _announce(self, page: Page) -> None:
        listener = self._adopted.get(page.opener or "")
        if listener is not None:
            self._adopted[page.target_id] = listener
        else:
            listener = self._listeners.get(page.context_id)
        if listener is not None:
            listener(page)

    def _forget(self, page: Page) -> None:
        self.pages.pop(page.target_id, None)
        self._by_session.pop(page.session_id, None)
        self._adopted.pop(page.target_id, None)
        page.end(closed_error)
        page.on_event("tab_closed", page.target_id)

    def _lost(self) -> None:
        why = self.connection.lost or "it ended"
        for page in list(self.pages.values()):
            page.end(lambda: lost_error(why))
            if not self._closing:
                page.on_event("lost", why)
        self.pages.clear()
        self._by_session.clear()

    async def close(self) -> None:
        """End a browser of our own; only let go of the user's. Idempotent."""
        self._closing = True
        if self.launched is not None:
            await self.launched.close()
            return
        for page in [page for page in self.pages.values() if page.target_id in self._adopted]:
            await self.close_page(page)
        self.connection.close()


def metrics(width: int, height: int) -> dict[str, Any]:
    """Parameters of ``Emulation.setDeviceMetricsOverride``: CSS pixels, scale 1, a desktop."""
    return {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
