"""How do files get into a file field, or into whatever opens a file chooser?"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Any

from surefoot.drivers.protocol import Gesture
from surefoot.drivers.web.act.aim import ask, place_of
from surefoot.drivers.web.act.handing import handed_over
from surefoot.drivers.web.act.pointer import press
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.pages.page import Page
from surefoot.errors import invalid_args
from surefoot.tree import INTERACTIVE_ROLES, Node

CHOOSER_WAIT = 3.0
OPENERS = frozenset({"button", "link", "menuitem"})
OTHER_USES = (INTERACTIVE_ROLES - OPENERS) | {"listbox", "scrollbar"}
"""Roles of controls a press does something else to; what is none may be drawn as anything."""


async def upload(page: Page, node: Node, paths: Sequence[str]) -> None:
    """Put files into a file input, or into the chooser a press on this element opens.

    Raises before anything is touched ``INVALID_ARGS file_not_found`` and ``no_file_field`` (an element
    that takes no files, nor opens a chooser by what it is); ``no_file_chooser`` when it was pressed and
    none opened; ``bad_value`` for several files where one is taken.
    """
    files = await asyncio.to_thread(lambda: [_readable(path) for path in paths])
    place = place_of(page, node)
    field = await ask(place, node, "inspect", None)
    if field["blocked"]:
        raise refusal(field["blocked"], node)
    if field["kind"] == "file":
        if len(files) > 1 and not field["multiple"]:
            raise refusal("bad_value", node, why="it takes one file")
        object_id = await place.frame.object_of(place.document, place.number)
        if object_id is None:
            raise refusal("node_detached", node)
        await _put(page, files, place.frame.session_id, objectId=object_id)
        return
    if field["kind"] != "none" or field["otherControl"] or node.role in OTHER_USES:
        raise refusal("no_file_field", node)
    await _through_chooser(page, node, files, place.frame.session_id)


async def _put(page: Page, files: list[str], session_id: str, **field: object) -> None:
    await handed_over(page, page.call("DOM.setFileInputFiles", {"files": files, **field}, session_id))


def _readable(path: str) -> str:
    absolute = os.path.abspath(path)
    if not os.path.isfile(absolute) or not os.access(absolute, os.R_OK):
        raise invalid_args(
            f"{path!r} is no file that can be read.", reason="file_not_found", path=absolute
        )
    return absolute


async def _through_chooser(page: Page, node: Node, files: list[str], session_id: str) -> None:
    opened: list[dict[str, Any]] = []
    page.on_chooser = lambda params, _session: opened.append(params)
    await page.call("Page.setInterceptFileChooserDialog", {"enabled": True}, session_id)
    try:
        await press(page, node, Gesture())
        await page.until(lambda: bool(opened) or page.obstructed, CHOOSER_WAIT)
        if not opened:
            page.check()
            raise refusal("no_file_chooser", node)
        chooser = opened[0]
        if len(files) > 1 and chooser.get("mode") != "selectMultiple":
            raise refusal("bad_value", node, why="it takes one file")
        await _put(page, files, session_id, backendNodeId=chooser["backendNodeId"])
    finally:
        page.on_chooser = None
        if not page.browser.own:
            page.start("Page.setInterceptFileChooserDialog", {"enabled": False}, session_id)
