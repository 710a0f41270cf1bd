"""Replay: the step loop, each step's verification, and the divergence a refused step answers."""

from surefoot.replay.run import OnStep, Replayed, StepExecutor, run
from surefoot.replay.verification import BindingRefused, StepSeams

__all__ = ["BindingRefused", "OnStep", "Replayed", "StepExecutor", "StepSeams", "run"]
