"""Cases over trees: matching, projecting, comparing, naming."""

from __future__ import annotations

from functools import lru_cache

from bench.registry import Case, Prepare, Run
from msgspec.structs import replace

from surefoot.selectors import build_chain, match, parse_selector, resolve_for_action
from surefoot.tree import (
    Node,
    Observation,
    Rect,
    ScrollExtent,
    Tree,
    diff_trees,
    project,
    render_projection,
)

VIEWPORT = Rect(0, 0, 1280, 800)
SIZES = (2_500, 5_000, 10_000, 20_000, 40_000)


@lru_cache(maxsize=32)
def page(size: int) -> tuple[Node, ...]:
    """A page of ``size`` nodes: one scrolling list of cards with a title, a text and two controls.

    One label in five is not ASCII; every "Add" button is named alike, as on real pages.
    """
    nodes = [
        Node(index=0, parent=-1, depth=0, role="document", handle="h0", label="Shop"),
        Node(
            index=1,
            parent=0,
            depth=1,
            role="list",
            handle="h1",
            label="Catalogue",
            rect=Rect(0, 100, 1280, 700),
            scroll=ScrollExtent(0, 0, 0, size * 8.0),
        ),
    ]

    def add(parent: int, depth: int, role: str, label: str, y: float, **states: bool) -> int:
        index = len(nodes)
        nodes.append(
            Node(
                index=index,
                parent=parent,
                depth=depth,
                role=role,
                handle=f"h{index}",
                label=label,
                rect=Rect(20, y, 200, 24),
                **states,  # type: ignore[arg-type]
            )
        )
        return index

    row = 0
    while len(nodes) < size:
        y = 100 + row * 40.0
        name = f"Crème brûlée\u00a0No. {row}" if row % 5 == 0 else f"Product number {row}"
        item = add(1, 2, "listitem", "", y)
        card = add(item, 3, "generic", "", y)
        add(card, 4, "heading", name, y)
        add(card, 4, "text", f"In stock:  {row % 90} pieces", y)
        add(card, 4, "button", "Add", y, hittable=True)
        add(card, 4, "link", f"Details of {name}", y, hittable=True)
        row += 1
    return tuple(nodes[:size])


@lru_cache(maxsize=32)
def page_later(size: int) -> tuple[Node, ...]:
    """The same page scrolled by 40 pixels, with one node in a hundred changed and ten new ones."""
    later = []
    for node in page(size):
        rect = node.rect
        if rect is not None:
            rect = Rect(rect.x, rect.y - 40, rect.width, rect.height)
        label = node.label + "!" if node.index % 100 == 99 else node.label
        later.append(replace(node, rect=rect, label=label))
    for _ in range(10):
        index = len(later)
        later.append(
            Node(index=index, parent=0, depth=1, role="status", handle=f"new{index}", label="Added")
        )
    return tuple(later)


@lru_cache(maxsize=32)
def page_elsewhere(size: int) -> tuple[Node, ...]:
    """The later page in another document: no handle is the same."""
    return tuple(replace(node, handle="x" + node.handle) for node in page_later(size))


def observe(nodes: tuple[Node, ...]) -> Observation:
    return Observation(tree=Tree(nodes), viewport=VIEWPORT, epoch="1")


SELECTOR = parse_selector('id="nope" || role="link" label="Details of Product number 7"')
AMBIGUOUS = parse_selector('role="button" label="Add"')


def match_cold(size: int) -> Run:
    tree = Tree(page(size))
    return lambda: match(tree, SELECTOR)


def match_warm(size: int) -> Run:
    tree = Tree(page(size))
    match(tree, SELECTOR)
    return lambda: match(tree, SELECTOR)


def resolve_ambiguous(size: int) -> Run:
    tree = Tree(page(size))
    match(tree, AMBIGUOUS)
    return lambda: resolve_for_action(tree, match(tree, AMBIGUOUS))


def project_interactive(size: int) -> Run:
    seen = observe(page(size))
    return lambda: project(seen, interactive=True)


def project_everything(size: int) -> Run:
    seen = observe(page(size))
    return lambda: project(seen)


def render_everything(size: int) -> Run:
    seen = observe(page(size))
    view = project(seen)
    return lambda: render_projection(seen.tree, view, lambda node: f"@e{node.index}")


def diff_same_document(size: int) -> Run:
    before, after = Tree(page(size)), Tree(page_later(size))
    return lambda: diff_trees(before, after)


def diff_other_document(size: int) -> Run:
    before, after = Tree(page(size)), Tree(page_elsewhere(size))
    return lambda: diff_trees(before, after, same_document=False)


def chain(size: int) -> Run:
    tree = Tree(page(size))
    node = tree[size // 2]
    return lambda: build_chain(tree, node)


def scan(size: int) -> Run:
    nodes = page(size)
    return lambda: [node for node in nodes if node.role == "link" and node.label == "Details"]


def read_pass(size: int) -> Run:
    nodes = page(size)
    return lambda: [(node.role, node.label, node.hittable, node.rect, node.parent) for node in nodes]


def compare_by_handle(size: int) -> Run:
    before, after = page(size), page_later(size)

    def run() -> list[Node]:
        known = {node.handle: node for node in before}
        return [node for node in after if known.get(node.handle) != node]

    return run


def _case(name: str, prepare: Prepare, baseline: str, prepare_baseline: Prepare) -> Case:
    return Case(name, "nodes", 20_000, SIZES, prepare, baseline, prepare_baseline)


SCAN = "list comprehension comparing role and label"
READ = "list comprehension reading five fields"
COMPARE = "dict by handle, then =="

CASES = [
    _case("match, first on a capture", match_cold, SCAN, scan),
    _case("match, again", match_warm, SCAN, scan),
    _case("resolve an ambiguous selector", resolve_ambiguous, SCAN, scan),
    _case("build a chain, first on a capture", chain, SCAN, scan),
    _case("project -i", project_interactive, READ, read_pass),
    _case("project, everything", project_everything, READ, read_pass),
    _case("render everything as text", render_everything, READ, read_pass),
    _case("diff, same document", diff_same_document, COMPARE, compare_by_handle),
    _case("diff, another document", diff_other_document, COMPARE, compare_by_handle),
]
