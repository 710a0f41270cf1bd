"""Plans: the steps of a script, checked whole, with their digest; late binding of variables."""

from surefoot.plan.bind import bind_step, binding_issues
from surefoot.plan.build import build_plan, load_plan, read_step, source_path
from surefoot.plan.digest import (
    PLAN_FORMAT,
    PLAN_IR_VERSION,
    canonical_digest,
    plan_digest,
    plan_ir,
    step_ir,
)
from surefoot.plan.model import BoundStep, Plan
from surefoot.plan.resume import (
    ResumePoint,
    ResumeRefusal,
    Way,
    check_resume,
    resume_point,
    resume_refusal,
)
from surefoot.plan.step import FOCUS_COMMANDS, PlanSource, PlanStep

__all__ = [
    "FOCUS_COMMANDS",
    "PLAN_FORMAT",
    "PLAN_IR_VERSION",
    "BoundStep",
    "Plan",
    "PlanSource",
    "PlanStep",
    "ResumePoint",
    "ResumeRefusal",
    "Way",
    "bind_step",
    "binding_issues",
    "build_plan",
    "canonical_digest",
    "check_resume",
    "load_plan",
    "plan_digest",
    "plan_ir",
    "read_step",
    "resume_point",
    "resume_refusal",
    "source_path",
    "step_ir",
]
