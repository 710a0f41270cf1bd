"""How a view or a difference reads as text: one line a node, nothing a page says can forge a line.

``- button "Save" [@e12]`` with two blanks of indent a level. Page text stands only inside JSON strings
(:func:`surefoot.text.quoted`), so every ``@`` outside quotes was put there by us. This module knows
no ref frames: the caller's lookup gives the token to print (``@e12``, pinned ``@e12~s42``) or ``None``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from surefoot.text import ellipsize, quoted
from surefoot.tree.diff import FieldValue, TreeDiff
from surefoot.tree.model import Node, Window
from surefoot.tree.projection import Entry, OffScreen, Projection, choices
from surefoot.tree.roles import canonical_role
from surefoot.tree.tree import Tree

RefLookup = Callable[[Node], str | None]

LABEL_COLUMNS = 120
VALUE_COLUMNS = 80
SUMMARY_COLUMNS = 32
CHOICES = 8
"""Options of a closed list that its line names."""

MAX_INDENT = 40
"""Levels that are indented further; what lies deeper stays at this level (lines stay bounded)."""

EMPTY_TEXT = {
    "empty_tree": "Nothing: the screen has no nodes.",
    "scope_not_found": "Nothing: no node matches the scope.",
    "nothing_visible": "Nothing: no node here is visible.",
    "nothing_interactive": "Nothing: no node here can be acted on or read.",
}

# (marker, when), in the order they are printed.
STATES: tuple[tuple[str, Callable[[Node], bool]], ...] = (
    ("disabled", lambda node: not node.enabled),
    ("hidden", lambda node: not node.visible),
    ("checked", lambda node: node.checked == "true"),
    ("mixed", lambda node: node.checked == "mixed"),
    ("unchecked", lambda node: node.checked == "false"),
    ("selected", lambda node: node.selected is True),
    ("expanded", lambda node: node.expanded is True),
    ("collapsed", lambda node: node.expanded is False),
    ("focused", lambda node: node.focused),
    ("required", lambda node: node.required),
    ("readonly", lambda node: node.readonly),
    ("scrolls up", lambda node: node.scroll is not None and node.scroll.y > 0),
    ("scrolls down", lambda node: node.scroll is not None and node.scroll.y < node.scroll.max_y),
    ("scrolls left", lambda node: node.scroll is not None and node.scroll.x > 0),
    ("scrolls right", lambda node: node.scroll is not None and node.scroll.x < node.scroll.max_x),
)


def no_refs(_node: Node) -> None:
    """The lookup of a view that issues no refs."""


def node_text(tree: Tree, node: Node, ref_of: RefLookup = no_refs) -> str:
    """One node on one line, without bullet or indent: ``button "Save" [@e12] [disabled]``."""
    parts = [canonical_role(node.role)]
    if node.label:
        parts.append(_shown(node.label, LABEL_COLUMNS))
    ref = ref_of(node)
    if ref is not None:
        parts.append(f"[{ref}]")
    if node.level is not None:
        parts.append(f"[level {node.level}]")
    if node.password:
        parts.append("[password, filled]" if node.has_value else "[password]")
    elif node.value is not None and (node.value or node.editable):
        parts.append(f"value={_shown(node.value, VALUE_COLUMNS)}")
    if node.id:
        parts.append(f"id={quoted(ellipsize(node.id, VALUE_COLUMNS))}")
    parts += [f"[{marker}]" for marker, holds in STATES if holds(node)]
    parts += [f"[{mark}]" for mark in node.marks]
    if options := [
        _shown(label, SUMMARY_COLUMNS) for label in islice(choices(tree, node), CHOICES + 1)
    ]:
        more = ", …" if len(options) > CHOICES else ""
        parts.append(f"[options {', '.join(options[:CHOICES])}{more}]")
    if node.opaque is not None:
        parts.append(f"[cannot be read: {_shown(node.opaque, VALUE_COLUMNS)}]")
    if node.covered_by is not None:
        parts.append(f"[covered by {_brief(tree, node.covered_by, ref_of)}]")
    return " ".join(parts)


def render_projection(
    tree: Tree,
    view: Projection,
    ref_of: RefLookup = no_refs,
    *,
    windows: Sequence[Window] = (),
) -> list[str]:
    """The lines of a view: the app, its off-screen summaries, chrome, foreign windows, counts."""
    if view.reason is not None:
        return [EMPTY_TEXT[view.reason]]
    lines = list(_entry_lines(tree, view.entries, ref_of))
    lines += [off_screen_text(summary, ref_of) for summary in view.off_screen]
    if view.chrome:
        lines.append("# chrome of the app:")
        lines += _entry_lines(tree, view.chrome, ref_of)
    shown: list[str | None] = []
    for entry in view.foreign:
        if entry.node.window not in shown:
            shown.append(entry.node.window)
    for window_id in shown:
        lines.append(f"# another app's window{_window_name(window_id, windows)}:")
        own = [entry for entry in view.foreign if entry.node.window == window_id]
        lines += _entry_lines(tree, own, ref_of)
    if view.covered:
        lines.append(f"# {_count(view.covered, 'node')} covered by something else")
    return lines


def off_screen_text(summary: OffScreen, ref_of: RefLookup = no_refs) -> str:
    """``# below in list "Mail": 12 off screen ("Ann", "Bob", …), 3 to act on``."""
    where = "the view"
    if summary.region is not None:
        region = summary.region
        where = f"in {canonical_role(region.role)}"
        if region.label:
            where += f" {_shown(region.label, SUMMARY_COLUMNS)}"
        ref = ref_of(region)
        where += f" [{ref}]" if ref is not None else ""
    total = summary.interactive + summary.other
    named = ""
    if summary.labels:
        labels = ", ".join(_shown(label, SUMMARY_COLUMNS) for label in summary.labels)
        named = f" ({labels}{', …' if total > len(summary.labels) else ''})"
    side = _SIDES[summary.direction]
    return f"# {side} {where}: {total} off screen{named}, {summary.interactive} to act on"


_SIDES = {"up": "above", "down": "below", "left": "left of", "right": "right of"}


def render_diff(
    before: Tree,
    after: Tree,
    difference: TreeDiff,
    ref_of: RefLookup = no_refs,
) -> list[str]:
    """The lines of a difference: ``-`` removed, ``~`` changed, ``+`` added; then what was cut."""
    lines = [f"- {node_text(before, node)}" for node in difference.removed]
    for change in difference.changed:
        fields = ", ".join(
            f"{item.field} {_value(item.before)} → {_value(item.after)}" for item in change.fields
        )
        lines.append(f"~ {_head(change.after, ref_of)}: {fields}")
    lines += [f"+ {node_text(after, node, ref_of)}" for node in difference.added]
    cut = (
        (difference.removed_total - len(difference.removed), "removed"),
        (difference.changed_total - len(difference.changed), "changed"),
        (difference.added_total - len(difference.added), "added"),
    )
    lines += [f"# {count} more {what}" for count, what in cut if count]
    return lines or ["No difference."]


def _entry_lines(tree: Tree, entries: Iterable[Entry], ref_of: RefLookup) -> Iterable[str]:
    for entry in entries:
        yield f"{'  ' * min(entry.depth, MAX_INDENT)}- {node_text(tree, entry.node, ref_of)}"


def _head(node: Node, ref_of: RefLookup) -> str:
    parts = [canonical_role(node.role)]
    if node.label:
        parts.append(_shown(node.label, LABEL_COLUMNS))
    ref = ref_of(node)
    if ref is not None:
        parts.append(f"[{ref}]")
    return " ".join(parts)


def _brief(tree: Tree, index: int, ref_of: RefLookup) -> str:
    if not 0 <= index < len(tree):
        return "something"
    node = tree[index]
    label = f" {_shown(node.label, SUMMARY_COLUMNS)}" if node.label else ""
    ref = ref_of(node)
    return f"{canonical_role(node.role)}{label}{f' {ref}' if ref is not None else ''}"


def _window_name(window_id: str | None, windows: Sequence[Window]) -> str:
    for window in windows:
        if window.id == window_id:
            title = f" {_shown(window.title, SUMMARY_COLUMNS)}" if window.title else ""
            return f"{title} of {_shown(window.app, SUMMARY_COLUMNS)}" if window.app else title
    return ""


def _shown(text: str, columns: int) -> str:
    return quoted(ellipsize(text, columns))


def _value(value: FieldValue) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return _shown(value, SUMMARY_COLUMNS)
    return str(value).lower()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
