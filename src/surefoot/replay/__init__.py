"""Replay: the step loop, each step's verification, the divergence of a refused step, its resume."""

from surefoot.replay.composed import admit_composed_resume
from surefoot.replay.divergence import Reporting
from surefoot.replay.repair_hint import repair_hint
from surefoot.replay.resumption import admit_resume
from surefoot.replay.run import OnStep, Replayed, StepExecutor, run
from surefoot.replay.verification import BindingRefused, StepSeams

__all__ = [
    "BindingRefused",
    "OnStep",
    "Replayed",
    "Reporting",
    "StepExecutor",
    "StepSeams",
    "admit_composed_resume",
    "admit_resume",
    "repair_hint",
    "run",
]
