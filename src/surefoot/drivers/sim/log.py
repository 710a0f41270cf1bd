"""What was done to a simulated device, for tests to assert on: every input, arrived or not."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from surefoot.drivers.protocol import Gesture, Point

Kind = Literal[
    "press", "hover", "drag", "focus", "fill", "type", "key", "scroll",
    "history", "viewport", "tab", "dialog", "upload",
]  # fmt: skip


class Performed(Struct, frozen=True, kw_only=True):
    """One input that left the driver. A refusal leaves none.

    ``handle`` and ``key`` name the element that was hit (``""`` when there was none), ``label`` what it
    was called then. ``text`` is the typed text, chord, direction or answer, secrets included: this
    log never leaves the process. ``delivered`` is false where the input was lost on its way.
    """

    kind: Kind
    at_ms: float
    handle: str = ""
    key: str = ""
    label: str = ""
    point: Point | None = None
    gesture: Gesture | None = None
    text: str | None = None
    delivered: bool = True
