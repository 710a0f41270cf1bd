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
from surefoot.identity.echo import Hide, hides_identity, without_echoes
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
from surefoot.identity.record import record_landmark, record_target, recorded_subject
from surefoot.identity.reused import left_item
from surefoot.identity.section import screen_title, without_digits
from surefoot.identity.verify import (
    MAX_CANDIDATES,
    Classification,
    Mismatch,
    Refused,
    Verdict,
    Verified,
    carries_landmark,
    verify,
)
from surefoot.identity.view import IdentityView, says_something

__all__ = [
    "MAX_ANCESTRY",
    "MAX_CANDIDATES",
    "MAX_STRING_BYTES",
    "MAX_TARGETS_BYTES",
    "MAX_TARGET_BYTES",
    "Ancestor",
    "Classification",
    "Evidence",
    "Hide",
    "IdentityView",
    "ItemEvidence",
    "ItemKey",
    "Mismatch",
    "RecordedRect",
    "Refused",
    "RegionKey",
    "TargetEvidence",
    "TargetsEvidence",
    "Verdict",
    "Verification",
    "Verified",
    "bound_fields",
    "carries_landmark",
    "hides_identity",
    "left_item",
    "parse_target",
    "parse_targets",
    "record_landmark",
    "record_target",
    "recorded_subject",
    "reduce_target",
    "says_something",
    "screen_title",
    "stringify",
    "verify",
    "without_digits",
    "without_echoes",
    "write_evidence",
]
