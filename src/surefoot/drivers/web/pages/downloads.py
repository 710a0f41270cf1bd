"""What did the page download, and where is it now?

Downloads go to ``<state_dir>/downloads/<session>``, first under a random name the browser gives, then,
when complete, under the suggested one made safe and unique. What is complete stays when the session
ends; what a killed daemon left half done is swept by the next one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from surefoot.drivers.protocol import Download
from surefoot.drivers.web.connect.cdp import Connection

MOST_ALIKE = 1000
UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')
HALF = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.crdownload", re.IGNORECASE)
"""What the browser calls a file that is still arriving."""

STATES: dict[str, Literal["complete", "failed"]] = {"completed": "complete", "canceled": "failed"}


class Item(Struct):
    """One download: its suggested name, where it will be, how far it is, and whether an answer told."""

    guid: str
    name: str
    path: str
    state: Literal["complete", "arriving", "failed"] = "arriving"
    told: bool = False


class Downloads:
    """The downloads of one session."""

    def __init__(
        self, directory: str, tell: Callable[[str], None], stir: Callable[[], None] = lambda: None
    ) -> None:
        self.directory = directory
        self._tell = tell
        self._stir = stir
        self.items: dict[str, Item] = {}
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
                path = next(self._places(name), str(Path(self.directory) / guid))
                self.items[guid] = Item(guid, name, path)
                self._tell(name)
                self._stir()
            return
        item = self.items.get(guid)
        if item is None or item.state != "arriving":
            return
        item.state = STATES.get(str(params.get("state")), item.state)
        if item.state == "complete":
            self._settle(item)
        self._stir()

    def take(self) -> tuple[Download, ...]:
        """The downloads no answer has told of yet; from now on they count as told."""
        untold = self.untold()
        for item in untold:
            item.told = True
        return tuple(Download(name=item.name, path=item.path, state=item.state) for item in untold)

    def untold(self) -> list[Item]:
        return [item for item in self.items.values() if not item.told]

    def _places(self, name: str) -> Iterator[str]:
        """Paths for a file of that name that nothing is at, nor will be."""
        promised = {item.path for item in self.items.values()}
        stem, suffix = os.path.splitext(name)
        for number in range(MOST_ALIKE):
            path = Path(self.directory) / (name if number == 0 else f"{stem} ({number}){suffix}")
            if str(path) not in promised and not path.exists():
                yield str(path)

    def _settle(self, item: Item) -> None:
        """Give a complete file its name; the next free one where that went to another meanwhile."""
        source = Path(self.directory) / item.guid
        for path in (item.path, *self._places(item.name)):
            try:
                os.link(source, path)
            except FileExistsError:
                continue
            except OSError:
                break
            source.unlink(missing_ok=True)
            item.path = path
            return
        item.path = str(source)

    def clear_up(self) -> None:
        """Leave no empty directory and no half file behind."""
        for item in self.items.values():
            if item.state != "complete":
                for name in (item.guid, f"{item.guid}.crdownload"):
                    (Path(self.directory) / name).unlink(missing_ok=True)
        try:
            os.rmdir(self.directory)
        except OSError:
            return


def directory_of(state_dir: str, session: str) -> str:
    """Where a session's downloads go."""
    return str(Path(state_dir) / "downloads" / session)


def sweep(state_dir: str) -> None:
    """Remove the half files and empty directories of sessions that ended with a killed daemon. For a
    daemon that has no session yet."""
    for place in Path(state_dir).glob("downloads/*"):
        if place.is_symlink() or not place.is_dir():
            continue
        with suppress(OSError):
            for path in place.iterdir():
                if HALF.fullmatch(path.name):
                    path.unlink()
            if not any(place.iterdir()):
                place.rmdir()


def safe_name(name: str) -> str:
    """A file name that stays in its directory: no separators, no control characters, bounded."""
    cleaned = UNSAFE.sub("_", name).strip(" .")
    return cleaned.encode("utf-8", "replace")[:200].decode("utf-8", "ignore") or "download"
