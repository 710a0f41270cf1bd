"""Session names: what is admitted, and the implicit name of a directory (surface.md, row B121)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import Path

from surefoot.errors import SurefootError, invalid_args

MAX_NAME_BYTES = 128


def admit_name(name: str) -> str:
    """The name, unchanged, when it may name a session (and so a directory of the state dir).

    Raises ``INVALID_ARGS`` reason ``invalid_session_name`` for an empty name, ``.``, ``..``, a slash
    or backslash, control and formatting characters, blanks at either end, more than 128 UTF-8 bytes.
    """
    problem = _problem(name)
    if problem is not None:
        raise _refuse(problem)
    return name


def _problem(name: str) -> str | None:
    if not name:
        return "it is empty"
    if name in {".", ".."}:
        return "it is a directory reference"
    if any(character in "/\\" for character in name):
        return "it holds a slash"
    if any(unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for character in name):
        return "it holds control characters"
    if name != name.strip():
        return "it begins or ends with a blank"
    if len(name.encode()) > MAX_NAME_BYTES:
        return f"it is longer than {MAX_NAME_BYTES} bytes"
    return None


def _refuse(problem: str) -> SurefootError:
    return invalid_args(
        f"This cannot name a session: {problem}.",
        hint="Use letters, digits, dots, dashes or underscores: `--session checkout-1`.",
        reason="invalid_session_name",
    )


def worktree_root(directory: Path) -> Path:
    """The git worktree that holds ``directory``, else the directory itself (absolute, resolved)."""
    directory = directory.resolve()
    for candidate in (directory, *directory.parents):
        if (candidate / ".git").exists():
            return candidate
    return directory


def implicit_name(directory: Path, platform: str) -> str:
    """The name a call without ``--session`` means in ``directory`` on ``platform``.

    It is an ordinary name (``shop-web-1f3a09c2``), so that what ``session list`` shows can be given
    back with ``--session``; the digest keeps equal folder names apart.
    """
    root = worktree_root(directory)
    digest = hashlib.sha256(f"{root}\0{platform}".encode("utf-8", "surrogateescape")).hexdigest()[:8]
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", root.name).strip("-")[:40] or "root"
    return f"{stem}-{platform}-{digest}"
