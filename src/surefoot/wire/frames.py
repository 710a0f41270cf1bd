"""How bytes are cut on the daemon's socket (architecture.md, decisions 3 and 4).

A frame is nine header bytes (kind, request id, payload length; big endian) and the payload. A request
is one frame; everything that belongs to it, in both directions, carries its id, so one connection can
carry several at once.

Caller to daemon:

====  ================  =====================================================================
``h`` hello             nothing; asks for an ``K``
``a`` argv request      NUL-separated text, see :class:`ArgvRequest`
``c`` call request      JSON of :class:`CallRequest`
``m`` MCP connection    JSON of :class:`McpRequest`; lasts until the caller leaves
``i`` MCP message       one JSON-RPC message of the MCP client
``f`` file bytes        the answer to ``F``
``n`` no file           why not: the errno's name
``x`` cancel            cancel this request
====  ================  =====================================================================

Daemon to caller:

====  ================  =====================================================================
``K`` acknowledged      JSON of :class:`Ack`; sent when a request was read, before anything runs; empty
                        for each MCP message, in their order
``L`` leaving           nothing ran; another version's daemon makes way, start one and ask again
``F`` file wanted       ``<max bytes>\\0<absolute path>``
``O`` / ``E``           bytes for standard output / standard error (argv requests)
``X`` exit              the exit code in decimal; ends an argv request
``V`` event             one JSON value of a stream (call requests)
``M`` MCP message       one JSON-RPC message of the MCP server
``R`` reply             JSON of :class:`~surefoot.wire.Reply`; ends a call request, refuses an MCP one
====  ================  =====================================================================

The header, ``h``, ``K``, ``L`` and the first two fields of ``a``, ``c`` and ``m`` never change meaning,
so that two versions can always tell each other who they are.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.wire.call import Call

PROTOCOL = 1
HEADER = struct.Struct(">BII")

MAX_REQUEST_BYTES = 8 * 1024 * 1024
"""The longest payload a daemon reads: above Linux's limit for a whole command line."""

MAX_REPLY_BYTES = 64 * 1024 * 1024
"""The longest payload a caller reads, and the most one command line prints."""

CHUNK_BYTES = 256 * 1024
"""Output is cut into frames of this size, so that a slow reader never needs it all at once."""


class Kind(IntEnum):
    """The first byte of a frame."""

    HELLO = ord("h")
    ARGV = ord("a")
    CALL = ord("c")
    MCP = ord("m")
    INPUT = ord("i")
    FILE = ord("f")
    NO_FILE = ord("n")
    CANCEL = ord("x")
    ACK = ord("K")
    LEAVING = ord("L")
    WANT_FILE = ord("F")
    STDOUT = ord("O")
    STDERR = ord("E")
    EXIT = ord("X")
    EVENT = ord("V")
    MESSAGE = ord("M")
    REPLY = ord("R")


FROM_CALLER = frozenset(
    {
        Kind.HELLO,
        Kind.ARGV,
        Kind.CALL,
        Kind.MCP,
        Kind.INPUT,
        Kind.FILE,
        Kind.NO_FILE,
        Kind.CANCEL,
    }
)
FROM_DAEMON = frozenset(Kind) - FROM_CALLER


class Frame(NamedTuple):
    """One message. ``request`` is the caller's number for the request it belongs to."""

    kind: Kind
    request: int
    payload: bytes


class Ack(Struct, frozen=True, kw_only=True, rename="camel"):
    """Who answers. Unknown fields are ignored: a newer daemon may say more."""

    protocol: int
    version: str
    pid: int


class ArgvRequest(Struct, frozen=True, kw_only=True):
    """A command line as it was typed, and what of its process matters.

    On the wire: protocol, version, cwd, ``1`` or ``0`` for a terminal on standard output, its columns
    (0 where unknown), the number of arguments, the arguments, ``NAME=value`` for each variable, all
    UTF-8 and separated by NUL.
    """

    protocol: int
    version: str
    cwd: str
    tty: bool
    columns: int
    argv: tuple[str, ...]
    env: Mapping[str, str]


class CallRequest(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A call of a programmatic surface. ``cwd`` is absolute. An unknown field is an error: nothing a
    caller sends reaches a field the daemon keeps for itself."""

    protocol: int
    version: str
    kind: Literal["client", "mcp"]
    cwd: str
    env: dict[str, str]
    call: Call


class McpRequest(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """An MCP client's connection: where its server process was started. ``cwd`` is absolute."""

    protocol: int
    version: str
    cwd: str
    env: dict[str, str]


class ProtocolError(SurefootError):
    """The other side sent something that is no frame; the connection cannot go on."""


R = TypeVar("R", CallRequest, McpRequest)


def encode_frame(kind: Kind, request: int, payload: bytes = b"") -> bytes:
    """The frame's bytes."""
    return HEADER.pack(kind, request, len(payload)) + payload


def decode_header(data: bytes, allowed: frozenset[Kind], limit: int) -> tuple[Kind, int, int]:
    """Kind, request id and payload length of a header.

    Raises :class:`ProtocolError` (``INVALID_ARGS``) with reason ``bad_frame`` for a kind this side
    does not take, and ``frame_too_large`` beyond ``limit`` bytes.
    """
    number, request, length = HEADER.unpack(data)
    if number not in allowed:
        raise ProtocolError(
            ErrorCode.INVALID_ARGS,
            f"Byte {number} begins no frame of this protocol.",
            details={"reason": "bad_frame", "kind": number},
        )
    if length > limit:
        raise ProtocolError(
            ErrorCode.INVALID_ARGS,
            f"The request has {length} bytes; the limit is {limit}.",
            hint="Send less at once, for example through a file.",
            details={"reason": "frame_too_large", "bytes": length, "limit": limit, "request": request},
        )
    return Kind(number), request, length


def encode_argv(request: ArgvRequest) -> bytes:
    """The payload of an ``a`` frame (the thin command writes the same by hand)."""
    fields: Sequence[str] = (
        str(request.protocol),
        request.version,
        request.cwd,
        "1" if request.tty else "0",
        str(request.columns),
        str(len(request.argv)),
        *request.argv,
        *(f"{name}={value}" for name, value in request.env.items()),
    )
    return "\0".join(fields).encode()


def decode_identity(kind: Kind, payload: bytes) -> tuple[int, str]:
    """Protocol number and version of an ``a``, ``c`` or ``m`` payload of *any* protocol.

    Raises ``INVALID_ARGS`` reason ``bad_request`` where there is none.
    """
    try:
        if kind in (Kind.CALL, Kind.MCP):
            who = msgspec.json.decode(payload, type=_Identity)
            return who.protocol, who.version
        protocol, version = payload.split(b"\0", 2)[:2]
        return int(protocol), version.decode()
    except (msgspec.MsgspecError, ValueError):
        raise invalid_args("The request is malformed.", reason="bad_request") from None


def decode_call(payload: bytes) -> CallRequest:
    """The request in a ``c`` frame. Raises ``INVALID_ARGS`` reason ``bad_request``, which names the
    field that is wrong, missing or unknown."""
    return _decoded(payload, CallRequest)


def decode_mcp(payload: bytes) -> McpRequest:
    """The request in an ``m`` frame. Raises as :func:`decode_call` does."""
    return _decoded(payload, McpRequest)


def _decoded(payload: bytes, kind: type[R]) -> R:
    try:
        request = msgspec.json.decode(payload, type=kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise invalid_args(f"The request is malformed: {error}.", reason="bad_request") from None
    if not request.cwd.startswith("/"):
        raise invalid_args("The request's cwd is not an absolute path.", reason="bad_request")
    return request


def decode_argv(payload: bytes) -> ArgvRequest:
    """The request in an ``a`` frame. Raises ``INVALID_ARGS``: reason ``not_utf8`` names the first
    argument that is not UTF-8 by its position (from 1), ``bad_request`` anything else."""
    fields = payload.split(b"\0")
    try:
        protocol, version, tty, columns, count = (fields[at].decode() for at in (0, 1, 3, 4, 5))
        size, width, number = int(count), int(columns), int(protocol)
    except (IndexError, ValueError):
        raise invalid_args("The request is malformed.", reason="bad_request") from None
    if size < 0 or len(fields) < 6 + size or tty not in ("0", "1") or not fields[2].startswith(b"/"):
        raise invalid_args("The request is malformed.", reason="bad_request")
    env: dict[str, str] = {}
    for item in fields[6 + size :]:
        name, _, value = _text(item, "A forwarded environment variable").partition("=")
        env[name] = value
    return ArgvRequest(
        protocol=number,
        version=version,
        cwd=_text(fields[2], "The working directory"),
        tty=tty == "1",
        columns=max(0, width),
        argv=tuple(_text(fields[6 + at], f"Argument {at + 1}", at + 1) for at in range(size)),
        env=env,
    )


class _Identity(Struct):
    protocol: int
    version: str


def _text(data: bytes, what: str, position: int | None = None) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        details = {} if position is None else {"argument": position}
        raise invalid_args(
            f"{what} is not UTF-8.",
            hint="Give it in UTF-8 (check the shell's locale).",
            reason="not_utf8",
            **details,
        ) from None
