"""Evidence that must not repeat what a session parameterised (identity.md 6; seed 0012, 1398).

A field that only tells records apart is dropped; one that says who the target is keeps a placeholder,
and the evidence says ``unverifiable``, for a placeholder could never be compared with a screen.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from surefoot.identity.codec import reduce_target
from surefoot.identity.model import ItemEvidence, TargetEvidence
from surefoot.identity.peers import with_record
from surefoot.identity.section import without_digits
from surefoot.identity.signs import Sayable, anything
from surefoot.identity.verify import Verified, verify
from surefoot.identity.view import IdentityView, bounded
from surefoot.tree import Node

Hide = Callable[[str], str]
"""A field's text with a placeholder for every literal in it; the same text where it holds none."""


def without_echoes(
    view: IdentityView,
    evidence: TargetEvidence,
    node: Node,
    hide: Hide,
    *,
    sayable: Sayable = anything,
) -> TargetEvidence:
    """The evidence of ``node`` with nothing in it that ``hide`` changes.

    ``screen``, ``section``, keys and neighbours are dropped, what they counted is counted anew, by
    signs too where ``sayable`` lets them, and the self-check runs again. ``id``, ``label``, ancestry
    and ``scrollRegion`` are redacted.
    """
    kept = _without_context(view, evidence, hide)
    if hides_identity(kept, hide):
        hidden = _redacted(kept, hide)
        return reduce_target(msgspec.structs.replace(hidden, verification="unverifiable"))
    if kept == evidence or evidence.peers is None:  # a landmark counts nothing
        return kept
    members = view.identity_set(kept)
    kept = with_record(view, msgspec.structs.replace(kept, record=None), node, members, sayable)
    if kept.verification == "unverifiable":
        return kept
    outcome = verify(view, kept, matches=members, winner=None)
    sound = isinstance(outcome, Verified) and outcome.node is node
    return kept if sound else msgspec.structs.replace(kept, verification="unverifiable")


def hides_identity(evidence: TargetEvidence, hide: Hide) -> bool:
    """Whether a field that says who the target is holds a literal."""
    region = evidence.scroll_region
    fields = [evidence.id, evidence.label, *(entry.label for entry in evidence.ancestry)]
    if region is not None:
        fields += [region.id, region.label]
    return any(field is not None and hide(field) != field for field in fields)


def _without_context(view: IdentityView, evidence: TargetEvidence, hide: Hide) -> TargetEvidence:
    def shows(text: str | None) -> bool:
        return text is not None and hide(text) != text

    item = evidence.item
    if item is not None and any(shows(key.label) for key in item.keys):
        keys = tuple(key for key in item.keys if not shows(key.label))
        item = ItemEvidence(of=item.of, up=item.up, keys=keys) if keys else None
    around = evidence.between
    return msgspec.structs.replace(
        evidence,
        item=item,
        between=None if around is not None and any(map(shows, around)) else around,
        section=None if _titled_by_echo(view, evidence.section, shows) else evidence.section,
        screen=None if shows(evidence.screen) else evidence.screen,
    )


def _titled_by_echo(
    view: IdentityView, section: str | None, shows: Callable[[str | None], bool]
) -> bool:
    """Whether a section repeats a literal: it holds titles without their digits, so that what is left
    of one is an echo as well."""
    if section is None or shows(section):
        return section is not None
    left = (without_digits(view.label(node) or "") for node in view.tree if shows(view.label(node)))
    return any(title is not None and title in section for title in left)


def _redacted(evidence: TargetEvidence, hide: Hide) -> TargetEvidence:
    def told(text: str | None) -> str | None:
        return None if text is None else bounded(hide(text))

    region = evidence.scroll_region
    return msgspec.structs.replace(
        evidence,
        id=told(evidence.id),
        label=told(evidence.label),
        ancestry=tuple(
            msgspec.structs.replace(entry, label=told(entry.label)) for entry in evidence.ancestry
        ),
        scroll_region=region
        if region is None
        else msgspec.structs.replace(region, id=told(region.id), label=told(region.label)),
    )
