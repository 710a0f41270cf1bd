"""Which window owns a node: the app under test, its chrome, or another app (seed 0012, #1264)."""

from __future__ import annotations

from typing import Literal

from surefoot.tree.model import Node, Window
from surefoot.tree.observation import Observation

Layer = Literal["app", "chrome", "foreign"]


def find_window(observation: Observation, node: Node) -> Window | None:
    """The window the node belongs to, when the platform says so."""
    if node.window is None:
        return None
    for window in observation.windows:
        if window.id == node.window:
            return window
    return None


def foreign_windows(observation: Observation) -> frozenset[str]:
    """Ids of the windows that do not belong to the app under test."""
    return frozenset(window.id for window in observation.windows if window.foreign)


def layer_of(node: Node, foreign: frozenset[str]) -> Layer:
    """What the node is part of; ``foreign`` comes from :func:`foreign_windows`."""
    if node.window is not None and node.window in foreign:
        return "foreign"
    return "chrome" if node.chrome else "app"
