"""Plans: the steps of a script, checked whole, with their digest; late binding of variables."""

from surefoot.plan.bind import bind_step
from surefoot.plan.build import build_plan, load_plan, source_path
from surefoot.plan.digest import PLAN_FORMAT, PLAN_IR_VERSION, canonical_digest, plan_digest, plan_ir
from surefoot.plan.model import BoundStep, Plan
from surefoot.plan.step import PlanSource, PlanStep

__all__ = [
    "PLAN_FORMAT",
    "PLAN_IR_VERSION",
    "BoundStep",
    "Plan",
    "PlanSource",
    "PlanStep",
    "bind_step",
    "build_plan",
    "canonical_digest",
    "load_plan",
    "plan_digest",
    "plan_ir",
    "source_path",
]
