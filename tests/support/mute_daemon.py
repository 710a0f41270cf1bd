"""Something that listens where a daemon should and says too little."""

from __future__ import annotations

import json
import os
import socket
import threading
from pathlib import Path

from surefoot.wire import PROTOCOL, StatePaths, prepare


class Mute:
    """Listens where a daemon should; answers what it is told to, then nothing."""

    def __init__(self, state: Path, answers: int) -> None:
        self.paths = StatePaths(state)
        prepare(self.paths)
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(str(self.paths.socket))
        self._server.listen(8)
        self._answers = answers
        self._links: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        ack = json.dumps({"protocol": PROTOCOL, "version": "0.1.0", "pid": os.getpid()}).encode()
        while True:
            try:
                link, _ = self._server.accept()
            except OSError:
                return
            self._links.append(link)
            if self._answers > 0:
                self._answers -= 1
                link.recv(65536)
                number = b"\0\0\0\0" if self._answers else b"\0\0\0\1"
                link.sendall(b"K" + number + len(ack).to_bytes(4, "big") + ack)

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        for link in self._links:
            link.close()
