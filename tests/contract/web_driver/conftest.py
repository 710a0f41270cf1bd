# ruff: noqa: E501, ASYNC110 - pages are written in line, and waited for from outside
"""Pages served in this process, and one real browser for the whole directory."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from surefoot.drivers import DriverEvent, Gesture, OpenRequest
from surefoot.drivers.web import WebApp, WebDriver
from surefoot.errors import SurefootError
from surefoot.interact.aimed import AS_SEEN
from surefoot.tree import Node

LOG = """<script>
window.log = [];
for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick', 'input',
                    'change', 'keydown', 'focus', 'blur', 'mouseover', 'drop', 'dragstart'])
  addEventListener(type, e => log.push(type + ':' + (e.target.id || e.target.nodeName || 'window') + ':' + e.isTrusted), true);
</script>"""


class Site:
    """What the server answers: path -> (body, content type, seconds to wait, further headers)."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[bytes, str, float, dict[str, str]]] = {}
        self.port = 0
        self.gate = threading.Event()

    def put(
        self,
        path: str,
        body: str | bytes,
        kind: str = "text/html; charset=utf-8",
        delay: float = 0,
        **headers: str,
    ) -> str:
        data = body.encode() if isinstance(body, str) else body
        self.pages[path] = (data, kind, delay, {k.replace("_", "-"): v for k, v in headers.items()})
        return self.url(path)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body, kind, delay, headers = site.pages.get(
                self.path.partition("?")[0], (b"nothing here", "text/plain", 0, {})
            )
            if delay:
                time.sleep(delay)
            try:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
            except (BrokenPipeError, ConnectionResetError):
                return

        do_POST = do_GET  # noqa: N815 - the server's own spelling

        def log_message(self, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield site
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def state_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def driver() -> AsyncIterator[WebDriver]:
    driver = WebDriver()
    yield driver
    await driver.close()


class Screen:
    """A session under test, with short words for what tests do."""

    def __init__(self, app: WebApp, events: list[DriverEvent], site: Site) -> None:
        self.app = app
        self.events = events
        self.site = site

    async def goto(self, body: str, path: str = "/page") -> None:
        await self.app.goto(self.site.put(path, "<!doctype html>" + LOG + body), 20_000)

    async def node(
        self, label: str | None = None, *, role: str | None = None, id: str | None = None
    ) -> Node:
        nodes = [
            node
            for node in (await self.app.observe()).tree
            if (label is None or node.label == label)
            and (role is None or node.role == role)
            and (id is None or node.id == id)
        ]
        assert len(nodes) == 1, f"{len(nodes)} nodes for {label!r} {role!r} {id!r}"
        return nodes[0]

    async def js(self, expression: str) -> Any:
        """Evaluate in the page's own world."""
        page = self.app._tabs.current()
        answer = await page.call(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True}
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def press(self, label: str, **gesture: Any) -> Any:
        return await self.app.pointer(await self.node(label), Gesture(**gesture))

    async def press_as_seen(self, label: str) -> Any:
        """As the callers of a driver press: what may have become another is looked at again."""
        for as_seen in AS_SEEN:
            node = await self.node(label)
            try:
                return await self.app.pointer(node, Gesture(as_seen=as_seen))
            except SurefootError as error:
                if error.reason != "brought_into_view" or as_seen == AS_SEEN[-1]:
                    raise
        raise AssertionError("no look")

    async def log(self) -> list[str]:
        return list(await self.js("log"))


@pytest_asyncio.fixture(loop_scope="session")
async def screen(driver: WebDriver, site: Site, state_dir: Path) -> AsyncIterator[Screen]:
    site.put("/blank", "<!doctype html><title>blank</title><p>blank")
    events: list[DriverEvent] = []
    request = OpenRequest(target=site.url("/blank"), session="test", state_dir=str(state_dir))
    app = await driver.open(request, events.append)
    yield Screen(app, events, site)
    await app.close()


@pytest.fixture
def soon() -> Callable[[Callable[[], bool]], Any]:
    async def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.01)

    return until
