"""The plan digest: SHA-256 over RFC 8785 JSON of an explicit form (seed 0012, decision 4).

Bound: the effective platform and target, and of every step its command, positionals and flags with
their placeholders, the evidence that verification reads (not ``rect``, not ``screen``, nothing of other
writers), its source and its control shape. Never bound: values of variables, the text of comments (but
a line added above a step moves its source), context entries beside the effective platform and target.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Final

import rfc8785

from surefoot.identity import Evidence, TargetEvidence, bound_fields
from surefoot.plan.step import PlanSource, PlanStep

PLAN_FORMAT: Final = "ad"
PLAN_IR_VERSION: Final = 1


def plan_ir(platform: str | None, target: str | None, steps: Iterable[PlanStep]) -> dict[str, Any]:
    """The JSON value the digest is taken of."""
    return {
        "format": PLAN_FORMAT,
        "version": PLAN_IR_VERSION,
        "platform": platform,
        "target": target,
        "steps": [{**step_ir(step), "source": source_ir(step.source)} for step in steps],
    }


def source_ir(source: PlanSource) -> dict[str, Any]:
    """Where a step was written: bound by a flat plan's digest only."""
    return {"path": source.path, "line": source.line}


def step_ir(step: PlanStep) -> dict[str, Any]:
    """What one step does, wherever it was written."""
    return {
        "command": step.command,
        "positionals": list(step.positionals),
        "flags": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in step.flags.items()
        },
        "evidence": None if step.evidence is None else evidence_ir(step.evidence),
        "control": {"producesOutput": step.produces_output, "inControlFlow": step.in_control_flow},
    }


def evidence_ir(evidence: Evidence) -> dict[str, Any]:
    """The bound part of the evidence under its annotation's name."""
    name = "target-v1" if isinstance(evidence, TargetEvidence) else "targets-v1"
    return {name: bound_fields(evidence)}


def canonical_digest(ir: dict[str, Any]) -> str:
    """64 lower-case hex digits of SHA-256 over the canonical JSON (RFC 8785) of ``ir``."""
    return hashlib.sha256(rfc8785.dumps(ir)).hexdigest()


def plan_digest(platform: str | None, target: str | None, steps: Iterable[PlanStep]) -> str:
    """The digest of a plan with these steps."""
    return canonical_digest(plan_ir(platform, target, steps))
