"""What the command says when no daemon can say it: the same shapes, the same exit codes."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from surefoot.client import launch
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.wire import ErrorBody, Reply, StatePaths


def explain(reason: str, paths: StatePaths, silence_ms: int, attempts: int = 1) -> SurefootError:
    """The error for what the thin command met; it waited ``silence_ms`` for an answer."""
    if reason == "daemon_unresponsive":
        return launch.unresponsive(paths, silence_ms)
    if reason == "daemon_foreign":
        return launch.foreign(paths)
    if reason == "cwd_missing":
        return no_directory()
    if reason == "daemon_lost":
        return launch.lost(paths)
    return launch.start_failed(paths, f"it left {attempts} times before it answered")


def no_directory() -> SurefootError:
    """The working directory was removed under the caller."""
    return invalid_args(
        "The working directory does not exist any more.",
        hint="Change to a directory that exists.",
        reason="cwd_missing",
    )


def body_of(error: SurefootError, paths: StatePaths | None) -> ErrorBody:
    """The error as it stands on the wire."""
    return ErrorBody(
        code=error.code.value,
        message=error.message,
        diagnostic_id=error.diagnostic_id,
        log_path="" if paths is None else os.fspath(paths.log),
        hint=error.hint,
        details=error.details,
        retriable=error.retriable or msgspec.UNSET,
    )


def text_of(body: ErrorBody) -> str:
    """The error in the daemon's words, without the last line feed."""
    reason = body.details.get("reason")
    lines = [f"error {body.code}{f' {reason}' if reason else ''}: {body.message}"]
    if body.hint:
        lines.append(f"hint: {body.hint}")
    if body.code == ErrorCode.UNKNOWN.value:
        lines.append(f"diagnostic id: {body.diagnostic_id}")
    return "\n".join(lines)


def report(error: SurefootError, argv: Sequence[str], paths: StatePaths | None) -> int:
    """Print the error as the daemon would and return the exit code."""
    body = body_of(error, paths)
    if _as_json(argv):
        _print(1, msgspec.json.encode(Reply(success=False, error=body)) + b"\n")
    else:
        _print(2, f"{text_of(body)}\n".encode(errors="replace"))
    return 2 if error.code is ErrorCode.INVALID_ARGS else 1


def stopped(argv: Sequence[str], pid: int | None, forced: bool) -> int:
    """Say how ``daemon stop`` ended where the daemon itself could not."""
    if _as_json(argv):
        data = {"stopping": pid is not None, "pid": pid, "sessions": 0, "forced": forced}
        _print(1, msgspec.json.encode({"success": True, "data": data}) + b"\n")
    elif pid is None:
        _print(1, b"no daemon is running\n")
    else:
        how = " by force" if forced else ""
        _print(1, f"daemon {pid} stopped{how}\n".encode())
    return 0


def _as_json(argv: Sequence[str]) -> bool:
    words = list(argv)
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def _print(number: int, data: bytes) -> None:
    try:
        with os.fdopen(os.dup(number), "wb") as stream:
            stream.write(data)
    except OSError:
        return
