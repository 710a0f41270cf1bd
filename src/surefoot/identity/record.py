"""What a recording writes about its target, and the self-check that keeps ``verified`` honest.

Seed 0012, decision 3, "Record-time write" with amendments 1269, 1280 and 1349, and identity.md 1. The
capture is always full, unscoped and of any depth (decisions.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from surefoot.identity.codec import MAX_ANCESTRY, reduce_target
from surefoot.identity.context import between, item_evidence, place_of, stands_among_texts
from surefoot.identity.model import RecordedRect, TargetEvidence
from surefoot.identity.peers import with_record
from surefoot.identity.section import nearest_title, screen_title, section, stands_under
from surefoot.identity.signs import Sayable, anything
from surefoot.identity.verify import Verified, verify
from surefoot.identity.view import IdentityView
from surefoot.tree import INTERACTIVE_ROLES, Node


def record_target(
    view: IdentityView,
    node: Node,
    window_title: str = "",
    dispatched: Node | None = None,
    sayable: Sayable = anything,
) -> TargetEvidence:
    """The evidence of an action on ``node``, reduced to its bounds, ``verification`` self-checked.

    ``dispatched`` is the container that was pressed where ``node`` is recorded in its place
    (:func:`recorded_subject`). ``sayable`` says of what signs may be written.

    The check runs the replay-time algorithm on the same tree with the node alone as the selector's
    match; a node that the tuple does not isolate is written ``unverifiable``.
    """
    container = dispatched if dispatched is not node else None
    evidence = _fitting(view, node, window_title, container, sayable)
    outcome = verify(view, evidence, matches=view.identity_set(evidence), winner=None)
    if isinstance(outcome, Verified) and outcome.node is node:
        return evidence
    return msgspec.structs.replace(evidence, verification="unverifiable")


def record_landmark(view: IdentityView, node: Node, window_title: str = "") -> TargetEvidence | None:
    """The evidence of a ``wait`` (amendment 1349), checked for membership in the identity set.

    Nothing of identity.md 1 is written: a landmark is compared by its identity tier alone. ``None``
    when the node has neither a durable id nor a label: a bare role never discriminates.
    """
    if view.durable_id(node) is None and view.label(node) is None:
        return None
    evidence = msgspec.structs.replace(
        _fitting(view, node, window_title),
        item=None,
        between=None,
        section=None,
        record=None,
        peers=None,
        nth=None,
    )
    return evidence if view.carries_identity(evidence, node) else None


def recorded_subject(view: IdentityView, node: Node) -> Node:
    """The node a press records: the container itself, or its first labelled descendant.

    Amendment 1280: only for an identity-empty container, and only when nothing in its subtree
    competes for the tap and the descendant's centre lies inside the container. Never for a fill.
    """
    tree = view.tree
    if view.durable_id(node) is not None or view.label(node) is not None or tree.values[node.index]:
        return node
    below = tree.subtree(node)[1:]
    if any(inner.hittable or inner.role in INTERACTIVE_ROLES for inner in below):
        return node
    labelled = next((inner for inner in below if tree.labels[inner.index]), None)
    if labelled is None or labelled.rect is None or node.rect is None:
        return node
    x, y = labelled.rect.center
    area = node.rect
    inside = area.x <= x <= area.x + area.width and area.y <= y <= area.y + area.height
    return labelled if inside else node


def _fitting(
    view: IdentityView,
    node: Node,
    window_title: str,
    dispatched: Node | None = None,
    sayable: Sayable = anything,
) -> TargetEvidence:
    """The tuple, shortened in the order of identity.md 7: ``rect``, ``screen``, ancestry from the root.

    The context is computed over the identity set of the ancestry that is kept, so that replay, which
    sees only what was written, computes the same.
    """
    reduced = reduce_target(_tuple(view, node, window_title, MAX_ANCESTRY, dispatched, sayable))
    limit = len(view.ancestry(node))
    while len(reduced.ancestry) < limit:
        limit = len(reduced.ancestry)
        shorter = _tuple(view, node, window_title, limit, dispatched, sayable)
        reduced = reduce_target(msgspec.structs.replace(shorter, rect=None, screen=None))
    return reduced


def _tuple(
    view: IdentityView,
    node: Node,
    window_title: str,
    limit: int,
    dispatched: Node | None,
    sayable: Sayable,
) -> TargetEvidence:
    identity = TargetEvidence(
        role=node.role,
        verification="verified",
        id=view.durable_id(node),
        label=view.label(node),
        ancestry=view.ancestry(node, limit),
        peers=1,
    )
    members = view.identity_set(identity)
    region = view.region_key(node)
    partition = [member for member in members if view.in_region(member, region)]
    item = item_evidence(view, node, members, dispatched)
    place = place_of(view, node, item)
    title = section(view, place)
    neighbours = None
    if item is None:
        if _needs_neighbours(view, node, members, title):
            neighbours = between(view, node, members)
    elif item.up is not None and len(members) == 1 and stands_among_texts(view, node, members):
        # A card, or a list without items of which one record alone has the control.
        neighbours = between(view, node, members, item)
    if neighbours is not None or (item is not None and item.up is not None):
        # The texts here are other records'.
        title = section(view, place, headings_only=True)
    evidence = msgspec.structs.replace(
        identity,
        sibling=view.tree.sibling(node),
        viewport_order=_position(view.in_viewport_order(partition), node),
        scroll_region=region,
        item=item,
        between=neighbours,
        section=title,
        screen=screen_title(view, window_title),
        rect=_recorded_rect(node),
    )
    return with_record(view, evidence, node, members, sayable)


def _needs_neighbours(
    view: IdentityView, node: Node, members: Sequence[Node], title: str | None
) -> bool:
    """Whether the labels around the target tell what no title does.

    It stands among texts of its own, as in a list without items, or it has equals under its heading.
    """
    kind = nearest_title(view, node)
    if kind == "dialog":
        return False
    if stands_among_texts(view, node, members):
        return True
    alone = sum(stands_under(view, member, title or "") for member in members) == 1
    return len(members) > 1 and not (kind == "heading" and alone)


def _position(nodes: Sequence[Node], node: Node) -> int | None:
    """The node's position; ``None`` where it is missing, which the self-check then finds."""
    return next((at for at, other in enumerate(nodes) if other.index == node.index), None)


def _recorded_rect(node: Node) -> RecordedRect | None:
    rect = node.rect
    if rect is None:
        return None
    return RecordedRect(x=rect.x, y=rect.y, width=rect.width, height=rect.height)
