"""Serves the demo shop on a free local port.

Drifts change what the shop shows without touching its files, the way a release would:
``rename`` calls *Place order* *Buy now* (and gives it another id), ``insert`` puts new products before
the old ones, ``sold-out`` takes the rope away, ``signed-out`` forgets every sign-in, so that another
screen is shown.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PAGES = Path(__file__).resolve().parent / "pages"
DRIFTS = ("rename", "insert", "sold-out", "signed-out")


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *args: Any, shop: Shop, **kwargs: Any) -> None:
        self._shop = shop
        super().__init__(*args, directory=str(PAGES), **kwargs)

    def do_GET(self) -> None:
        if self.path.partition("?")[0] != "/drift.js":
            super().do_GET()
            return
        body = f"window.shopDrift = {json.dumps(sorted(self._shop.drifts))};\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged: the demo's output is its own."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that leaves before it has everything is no error of the shop."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Shop:
    """A running shop. Use as a context manager; ``url`` ends with a slash."""

    def __init__(self, port: int = 0) -> None:
        self.drifts: set[str] = set()
        self._server = _Server(("127.0.0.1", port), partial(_Handler, shop=self))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    def __enter__(self) -> Shop:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--drift", action="append", default=[], choices=DRIFTS)
    options = parser.parse_args()
    try:
        running = Shop(options.port)
    except OSError as error:
        parser.exit(1, f"port {options.port} cannot be used ({error.strerror}); try --port 0\n")
    with running as shop:
        shop.drifts.update(options.drift)
        print(f"the demo shop is at {shop.url} (Ctrl-C ends it)")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
