"""What did the page download, and where is it now?

Downloads go to ``<state_dir>/downloads/<session>``, first under a random name the browser gives, then,
when complete, under the suggested one made safe and unique.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from surefoot.drivers.web.connect.cdp import Connection

UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')


class Download(Struct):
    """One download: its suggested name, where it is, and how far it is."""

    guid: str
    name: str
    url: str
    state: str = "inProgress"
    path: str | None = None


class Downloads:
    """The downloads of one session."""

    def __init__(self, directory: str, tell: Callable[[str], None]) -> None:
        self.directory = directory
        self._tell = tell
        self.items: dict[str, Download] = {}
        self.frames: Callable[[str], bool] = lambda _frame: True

    async def enable(self, connection: Connection, context_id: str | None) -> None:
        os.makedirs(self.directory, mode=0o700, exist_ok=True)
        params: dict[str, Any] = {
            "behavior": "allowAndName",
            "downloadPath": self.directory,
            "eventsEnabled": True,
        }
        if context_id is not None:
            params["browserContextId"] = context_id
        await connection.call("Browser.setDownloadBehavior", params)

    def event(self, method: str, params: dict[str, Any]) -> None:
        guid = params["guid"]
        if method == "Browser.downloadWillBegin":
            if self.frames(params.get("frameId", "")):
                name = safe_name(str(params.get("suggestedFilename", "")))
                self.items[guid] = Download(guid, name, str(params.get("url", "")))
                self._tell(name)
            return
        item = self.items.get(guid)
        if item is None:
            return
        item.state = str(params.get("state", item.state))
        if item.state == "completed":
            item.path = self._settle(item)

    def _settle(self, item: Download) -> str | None:
        source = Path(self.directory) / item.guid
        stem, suffix = os.path.splitext(item.name)
        for number in range(1000):
            name = item.name if number == 0 else f"{stem} ({number}){suffix}"
            target = Path(self.directory) / name
            try:
                os.link(source, target)
            except FileExistsError:
                continue
            except OSError:
                return str(source) if source.exists() else None
            source.unlink(missing_ok=True)
            return str(target)
        return str(source)

    def clear_up(self) -> None:
        """Leave no empty directory and no half file behind."""
        for item in self.items.values():
            if item.state != "completed":
                for name in (item.guid, f"{item.guid}.crdownload"):
                    (Path(self.directory) / name).unlink(missing_ok=True)
        try:
            os.rmdir(self.directory)
        except OSError:
            return


def safe_name(name: str) -> str:
    """A file name that stays in its directory: no separators, no control characters, bounded."""
    cleaned = UNSAFE.sub("_", name).strip(" .")
    return cleaned.encode("utf-8", "replace")[:200].decode("utf-8", "ignore") or "download"
