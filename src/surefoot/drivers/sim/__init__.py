"""The virtual device: apps as data, deterministic, able to misbehave in every way a real one does."""

from surefoot.drivers.sim.app import SimApp
from surefoot.drivers.sim.clock import VirtualClock
from surefoot.drivers.sim.driver import SimDriver, bundled_apps, node_of, observe_screen, open_sim
from surefoot.drivers.sim.log import Performed
from surefoot.drivers.sim.machine import SimDevice
from surefoot.drivers.sim.spec import (
    Action,
    AppSpec,
    Death,
    Delayed,
    DialogSpec,
    Rule,
    ScreenSpec,
    TabSpec,
    Unreadable,
    WindowSpec,
    load_app,
    load_app_file,
    screen_app,
)

__all__ = [
    "Action",
    "AppSpec",
    "Death",
    "Delayed",
    "DialogSpec",
    "Performed",
    "Rule",
    "ScreenSpec",
    "SimApp",
    "SimDevice",
    "SimDriver",
    "TabSpec",
    "Unreadable",
    "VirtualClock",
    "WindowSpec",
    "bundled_apps",
    "load_app",
    "load_app_file",
    "node_of",
    "observe_screen",
    "open_sim",
    "screen_app",
]
