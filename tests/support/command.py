"""The installed command, run as a caller runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SUREFOOT = Path(sys.executable).with_name("surefoot")
SUREFOOT_PY = Path(sys.executable).with_name("surefoot-py")


def environment(state: Path, **more: str) -> dict[str, str]:
    """This process's variables without surefoot's own, and a private state directory."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SUREFOOT_", "AD_VAR_")) and name != "NO_COLOR"
    }
    return {**kept, "SUREFOOT_STATE_DIR": str(state), **more}


def surefoot(
    state: Path,
    *argv: str | bytes,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    command: Path = SUREFOOT,
    timeout: float = 60,
) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    return subprocess.run(
        [command, *argv],
        env=environment(state, **(env or {})),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def started(state: Path, *argv: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start one command and go on; the caller waits for it."""
    return subprocess.Popen(
        [SUREFOOT, *argv],
        env=environment(state, **(env or {})),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The one JSON object of a ``--json`` command."""
    body = json.loads(done.stdout)
    assert isinstance(body, dict)
    return body


def failure(done: subprocess.CompletedProcess[str]) -> tuple[str, str | None]:
    """Code and reason of a failed ``--json`` command."""
    error = answer(done)["error"]
    return error["code"], error.get("details", {}).get("reason")
