"""Bytes to physical lines: UTF-8 (a BOM is read), LF or CRLF, no NUL, at most 1 MiB."""

from __future__ import annotations

from typing import Final

from surefoot.script.issues import IssueList, ScriptIssue

MAX_SOURCE_BYTES: Final = 1024 * 1024
_BOM: Final = b"\xef\xbb\xbf"


def split_source(data: bytes, issues: IssueList) -> list[str]:
    """The lines without their ends; none, and a finding, when the bytes are no script text at all."""
    if len(data) > MAX_SOURCE_BYTES:
        issues.add(
            ScriptIssue(
                line=1,
                column=1,
                rule="size",
                message=f"the script is larger than {MAX_SOURCE_BYTES:,} bytes",
                reason="script_too_large",
            )
        )
        return []
    data = data.removeprefix(_BOM)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        at = error.start
        issues.add(_not_text(data, at, f"byte 0x{data[at]:02x} is not UTF-8", "not_utf8"))
        return []
    if "\0" in text:
        issues.add(_not_text(data, data.index(0), "a NUL byte", "nul_byte"))
        return []
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def _not_text(data: bytes, offset: int, message: str, reason: str) -> ScriptIssue:
    start = data.rfind(b"\n", 0, offset) + 1
    end = data.find(b"\n", offset)
    line = data[start : end if end >= 0 else len(data)]
    return ScriptIssue(
        line=data.count(b"\n", 0, offset) + 1,
        column=len(data[start:offset].decode("utf-8", "replace")) + 1,
        rule="encoding",
        message=message,
        expected="UTF-8 text without NUL",
        reason=reason,
        text=line.decode("utf-8", "replace").rstrip("\r"),
    )
