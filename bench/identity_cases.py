"""Cases over evidence: recording a target and verifying one, on a capture nothing has looked at yet."""

from __future__ import annotations

from bench.registry import Case, Prepare, Run
from bench.tree_cases import READ, SIZES, page, read_pass

from surefoot.identity import IdentityView, TargetEvidence, record_target, verify
from surefoot.selectors import Selector, build_chain, match
from surefoot.tree import Node, Rect, Tree


def _middle_button(tree: Tree) -> Node:
    buttons = tree.by_role["button"]
    return tree[buttons[len(buttons) // 2]]


def _recorded(nodes: tuple[Node, ...]) -> tuple[Selector, TargetEvidence]:
    tree = Tree(nodes)
    target = _middle_button(tree)
    return build_chain(tree, target).selector, record_target(IdentityView(tree), target)


def record(size: int) -> Run:
    nodes = page(size)
    index = _middle_button(Tree(nodes)).index

    def run() -> TargetEvidence:
        view = IdentityView(Tree(nodes))
        return record_target(view, view.tree[index])

    return run


def verify_cold(size: int) -> Run:
    """Everything a replayed step pays: a new tree, its view, the selector's matches, the verdict."""
    nodes = page(size)
    selector, evidence = _recorded(nodes)

    def run() -> object:
        tree = Tree(nodes)
        return verify(IdentityView(tree), evidence, match(tree, selector).nodes, None)

    return run


def verify_equals(size: int) -> Run:
    """The worst page there is: nothing but equal buttons."""
    nodes = (
        Node(index=0, parent=-1, depth=0, role="document", handle="h0"),
        *(
            Node(
                index=index,
                parent=0,
                depth=1,
                role="button",
                handle=f"h{index}",
                label="Go",
                rect=Rect(0, index * 20.0, 100, 20),
            )
            for index in range(1, size)
        ),
    )
    selector, evidence = _recorded(nodes)

    def run() -> object:
        tree = Tree(nodes)
        return verify(IdentityView(tree), evidence, match(tree, selector).nodes, None)

    return run


def _case(name: str, prepare: Prepare) -> Case:
    return Case(name, "nodes", 20_000, SIZES, prepare, READ, read_pass, max_exponent=1.15)


CASES = [
    _case("record a target, new capture", record),
    _case("verify a target, new capture", verify_cold),
    _case("verify among nothing but equals", verify_equals),
]
