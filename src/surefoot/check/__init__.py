"""What can be said of a script without a device: its faults, what its steps would do, how they last."""

from surefoot.check.against import Foreseen, foresee
from surefoot.check.judge import Judged, Manner, Refusal, Target, judge
from surefoot.check.mutations import MUTATIONS, SAID, Changed, Name
from surefoot.check.robustness import (
    MAX_NODES,
    Robustness,
    Trial,
    Tried,
    Weakness,
    assess,
    merged,
    try_step,
)
from surefoot.check.rules import RULES, Finding, Rule, findings, password_literal
from surefoot.check.script import ReadScript, ReadStep, StepTraits, read_for_check
from surefoot.check.stored import MAX_SNAPSHOT_BYTES, load_snapshot

__all__ = [
    "MAX_NODES",
    "MAX_SNAPSHOT_BYTES",
    "MUTATIONS",
    "RULES",
    "SAID",
    "Changed",
    "Finding",
    "Foreseen",
    "Judged",
    "Manner",
    "Name",
    "ReadScript",
    "ReadStep",
    "Refusal",
    "Robustness",
    "Rule",
    "StepTraits",
    "Target",
    "Trial",
    "Tried",
    "Weakness",
    "assess",
    "findings",
    "foresee",
    "judge",
    "load_snapshot",
    "merged",
    "password_literal",
    "read_for_check",
    "try_step",
]
