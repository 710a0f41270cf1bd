"""The device itself: elements, layout, scenes, rules, time, and captures of it. Synchronous."""

from surefoot.drivers.sim.machine.capture import capture, is_hittable
from surefoot.drivers.sim.machine.device import Effects, SimDevice
from surefoot.drivers.sim.machine.element import TOGGLE_ROLES, Element
from surefoot.drivers.sim.machine.layout import contains
from surefoot.drivers.sim.machine.scene import Scene, visible_centre

__all__ = [
    "TOGGLE_ROLES",
    "Effects",
    "Element",
    "Scene",
    "SimDevice",
    "capture",
    "contains",
    "is_hittable",
    "visible_centre",
]
