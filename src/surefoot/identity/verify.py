"""Whether the recorded target is here, decided before anything is dispatched.

The six paths of seed 0012, decision 3, with identity.md's amendments: evidence with ``peers`` is
decided over the whole observation and may decide among ambiguous matches; evidence without it
(another tool's) by the letter of the seed. Pure: a verdict, never an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from surefoot.identity.context import between, locate_item, place_of, qualifying, rivals_of
from surefoot.identity.model import TargetEvidence
from surefoot.identity.section import section, stands_under, without_digits
from surefoot.identity.signs import missing_signs, stands_beside
from surefoot.identity.view import IdentityView
from surefoot.tree import Node, canonical_role

Classification = Literal["selector-miss", "identity-mismatch", "identity-unverifiable"]
MAX_CANDIDATES = 5


class Mismatch(Struct, frozen=True, kw_only=True):
    """One field in which the observed node is not what was recorded; ``None`` for absent."""

    field: str
    recorded: str | None
    observed: str | None


class Verified(Struct, frozen=True, kw_only=True):
    """The target is here. ``by_evidence`` says the selector alone had no winner.

    ``changed`` are the role and the label where they are not what was recorded: an id stands against
    both (seed 0012, "Identity"), and whoever acts has to tell.
    """

    node: Node
    match_count: int
    by_evidence: bool = False
    changed: tuple[Mismatch, ...] = ()


class Refused(Struct, frozen=True, kw_only=True):
    """It is not, or nothing can prove that it is. ``path`` is the seed's path number.

    ``match_count`` is absent (``None``) on path 1 only. ``candidates`` are at most five nodes in
    document order; ``observed`` the node the mismatches speak of.
    """

    classification: Classification
    path: int
    message: str
    match_count: int | None = None
    observed: Node | None = None
    mismatches: tuple[Mismatch, ...] = ()
    candidates: tuple[Node, ...] = ()
    not_rendered: bool = False


Verdict = Verified | Refused


def verify(
    view: IdentityView,
    evidence: TargetEvidence,
    matches: Sequence[Node],
    winner: Node | None,
) -> Verdict:
    """Classify an annotated step against one capture.

    ``matches`` are the nodes the recorded selector matched, in document order; ``winner`` the one its
    resolution settled on, ``None`` where the matches are distinct subtrees.
    """
    if evidence.verification == "unverifiable":
        return Refused(
            classification="identity-unverifiable",
            path=1,
            message="the recorded evidence could not verify itself when it was captured",
        )
    if not matches:
        return Refused(
            classification="selector-miss",
            path=2,
            message="the recorded selector matches nothing on this screen",
            match_count=0,
        )
    if evidence.peers is None:
        return _by_the_letter(view, evidence, matches, winner)
    return _by_context(view, evidence, matches, winner)


def carries_landmark(
    view: IdentityView, evidence: TargetEvidence, matches: Sequence[Node]
) -> Node | None:
    """The first match that carries the recorded identity tier (amendment 1349); else ``None``."""
    return next((node for node in matches if view.carries_identity(evidence, node)), None)


# -- identity.md 1 -----------------------------------------------------------------------------------


def _by_context(
    view: IdentityView, evidence: TargetEvidence, matches: Sequence[Node], winner: Node | None
) -> Verdict:
    members = view.identity_set(evidence)
    left = qualifying(view, members, evidence)
    if not left:
        return _nothing_carries(view, evidence, matches, members)
    if len(left) != evidence.peers:
        return _unverifiable(
            matches,
            left,
            f"{len(left)} elements carry the recorded identity, {evidence.peers} did",
        )
    if len(left) == 1:
        return _compare(view, evidence, left[0], matches, winner)
    if evidence.nth is None or evidence.nth >= len(left):
        return _unverifiable(matches, left, "the recorded position among equals is not given")
    denoted = left[evidence.nth]
    for signal in (
        _isolated_by_sibling(view, evidence, left),
        _isolated_by_order(view, evidence, members),
    ):
        if signal is not None and signal in left and signal is not denoted:
            return _unverifiable(matches, left, "the recorded positions contradict each other")
    if not _beside_as_recorded(view, evidence, denoted, members):
        return _unverifiable(
            matches, left, "only a position is left, and the records beside it are others"
        )
    return _compare(view, evidence, denoted, matches, winner)


def _beside_as_recorded(
    view: IdentityView, evidence: TargetEvidence, node: Node, members: Sequence[Node]
) -> bool:
    record = evidence.record
    if record is None or record.beside is None:
        return True
    rivals = rivals_of(view, evidence, members)
    return stands_beside(view, node, rivals, members, record)


# -- the letter of the seed ----------------------------------------------------------------------------


def _by_the_letter(
    view: IdentityView, evidence: TargetEvidence, matches: Sequence[Node], winner: Node | None
) -> Verdict:
    members = [node for node in matches if view.carries_identity(evidence, node)]
    if not members:
        return _nothing_carries(view, evidence, matches, members)
    if len(members) == 1:
        denoted: Node | None = members[0]
    else:
        denoted = _isolated_by_sibling(view, evidence, members) or _isolated_by_order(
            view, evidence, members
        )
    if denoted is None:
        return _unverifiable(matches, members, "the recorded positions isolate none of several equals")
    if winner is None:
        return _unverifiable(
            matches, members, "the selector is ambiguous and the evidence may not decide"
        )
    return _compare(view, evidence, denoted, matches, winner)


# -- shared --------------------------------------------------------------------------------------------


def _isolated_by_sibling(
    view: IdentityView, evidence: TargetEvidence, members: Sequence[Node]
) -> Node | None:
    """Signal (i): the one member whose index among its parent's children is the recorded one."""
    if evidence.sibling is None:
        return None
    found = [node for node in members if view.tree.sibling(node) == evidence.sibling]
    return found[0] if len(found) == 1 else None


def _isolated_by_order(
    view: IdentityView, evidence: TargetEvidence, members: Sequence[Node]
) -> Node | None:
    """Signal (ii): the recorded ordinal within the recorded scroll region's partition."""
    if evidence.viewport_order is None:
        return None
    partition = [node for node in members if view.in_region(node, evidence.scroll_region)]
    if evidence.viewport_order >= len(partition):
        return None
    return view.in_viewport_order(partition)[evidence.viewport_order]


def _compare(
    view: IdentityView,
    evidence: TargetEvidence,
    denoted: Node,
    matches: Sequence[Node],
    winner: Node | None,
) -> Verdict:
    """Paths 4 and 5: the denoted node must be a match, and the winner where there is one."""
    if denoted in matches and (winner is None or winner is denoted):
        return Verified(
            node=denoted,
            match_count=len(matches),
            by_evidence=winner is None,
            changed=_changed(view, evidence, denoted),
        )
    observed = winner if winner is not None else matches[0]
    return Refused(
        classification="identity-mismatch",
        path=5,
        message="the recorded selector leads to another element than the recorded identity",
        match_count=len(matches),
        observed=observed,
        mismatches=_mismatches(view, evidence, observed, ()),
        candidates=(denoted,),
    )


def _changed(view: IdentityView, evidence: TargetEvidence, node: Node) -> tuple[Mismatch, ...]:
    """What the id stands against. A label that was not recorded, or that differs in its digits only (a
    counter, a price), is no change."""
    if evidence.id is None:
        return ()
    found: list[Mismatch] = []
    role = canonical_role(evidence.role)
    if role and role != node.role:
        found.append(Mismatch(field="role", recorded=role, observed=node.role))
    label = view.label(node)
    if evidence.label is not None and without_digits(evidence.label) != without_digits(label or ""):
        found.append(Mismatch(field="label", recorded=evidence.label, observed=label))
    return tuple(found)


def _nothing_carries(
    view: IdentityView, evidence: TargetEvidence, matches: Sequence[Node], members: Sequence[Node]
) -> Refused:
    """Path 3: the selector still matches, but nothing carries the recorded identity."""
    observed = next(iter(members), matches[0])
    not_rendered = _may_be_scrolled_away(view, evidence)
    message = "the recorded selector still matches, but nothing here carries the recorded identity"
    if not_rendered:
        message += "; its scroll region can scroll on, so it may be there but not rendered"
    return Refused(
        classification="identity-mismatch",
        path=3,
        message=message,
        match_count=len(matches),
        observed=observed,
        mismatches=_mismatches(view, evidence, observed, members),
        candidates=tuple(matches[:MAX_CANDIDATES]),
        not_rendered=not_rendered,
    )


def _may_be_scrolled_away(view: IdentityView, evidence: TargetEvidence) -> bool:
    key = evidence.scroll_region
    if key is None:
        return False
    return any(
        node.scroll is not None
        and (node.scroll.max_y > 0 or node.scroll.max_x > 0)
        and view.is_region(node, key)
        for node in view.tree
    )


def _unverifiable(matches: Sequence[Node], members: Sequence[Node], why: str) -> Refused:
    """Path 6: several could be it and nothing isolates one."""
    return Refused(
        classification="identity-unverifiable",
        path=6,
        message=why,
        match_count=len(matches),
        candidates=tuple(members[:MAX_CANDIDATES]),
    )


def _mismatches(
    view: IdentityView, evidence: TargetEvidence, node: Node, members: Sequence[Node]
) -> tuple[Mismatch, ...]:
    """Every recorded field that the node does not carry, identity tier first."""
    found: list[Mismatch] = []

    def compare(field: str, recorded: str | None, observed: str | None) -> None:
        if recorded != observed:
            found.append(Mismatch(field=field, recorded=recorded, observed=observed))

    if evidence.id is not None:
        compare("id", evidence.id, view.tree.ids[node.index] or None)
    else:
        compare("role", evidence.role, node.role)
        compare("label", evidence.label, view.label(node))
    index = view.first_ancestry_mismatch(evidence, node)
    if index is not None:
        entry, observed = evidence.ancestry[index], view.ancestry(node)[index : index + 1]
        compare(
            f"ancestry[{index}]",
            _spell(entry.role, entry.label),
            _spell(observed[0].role, observed[0].label) if observed else None,
        )
    if evidence.item is not None:
        compare("item", _spell_keys(evidence), _observed_keys(view, evidence, node))
    if evidence.between is not None:
        observed_between = between(view, node, members or (node,), evidence.item)
        compare("between", _spell_pair(evidence.between), _spell_pair(observed_between))
    if evidence.record is not None:
        recorded = evidence.record.signs
        missing = missing_signs(view, node, members or (node,), evidence.record, recorded)
        held = tuple(sign for sign in recorded if sign not in missing)
        compare("record", ", ".join(recorded) or None, ", ".join(held) or None)
    place = place_of(view, node, evidence.item)
    if evidence.section is not None and not stands_under(view, place, evidence.section):
        compare("section", evidence.section, section(view, place))
    return tuple(found)


def _spell(role: str, label: str | None) -> str:
    return f'{role} "{label}"' if label is not None else role


def _spell_keys(evidence: TargetEvidence) -> str | None:
    return (
        ", ".join(_spell(key.role, key.label) for key in evidence.item.keys) if evidence.item else None
    )


def _observed_keys(view: IdentityView, evidence: TargetEvidence, node: Node) -> str | None:
    """The recorded keys the node's item does hold, else the first labels it has instead."""
    if evidence.item is None:
        return None
    item = locate_item(view, node, evidence.item)
    if item is None:
        return None
    inside = [(inner.role, view.label(inner) or "") for inner in view.inside_item(item, node)]
    wanted = [(key.role, key.label) for key in evidence.item.keys]
    if all(key in inside for key in wanted):
        return _spell_keys(evidence)
    return ", ".join(_spell(*key) for key in inside[: len(wanted)]) or None


def _spell_pair(pair: tuple[str | None, str | None]) -> str:
    return " … ".join("–" if label is None else f'"{label}"' for label in pair)
