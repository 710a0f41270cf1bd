"""How surefoot sees a web page: one pass per frame, and whether anything changed since."""

from surefoot.drivers.web.see.host import WALKER_WORLD, Frame, FrameGone, FrameHost

__all__ = ["WALKER_WORLD", "Frame", "FrameGone", "FrameHost"]
