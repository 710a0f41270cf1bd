"""How a script reaches the disk: whole or not at all, and never over something else.

Seed 0012, decision 6, "Atomic, race-safe publication": a temporary file in the target's own directory,
then one exclusive ``os.link``: create if absent, first writer wins. An ordinary recording, a healed
script and a fragment all publish through :func:`publish`.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.session import reached

_mode = 0o644


def give_files_mode(mode: int) -> None:
    """Publish with these permissions from now on: what the umask of the person served leaves.

    The daemon's own umask keeps everything of its state private; a script is its author's file.
    """
    global _mode
    _mode = mode


def make_ordinary(descriptor: int) -> None:
    """Give an open file that is for a person the permissions their other files have."""
    os.fchmod(descriptor, _mode)


def check_target(target: Path, *, force: bool) -> None:
    """Refuse early, before anything runs, what :func:`publish` would have to refuse at the end.

    ``target`` is absolute. Raises ``INVALID_ARGS`` with reason ``target_exists`` (unless ``force``),
    ``target_not_a_file``, ``directory_missing`` or ``directory_not_writable``.
    """
    if not target.is_absolute():
        raise ValueError(f"{target} is not absolute")
    if target.is_dir():
        raise invalid_args(
            f"{target} is a directory, not a script file.",
            hint="Give a file name ending in .ad.",
            reason="target_not_a_file",
            path=str(target),
        )
    if not target.parent.is_dir():
        raise invalid_args(
            f"the directory {target.parent} does not exist.",
            hint=f"Run `mkdir -p {target.parent}` first, or choose another path.",
            reason="directory_missing",
            path=str(target),
        )
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise invalid_args(
            f"the directory {target.parent} is not writable.",
            hint="Choose another path.",
            reason="directory_not_writable",
            path=str(target),
        )
    if not force and os.path.lexists(target):
        raise _exists(target)


def draft_of(target: Path, token: str) -> Path:
    """The temporary file of a publication: in the target's own directory."""
    return target.parent / f".{target.name}.{token}.tmp"


def publish(target: Path, text: str, *, force: bool = False, token: str | None = None) -> None:
    """Write ``text`` (UTF-8) to ``target``, which must not exist unless ``force``.

    Durable on return. ``token`` names the temporary file, so that whoever takes up a publication that a
    crash cut short can find it; a random one by default.

    Raises ``INVALID_ARGS`` ``target_exists``, leaving the existing file byte for byte as it was, or
    ``COMMAND_FAILED`` ``publication_failed`` when the file system refuses. Neither leaves a partial or
    temporary file behind. Readers never see half a script.
    """
    check_target(target, force=force)
    temporary = draft_of(target, token or secrets.token_hex(6))
    try:
        _write_durably(temporary, text)
        reached("publish.drafted")
        if force:
            os.replace(temporary, target)
        else:
            os.link(temporary, target)
            reached("publish.linked")
        _sync_directory(target.parent)
    except FileExistsError:
        raise _exists(target) from None
    except OSError as problem:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"could not write {target}: {problem.strerror or problem}.",
            hint="Free the disk or choose another path; nothing was written.",
            details={"reason": "publication_failed", "path": str(target)},
        ) from problem
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _exists(target: Path) -> SurefootError:
    return invalid_args(
        f"{target} exists already; it was left as it is.",
        hint="Remove it, choose another path, or pass --force where the command has it.",
        reason="target_exists",
        path=str(target),
    )


def _write_durably(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        make_ordinary(descriptor)
        file.write(text.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())


def _sync_directory(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
