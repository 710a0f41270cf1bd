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
from surefoot.recording.publication import check_target, publish
from surefoot.recording.scoring import StepLog
from surefoot.recording.target import Phase, recorded_targets

__all__ = [
    "Authoring",
    "AuthoringState",
    "Echoes",
    "Phase",
    "Save",
    "StepLog",
    "admit_save",
    "arm",
    "authoring_of",
    "check_target",
    "closing_save",
    "default_target",
    "is_destination_guard",
    "publish",
    "recorded_targets",
    "refuse_unarmed",
    "script_text",
]
