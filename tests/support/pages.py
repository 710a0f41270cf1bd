"""Pages for tests, over HTTP on the loopback: a folder of files, or a page given as a string."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css"}


class Pages:
    """What a server shows; :meth:`folder` and :meth:`page` say under which URL."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self._folders: list[Path] = []
        self._pages: list[bytes] = []

    def folder(self, path: Path) -> str:
        """The URL (without a closing slash) under which the folder's files are served."""
        self._folders.append(path.resolve())
        return f"{self.origin}/f{len(self._folders) - 1}"

    def page(self, html: str) -> str:
        """The URL of a page with this source."""
        self._pages.append(html.encode())
        return f"{self.origin}/p{len(self._pages) - 1}"

    def find(self, path: str) -> tuple[str, bytes] | None:
        """Content type and content of a path, ``None`` when there is nothing."""
        first, _, rest = path.split("?")[0].lstrip("/").partition("/")
        kind, number = first[:1], first[1:]
        if not number.isdigit():
            return None
        if kind == "p" and int(number) < len(self._pages):
            return TYPES[".html"], self._pages[int(number)]
        if kind == "f" and int(number) < len(self._folders):
            root = self._folders[int(number)]
            file = (root / rest).resolve()
            if file.is_relative_to(root) and file.is_file():
                return TYPES.get(file.suffix, "application/octet-stream"), file.read_bytes()
        return None


@contextmanager
def serving() -> Iterator[Pages]:
    """A server on a free port of the loopback, stopped at the end."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = pages.find(self.path)
            kind, body = found or ("text/plain", b"nothing here")
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            del args

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        pages = Pages(server.server_port)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield pages
        finally:
            server.shutdown()
            thread.join()
