"""Accessibility trees: nodes, roles, geometry, observations, diff, projections, their text."""

from surefoot.tree.diff import FieldChange, FieldValue, NodeChange, TreeDiff, diff_trees
from surefoot.tree.geometry import (
    Direction,
    Offset,
    Placing,
    direction_of,
    has_area,
    intersection,
)
from surefoot.tree.ids import GENERATED_FORMS, generated_form, is_accepted_id, numbered_ids
from surefoot.tree.model import Checked, Node, Page, Rect, ScrollExtent, Window
from surefoot.tree.observation import Observation, Quality
from surefoot.tree.projection import (
    EmptyReason,
    Entry,
    OffScreen,
    Projection,
    is_meaningful_in,
    nothing,
    project,
)
from surefoot.tree.render import (
    RefLookup,
    no_refs,
    node_text,
    off_screen_text,
    render_diff,
    render_projection,
)
from surefoot.tree.roles import (
    CONTAINER_ROLES,
    DIALOG_ROLES,
    DOCUMENT_ROLE,
    INTERACTIVE_ROLES,
    ITEM_ROLES,
    LANDMARK_ROLES,
    PAGE_ROLES,
    TEXT_ENTRY_ROLES,
    canonical_role,
)
from surefoot.tree.runs import inner_pieces, reads, text_runs
from surefoot.tree.tree import Tree, is_interactive, is_scrollable
from surefoot.tree.windows import Layer, find_window, foreign_windows, layer_of

__all__ = [
    "CONTAINER_ROLES",
    "DIALOG_ROLES",
    "DOCUMENT_ROLE",
    "GENERATED_FORMS",
    "INTERACTIVE_ROLES",
    "ITEM_ROLES",
    "LANDMARK_ROLES",
    "PAGE_ROLES",
    "TEXT_ENTRY_ROLES",
    "Checked",
    "Direction",
    "EmptyReason",
    "Entry",
    "FieldChange",
    "FieldValue",
    "Layer",
    "Node",
    "NodeChange",
    "Observation",
    "OffScreen",
    "Offset",
    "Page",
    "Placing",
    "Projection",
    "Quality",
    "Rect",
    "RefLookup",
    "ScrollExtent",
    "Tree",
    "TreeDiff",
    "Window",
    "canonical_role",
    "diff_trees",
    "direction_of",
    "find_window",
    "foreign_windows",
    "generated_form",
    "has_area",
    "inner_pieces",
    "intersection",
    "is_accepted_id",
    "is_interactive",
    "is_meaningful_in",
    "is_scrollable",
    "layer_of",
    "no_refs",
    "node_text",
    "nothing",
    "numbered_ids",
    "off_screen_text",
    "project",
    "reads",
    "render_diff",
    "render_projection",
    "text_runs",
]
