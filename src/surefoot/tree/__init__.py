"""Accessibility trees: nodes, roles, geometry, observations, diff, projections."""

from surefoot.tree.model import Checked, Node, Page, Rect, ScrollExtent, Window
from surefoot.tree.observation import Observation, Quality
from surefoot.tree.tree import Tree

__all__ = [
    "Checked",
    "Node",
    "Observation",
    "Page",
    "Quality",
    "Rect",
    "ScrollExtent",
    "Tree",
    "Window",
]
