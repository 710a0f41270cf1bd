"""Recording: what is kept of an action, a session's script, and how it is published."""

from surefoot.recording.authoring import (
    Authoring,
    AuthoringState,
    arm,
    authoring_of,
    default_target,
    publish_closing,
    refuse_unarmed,
)
from surefoot.recording.echo import Echoes
from surefoot.recording.lines import script_text
from surefoot.recording.publication import check_target, publish
from surefoot.recording.target import Phase, recorded_targets

__all__ = [
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
    "Authoring",
    "AuthoringState",
    "Echoes",
    "Arming",
    "Phase",
    "RepairState",
    "RepairEnding",
    "Repair",
    "arm",
    "authoring_of",
    "check_target",
    "default_target",
    "publish",
    "publish_closing",
    "recorded_targets",
    "refuse_unarmed",
    "script_text",
    "uncorrected",
    "abort",
]
    "arm_repair",
    "closing_repair",
    "commit",
    "default_healed",
    "end_repair",
    "holds_repair",
    "recover",
    "refuse_repairing",
    "refuse_save",
    "repair_of",
