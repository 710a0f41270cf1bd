"""Which repair a divergence calls for: kind, evidence and capture to one of four hints.

Seed 0012, decision 6, R3; identity.md 4 (the container test). The table is total, and what cannot be
proven safe is ``manual``. It is computed from the whole capture, so it is the same at every level.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from surefoot.identity import (
    Ancestor,
    Evidence,
    IdentityView,
    TargetEvidence,
    TargetsEvidence,
    screen_title,
)
from surefoot.tree import Node, Observation, canonical_role, is_scrollable
from surefoot.wire import DivergenceKind, RepairHint

Standing = Literal["no_evidence", "no_capture", "no_container", "undecided", "present", "absent"]
"""What is known of the recorded container: whether there is evidence, a capture to look at, a container
in the evidence, and, where all of that is, whether the container stands in the capture."""

HINTS: Mapping[DivergenceKind, Mapping[Standing, RepairHint]] = {
    "selector-miss": {
        "no_evidence": "manual",
        "no_capture": "manual",
        "no_container": "manual",
        "undecided": "manual",
        "present": "record-and-heal",
        "absent": "state-repair",
    },
    "identity-mismatch": {
        "no_evidence": "manual",
        "no_capture": "manual",
        "no_container": "caution",
        "undecided": "caution",
        "present": "caution",
        "absent": "caution",
    },
    "identity-unverifiable": {
        "no_evidence": "manual",
        "no_capture": "manual",
        "no_container": "manual",
        "undecided": "manual",
        "present": "manual",
        "absent": "manual",
    },
    "action-failure": {
        "no_evidence": "manual",
        "no_capture": "manual",
        "no_container": "manual",
        "undecided": "manual",
        "present": "record-and-heal",
        "absent": "manual",
    },
}


def repair_hint(
    kind: DivergenceKind,
    evidence: Evidence | None,
    observation: Observation | None,
    endpoint: str | None = None,
) -> RepairHint:
    """The hint for a divergence of this kind.

    ``observation`` is the whole capture of the report, ``None`` where the screen could not be read.
    ``endpoint`` says which target of a ``targets-v1`` was refused; without it both must stand.
    """
    return HINTS[kind][standing(evidence, observation, endpoint)]


def standing(
    evidence: Evidence | None, observation: Observation | None, endpoint: str | None = None
) -> Standing:
    """What is known of the recorded container in this capture."""
    if evidence is None:
        return "no_evidence"
    if observation is None or observation.quality != "ok" or not len(observation.tree):
        return "no_capture"
    view = IdentityView(observation.tree)
    title = observation.page.title if observation.page is not None else ""
    found = [container(view, part, title) for part in _parts(evidence, endpoint)]
    order: tuple[Standing, ...] = ("absent", "undecided", "no_container", "present")
    return next(state for state in order if state in found)


def _parts(evidence: Evidence, endpoint: str | None) -> tuple[TargetEvidence, ...]:
    if not isinstance(evidence, TargetsEvidence):
        return (evidence,)
    both = {"source": evidence.source, "destination": evidence.destination}
    return (both[endpoint],) if endpoint in both else tuple(both.values())


def container(view: IdentityView, evidence: TargetEvidence, title: str) -> Standing:
    """Whether the recorded container stands in the capture (identity.md 4)."""
    region = evidence.scroll_region
    if not evidence.ancestry and region is None:
        return "no_container"
    labelled = any(entry.label is not None for entry in evidence.ancestry)
    named_region = region is not None and (region.id is not None or region.label is not None)
    if labelled and _chain_stands(view, evidence):
        return "present"
    if named_region and _region_stands(view, evidence):
        return "present"
    if labelled or (named_region and not evidence.ancestry):
        return "absent"
    if evidence.screen is None:
        return "undecided"
    return "present" if screen_title(view, title) == evidence.screen else "absent"


def _region_stands(view: IdentityView, evidence: TargetEvidence) -> bool:
    key = evidence.scroll_region
    assert key is not None
    return any(is_scrollable(node) and view.is_region(node, key) for node in view.tree)


def _chain_stands(view: IdentityView, evidence: TargetEvidence) -> bool:
    """Whether the chain occurs anywhere, whatever is, or is no longer, inside its innermost entry."""
    chain = [
        entry for entry in evidence.ancestry if not (_role(entry) == "generic" and entry.label is None)
    ]
    foreign = evidence.peers is None
    return any(
        _carries(view, node, chain, foreign=foreign)
        for node in view.tree
        if node.role == _role(chain[0]) and not view.is_skipped(node)
    )


def _carries(view: IdentityView, node: Node, chain: list[Ancestor], *, foreign: bool) -> bool:
    return all(
        above is not None and _is_entry(view, above, entry, foreign=foreign)
        for entry, above in zip(chain, _from(view, node, len(chain)), strict=True)
    )


def _from(view: IdentityView, node: Node, count: int) -> Iterator[Node | None]:
    """The node and what structure counts above it, ``count`` of them; ``None`` beyond the root."""
    above = view.structural_ancestors(node)
    yield node
    for _ in range(count - 1):
        yield next(above, None)


def _is_entry(view: IdentityView, node: Node, entry: Ancestor, *, foreign: bool) -> bool:
    """Another tool's evidence carries an ancestor's full name; ours only an author-given one."""
    if node.role != _role(entry):
        return False
    names = (view.author_label(node), view.label(node) if foreign else None)
    return entry.label is None or entry.label in names


def _role(entry: Ancestor) -> str:
    return canonical_role(entry.role) if entry.role else ""
