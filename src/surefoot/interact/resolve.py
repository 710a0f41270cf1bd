"""From a target to the one element it means on one observation; the only resolver there is.

Seed 0012, decision 2; contracts.md, "Interaction guarantees" and "Ref frames". A mutation by several
matches proceeds only where they are one wrapper chain, or where recorded evidence denotes one; a read
may prefer the only hittable match. Geometry never chooses.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from msgspec.structs import replace

from surefoot import selectors
from surefoot.errors import ErrorCode, SurefootError
from surefoot.identity import IdentityView, ItemEvidence, left_item
from surefoot.interact.apart import places
from surefoot.interact.capture import observe, unseen_note
from surefoot.interact.describe import (
    as_json,
    candidate_lines,
    describe_surface,
    diagnostic,
    name_of,
    screen_ref,
    surface_text,
)
from surefoot.interact.matching import label_matches, matches_of, near_misses
from surefoot.interact.model import (
    ActOptions,
    DispatchPath,
    ElementTarget,
    EvidenceDecision,
    MatchTarget,
    RefTarget,
    Resolved,
    TargetGuard,
)
from surefoot.selectors import resolve_for_action, resolve_for_read
from surefoot.session import RefFrame, Session
from surefoot.text import quoted
from surefoot.tree import Node, Observation, is_accepted_id
from surefoot.wire import (
    Diagnostic,
    DisambiguatedResolution,
    EvidenceResolution,
    ExactResolution,
    LabelFallbackResolution,
    Resolution,
    StalenessData,
    UniqueResolution,
)


async def resolve_mutation(
    session: Session,
    target: ElementTarget,
    options: ActOptions,
    observation: Observation | None = None,
    *,
    for_fill: bool = False,
) -> Resolved:
    """The element a mutation acts on. ``observation`` is used instead of looking again when given;
    ``for_fill`` means the element that takes text.

    Raises, with nothing dispatched and the frame as it was: the four admission refusals of a ref,
    ``COMMAND_FAILED`` ``ref_target_gone`` or ``ref_target_changed``, ``ELEMENT_NOT_FOUND``
    ``selector_not_found``, ``AMBIGUOUS_MATCH`` (which issues a partial frame with its candidates),
    and what ``options.guard`` and ``options.decide`` raise.
    """
    if isinstance(target, RefTarget):
        resolved = await _resolve_ref(session, target, options, observation, for_fill)
    else:
        observation = observation or await observe(session)
        found = resolve_for_action(observation.tree, matches_of(target, observation), for_fill=for_fill)
        resolved = _settle(session, target, observation, found, options.decide, for_fill)
    if options.guard is not None:
        options.guard(resolved.observation, resolved.node)
    return resolved


async def resolve_read(
    session: Session,
    target: ElementTarget,
    *,
    guard: TargetGuard | None = None,
    decide: EvidenceDecision | None = None,
) -> Resolved:
    """The element a read is about; looks once (or reuses).

    Several matches: the only hittable one (tiebreak ``single-hittable``), else one wrapper chain, else
    what ``decide`` denotes, else ``AMBIGUOUS_MATCH``. By ref: fail open with ``staleness`` while the
    frame keeps the evidence; the live element where it still is.
    """
    if isinstance(target, RefTarget):
        resolved = await _read_ref(session, target)
    else:
        observation = await observe(session)
        found = resolve_for_read(observation.tree, matches_of(target, observation))
        resolved = _settle(session, target, observation, found, decide, False)
    if guard is not None:
        guard(resolved.observation, resolved.node)
    return resolved


def _settle(
    session: Session,
    target: MatchTarget,
    observation: Observation,
    found: selectors.Resolution,
    decide: EvidenceDecision | None,
    for_fill: bool,
) -> Resolved:
    """From the rule's verdict to an element and its disclosure, or the refusal."""
    resolution: Resolution
    if isinstance(found, selectors.Unresolved):
        raise not_found(session, observation, target, str(target))
    if isinstance(found, selectors.Ambiguous):
        denoted = decide(observation, found.candidates) if decide is not None else None
        if denoted is None:
            raise ambiguous(session, observation, str(target), found)
        others = [node for node in found.candidates if node.index != denoted.index]
        resolution = EvidenceResolution(
            match_count=found.match_count,
            alternatives=_diagnostics(observation, others[: selectors.MAX_CANDIDATES]),
        )
        actionable = selectors.actionable_node(observation.tree, denoted, for_fill=for_fill)
        return _runtime(observation, denoted, actionable, resolution)
    if isinstance(found, selectors.Disambiguated):
        resolution = DisambiguatedResolution(
            match_count=found.match_count,
            winner_diagnostic=diagnostic(observation, found.node),
            alternatives=_diagnostics(observation, found.alternatives),
            tiebreak=found.tiebreak,
        )
    else:
        resolution = UniqueResolution()
    return _runtime(observation, found.node, found.actionable, resolution)


async def _resolve_ref(
    session: Session,
    target: RefTarget,
    options: ActOptions,
    observation: Observation | None,
    for_fill: bool,
) -> Resolved:
    try:
        frame, node = session.refs.admit(target.token)
    except SurefootError:
        if not options.stale_label or target.label is None:
            raise
        observation = observation or await observe(session)
        return resolve_label(session, target, observation, None, for_fill)
    observation = observation or await observe(session)
    live = same_element(frame, node, observation)
    if live is not None:
        return _by_ref(observation, live, ExactResolution(), for_fill=for_fill)
    if target.label is not None:
        return resolve_label(session, target, observation, node.role, for_fill)
    raise _gone(target, frame, node, observation)


def same_element(frame: RefFrame, node: Node, observation: Observation) -> Node | None:
    """The frame's node on a newer observation: the very element (equal handle), and still the same
    thing: equal role and id, equal label where no id identifies, in the item it stood in (row B001).
    Coordinates come from there only."""
    return still_there(frame.observation, node, observation)


def still_there(before: Observation, node: Node, after: Observation) -> Node | None:
    """:func:`same_element` for a node of any earlier observation."""
    if after is before:
        return node
    live = after.tree.find_handle(node.handle)
    if live is None or not _same_name(before, node, after, live):
        return None
    return live if _left(before, node, after, live) is None else None


async def look_again(
    session: Session, target: ElementTarget, resolved: Resolved, *, for_fill: bool = False
) -> Resolved | None:
    """What was resolved, on a new look; ``None`` where it is not the same thing any more and has to be
    found anew. Raises ``COMMAND_FAILED`` ``ref_target_gone`` or ``ref_target_changed`` for a ref."""
    observation = await observe(session)
    live = still_there(resolved.observation, resolved.node, observation)
    if live is not None:
        actionable = selectors.actionable_node(observation.tree, live, for_fill=for_fill)
        return dataclasses.replace(resolved, observation=observation, node=live, actionable=actionable)
    frame = session.refs.frame
    if isinstance(target, RefTarget) and frame is not None:
        raise _gone(target, frame, resolved.node, observation, resolved.observation)
    return None


def _same_name(before: Observation, old: Node, after: Observation, new: Node) -> bool:
    if old.role != new.role:
        return False
    if is_accepted_id(old.id):
        return before.tree.ids[old.index] == after.tree.ids[new.index]
    return before.tree.labels[old.index] == after.tree.labels[new.index]


def _left(before: Observation, old: Node, after: Observation, new: Node) -> ItemEvidence | None:
    return left_item(IdentityView(before.tree), old, IdentityView(after.tree), new)


def resolve_label(
    session: Session,
    target: RefTarget,
    observation: Observation,
    role: str | None,
    for_fill: bool,
) -> Resolved:
    """The trailing label stands in for the ref, under the mutating ambiguity rule (decisions.md)."""
    assert target.label is not None
    what = f"{target} {target.label!r}"
    found = resolve_for_action(
        observation.tree, label_matches(observation, target.label, role), for_fill=for_fill
    )
    if isinstance(found, selectors.Unresolved):
        raise not_found(session, observation, target, what, reason="ref_label_not_found")
    if isinstance(found, selectors.Ambiguous):
        raise ambiguous(session, observation, what, found)
    return _by_ref(observation, found.node, LabelFallbackResolution(), for_fill=for_fill)


async def _read_ref(session: Session, target: RefTarget) -> Resolved:
    frame, node, staleness = session.refs.read(target.token)
    observation = await observe(session)
    live = observation.tree.find_handle(node.handle)
    if live is not None and live.role == node.role:
        stale = None if staleness is None else replace(staleness, live=True)
        return _by_ref(observation, live, ExactResolution(), staleness=stale)
    gone = staleness or StalenessData(
        ref=target.token.ref,
        reason="ref_target_gone",
        current_generation=frame.generation,
        minted_generation=target.token.generation,
    )
    return _by_ref(frame.observation, node, ExactResolution(), staleness=gone)


def _by_ref(
    observation: Observation,
    node: Node,
    resolution: ExactResolution | LabelFallbackResolution,
    *,
    for_fill: bool = False,
    staleness: StalenessData | None = None,
) -> Resolved:
    return Resolved(
        observation=observation,
        node=node,
        actionable=selectors.actionable_node(observation.tree, node, for_fill=for_fill),
        resolution=resolution,
        path=DispatchPath.RUNTIME_REF,
        staleness=staleness,
    )


def _runtime(
    observation: Observation, node: Node, actionable: Node, resolution: Resolution
) -> Resolved:
    return Resolved(
        observation=observation,
        node=node,
        actionable=actionable,
        resolution=resolution,
        path=DispatchPath.RUNTIME_SELECTOR,
    )


def _diagnostics(observation: Observation, nodes: Sequence[Node]) -> tuple[Diagnostic, ...]:
    return tuple(diagnostic(observation, node) for node in nodes)


def not_found(
    session: Session,
    observation: Observation,
    target: ElementTarget,
    what: str,
    *,
    reason: str = "selector_not_found",
) -> SurefootError:
    """``ELEMENT_NOT_FOUND`` for a target nothing on the screen matches.

    ``details``: ``target``, ``near`` (names much like what was asked for) and ``surface``; the message
    says the former where there are any, else what is on the screen, and where not all of it was seen.
    """
    surface = describe_surface(observation, session.app.dialog())
    near: list[str] = []
    if not isinstance(target, RefTarget):
        near = [name_of(observation, node) for node in near_misses(observation, target)]
    seen = f"Closest: {', '.join(near)}" if near else f"On the screen: {surface_text(surface)}"
    return SurefootError(
        ErrorCode.ELEMENT_NOT_FOUND,
        f"Nothing on the screen matches {what}. {seen}.{unseen_note(observation)}",
        details={"reason": reason, "target": what, "near": near, "surface": as_json(surface)},
    )


def ambiguous(
    session: Session, observation: Observation, what: str, found: selectors.Ambiguous
) -> SurefootError:
    """``AMBIGUOUS_MATCH`` with at most five candidates, whose refs a partial frame now authorises.

    ``details``: ``matchCount``, ``candidates`` (screen refs with ``rect`` and, where they share a name,
    ``place``), ``candidateLines`` (pinned, with ``+2 more``), ``more``, ``refsGeneration``, ``target``.
    """
    shown, more = found.shown, found.more
    frame = session.refs.publish_partial(observation, [node.index for node in shown])
    place_of = places(observation.tree, found.candidates, shown)
    lines = candidate_lines(observation, shown, frame, more, place_of)
    return SurefootError(
        ErrorCode.AMBIGUOUS_MATCH,
        f"{what} matches {found.match_count} elements: {'; '.join(lines)}.",
        details={
            "reason": "ambiguous_match",
            "target": what,
            "matchCount": found.match_count,
            "candidates": [
                as_json(screen_ref(observation, node, rect=True, place=place_of.get(node.index)))
                for node in shown
            ],
            "candidateLines": lines,
            "more": more,
            "refsGeneration": frame.generation,
        },
    )


def _gone(
    target: RefTarget,
    frame: RefFrame,
    node: Node,
    observation: Observation,
    seen: Observation | None = None,
) -> SurefootError:
    """``seen`` is what ``node`` was last seen on, where that is not the frame's own observation."""
    seen = seen or frame.observation
    live = observation.tree.find_handle(node.handle)
    before = name_of(seen, node)
    details: dict[str, object] = {"ref": target.token.ref, "currentGeneration": frame.generation}
    if target.token.generation is not None:
        details["mintedGeneration"] = target.token.generation
    if live is None:
        details["reason"] = "ref_target_gone"
        message = f"{target} was {before}, which is no longer on the screen."
    else:
        details["reason"] = "ref_target_changed"
        message = f"{target} was {before}; that element is {name_of(observation, live)} now."
        if _same_name(seen, node, observation, live):
            left = _left(seen, node, observation, live)
            labels = " and ".join(quoted(key.label) for key in left.keys) if left else "other things"
            message = f"{target} was {before} beside {labels}; that element stands elsewhere now."
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        message,
        hint="Run `surefoot snapshot -i` and use a ref it prints.",
        details=details,
    )
