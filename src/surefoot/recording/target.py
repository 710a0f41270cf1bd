"""What a recording keeps of a resolved element: a selector chain, and the evidence of who it is.

The capture is the one the element was resolved on, always whole (decisions.md). A press on an
identity-empty container records its first labelled descendant (seed 0012, amendment 1280); the live
response still describes the container.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from surefoot.identity import (
    IdentityView,
    TargetEvidence,
    TargetsEvidence,
    hides_identity,
    record_landmark,
    record_target,
    recorded_subject,
    without_echoes,
)
from surefoot.recording.echo import Echoes
from surefoot.selectors import build_chain
from surefoot.session import RecordedTarget
from surefoot.tree import Node, Observation

Phase = Literal["none", "pre_dispatch", "post_resolution"]

PRESSES = frozenset({"press", "click"})
FILLS = frozenset({"fill"})


def recorded_targets(
    command: str,
    resolved: Sequence[tuple[Observation, Node]],
    phase: Phase,
    echoes: Echoes | None = None,
    entered: Collection[str] = (),
) -> tuple[tuple[RecordedTarget, ...], TargetEvidence | TargetsEvidence | None]:
    """The targets of one action as a script names them, and its evidence.

    ``resolved`` are the elements in the command's order, each with the capture it was resolved on.
    ``phase`` is the command's ``target_identity_verification``: ``none`` writes no evidence,
    ``post_resolution`` the landmark form. Two targets make one ``targets-v1`` (amendment 1567).
    ``echoes`` are the texts of the session that neither may repeat; ``entered`` are the handles of the
    fields it filled: what these hold is the script's own doing and no evidence.
    """
    guarded = echoes or Echoes(())
    pairs = [_recorded(command, *found, phase, guarded, entered) for found in resolved]
    targets = tuple(target for target, _ in pairs)
    evidence = [found for _, found in pairs if found is not None]
    if not evidence or len(evidence) < len(pairs):
        return targets, None
    if len(evidence) == 1:
        return targets, evidence[0]
    return targets, TargetsEvidence(source=evidence[0], destination=evidence[1])


def _recorded(
    command: str,
    observation: Observation,
    resolved: Node,
    phase: Phase,
    echoes: Echoes,
    entered: Collection[str],
) -> tuple[RecordedTarget, TargetEvidence | None]:
    tree = observation.tree
    view = IdentityView(tree)
    node = recorded_subject(view, resolved) if command in PRESSES else resolved
    chain = build_chain(tree, node, for_fill=command in FILLS, avoid_literals=echoes.literals)
    target = RecordedTarget(chain=chain, label=echoes.in_evidence(tree.labels[node.index]) or None)
    title = observation.page.title if observation.page else ""

    def sayable(of: Node, kind: str, text: str) -> bool:
        return not (kind == "value" and of.handle in entered) and echoes.in_evidence(text) == text

    if phase == "none":
        return target, None
    if phase == "pre_dispatch":
        evidence: TargetEvidence | None = record_target(view, node, title, resolved, sayable)
        if evidence is not None and observation.truncated:  # its twin may be in what is missing
            evidence = msgspec.structs.replace(evidence, verification="unverifiable")
    else:
        evidence = record_landmark(view, node, title)
    if evidence is None or not echoes:
        return target, evidence
    if phase == "post_resolution" and hides_identity(evidence, echoes.in_evidence):
        return target, None  # a landmark wait drops its annotation (amendment 1398)
    return target, without_echoes(view, evidence, node, echoes.in_evidence, sayable=sayable)
