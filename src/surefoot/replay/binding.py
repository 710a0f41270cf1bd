"""``targetBinding``: what was recorded of the target, what is there instead, field by field."""

from __future__ import annotations

from collections.abc import Sequence

from surefoot.identity import Ancestor, Mismatch, Refused, TargetEvidence, TargetsEvidence
from surefoot.replay.failure import Failure
from surefoot.replay.redaction import Fields
from surefoot.session import ref_of
from surefoot.tree import Node, Observation
from surefoot.wire import (
    CandidateData,
    MismatchData,
    RecordedData,
    RectData,
    ScreenRef,
    TargetBindingData,
)


def target_binding(
    failure: Failure,
    fields: Fields,
    now: Observation | None,
    *,
    candidates: int,
    mismatches: int,
) -> TargetBindingData | None:
    """The binding of a refused step, ``None`` for an action failure.

    ``now`` is the capture the report shows; nodes of an earlier one are looked up in it by handle, and
    named without a ref where they are gone. At most ``candidates`` and ``mismatches`` entries.
    """
    refused = failure.binding
    if refused is None:
        return None
    recorded = _evidence(failure)
    shown = failure.judged or now
    return TargetBindingData(
        classification=refused.classification,
        match_count=refused.match_count,
        recorded=recorded_data(recorded, fields),
        observed=None
        if refused.observed is None or shown is None
        else _candidate(shown, refused.observed, fields, now),
        mismatches=tuple(_mismatch(item, fields) for item in refused.mismatches[:mismatches]),
        candidates=()
        if shown is None
        else tuple(_candidate(shown, node, fields, now) for node in refused.candidates[:candidates]),
        endpoint=failure.endpoint,
    )


def refused_nodes(refused: Refused | None, candidates: int) -> Sequence[Node]:
    """The nodes the binding names, the observed one first."""
    if refused is None:
        return ()
    observed = () if refused.observed is None else (refused.observed,)
    return (*observed, *refused.candidates[:candidates])


def counterpart(node: Node, judged: Observation | None, now: Observation | None) -> Node | None:
    """The same element on the report's own capture."""
    if now is None or judged is None or judged is now:
        return node if now is not None else None
    return now.tree.find_handle(node.handle)


def _evidence(failure: Failure) -> TargetEvidence:
    evidence = failure.evidence
    if isinstance(evidence, TargetsEvidence):
        return evidence.destination if failure.endpoint == "destination" else evidence.source
    assert evidence is not None
    return evidence


def recorded_data(evidence: TargetEvidence, fields: Fields) -> RecordedData:
    """What was recorded, in short: the nearest ancestors first, the keys of the item."""
    rect = evidence.rect
    return RecordedData(
        role=fields.plain(evidence.role),
        id=fields.plain(evidence.id) if evidence.id else None,
        label=fields.optional(evidence.label),
        ancestry=fields.optional(" < ".join(map(_entry, evidence.ancestry))),
        item=None
        if evidence.item is None
        else fields.optional(", ".join(f'{key.role} "{key.label}"' for key in evidence.item.keys)),
        rect=None if rect is None else RectData(rect.x, rect.y, rect.width, rect.height),
    )


def _entry(entry: Ancestor) -> str:
    role = entry.role or "?"
    return role if entry.label is None else f'{role} "{entry.label}"'


def _mismatch(item: Mismatch, fields: Fields) -> MismatchData:
    show = fields.plain if item.field == "id" else fields.text
    return MismatchData(
        field=item.field,
        recorded=None if item.recorded is None else show(item.recorded),
        observed=None if item.observed is None else show(item.observed),
    )


def _candidate(
    shown: Observation, node: Node, fields: Fields, now: Observation | None
) -> CandidateData:
    live = counterpart(node, shown, now)
    rect = node.rect
    return CandidateData(
        ref=None if live is None else ref_of(live),
        role=fields.plain(node.role),
        hittable=node.hittable,
        label=fields.optional(shown.tree.labels[node.index]),
        id=fields.plain(shown.tree.ids[node.index]) or None,
        covered=True if node.covered_by is not None else None,
        window=node.window,
        rect=None if rect is None else RectData(rect.x, rect.y, rect.width, rect.height),
    )


def screen_ref(
    observation: Observation, node: Node, fields: Fields, place: str | None = None
) -> ScreenRef:
    """A node of the report's capture as ``screen`` shows it; ``place`` tells it from its equals."""
    tree = observation.tree
    return ScreenRef(
        ref=ref_of(node),
        role=fields.plain(node.role),
        hittable=node.hittable,
        label=fields.optional(tree.labels[node.index]),
        id=fields.plain(tree.ids[node.index]) or None,
        covered=True if node.covered_by is not None else None,
        window=node.window,
        place=fields.optional(place),
    )
