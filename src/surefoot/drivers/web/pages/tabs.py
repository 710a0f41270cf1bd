"""A session's tabs: which there are, which is the active one, and what becomes of one that crashed."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from collections.abc import Callable, Sequence
from typing import Literal

from surefoot.drivers.protocol import DriverEvent, Tab
from surefoot.drivers.web.connect.browser import Browser
from surefoot.drivers.web.connect.cdp import CdpError, lost_error
from surefoot.drivers.web.pages.faults import crashed_error, no_tab_error
from surefoot.drivers.web.pages.navigation import navigate
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import ErrorCode, SurefootError

CRASH_AGAIN = 30.0
"""A page that crashes again within so many seconds is not loaded a third time."""
PROBE = 1.5
TITLE_DEADLINE = 0.5
RELOAD_DEADLINE = 15.0
"""Seconds: for an answer of a tab that may hang, for a title, for a crashed page's second load."""


class Tabs:
    """The tabs of one browser context (``None``: of the browser's own), in the order they opened."""

    def __init__(
        self, browser: Browser, context_id: str | None, on_event: Callable[[DriverEvent], None]
    ) -> None:
        self._browser = browser
        self._context_id = context_id
        self._on_event = on_event
        self._replacing = False
        self._recovery: asyncio.Task[None] | None = None
        self._recovered_at = float("-inf")
        self.pages: list[Page] = []
        self.active: Page | None = None

    def open(self, page: Page) -> None:
        """Begin with a fresh tab; from now on the context's popups are tabs as well."""
        if self._context_id is None:
            self._browser.adopt(page, self._add)
        else:
            self._browser.listen(self._context_id, self._add)
        self._add(page)
        self.active = page

    async def close(self) -> None:
        """Let go of all tabs, and of the context they are in."""
        if self._recovery is not None:
            self._recovery.cancel()
        pages, self.pages, self.active = self.pages, [], None
        for page in pages:
            page.on_event = _ignore
        if self._context_id is not None:
            await self._browser.dispose_context(self._context_id)
        else:
            for page in pages:
                await self._browser.close_page(page)

    # -- the active tab --------------------------------------------------------------------------

    def current(self) -> Page:
        """The active tab; raises what makes it unusable."""
        if self._browser.lost:
            raise lost_error(self._browser.connection.lost or "it ended")
        page = self.active
        if page is None:
            raise no_tab_error()
        if page.crashed or self.recovering:
            raise crashed_error(page.url)
        return page

    @property
    def recovering(self) -> bool:
        """Whether a tab that crashed is being loaded again."""
        return self._recovery is not None and not self._recovery.done()

    async def usable(self) -> Page:
        """The active tab if it answers; else it is interrupted, and if that fails replaced.

        It stays where it is: a navigation that has begun is given up.
        """
        page = self.active
        if page is not None and page.dialog is not None:
            page.check()
        if page is not None and not page.closed and not page.crashed:
            with contextlib.suppress(CdpError, SurefootError):
                await page.stay()  # a document that is on its way would hold up every answer
            if await self._answers(page):
                return page
        if page is not None and not page.closed and not page.crashed:
            with contextlib.suppress(CdpError, SurefootError):
                await page.call("Runtime.terminateExecution", deadline=PROBE)
            if await self._answers(page):
                return page
        return await self._replace(page)

    async def _answers(self, page: Page) -> bool:
        try:
            await page.call("Runtime.evaluate", {"expression": "1"}, deadline=PROBE)
        except CdpError as error:
            return error.gone
        except SurefootError as error:
            if error.reason == "driver_lost":
                raise
            return page.dialog is not None
        return True

    async def _replace(self, page: Page | None) -> Page:
        self._replacing = True
        try:
            fresh = await self._browser.new_page(self._context_id)
        finally:
            self._replacing = False
        if self._context_id is None:
            self._browser.adopt(fresh, self._add)
        self._add(fresh)
        if page in self.pages and page is not None:
            self.pages.remove(fresh)
            self.pages[self.pages.index(page)] = fresh
            page.on_event = _ignore
            await self._browser.close_page(page)
        self.active = fresh
        return fresh

    # -- coming and going ------------------------------------------------------------------------

    def _add(self, page: Page) -> None:
        if page in self.pages:
            return
        first = not self.pages
        self.pages.append(page)
        page.on_event = functools.partial(self._page_event, page)
        if not first and not self._replacing:
            self._tell("tab_opened", page.url or "about:blank")

    def owns_frame(self, frame_id: str) -> bool:
        return any(page.tree.get(frame_id) is not None for page in self.pages)

    def _page_event(self, page: Page, kind: str, detail: str) -> None:
        if kind == "tab_closed":
            if page in self.pages:
                self.pages.remove(page)
            if self.active is page:
                opener = next((tab for tab in self.pages if tab.target_id == page.opener), None)
                self.active = opener or (self.pages[-1] if self.pages else None)
            return
        if kind == "crashed" and page is self.active:
            self._tell("crashed", detail)
            now = time.monotonic()
            if now - self._recovered_at > CRASH_AGAIN and detail.startswith(("http", "file:", "data:")):
                self._recovered_at = now
                self._recovery = asyncio.ensure_future(self._recover(page, detail))
                self._recovery.add_done_callback(lambda task: task.cancelled() or task.exception())
        elif kind in ("dialog_opened", "dialog_closed", "lost"):
            self._on_event(DriverEvent(kind=kind, detail=detail))  # type: ignore[arg-type]

    async def _recover(self, page: Page, url: str) -> None:
        """Load a crashed tab's address in a fresh one: its state is lost, its cookies are not."""
        fresh = await self._replace(page)
        await navigate(fresh, url, RELOAD_DEADLINE)

    def _tell(self, kind: Literal["tab_opened", "crashed"], detail: str) -> None:
        self._on_event(DriverEvent(kind=kind, detail=detail))

    # -- by number -------------------------------------------------------------------------------

    def view(self, page: Page) -> Tab:
        return Tab(
            index=self.pages.index(page) + 1,
            url=page.url,
            title=page.title,
            active=page is self.active,
            status=page.status,
        )

    async def views(self) -> Sequence[Tab]:
        await asyncio.gather(*(self._ask_title(page) for page in self.pages))
        return [self.view(page) for page in self.pages]

    async def _ask_title(self, page: Page) -> None:
        """The title of this moment; the browser's own news of it lag behind."""
        top = page.tree.top
        if page.obstructed or page.navigating or top is None or top.context is None:
            return
        with contextlib.suppress(FrameGone, CdpError, SurefootError):
            page.title = await top.evaluate("document.title", deadline=TITLE_DEADLINE) or page.title

    async def select(self, index: int) -> Tab:
        page = self._numbered(index)
        if not self._browser.lost:
            await self._browser.connection.call("Target.activateTarget", {"targetId": page.target_id})
        self.active = page
        await page.ready()
        await self._ask_title(page)
        return self.view(page)

    async def close_one(self, index: int | None) -> None:
        page = self.current() if index is None else self._numbered(index)
        await self._browser.close_page(page)

    def _numbered(self, index: int) -> Page:
        if not self.pages:
            raise no_tab_error()
        if not 1 <= index <= len(self.pages):
            count = len(self.pages)
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"There is no tab {index}; there {'is' if count == 1 else 'are'} {count}.",
                hint="Run `surefoot tab list`.",
                details={"reason": "no_such_tab", "index": index, "tabs": count},
            )
        return self.pages[index - 1]


def _ignore(_kind: str, _detail: str) -> None:
    """What happens to a tab the session has let go of is of no interest."""
