"""Who pins whom, to look at: as values, as text, as a Mermaid flowchart. Shows what is broken, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from surefoot.compose.graph import CallSite, Graph
from surefoot.compose.model import Kind
from surefoot.text import ellipsize, single_line

PinState = Literal["current", "stale", "unpinned", "missing", "cycle", "unreadable", "not_a_fragment"]

MARKS: Final[Mapping[PinState, str]] = {
    "current": "",
    "stale": "stale",
    "unpinned": "not pinned",
    "missing": "not there",
    "cycle": "includes this again",
    "unreadable": "not readable",
    "not_a_fragment": "no fragment",
}
SHORT_DIGEST: Final = 12
MAX_LABEL: Final = 80


class GraphNode(Struct, frozen=True, kw_only=True):
    """One source. ``digest`` is a fragment's own, as it stands; ``steps`` its own steps."""

    path: str
    kind: Kind
    digest: str | None
    steps: int


class GraphEdge(Struct, frozen=True, kw_only=True):
    """One include, in document order. ``child`` is None where the locator names nothing."""

    source: str
    line: int
    locator: str
    child: str | None
    call_site_id: str | None
    expected: str | None
    state: PinState


class GraphView(Struct, frozen=True, kw_only=True):
    """The whole graph below ``root``. ``stale`` are the sources whose pins are to be written, leaf
    first."""

    root: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    stale: tuple[str, ...]


def graph_view(graph: Graph, stale: tuple[str, ...]) -> GraphView:
    """The graph as plain values, the root first, then in document order."""
    keys = [graph.root, *(key for key in graph.first_sites if key in graph.units)]
    nodes = tuple(
        GraphNode(
            path=key,
            kind=graph.units[key].kind,
            digest=graph.identities[key].digest if key in graph.identities else None,
            steps=len(graph.units[key].steps),
        )
        for key in dict.fromkeys(keys)
    )
    return GraphView(
        root=graph.root,
        nodes=nodes,
        edges=tuple(_edge(graph, site) for site in graph.sites),
        stale=stale,
    )


def _edge(graph: Graph, site: CallSite) -> GraphEdge:
    return GraphEdge(
        source=site.source,
        line=site.include.line,
        locator=site.include.locator,
        child=site.child,
        call_site_id=site.include.call_site_id,
        expected=site.include.expected,
        state=_state(graph, site),
    )


def _state(graph: Graph, site: CallSite) -> PinState:
    if site.child is None or site.problem == "missing":
        return "missing"
    if site.closes_cycle:
        return "cycle"
    unit = graph.units.get(site.child)
    if unit is None or unit.is_unread:
        return "unreadable"
    if site.child not in graph.identities:
        return "not_a_fragment"
    if site.include.expected is None:
        return "unpinned"
    return "current" if graph.identities[site.child].digest == site.include.expected else "stale"


def graph_text(view: GraphView) -> str:
    """One line an include, indented by depth; a source seen before is not opened again."""
    below: dict[str, list[GraphEdge]] = {}
    for edge in view.edges:
        below.setdefault(edge.source, []).append(edge)
    nodes = {node.path: node for node in view.nodes}
    root = nodes[view.root]
    lines = [_node_line(root)]
    seen = {view.root}
    stack = [(edge, 1) for edge in reversed(below.get(view.root, []))]
    while stack:
        edge, depth = stack.pop()
        opened = edge.child is not None and edge.child not in seen and edge.state != "cycle"
        lines.append("  " * depth + _edge_line(edge, nodes, again=not opened))
        if opened and edge.child is not None:
            seen.add(edge.child)
            stack += [(inner, depth + 1) for inner in reversed(below.get(edge.child, []))]
    return "\n".join(lines)


def _node_line(node: GraphNode) -> str:
    digest = f" {_short(node.digest)}" if node.digest is not None else ""
    return f"{_told(node.path)} ({node.kind}{digest})"


def _edge_line(edge: GraphEdge, nodes: Mapping[str, GraphNode], *, again: bool) -> str:
    name = edge.call_site_id if edge.call_site_id is not None else "?"
    child = nodes.get(edge.child or "")
    what = _node_line(child) if child is not None else _told(edge.locator)
    pin = ""
    if edge.state != "current":
        pinned = f", pinned {_short(edge.expected)}" if edge.state == "stale" and edge.expected else ""
        pin = f"  ! {MARKS[edge.state]}{pinned}"
    repeated = " (above)" if again and edge.state == "current" and child is not None else ""
    return f"{_told(name)}: {what}{repeated}{pin}"


def graph_mermaid(view: GraphView) -> str:
    """A flowchart; a stale or broken include is dashed and says so."""
    ids = {node.path: f"n{at}" for at, node in enumerate(view.nodes)}
    lines = ["flowchart TD"]
    lines += [f'  {ids[node.path]}["{_mermaid(node.path)}"]' for node in view.nodes]
    ghosts = 0
    for edge in view.edges:
        target = ids.get(edge.child or "")
        if target is None:
            ghosts += 1
            target = f"g{ghosts}"
            lines.append(f'  {target}["{_mermaid(edge.locator)}"]')
        mark = MARKS[edge.state]
        label = _mermaid(": ".join(part for part in (edge.call_site_id or "?", mark) if part))
        arrow = "-->" if edge.state == "current" else "-.->"
        lines.append(f'  {ids[edge.source]} {arrow}|"{label}"| {target}')
    return "\n".join(lines)


def _short(digest: str) -> str:
    return digest.removeprefix("sha256:")[:SHORT_DIGEST]


def _told(text: str) -> str:
    return single_line(ellipsize(text, MAX_LABEL))


def _mermaid(text: str) -> str:
    """Text inside a quoted Mermaid label: quotes, markup and entity marks as entities."""
    out = ellipsize(text, MAX_LABEL).replace("#", "#35;").replace('"', "#quot;")
    return single_line(out.replace("<", "#lt;").replace(">", "#gt;"))
