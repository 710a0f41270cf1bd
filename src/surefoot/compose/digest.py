"""Fragment and composition digests: SHA-256 over RFC 8785 JSON of explicit forms (seed 0020).

In a fragment's: format, canonicalization version, platform and target, every step as a flat plan binds
it but for where it was written (the entry guard with its evidence is the first of them), every include
with its call site, authored locator and pinned digest. Out of it: comments, blanks, times, devices,
paths of files, values of variables. A child's own change changes its caller only through the pin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from surefoot.compose.model import CompositionNode, ControlNode, FragmentIdentity, StepNode, Unit
from surefoot.plan import canonical_digest, step_ir

CANONICALIZATION: Final = 1
PREFIX: Final = "sha256:"

Pins = Mapping[int, tuple[str, str]]
"""Call site and digest that stand in for those of an include, by the include's ordinal."""


def fragment_identity(unit: Unit, pins: Pins | None = None) -> FragmentIdentity:
    """What a fragment is; with ``pins``, what it would be once those were written."""
    ir = {
        "kind": "fragment",
        "format": unit.format,
        "canonicalization": CANONICALIZATION,
        "platform": unit.platform,
        "target": unit.target,
        "nodes": nodes_ir(unit.nodes, pins),
    }
    return FragmentIdentity(
        format=unit.format,
        digest=PREFIX + canonical_digest(ir),
        canonicalization=CANONICALIZATION,
    )


def composition_digest(
    root: Unit,
    platform: str | None,
    target: str | None,
    fragments: Iterable[tuple[FragmentIdentity, Unit]],
) -> str:
    """The identity of a whole composition, its pins being current.

    ``fragments`` are those reachable from ``root``, each once, in any order; ``platform`` and
    ``target`` the effective ones.
    """
    graph = {
        identity.digest: {
            "format": identity.format,
            "canonicalization": identity.canonicalization,
            "includes": [
                {"callSiteId": include.call_site_id, "digest": include.expected}
                for include in unit.includes
            ],
        }
        for identity, unit in fragments
    }
    ir = {
        "kind": "composition",
        "format": root.format,
        "canonicalization": CANONICALIZATION,
        "platform": platform,
        "target": target,
        "nodes": nodes_ir(root.nodes, None),
        "fragments": graph,
    }
    return PREFIX + canonical_digest(ir)


def nodes_ir(nodes: tuple[CompositionNode, ...], pins: Pins | None) -> list[dict[str, Any]]:
    """The form of a body. Pins count includes in document order, those inside controls among them."""
    counter = iter(range(_MANY))

    def form(node: CompositionNode) -> dict[str, Any]:
        if isinstance(node, StepNode):
            return {"step": step_ir(node.step)}
        if isinstance(node, ControlNode):
            return {
                "control": {
                    "kind": node.kind,
                    "controlId": node.control_id,
                    "nodes": [form(inner) for inner in node.nodes],
                }
            }
        at = next(counter)
        site, digest = (pins or {}).get(at, (node.call_site_id, node.expected))
        return {"include": {"callSiteId": site, "locator": node.locator, "digest": digest}}

    return [form(node) for node in nodes]


_MANY: Final = 1 << 31
