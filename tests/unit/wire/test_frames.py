"""Frames: what goes on the wire, and what is refused before it is believed."""

from __future__ import annotations

import msgspec
import pytest

from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import (
    FROM_CALLER,
    FROM_DAEMON,
    MAX_REQUEST_BYTES,
    ArgvRequest,
    Call,
    CallRequest,
    Kind,
    ProtocolError,
    decode_argv,
    decode_call,
    decode_header,
    decode_identity,
    encode_argv,
    encode_frame,
)

ARGV = ArgvRequest(
    protocol=1,
    version="0.1.0",
    cwd="/home/a b",
    tty=True,
    columns=120,
    argv=("fill", 'label="Näme"', "", "two\nlines"),
    env={"AD_VAR_X": "a=b", "NO_COLOR": "1"},
)
CALL = {
    "protocol": 1,
    "version": "0.1.0",
    "kind": "client",
    "cwd": "/tmp",
    "env": {},
    "call": {"command": "press", "arguments": {"target": "id=x"}},
}


def test_a_frame_is_kind_number_length_and_payload() -> None:
    assert encode_frame(Kind.HELLO, 258, b"abc") == b"h\x00\x00\x01\x02\x00\x00\x00\x03abc"


def test_a_header_reads_back() -> None:
    head = encode_frame(Kind.CALL, 7, b"12345")[:9]
    assert decode_header(head, FROM_CALLER, 5) == (Kind.CALL, 7, 5)


@pytest.mark.parametrize("kind", sorted(set(range(256)) - {kind.value for kind in FROM_CALLER}))
def test_a_kind_that_a_caller_may_not_send_is_refused(kind: int) -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_header(bytes([kind]) + b"\0" * 8, FROM_CALLER, 10)
    assert caught.value.reason == "bad_frame"


def test_callers_and_the_daemon_share_no_kind() -> None:
    assert frozenset() == FROM_CALLER & FROM_DAEMON
    assert frozenset(Kind) == FROM_CALLER | FROM_DAEMON


def test_a_frame_beyond_the_limit_is_a_typed_error_with_both_numbers() -> None:
    head = b"c" + (9).to_bytes(4, "big") + (MAX_REQUEST_BYTES + 1).to_bytes(4, "big")
    with pytest.raises(ProtocolError) as caught:
        decode_header(head, FROM_CALLER, MAX_REQUEST_BYTES)
    assert caught.value.code is ErrorCode.INVALID_ARGS
    assert caught.value.details == {
        "reason": "frame_too_large",
        "bytes": MAX_REQUEST_BYTES + 1,
        "limit": MAX_REQUEST_BYTES,
        "request": 9,
    }


def test_a_command_line_reads_back() -> None:
    assert decode_argv(encode_argv(ARGV)) == ARGV


def test_an_argument_that_is_not_utf8_is_named_by_its_position() -> None:
    payload = encode_argv(ARGV).replace("Näme".encode(), b"N\xe4me")
    with pytest.raises(SurefootError) as caught:
        decode_argv(payload)
    assert (caught.value.code, caught.value.details) == (
        ErrorCode.INVALID_ARGS,
        {"argument": 2, "reason": "not_utf8"},
    )


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"1",
        b"1\x000.1.0\x00/\x00x\x0080\x000",
        b"1\x000.1.0\x00/\x001\x00wide\x000",
        b"1\x000.1.0\x00/\x001\x0080\x003\x00only one",
        b"1\x000.1.0\x00/\x001\x0080\x00-1",
        b"1\x000.1.0\x00relative\x001\x0080\x000",
    ],
    ids=["empty", "short", "tty", "columns", "count", "negative count", "relative cwd"],
)
def test_a_malformed_command_line_request_is_refused(payload: bytes) -> None:
    with pytest.raises(SurefootError) as caught:
        decode_argv(payload)
    assert caught.value.reason == "bad_request"


def test_a_call_reads_back() -> None:
    assert decode_call(msgspec.json.encode(CALL)) == CallRequest(
        protocol=1,
        version="0.1.0",
        kind="client",
        cwd="/tmp",
        env={},
        call=Call(command="press", arguments={"target": "id=x"}),
    )


@pytest.mark.parametrize(
    "where",
    [(), ("call",), ("call", "options")],
    ids=["request", "call", "options"],
)
@pytest.mark.parametrize("field", ["provenance", "resolvedNode", "recording", "lease", "seams"])
def test_B091_no_field_of_the_wire_can_claim_what_only_the_daemon_decides(
    where: tuple[str, ...], field: str
) -> None:
    forged = msgspec.json.decode(msgspec.json.encode(CALL))
    at = forged
    for name in where:
        at = at.setdefault(name, {})
    at[field] = "replay_step"
    with pytest.raises(SurefootError) as caught:
        decode_call(msgspec.json.encode(forged))
    assert caught.value.reason == "bad_request"
    assert field in caught.value.message


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"protocol":1}',
        b"\xff",
        msgspec.json.encode({**CALL, "cwd": "here"}),
    ],
    ids=["empty", "open", "list", "null", "incomplete", "not utf8", "relative cwd"],
)
def test_a_malformed_call_is_refused(payload: bytes) -> None:
    with pytest.raises(SurefootError) as caught:
        decode_call(payload)
    assert caught.value.reason == "bad_request"


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (Kind.ARGV, b"99\x00127.4\x00whatever follows"),
        (Kind.CALL, b'{"protocol":99,"version":"127.4","entirely":["other"]}'),
    ],
    ids=["argv", "call"],
)
def test_who_asks_is_readable_in_every_protocol(kind: Kind, payload: bytes) -> None:
    assert decode_identity(kind, payload) == (99, "127.4")


@pytest.mark.parametrize("payload", [b"", b"one", b"x\x00y"])
def test_nobody_is_refused(payload: bytes) -> None:
    with pytest.raises(SurefootError):
        decode_identity(Kind.ARGV, payload)
    with pytest.raises(SurefootError):
        decode_identity(Kind.CALL, payload)
