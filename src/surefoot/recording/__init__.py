"""Recording: what is kept of an action, a session's script, and how it is published."""

from surefoot.recording.authoring import (
    Authoring,
    AuthoringState,
    Save,
    admit_save,
    arm,
    authoring_of,
    closing_save,
    default_target,
    is_destination_guard,
    refuse_unarmed,
)
from surefoot.recording.echo import Echoes
from surefoot.recording.lines import script_text
from surefoot.recording.publication import check_target, draft_of, publish
from surefoot.recording.repair import (
    Arming,
    Repair,
    RepairState,
    arm_repair,
    default_healed,
    holds_repair,
    refuse_repairing,
    refuse_save,
    repair_of,
    uncorrected,
)
from surefoot.recording.repair_end import (
    RepairEnding,
    abort,
    closing_repair,
    commit,
    end_repair,
    recover,
)
from surefoot.recording.scoring import StepLog
from surefoot.recording.target import Phase, recorded_targets

__all__ = [
    "Arming",
    "Authoring",
    "AuthoringState",
    "Echoes",
    "Phase",
    "Repair",
    "RepairEnding",
    "RepairState",
    "Save",
    "StepLog",
    "abort",
    "admit_save",
    "arm",
    "arm_repair",
    "authoring_of",
    "check_target",
    "closing_repair",
    "closing_save",
    "commit",
    "default_healed",
    "default_target",
    "draft_of",
    "end_repair",
    "holds_repair",
    "is_destination_guard",
    "publish",
    "recorded_targets",
    "recover",
    "refuse_repairing",
    "refuse_save",
    "refuse_unarmed",
    "repair_of",
    "script_text",
    "uncorrected",
]
