"""What ``make setup`` says of the browser is so: it names one that is there, or fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def browser_step(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """``setup.sh browser`` where installing a package does nothing."""
    stand_ins = {"apt-get": "exit 0", "sudo": 'shift; exec "$@"'}
    for name, body in stand_ins.items():
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
    return subprocess.run(
        ["sh", str(ROOT / "scripts" / "setup.sh"), "browser", sys.executable, sys.prefix],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_setup_names_the_browser_it_found(tmp_path: Path) -> None:
    done = browser_step(tmp_path)
    assert done.returncode == 0
    named = done.stdout.removeprefix("setup: using ").rstrip("\n")
    assert os.access(named, os.X_OK)


def test_setup_without_a_browser_is_no_success(tmp_path: Path) -> None:
    done = browser_step(tmp_path, SUREFOOT_BROWSER="/nonexistent/chromium")
    assert done.returncode == 1
    assert "could not install a Chromium" in done.stderr
