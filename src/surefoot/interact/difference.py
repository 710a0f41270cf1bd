"""A difference between two screens for a reader: what is new, what changed and how, what is gone.

Refs of the answer are of the later screen; whoever shows them publishes exactly those.
"""

from __future__ import annotations

from surefoot.interact.describe import MAX_NAME_BYTES, screen_ref
from surefoot.text import normalize, truncate_utf8
from surefoot.tree import FieldValue, Node, NodeChange, Observation, TreeDiff, is_meaningful_in
from surefoot.wire import ChangeData, DiffData, PageData, TargetData

MAX_SHOWN = 40
MAX_REMOVED = 8
"""What is gone can no longer be used: a few names tell what left."""
MAX_COVERED = 3
"""More elements that are covered now, or no longer, are counted and not shown: a modal dialog covers a
whole page."""

_TOLD = (
    "value",
    "hasValue",
    "checked",
    "selected",
    "expanded",
    "enabled",
    "editable",
    "readonly",
    "required",
    "visible",
    "covered",
    "marks",
)
"""The fields whose new value is told, in this order; a changed label is told as the element's label."""


def difference_data(before: Observation, after: Observation, difference: TreeDiff) -> DiffData:
    """At most :data:`MAX_SHOWN` elements in all that can be acted on or read, the counts of everything.

    What is no more than covered or uncovered is counted where it is more than :data:`MAX_COVERED`.
    Of what is gone at most :data:`MAX_REMOVED` are named, and none where the document itself was
    replaced: ``page`` then says what is there now.
    """
    meaningful = is_meaningful_in(after.tree)

    def told(node: Node) -> bool:
        return node.visible and meaningful(node)

    added = [node for node in difference.added if told(node)]
    changed = [change for change in difference.changed if told(change.after) or _lost_a_mark(change)]
    covered = [change for change in changed if _only_covered(change)]
    if len(covered) > MAX_COVERED:
        changed = [change for change in changed if not _only_covered(change)]
    else:
        covered = []
    removed = [node for node in difference.removed if node.visible and node.label]
    if _replaced(before, difference):
        removed = []
    shown_added = added[:MAX_SHOWN]
    shown_changed = changed[: MAX_SHOWN - len(shown_added)]
    room = MAX_SHOWN - len(shown_added) - len(shown_changed)
    shown_removed = removed[: min(room, MAX_REMOVED)]
    shown = len(shown_added) + len(shown_changed) + len(shown_removed)
    more = len(added) + len(changed) + len(removed) - shown
    return DiffData(
        page=_page(before, after),
        added=tuple(screen_ref(after, node) for node in shown_added),
        changed=tuple(
            screen_ref(after, change.after, changes=_changes(change)) for change in shown_changed
        ),
        removed=tuple(
            TargetData(role=node.role, label=truncate_utf8(normalize(node.label), MAX_NAME_BYTES))
            for node in shown_removed
        ),
        added_count=difference.added_total,
        changed_count=difference.changed_total,
        removed_count=difference.removed_total,
        covered=sum(change.after.covered_by is not None for change in covered),
        uncovered=sum(change.after.covered_by is None for change in covered),
        more=more,
        truncated=more > 0,
    )


def _replaced(before: Observation, difference: TreeDiff) -> bool:
    """Whether the root of the earlier screen is among what is gone."""
    return bool(before.tree.nodes) and any(node.index == 0 for node in difference.removed[:1])


def _page(before: Observation, after: Observation) -> PageData | None:
    page = after.page
    if page is None or page == before.page:
        return None
    return PageData(url=page.url, title=page.title, status=page.status)


def _changes(change: NodeChange) -> tuple[ChangeData, ...]:
    now = {item.field: item.after for item in change.fields}
    if "value" in now:  # which says as much
        now.pop("hasValue", None)
    return tuple(ChangeData(field=name, now=_bounded(now[name])) for name in _TOLD if name in now)


def _lost_a_mark(change: NodeChange) -> bool:
    """A nameless element that was told for what was said of it (a column that was sorted)."""
    return change.after.visible and any(item.field == "marks" for item in change.fields)


def _only_covered(change: NodeChange) -> bool:
    return [item.field for item in change.fields] == ["covered"]


def _bounded(value: FieldValue) -> FieldValue:
    return truncate_utf8(value, MAX_NAME_BYTES) if isinstance(value, str) else value
