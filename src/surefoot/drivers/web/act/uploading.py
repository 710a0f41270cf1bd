"""How do files get into a file field, or into whatever opens a file chooser?"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Any

from surefoot.drivers.protocol import Gesture
from surefoot.drivers.web.act.aim import ask, place_of
from surefoot.drivers.web.act.pointer import press
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.pages.page import Page
from surefoot.errors import invalid_args
from surefoot.tree import Node

CHOOSER_WAIT = 3.0


async def upload(page: Page, node: Node, paths: Sequence[str]) -> None:
    """Put files into a file input, or into the chooser a press on this element opens.

    Raises ``INVALID_ARGS file_not_found`` before anything is touched, ``not_editable`` when the element
    takes no files, ``bad_value`` for several files where one is taken.
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
        await page.call(
            "DOM.setFileInputFiles", {"files": files, "objectId": object_id}, place.frame.session_id
        )
        return
    await _through_chooser(page, node, files, place.frame.session_id)


def _readable(path: str) -> str:
    absolute = os.path.abspath(path)
    if not os.path.isfile(absolute) or not os.access(absolute, os.R_OK):
        raise invalid_args(
            f"{path!r} is no file that can be read.", reason="file_not_found", path=absolute
        )
    return absolute


async def _through_chooser(page: Page, node: Node, files: list[str], session_id: str) -> None:
    opened: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    page.on_chooser = lambda params, _session: None if opened.done() else opened.set_result(params)
    await page.call("Page.setInterceptFileChooserDialog", {"enabled": True}, session_id)
    try:
        await press(page, node, Gesture())
        try:
            async with asyncio.timeout(CHOOSER_WAIT):
                chooser = await opened
        except TimeoutError:
            raise refusal("not_editable", node, why="it opens no file chooser") from None
        if len(files) > 1 and chooser.get("mode") != "selectMultiple":
            raise refusal("bad_value", node, why="it takes one file")
        await page.call(
            "DOM.setFileInputFiles",
            {"files": files, "backendNodeId": chooser["backendNodeId"]},
            session_id,
        )
    finally:
        page.on_chooser = None
        if not page.browser.own:
            page.start("Page.setInterceptFileChooserDialog", {"enabled": False}, session_id)
