"""The caller's files, as the daemon may have them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from surefoot.client.files import read_for_daemon


def read(path: Path, limit: int) -> bytes | int:
    return read_for_daemon(os.fsencode(path), limit)


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abc")
    assert read(tmp_path / "f", 3) == b"abc"


def test_one_byte_too_many_says_that_it_is_too_long(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"abcdef")
    assert read(tmp_path / "f", 3) == b"abcd"


def test_what_is_no_regular_file_is_never_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read(tmp_path, 3) == errno.EISDIR
    assert read(tmp_path / "pipe", 3) == errno.EISDIR


def test_a_missing_file_is_its_errno(tmp_path: Path) -> None:
    assert read(tmp_path / "none", 3) == errno.ENOENT
