"""Random trees for the laws of the pure core."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from tests.support.trees import VIEWPORT

from surefoot.tree import Node, Observation, Rect, ScrollExtent, Tree, Window

ROLES = ("document", "generic", "list", "listitem", "button", "text", "textbox", "heading", "dialog")
LABELS = ("", "Save", "Save ", "Add", "Sa\u00adve", "Add\u00a0all", "x")
IDS = ("", "", "", "save", "del-0", "row-1-x", "row-2-x")
WINDOWS = (Window("w1", "Shop", "shop"), Window("w2", "Volume", "system", foreign=True))

_coordinate = st.integers(-2000, 3000).map(float)
_size = st.sampled_from((0.0, 1.0, 40.0, 900.0))
RECTS = st.one_of(st.none(), st.builds(Rect, _coordinate, _coordinate, _size, _size))


_FIELDS = st.fixed_dictionaries(
    {
        "role": st.sampled_from(ROLES),
        "label": st.sampled_from(LABELS),
        "value": st.sampled_from((None, None, "", "Save", "v")),
        "id": st.sampled_from(IDS),
        "rect": RECTS,
        "hittable": st.booleans(),
        "visible": st.sampled_from((True, True, True, False)),
        "enabled": st.sampled_from((True, True, False)),
        "editable": st.sampled_from((False, False, True)),
        "checked": st.sampled_from((None, "true", "mixed")),
        "scroll": st.sampled_from((None, None, ScrollExtent(0, 0, 0, 9))),
        "covered_by": st.sampled_from((None, None, 0)),
        "window": st.sampled_from((None, None, "w1", "w2")),
        "chrome": st.sampled_from((False, False, True)),
    }
)


def _grow(drawn: list[tuple[int, dict[str, Any]]]) -> Tree:
    nodes: list[Node] = []
    open_path: list[int] = []
    for index, (level, fields) in enumerate(drawn):
        depth = min(level, len(open_path))
        open_path = open_path[:depth]
        parent = open_path[-1] if open_path else -1
        nodes.append(Node(index=index, parent=parent, depth=depth, handle=f"h{index}", **fields))
        open_path.append(index)
    return Tree(nodes)


def trees(max_size: int = 14) -> st.SearchStrategy[Tree]:
    """Well-formed trees: pre-order indexes, several roots allowed, any mix of states."""
    return st.lists(st.tuples(st.integers(0, 8), _FIELDS), max_size=max_size).map(_grow)


def observation(tree: Tree) -> Observation:
    """The tree as a capture with an app window and a foreign one."""
    return Observation(tree=tree, viewport=VIEWPORT, epoch="1", windows=WINDOWS)
