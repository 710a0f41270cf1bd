"""Session state: app, latest observation, ref frame, action and event logs, and the store."""

from surefoot.session.actions import MAX_ACTIONS, ActionLog, ActionRecord, RecordedTarget
from surefoot.session.cost import CostCounters
from surefoot.session.events import EventLog
from surefoot.session.frame import RefFrame, RefNamespace, RefusalReason
from surefoot.session.hidden import HiddenText, HiddenTexts, ShadowedTexts
from surefoot.session.names import admit_name, implicit_name, worktree_root
from surefoot.session.points import POINTS, reached, watched
from surefoot.session.provenance import OUT_OF_BAND, OutOfBand, Provenance, ReplayStep
from surefoot.session.refs import Ref, RefToken, looks_like_ref, parse_ref, pinned, ref_of
from surefoot.session.session import RecordingState, ResumeWatermark, ScrollMemory, Session
from surefoot.session.store import (
    IDLE_MS,
    REPAIR_IDLE_MS,
    SessionStore,
    Tombstones,
    prepare_directory,
)
from surefoot.session.tombstones import (
    TOMBSTONE_S,
    RepairLedger,
    RepairOwner,
    RepairRecord,
    TombstoneReason,
)

__all__ = [
    "IDLE_MS",
    "MAX_ACTIONS",
    "OUT_OF_BAND",
    "POINTS",
    "REPAIR_IDLE_MS",
    "TOMBSTONE_S",
    "ActionLog",
    "ActionRecord",
    "CostCounters",
    "EventLog",
    "HiddenText",
    "HiddenTexts",
    "OutOfBand",
    "Provenance",
    "RecordedTarget",
    "RecordingState",
    "Ref",
    "RefFrame",
    "RefNamespace",
    "RefToken",
    "RefusalReason",
    "RepairLedger",
    "RepairOwner",
    "RepairRecord",
    "ReplayStep",
    "ResumeWatermark",
    "ScrollMemory",
    "Session",
    "SessionStore",
    "ShadowedTexts",
    "TombstoneReason",
    "Tombstones",
    "admit_name",
    "implicit_name",
    "looks_like_ref",
    "parse_ref",
    "pinned",
    "prepare_directory",
    "reached",
    "ref_of",
    "watched",
    "worktree_root",
]
