"""The frames of an MCP connection: its lease, another version, malformed requests."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.daemon_host import Hosted, hosted

from surefoot import __version__
from surefoot.wire import (
    FROM_DAEMON,
    HEADER,
    MAX_REPLY_BYTES,
    PROTOCOL,
    Kind,
    decode_header,
    encode_frame,
)

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path / "state") as host:
        yield host


class Wire:
    """A raw MCP connection."""

    def __init__(self, daemon: Hosted, **request: Any) -> None:
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.link.settimeout(20)
        self.link.connect(str(daemon.paths.socket))
        body = {"protocol": PROTOCOL, "version": __version__, "cwd": "/", "env": {}, **request}
        self.link.sendall(encode_frame(Kind.MCP, 1, json.dumps(body).encode()))
        self.first = self.frame()[0]

    def send(self, message: dict[str, Any]) -> None:
        self.link.sendall(encode_frame(Kind.INPUT, 1, json.dumps(message).encode()))

    def frame(self) -> tuple[Kind, bytes]:
        kind, _, length = decode_header(self._exactly(HEADER.size), FROM_DAEMON, MAX_REPLY_BYTES)
        return kind, self._exactly(length)

    def message(self) -> dict[str, Any]:
        assert self.frame() == (Kind.ACK, b"")
        kind, payload = self.frame()
        assert kind is Kind.MESSAGE
        found: dict[str, Any] = json.loads(payload)
        return found

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self.link.recv(size - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.link.close()


def until(holds: Any) -> None:
    ends = time.monotonic() + 5
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.005)


def test_the_connection_owns_a_lease_until_it_ends(daemon: Hosted) -> None:
    with Wire(daemon) as wire:
        wire.send(INITIALIZE)
        assert wire.message()["result"]["serverInfo"]["name"] == "surefoot"
        assert daemon.service.released_leases == []
    until(lambda: len(daemon.service.released_leases) == 1)


def test_a_caller_of_another_version_makes_an_idle_daemon_leave(daemon: Hosted) -> None:
    with Wire(daemon, version="0.0.0") as wire:
        assert wire.first is Kind.LEAVING
    assert daemon.ended()


def test_a_caller_of_another_version_is_refused_by_a_daemon_in_use(daemon: Hosted) -> None:
    daemon.service.sessions = 1
    with Wire(daemon, version="0.0.0") as wire:
        kind, payload = wire.frame()
    error = json.loads(payload)["error"]
    assert kind is Kind.REPLY
    assert error["details"]["reason"] == "daemon_version_mismatch"


@pytest.mark.parametrize("request_", [{"cwd": "here"}, {"more": 1}, {"env": []}])
def test_a_malformed_request_is_refused(daemon: Hosted, request_: dict[str, Any]) -> None:
    with Wire(daemon, **request_) as wire:
        kind, payload = wire.frame()
    assert kind is Kind.REPLY
    assert json.loads(payload)["error"]["details"]["reason"] == "bad_request"
