"""A PNG of a scene: boxes in shades of grey; the same for the same scene."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from surefoot.tree import Rect

MAX_SIDE = 16_384


def draw(width: int, height: int, boxes: Sequence[tuple[Rect, int]]) -> bytes:
    """An 8-bit grey PNG of ``width`` x ``height`` px.

    Each box is filled with its shade (0 black, 255 white) and framed in black. Later boxes lie over
    earlier ones; what lies outside is cut off.
    """
    width, height = min(max(1, width), MAX_SIDE), min(max(1, height), MAX_SIDE)
    rows = [bytearray(b"\xff" * width) for _ in range(height)]
    for box, shade in boxes:
        left, right = _span(box.x, box.width, width)
        top, bottom = _span(box.y, box.height, height)
        if left >= right or top >= bottom:
            continue
        for y in range(top, bottom):
            edge = y in (top, bottom - 1)
            rows[y][left:right] = bytes([0 if edge else shade]) * (right - left)
            rows[y][left] = rows[y][right - 1] = 0
    raw = b"".join(b"\x00" + bytes(row) for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(raw, 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _span(start: float, length: float, limit: int) -> tuple[int, int]:
    return max(0, min(limit, int(start))), max(0, min(limit, int(start + length)))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
