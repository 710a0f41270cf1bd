"""How a caller's file reaches the disk: whole or not at all, and never over something else.

Seed 0012, decision 6, "Atomic, race-safe publication": a temporary file in the target's own directory,
then one exclusive ``os.link``: create if absent, first writer wins. Recordings, healed scripts,
fragments and screenshots all publish through :func:`publish`; :func:`check_target` says where.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.session import reached

_mode = 0o644
_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
}
_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
}


def give_files_mode(mode: int) -> None:
    """Publish with these permissions from now on: what the umask of the person served leaves.

    The daemon's own umask keeps everything of its state private; a script is its author's file.
    """
    global _mode
    _mode = mode


def check_target(target: Path, *, force: bool) -> None:
    """Refuse early, before anything runs, what :func:`publish` would have to refuse at the end.

    A caller's file may go where nothing is yet and, with ``force``, over a regular file. A symlink
    to one, or to nothing, is replaced itself; what it leads to is never written. A directory, a
    device, a FIFO, a socket, or a link to one, never is a place for a file.

    ``target`` is absolute. Raises ``INVALID_ARGS`` with reason ``directory_missing``,
    ``directory_not_writable``, ``target_not_a_file`` or ``target_exists`` (unless ``force``).
    """
    if not target.is_absolute():
        raise ValueError(f"{target} is not absolute")
    if not os.path.isdir(target.parent):
        raise invalid_args(
            f"the directory {target.parent} does not exist.",
            hint=f"Run `mkdir -p {target.parent}` first, or choose another path.",
            reason="directory_missing",
            path=str(target),
        )
    what = _not_a_file(target)
    if what is not None:
        raise invalid_args(
            f"{target} {what}, not a place for a file; it was left as it is.",
            hint="Name a file that does not exist yet.",
            reason="target_not_a_file",
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


def _not_a_file(target: Path) -> str | None:
    """What there is instead of a regular file: ``is a FIFO``; ``None`` where a file may be."""
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    except OSError as problem:
        return f"cannot be looked at ({problem.strerror})"
    if stat.S_ISREG(mode):
        return None
    return f"is {_KINDS.get(stat.S_IFMT(mode), 'something else')}"


def draft_of(target: Path, token: str) -> Path:
    """The temporary file of a publication: in the target's own directory."""
    return target.parent / f".{target.name}.{token}.tmp"


def publish(
    target: Path, content: str | bytes, *, force: bool = False, token: str | None = None
) -> None:
    """Write ``content`` (text as UTF-8) to ``target``, where :func:`check_target` allows it.

    Durable on return. ``token`` names the temporary file, so that whoever takes up a publication that a
    crash cut short can find it; a random one by default.

    Raises what :func:`check_target` does, leaving what exists byte for byte as it was, or
    ``COMMAND_FAILED`` ``publication_failed`` when the file system refuses. Neither leaves a partial or
    temporary file behind. Readers never see half a file.
    """
    check_target(target, force=force)
    temporary = draft_of(target, token or secrets.token_hex(6))
    try:
        _write_durably(temporary, content.encode("utf-8") if isinstance(content, str) else content)
        reached("publish.drafted")
        if force:
            check_target(target, force=True)  # it may have become something else meanwhile
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


def _write_durably(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, _mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_directory(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
