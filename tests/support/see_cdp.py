"""A tiny DevTools client for the tests of seeing: one browser, its pages, and nothing of the driver.

Seeing is proved against this, so that a fault of the driver cannot hide one of the walker.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import json
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import msgspec

from surefoot.drivers.web.see import WALKER_WORLD, FrameGone

BROWSERS = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome")


def browser_path() -> str:
    """The browser the tests run in. A test that needs one fails where there is none."""
    named = os.environ.get("SUREFOOT_BROWSER")
    for candidate in (named,) if named else BROWSERS:
        found = shutil.which(candidate)
        if found:
            return found
    raise RuntimeError("no Chromium found; set SUREFOOT_BROWSER")


class CdpFault(Exception):
    """The browser's own refusal of a call."""


class Browser:
    """One headless browser spoken to over its pipe."""

    def __init__(self, pid: int, read_fd: int, write_fd: int, profile: str) -> None:
        self._pid, self._read, self._write, self._profile = pid, read_fd, write_fd, profile
        self._buffer = bytearray()
        self._next = 0
        self._pending: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._sessions: dict[str, Page] = {}
        self._loop = asyncio.get_running_loop()
        os.set_blocking(read_fd, False)
        self._loop.add_reader(read_fd, self._on_read)

    @staticmethod
    def launch() -> Browser:
        to_browser, our_write = os.pipe()
        our_read, from_browser = os.pipe()
        profile = tempfile.mkdtemp(prefix="surefoot-see-")
        argv = [browser_path(), "--headless", "--remote-debugging-pipe", "--no-first-run"]
        argv += [f"--user-data-dir={profile}", "--site-per-process", "--window-size=1280,800"]
        argv += ["--disable-background-networking", "--hide-scrollbars", "--mute-audio"]
        if os.geteuid() == 0:
            argv.append("--no-sandbox")
        high = os.dup(to_browser), os.dup(from_browser)
        actions: list[tuple[Any, ...]] = [
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, high[0], 3),
            (os.POSIX_SPAWN_DUP2, high[1], 4),
        ]
        pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
        for fd in (to_browser, from_browser, *high):
            os.close(fd)
        return Browser(pid, our_read, our_write, profile)

    def _on_read(self) -> None:
        try:
            chunk = os.read(self._read, 1 << 20)
        except BlockingIOError:
            return
        self._buffer += chunk
        if b"\0" not in chunk:
            return
        *messages, rest = self._buffer.split(b"\0")
        self._buffer = bytearray(rest)
        for message in messages:
            self._on_message(msgspec.json.decode(message))

    def _on_message(self, message: dict[str, Any]) -> None:
        future = self._pending.pop(message.get("id", -1), None)
        if future is not None and not future.done():
            if "error" in message:
                future.set_exception(CdpFault(message["error"]["message"]))
            else:
                future.set_result(message["result"])
        elif "method" in message:
            page = self._sessions.get(message.get("sessionId", ""))
            if page is not None:
                page.on_event(message["sessionId"], message["method"], message["params"])

    def send(
        self, method: str, params: dict[str, Any], session: str = ""
    ) -> asyncio.Future[dict[str, Any]]:
        self._next += 1
        call: dict[str, Any] = {"id": self._next, "method": method, "params": params}
        if session:
            call["sessionId"] = session
        future: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        self._pending[self._next] = future
        data = json.dumps(call).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        return future

    def adopt(self, session: str, page: Page) -> None:
        self._sessions[session] = page

    async def page(self) -> Page:
        target = await self.send("Target.createTarget", {"url": "about:blank"})
        attached = await self.send(
            "Target.attachToTarget", {"targetId": target["targetId"], "flatten": True}
        )
        page = Page(self, attached["sessionId"], target["targetId"])
        self.adopt(page.session, page)
        await page.start(page.session)
        return page

    async def close(self) -> None:
        self._loop.remove_reader(self._read)
        for fd in (self._write, self._read):
            os.close(fd)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        await asyncio.to_thread(os.waitpid, self._pid, 0)
        await asyncio.to_thread(shutil.rmtree, self._profile, True)


class PageFrame:
    """A frame as seeing wants it (host.py)."""

    def __init__(self, page: Page, session: str, info: dict[str, Any], parent: str | None) -> None:
        self._page, self.session = page, session
        self.id: str = info["id"]
        self.url: str = info["url"]
        self.origin: str = info["securityOrigin"] if info["securityOrigin"] != "://" else ""
        self.parent = parent
        self.separate = session != page.session
        self.loader: str = info["loaderId"]
        self.evaluations = 0

    async def context(self) -> int:
        return await self._page.context(self)

    async def evaluate(self, expression: str) -> str:
        self._page.evaluations += 1
        try:
            answer = await self._page.browser.send(
                "Runtime.evaluate",
                {"expression": expression, "contextId": await self.context(), "returnByValue": True},
                self.session,
            )
        except CdpFault as fault:
            raise FrameGone(str(fault)) from fault
        if "exceptionDetails" in answer:
            raise AssertionError(json.dumps(answer["exceptionDetails"])[:2000])
        value = answer["result"].get("value")
        assert isinstance(value, str), answer
        return value

    async def closed_hosts(self, numbers: Sequence[int]) -> list[int]:
        shadows = {"maxNodeDepth": 0, "includeShadowTree": "all"}
        deep = {"serialization": "deep", "maxDepth": 1, "additionalParameters": shadows}
        answer = await self._page.browser.send(
            "Runtime.evaluate",
            {
                "expression": f"{list(numbers)}.map(__surefoot.node)",
                "contextId": await self.context(),
                "serializationOptions": deep,
            },
            self.session,
        )
        nodes = answer["result"]["deepSerializedValue"]["value"]
        roots = [(node.get("value") or {}).get("shadowRoot") for node in nodes]
        return [
            n
            for n, root in zip(numbers, roots, strict=True)
            if root and root["value"]["mode"] == "closed"
        ]

    async def owner(self) -> int | None:
        if self.parent is None:
            return None
        parent = self._page.frame(self.parent)
        send = self._page.browser.send
        found = await send("DOM.getFrameOwner", {"frameId": self.id}, parent.session)
        resolved = await send(
            "DOM.resolveNode",
            {"backendNodeId": found["backendNodeId"], "executionContextId": await parent.context()},
            parent.session,
        )
        answer = await send(
            "Runtime.callFunctionOn",
            {
                "objectId": resolved["object"]["objectId"],
                "functionDeclaration": "function() { return __surefoot.number(this); }",
                "returnByValue": True,
            },
            parent.session,
        )
        number = answer["result"]["value"]
        assert isinstance(number, int)
        return number


class Page:
    """One page, its frames and their isolated worlds (a ``FrameHost``)."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self.browser, self.session, self.target = browser, session, target
        self.sessions = {session: target}
        self.navigating = False
        self.evaluations = 0
        self._frames: list[PageFrame] = []
        self._contexts: dict[tuple[str, str], int] = {}
        self._loaded = asyncio.Event()
        self._starting: set[asyncio.Task[None]] = set()

    async def start(self, session: str) -> None:
        send = self.browser.send
        await asyncio.gather(
            send("Page.enable", {}, session),
            send("DOM.enable", {}, session),
            send(
                "Target.setAutoAttach",
                {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True},
                session,
            ),
        )

    def on_event(self, session: str, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget" and params["targetInfo"]["type"] == "iframe":
            child = params["sessionId"]
            self.sessions[child] = params["targetInfo"]["targetId"]
            self.browser.adopt(child, self)
            task = asyncio.ensure_future(self.start(child))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)
        elif method == "Target.detachedFromTarget":
            self.sessions.pop(params["sessionId"], None)
        elif method == "Page.loadEventFired" and session == self.session:
            self._loaded.set()

    async def goto(self, url: str) -> None:
        self._loaded.clear()
        await self.browser.send("Page.navigate", {"url": url}, self.session)
        await asyncio.wait_for(self._loaded.wait(), 20)
        await self.refresh()

    async def refresh(self) -> None:
        """Read the frame tree anew, over all sessions."""
        while self._starting:
            await asyncio.gather(*self._starting)
        frames: list[PageFrame] = []
        trees = await asyncio.gather(
            *(self.browser.send("Page.getFrameTree", {}, session) for session in self.sessions)
        )
        for session, tree in zip(list(self.sessions), trees, strict=True):
            frames.extend(self._walk(session, tree["frameTree"], None))
        known = {frame.id: frame for frame in frames}
        self._frames = [known[key] for key in known]

    def _walk(self, session: str, tree: dict[str, Any], parent: str | None) -> Iterator[PageFrame]:
        info = tree["frame"]
        yield PageFrame(self, session, info, parent or info.get("parentId"))
        for child in tree.get("childFrames", ()):
            yield from self._walk(session, child, info["id"])

    def frames(self) -> Sequence[PageFrame]:
        return self._frames

    def frame(self, frame_id: str) -> PageFrame:
        return next(frame for frame in self._frames if frame.id == frame_id)

    async def context(self, frame: PageFrame) -> int:
        key = (frame.id, frame.loader)
        if key not in self._contexts:
            made = await self.browser.send(
                "Page.createIsolatedWorld",
                {"frameId": frame.id, "worldName": WALKER_WORLD, "grantUniveralAccess": False},
                frame.session,
            )
            self._contexts[key] = made["executionContextId"]
        return self._contexts[key]

    async def run(self, expression: str) -> Any:
        """Evaluate in the page's own world, awaiting a promise."""
        answer = await self.browser.send(
            "Runtime.evaluate",
            {"expression": expression, "returnByValue": True, "awaitPromise": True},
            self.session,
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def show(self, html: str) -> None:
        """Make ``html`` the whole document, in standards mode."""
        document = html if html.lstrip().lower().startswith("<!doctype") else f"<!doctype html>{html}"
        await self.goto("about:blank")
        await self.run(f"document.open(), document.write({json.dumps(document)}), document.close(), 0")
        await self.run("new Promise(done => requestAnimationFrame(() => done(0)))")
        await self.refresh()

    async def close(self) -> None:
        await self.browser.send("Target.closeTarget", {"targetId": self.target})


@contextlib.asynccontextmanager
async def a_page() -> AsyncIterator[Page]:
    """A page in a browser of its own."""
    browser = Browser.launch()
    try:
        yield await browser.page()
    finally:
        await browser.close()


@contextlib.contextmanager
def serving(folder: str) -> Iterator[int]:
    """Serve a folder on a free port of the loopback; the port."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args: Any) -> None:
            del args

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, directory=folder, **kwargs)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
