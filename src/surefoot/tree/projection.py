"""What of an observation is shown: interactive (``-i``), down to a depth (``-d``), below a node
(``-s``), or as it is (``--raw``).

A projection is a view: its entries are nodes of the tree in document order, never invented and never
reordered; what it leaves out it counts. All no-match cases follow one rule: no entries and a reason
(public fault B032).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from surefoot.tree.geometry import Direction, Placing
from surefoot.tree.model import Node
from surefoot.tree.observation import Observation
from surefoot.tree.roles import DIALOG_ROLES, LANDMARK_ROLES
from surefoot.tree.tree import Tree, is_interactive, is_scrollable
from surefoot.tree.windows import Layer, foreign_windows, layer_of

EmptyReason = Literal["empty_tree", "scope_not_found", "nothing_visible", "nothing_interactive"]
SUMMARY_LABELS = 3

# Roles shown for context when they are labelled, and those shown whatever their label.
_CONTEXT = LANDMARK_ROLES | {
    "article",
    "caption",
    "cell",
    "columnheader",
    "figure",
    "grid",
    "group",
    "heading",
    "img",
    "list",
    "listbox",
    "listitem",
    "meter",
    "paragraph",
    "progressbar",
    "radiogroup",
    "row",
    "rowheader",
    "table",
    "tablist",
    "tabpanel",
    "text",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "window",
}
_PLAIN = frozenset({"caption", "img", "paragraph", "text"})
_ALWAYS = DIALOG_ROLES | {"alert", "status", "iframe"}


def choices(tree: Tree, node: Node) -> Iterator[str]:
    """What can be chosen of a closed list, which no view shows: the labels of its options."""
    if node.role == "combobox" and node.expanded is False:
        for option in tree.subtree(node):
            if option.role == "option" and not option.visible and tree.labels[option.index]:
                yield tree.labels[option.index]


class Entry(Struct, frozen=True, gc=False):
    """One shown node. ``parent`` is the position of the entry it hangs under, or -1; ``depth`` counts
    shown ancestors."""

    node: Node
    parent: int
    depth: int
    layer: Layer = "app"


class OffScreen(Struct, frozen=True):
    """What lies outside the view, in one direction of one scroll region (``None``: the page).

    ``interactive`` and ``other`` count the nodes the projection would show; ``labels`` are the first
    texts of them, interactive ones first, in document order, normalised.
    """

    region: Node | None
    direction: Direction
    interactive: int
    other: int
    labels: tuple[str, ...]


class Projection(Struct, frozen=True, kw_only=True):
    """A view of an observation.

    ``entries`` are the app's nodes; those of its chrome and of foreign windows stand apart in
    ``chrome`` and ``foreign`` (``--raw`` keeps all in ``entries``). ``reason`` is given exactly when
    nothing at all is shown. ``hidden`` counts invisible nodes left out, ``covered`` shown nodes that
    something else lies over, ``omitted`` visible nodes left out for any reason but being off screen.
    """

    entries: tuple[Entry, ...] = ()
    chrome: tuple[Entry, ...] = ()
    foreign: tuple[Entry, ...] = ()
    off_screen: tuple[OffScreen, ...] = ()
    hidden: int = 0
    covered: int = 0
    omitted: int = 0
    reason: EmptyReason | None = None

    def all(self) -> Iterator[Entry]:
        """Every entry: the app's, then chrome, then foreign windows."""
        yield from self.entries
        yield from self.chrome
        yield from self.foreign

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every shown node, in the order of :meth:`all`."""
        return tuple(entry.node for entry in self.all())


def nothing(reason: EmptyReason) -> Projection:
    """The one answer when there is nothing to show."""
    return Projection(reason=reason)


def project(
    observation: Observation,
    *,
    interactive: bool = False,
    depth: int | None = None,
    scope: Node | None = None,
    raw: bool = False,
    list_off_screen: bool = False,
) -> Projection:
    """The view of ``observation`` a snapshot shows.

    ``interactive`` keeps what can be acted on, with headings, texts and labelled structure around it,
    and sums up what is off screen (unless ``list_off_screen``, or the scope itself is off screen).
    ``depth`` keeps entries with at most that many shown ancestors. ``scope`` keeps the node and what
    lies below it; a scope that matched nothing is :func:`nothing` ``("scope_not_found")``. ``raw``
    shows every node, invisible ones too, in one list, and overrides ``interactive``.

    Linear in the size of the tree. Raises ``ValueError`` for a negative depth.
    """
    if depth is not None and depth < 0:
        raise ValueError("depth must not be negative")
    tree = observation.tree
    if not len(tree):
        return nothing("empty_tree")
    nodes = tree.subtree(scope) if scope is not None else tree.nodes
    if raw:
        view = _View(tree, nodes, depth)
        return view.build(lambda _node: True, frozenset(), show_invisible=True)
    foreign = foreign_windows(observation)
    if not interactive:
        view = _View(tree, nodes, depth)
        return view.build(lambda _node: True, foreign, empty="nothing_visible")
    placing: Placing | None = None
    if not list_off_screen:
        placing = Placing(tree, observation.viewport)
        if scope is not None and placing.offset(scope) is not None:
            placing = None
    view = _View(tree, nodes, depth, placing)
    return view.build(is_meaningful_in(tree), foreign, empty="nothing_interactive", merge=True)


def is_meaningful_in(tree: Tree) -> Callable[[Node], bool]:
    """The predicate of the interactive projection over nodes of ``tree``.

    Kept: what takes activation (with or without text, public faults B013 and B017), dialogs, alerts,
    status areas and frames, and labelled text or structure.
    """
    labels = tree.labels

    def meaningful(node: Node) -> bool:
        if is_interactive(node):
            return True
        role = node.role
        if role in _ALWAYS or node.opaque is not None:
            return True
        if not labels[node.index] and not node.marks:
            return False
        return role in _CONTEXT or (is_scrollable(node) and role != "document")

    return meaningful


class _View:
    """One pass over the nodes that decides, nests and counts."""

    def __init__(
        self,
        tree: Tree,
        nodes: Sequence[Node],
        depth: int | None,
        placing: Placing | None = None,
    ) -> None:
        self.tree = tree
        self.nodes = nodes
        self.depth = depth
        self.placing = placing
        self.away: dict[tuple[int | None, Direction], tuple[list[Node], list[Node]]] = {}

    def build(
        self,
        wanted: Callable[[Node], bool],
        foreign: frozenset[str],
        *,
        show_invisible: bool = False,
        merge: bool = False,
        empty: EmptyReason = "empty_tree",
    ) -> Projection:
        lists: dict[Layer, list[Entry]] = {"app": [], "chrome": [], "foreign": []}
        labels = self.tree.labels
        first = self.nodes[0].index
        # For each node, in its layer's list: the position of the nearest shown node at or above it.
        anchors: list[tuple[Layer, int]] = []
        hidden = covered = omitted = 0
        for node in self.nodes:
            inside = node.parent >= first
            above_layer, above = anchors[node.parent - first] if inside else ("app", -1)
            layer: Layer = "app" if show_invisible else layer_of(node, foreign)
            if layer == "app" and (above_layer == "chrome" or node.window is None):
                layer = above_layer
            if layer != above_layer:
                above = -1
            anchors.append((layer, above))
            if not node.visible and not show_invisible:
                hidden += 1
                continue
            if not wanted(node):
                omitted += 1
                continue
            shown = lists[layer]
            if merge and above >= 0 and self._says_nothing_new(node, shown[above].node, labels):
                omitted += 1
                continue
            level = shown[above].depth + 1 if above >= 0 else 0
            if self.depth is not None and level > self.depth:
                omitted += 1
                continue
            if self.placing is not None and layer == "app" and self._is_away(node):
                continue
            anchors[-1] = (layer, len(shown))
            shown.append(Entry(node, above, level, layer))
            covered += node.covered_by is not None
        off_screen = tuple(self._summaries())
        none = not off_screen and not any(lists.values())
        return Projection(
            entries=tuple(lists["app"]),
            chrome=tuple(lists["chrome"]),
            foreign=tuple(lists["foreign"]),
            off_screen=off_screen,
            hidden=hidden,
            covered=covered,
            omitted=omitted,
            reason=empty if none else None,
        )

    def _says_nothing_new(self, node: Node, above: Node, labels: Sequence[str]) -> bool:
        """Whether a passive node only repeats a part of the label of the shown node it lies in."""
        label = labels[node.index]
        if not label or label not in labels[above.index]:
            return False
        if is_interactive(node) or node.role in _ALWAYS:
            return False
        return node.role in _PLAIN or is_interactive(above)

    def _is_away(self, node: Node) -> bool:
        assert self.placing is not None
        offset = self.placing.offset(node)
        if offset is None:
            return False
        acting, other = self.away.setdefault((offset.region, offset.direction), ([], []))
        (acting if is_interactive(node) else other).append(node)
        return True

    def _summaries(self) -> Iterator[OffScreen]:
        texts = self.tree.texts
        for (region, direction), (acting, other) in self.away.items():
            found = [texts[node.index] for node in (*acting, *other) if texts[node.index]]
            yield OffScreen(
                region=self.tree.nodes[region] if region is not None else None,
                direction=direction,
                interactive=len(acting),
                other=len(other),
                labels=tuple(found[:SUMMARY_LABELS]),
            )
