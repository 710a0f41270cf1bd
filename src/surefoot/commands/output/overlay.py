"""Boxes with refs on a screenshot (``screenshot --overlay-refs``); Pillow does the pixels."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

_OUTLINE = (214, 39, 40)
_INK = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in logical pixels of the image's top-left corner, and the ref written on it."""

    ref: str
    x: float
    y: float
    width: float
    height: float


def draw_boxes(png: bytes, boxes: Sequence[Box], *, css_width: float | None) -> bytes:
    """``png`` with a box and a ref for each of ``boxes``.

    ``css_width`` is the width of the image in logical pixels; ``None`` takes one pixel for one.
    """
    from PIL import Image, ImageDraw, ImageFont  # half the daemon never draws

    with Image.open(io.BytesIO(png)) as source:
        image = source.convert("RGB")
    scale = image.width / css_width if css_width else 1.0
    font = ImageFont.load_default(size=max(10, round(11 * scale)))
    draw = ImageDraw.Draw(image)
    for box in boxes:
        left, top = box.x * scale, box.y * scale
        right, bottom = left + box.width * scale, top + box.height * scale
        if right < 0 or bottom < 0 or left > image.width or top > image.height:
            continue
        draw.rectangle((left, top, right, bottom), outline=_OUTLINE, width=max(1, round(scale)))
        tag = draw.textbbox((max(0, left), max(0, top)), box.ref, font=font)
        draw.rectangle((tag[0] - 1, tag[1] - 1, tag[2] + 1, tag[3] + 1), fill=_OUTLINE)
        draw.text((max(0, left), max(0, top)), box.ref, fill=_INK, font=font)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
