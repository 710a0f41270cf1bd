"""The file that holds what a report had to leave out: redacted and bounded by field like the report.

Seed 0012, decision 4 (overflow). It lies in the session's directory (0700), is readable by its owner
only (0600) and shows no ref that the report did not authorise; the newest :data:`KEPT` are kept.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from surefoot.wire import Divergence

KEPT = 20
_PREFIX = "divergence-"


def new_path(directory: Path, ordinal: int) -> Path:
    """A name that is not taken yet, for the divergence of this step."""
    return directory / f"{_PREFIX}{ordinal}-{secrets.token_hex(4)}.json"


def write_artifact(path: Path, detail: Divergence, issued: frozenset[int]) -> bool:
    """Write the whole report; ``issued`` are the node indexes whose refs are authorised.

    False where the file system refuses; nothing is left behind then.
    """
    body = msgspec.to_builtins(detail)
    for shown in _with_refs(body):
        if int(shown["ref"][1:]) - 1 not in issued:
            del shown["ref"]
    try:
        _prune(path.parent)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError:
        return False
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(body))
    except OSError:
        with suppress(OSError):
            path.unlink()
        return False
    return True


def _with_refs(body: dict[str, Any]) -> list[dict[str, Any]]:
    binding = body.get("targetBinding") or {}
    shown = [
        *body["screen"].get("refs", ()),
        *body["suggestions"],
        *binding.get("candidates", ()),
        binding.get("observed") or {},
    ]
    return [item for item in shown if "ref" in item]


def _prune(directory: Path) -> None:
    """Keep the newest ones only."""
    files = sorted(directory.glob(f"{_PREFIX}*.json"), key=lambda file: file.stat().st_mtime_ns)
    for file in files[: max(0, len(files) - KEPT + 1)]:
        file.unlink()
