"""The long-lived process: transport, router, session locks, control lane, lifecycle."""

from surefoot.daemon.diagnostics import Diagnostics
from surefoot.daemon.lanes import Lanes, Running
from surefoot.daemon.server import IDLE_EXIT_MS, Daemon, HeldLock
from surefoot.daemon.service import Done, Lane, Plan, Printed, Service, Work

__all__ = [
    "IDLE_EXIT_MS",
    "Daemon",
    "Diagnostics",
    "Done",
    "HeldLock",
    "Lane",
    "Lanes",
    "Plan",
    "Printed",
    "Running",
    "Service",
    "Work",
]
