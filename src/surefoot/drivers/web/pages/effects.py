"""What did an action set off by itself: a dialog, a tab, a navigation, a download?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from surefoot.drivers.protocol import Delivery, Download, Point, Tab
from surefoot.drivers.web.connect.cdp import CdpError
from surefoot.drivers.web.pages.downloads import Downloads
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import SurefootError
from surefoot.text import quoted

TAB_WAIT = 1.0
ADDRESS_WAIT = 0.5
UNANSWERED = "globalThis.__surefootAct ? __surefootAct.unanswered() : ''"
"""An answer comes after every event of the tasks before it: what a link's press began is known."""
QUEUED = f"new Promise(done => setTimeout(() => done({UNANSWERED}), 0))"
"""A submitted form navigates in a task of its own, behind which this one queues."""
AFTERMATH_WAIT = 0.15
TURN_WAIT = 1.0
"""Seconds until it is known whether a navigation leads to a page, to a file or to a question."""
ANNOUNCED_WAIT = 2.0
STOPPED_WAIT = 0.3
UNANSWERED_WAIT = 0.1
"""Seconds to wait for a download to begin: where a link announced it, where a navigation ended without
a page, and where a press had no other effect."""
MOST_TOLD = 3
"""Fields of a refused form that a warning names."""
ARRIVAL_WAIT = 1.0
"""Seconds to wait for a file that has begun to arrive."""
NOT_BEGUN = "The link saves what it leads to, but no download has begun; the next action tells of it."
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
        page.held_back = []
        self._files = len(downloads.items)
        self._saves = page.saves
        self._departures = page.departures
        self._documents = page.documents

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
        await self._turn(await self._aftermath())
        announced = self.page.saves > self._saves and not self._saved()
        return Delivery(
            point=point,
            dialog=self.page.dialog,
            opened_tab=await self._opened(),
            navigated=self.page.navigating or (self._moved() and not self._led_to_a_file()),
            downloads=await arrived(self.page, self._downloads),
            trusted=trusted,
            warnings=(
                *warnings,
                *(self._chooser() if chooser else ()),
                *self._refused(),
                *((NOT_BEGUN,) if announced and not self.page.obstructed else ()),
            ),
        )

    async def _aftermath(self) -> bool:
        """Let the tasks the action queued run: a navigation it asks for is announced by then.

        An evaluation would wait for the commit of a navigation that has begun, so its announcement, a
        dialog or the end of the tab end the wait too. Whether the page did nothing about a press.
        """
        top = self.page.tree.top
        if top is None or top.context is None or self.page.obstructed or self._moved():
            return False
        submitted = self.page.submissions > self._submissions
        answer = top.start(QUEUED if submitted else UNANSWERED, promise=True)
        answer.future.add_done_callback(lambda _done: self.page.stir())
        with contextlib.suppress(SurefootError):
            await self.page.until(
                lambda: answer.done or self._moved() or self.page.obstructed, AFTERMATH_WAIT
            )
        if not answer.done or self.page.obstructed:
            return False
        try:
            return await top.finish(answer) == "true"
        except (CdpError, FrameGone, SurefootError):
            return False

    async def _turn(self, unanswered: bool) -> None:
        """Wait until it is known what a navigation leads to, and for a download where one may begin."""
        page = self.page

        def told() -> bool:
            return self._saved() or page.obstructed

        if self._moved():
            await page.until(lambda: not page.navigating or told(), TURN_WAIT)
        if not page.browser.own:  # where the user's own browser puts downloads is not told
            wait = 0.0
        elif page.saves > self._saves:
            wait = ANNOUNCED_WAIT
        elif page.departures > self._departures and page.documents == self._documents:
            wait = 0.0 if page.navigating else STOPPED_WAIT
        else:
            wait = UNANSWERED_WAIT if unanswered and self._without_effect() else 0.0
        await page.until(told, wait)

    def _without_effect(self) -> bool:
        page = self.page
        return not (
            self._moved()
            or page.popups_announced > self._announced
            or page.submissions > self._submissions
            or page.choosers > self._choosers
        )

    def _led_to_a_file(self) -> bool:
        return self._saved() and self.page.documents == self._documents

    def _saved(self) -> bool:
        return len(self._downloads.items) > self._files

    def _refused(self) -> tuple[str, ...]:
        """What the browser shows in a bubble only: the form was not sent, and why."""
        fields = self.page.held_back
        if not fields or self.page.submissions > self._submissions:
            return ()
        told = [
            f"{field['role']} {quoted(field['label'])}: {field['why']}" for field in fields[:MOST_TOLD]
        ]
        more = [f"and {len(fields) - MOST_TOLD} more"] if len(fields) > MOST_TOLD else []
        return (f"the browser refused the form: {' '.join((*told, *more))}",)

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


async def arrived(page: Page, downloads: Downloads) -> tuple[Download, ...]:
    """The downloads no answer has told of yet; a small file is let arrive first."""
    await page.until(
        lambda: page.obstructed or all(item.state != "arriving" for item in downloads.untold()),
        ARRIVAL_WAIT,
    )
    return downloads.take()
