"""The caller's own files, handed to the daemon when it asks (architecture.md, decision 3)."""

from __future__ import annotations

import errno
import os
import stat


def read_for_daemon(path: bytes, limit: int) -> bytes | int:
    """The bytes of a regular file, at most one more than ``limit``; else the errno.

    One byte too many tells the daemon that the file is too long.
    """
    try:
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        return error.errno or errno.EIO
    try:
        with os.fdopen(number, "rb") as stream:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                return errno.EISDIR
            return stream.read(limit + 1)
    except OSError as error:
        return error.errno or errno.EIO
