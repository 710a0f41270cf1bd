"""How does a page come to another address, and when is it there?"""

from __future__ import annotations

import time
from typing import Any

from surefoot.drivers.web.connect.cdp import CdpError
from surefoot.drivers.web.pages.faults import dialog_error
from surefoot.drivers.web.pages.page import Page
from surefoot.errors import ErrorCode, SurefootError

LOAD_GRACE = 5.0
"""Seconds to wait for ``load`` once the document is parsed; a slow image does not hold up an open."""
HISTORY_COMMIT = 10.0


async def navigate(page: Page, url: str, timeout_s: float) -> None:
    """Go to ``url`` and wait until its document is parsed (and, for a while, loaded).

    Raises ``APP_NOT_FOUND`` (``unreachable``), ``COMMAND_FAILED`` (``is_download``), ``DIALOG_PENDING``
    (the old page asks whether to leave), ``TIMEOUT``.
    """
    deadline = time.monotonic() + timeout_s
    try:
        answer = await page.call("Page.navigate", {"url": url}, deadline=timeout_s)
    except CdpError as error:
        raise unreachable(url, error.message) from None
    if answer.get("isDownload"):
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"{url} is a download, not a page.",
            details={"reason": "is_download", "url": url},
        )
    if answer.get("errorText"):
        raise unreachable(url, str(answer["errorText"]))
    loader = answer.get("loaderId")
    if loader is None:
        return  # within the same document
    await _milestone(page, str(loader), deadline, url)


async def _milestone(page: Page, loader: str, deadline: float, url: str) -> None:
    def reached(name: str) -> bool:
        top = page.tree.top
        return page.obstructed or (top is not None and (loader, name) in top.milestones)

    def superseded() -> bool:
        return page.loader not in (loader, "") and not page.navigating

    left = max(0.1, deadline - time.monotonic())
    if not await page.until(lambda: reached("DOMContentLoaded") or superseded(), left):
        raise SurefootError(
            ErrorCode.TIMEOUT,
            f"{url} was not parsed in time.",
            details={"reason": "driver_deadline", "url": url},
        )
    if page.dialog is None:
        page.check()
    await page.until(
        lambda: reached("load") or superseded(), min(LOAD_GRACE, max(0.1, deadline - time.monotonic()))
    )


def unreachable(url: str, text: str) -> SurefootError:
    """The address does not answer: the browser's own error name, nothing else of its output."""
    name = next((word for word in text.replace(",", " ").split() if word.startswith("net::")), "")
    return SurefootError(
        ErrorCode.APP_NOT_FOUND,
        f"{url} cannot be opened" + (f" ({name.removeprefix('net::')})." if name else "."),
        details={"reason": "unreachable", "url": url, **({"error": name} if name else {})},
    )


async def history(page: Page, step: str, timeout_s: float) -> None:
    """Back, forward or reload, until the document is there. ``COMMAND_FAILED no_history`` at an end."""
    if page.dialog is not None:
        raise dialog_error(page.dialog)
    documents, moves = page.documents, page.started_navigations
    if step == "reload":
        await page.call("Page.reload", {}, deadline=timeout_s)
    else:
        entry = await _entry(page, -1 if step == "back" else 1)
        await page.call("Page.navigateToHistoryEntry", {"entryId": entry}, deadline=timeout_s)

    def moved() -> bool:
        committed = page.documents > documents and not page.navigating
        within = step != "reload" and page.started_navigations > moves and not page.navigating
        return page.obstructed or committed or within

    if not await page.until(moved, min(timeout_s, HISTORY_COMMIT)):
        raise SurefootError(
            ErrorCode.TIMEOUT, f"The page did not go {step}.", details={"reason": "driver_deadline"}
        )
    page.check()
    if page.documents > documents:
        await _milestone(page, page.loader, time.monotonic() + timeout_s, page.url)


async def _entry(page: Page, offset: int) -> Any:
    got = await page.call("Page.getNavigationHistory")
    index = got["currentIndex"] + offset
    entries = got["entries"]
    first = 1 if entries and entries[0].get("url") == "about:blank" else 0  # the tab's own beginning
    if not first <= index < len(entries):
        way = "back" if offset < 0 else "forward"
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"There is nothing to go {way} to.",
            details={"reason": "no_history", "direction": way},
        )
    return entries[index]["id"]
