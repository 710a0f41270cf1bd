"""What did an action set off by itself: a dialog, a tab, a navigation, a download?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from surefoot.drivers.protocol import Delivery, Point, Tab
from surefoot.drivers.web.pages.downloads import Downloads
from surefoot.drivers.web.pages.page import Page
from surefoot.errors import SurefootError

TAB_WAIT = 1.0
ADDRESS_WAIT = 0.5
ANSWER = "''"
"""An answer comes after every event of the tasks before it: what a link's press began is known."""
QUEUED = "new Promise(done => setTimeout(() => done(''), 0))"
"""A submitted form navigates in a task of its own, behind which this one queues."""
AFTERMATH_WAIT = 0.15
CHOOSER = (
    "A file chooser opened and was left alone: `surefoot upload` this element with the files instead."
)
BLANK = ("", "about:blank", ":")


class Effects:
    """Counts from the beginning of an action to its delivery."""

    def __init__(
        self, page: Page, tabs: Sequence[Page], describe: Callable[[Page], Tab], downloads: Downloads
    ) -> None:
        self.page = page
        self._tabs = tabs
        self._describe = describe
        self._downloads = downloads
        self._known = set(tabs)
        self._navigations = page.started_navigations
        self._announced = page.popups_announced
        self._submissions = page.submissions
        self._choosers = page.choosers
        self._files = set(downloads.items)

    async def delivery(
        self,
        *,
        point: Point | None = None,
        trusted: bool = True,
        warnings: Sequence[str] = (),
        chooser: bool = True,
    ) -> Delivery:
        """The proof of delivery, with everything the action set off so far.

        A file chooser it opened is told of, unless files were put into it (``chooser=False``).
        """
        await self._aftermath()
        new_files = [item for guid, item in self._downloads.items.items() if guid not in self._files]
        return Delivery(
            point=point,
            dialog=self.page.dialog,
            opened_tab=await self._opened(),
            navigated=self._moved() or self.page.navigating,
            download=new_files[0].name if new_files else None,
            trusted=trusted,
            warnings=(*warnings, *(self._chooser() if chooser else ())),
        )

    async def _aftermath(self) -> None:
        """Let the tasks the action queued run: a navigation it asks for is announced by then.

        An evaluation would wait for the commit of a navigation that has begun, so its announcement, a
        dialog or the end of the tab end the wait too.
        """
        top = self.page.tree.top
        if top is None or top.context is None or self.page.obstructed or self._moved():
            return
        submitted = self.page.submissions > self._submissions
        answer = top.start(QUEUED if submitted else ANSWER, promise=True)
        answer.future.add_done_callback(lambda _done: self.page.stir())
        with contextlib.suppress(SurefootError):
            await self.page.until(
                lambda: answer.done or self._moved() or self.page.obstructed, AFTERMATH_WAIT
            )

    def _chooser(self) -> tuple[str, ...]:
        return (CHOOSER,) if self.page.choosers > self._choosers else ()

    def _moved(self) -> bool:
        return self.page.started_navigations > self._navigations

    async def _opened(self) -> Tab | None:
        """The tab that was opened, once it has an address (a popup begins blank)."""
        if self.page.popups_announced > self._announced and not self._new():
            await self.page.until(lambda: bool(self._new()) or self.page.closed, TAB_WAIT)
        new = self._new()
        if not new:
            return None
        tab = new[0]
        with contextlib.suppress(SurefootError):
            await tab.ready(TAB_WAIT)
            await tab.until(lambda: tab.url not in BLANK or tab.obstructed, ADDRESS_WAIT)
        return self._describe(tab) if tab in self._tabs else None

    def _new(self) -> list[Page]:
        return [tab for tab in self._tabs if tab not in self._known]
