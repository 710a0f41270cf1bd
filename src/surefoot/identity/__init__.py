"""Evidence of which element a recorded action meant: its tuple, its codec, its verification."""

from surefoot.identity.codec import (
    MAX_ANCESTRY,
    MAX_STRING_BYTES,
    MAX_TARGET_BYTES,
    MAX_TARGETS_BYTES,
    bound_fields,
    parse_target,
    parse_targets,
    reduce_target,
    stringify,
    write_evidence,
)
from surefoot.identity.model import (
    Ancestor,
    Evidence,
    ItemEvidence,
    ItemKey,
    RecordedRect,
    RegionKey,
    TargetEvidence,
    TargetsEvidence,
    Verification,
)

__all__ = [
    "MAX_ANCESTRY",
    "MAX_STRING_BYTES",
    "MAX_TARGETS_BYTES",
    "MAX_TARGET_BYTES",
    "Ancestor",
    "Evidence",
    "ItemEvidence",
    "ItemKey",
    "RecordedRect",
    "RegionKey",
    "TargetEvidence",
    "TargetsEvidence",
    "Verification",
    "bound_fields",
    "parse_target",
    "parse_targets",
    "reduce_target",
    "stringify",
    "write_evidence",
]
