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
    "Authoring",
    "AuthoringState",
    "Echoes",
    "Phase",
    "arm",
    "authoring_of",
    "check_target",
    "default_target",
    "publish",
    "publish_closing",
    "recorded_targets",
    "refuse_unarmed",
    "script_text",
]
