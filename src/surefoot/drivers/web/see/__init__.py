"""How surefoot sees a web page: one pass per frame, and whether anything changed since."""

from surefoot.drivers.web.see.capture import capture, unchanged
from surefoot.drivers.web.see.host import WALKER_WORLD, Frame, FrameGone, FrameHost
from surefoot.drivers.web.see.ids import TEST_ID_ATTRIBUTES
from surefoot.drivers.web.see.script import walker_source

__all__ = [
    "TEST_ID_ATTRIBUTES",
    "WALKER_WORLD",
    "Frame",
    "FrameGone",
    "FrameHost",
    "capture",
    "unchanged",
    "walker_source",
]
