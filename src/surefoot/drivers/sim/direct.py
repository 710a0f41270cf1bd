"""The platform's own search (the direct-selector path): raw, exact, counted before anything else.

As XCTest does (seed 0012, decision 2): raw exact matches are counted before hittability; no
normalisation, no structural collapse, no candidates.
"""

from __future__ import annotations

from surefoot.drivers.protocol import DirectQuery
from surefoot.drivers.sim.machine import Element, Scene
from surefoot.errors import ErrorCode, SurefootError, invalid_args


def find_direct(scene: Scene, query: DirectQuery) -> Element:
    """The one element the query names; ``AMBIGUOUS_MATCH`` or ``ELEMENT_NOT_FOUND`` otherwise."""
    if query == DirectQuery():
        raise invalid_args(
            "a direct query names at least one of id, role, label, text", reason="empty_query"
        )
    found = [element for element in scene.elements if _matches(element, query)]
    if len(found) == 1:
        return found[0]
    if found:
        raise SurefootError(
            ErrorCode.AMBIGUOUS_MATCH,
            f"{len(found)} elements match",
            details={"reason": "several_raw_matches", "matchCount": len(found)},
        )
    raise SurefootError(
        ErrorCode.ELEMENT_NOT_FOUND,
        "no element matches",
        details={"reason": "selector_not_found"},
    )


def _matches(element: Element, query: DirectQuery) -> bool:
    text = element.label or ("" if element.password else element.content or "")
    pairs = (
        (query.id, element.id),
        (query.role, element.role),
        (query.label, element.label),
        (query.text, text),
    )
    return all(wanted is None or wanted == actual for wanted, actual in pairs)
