"""The guarantee table: what every dispatch path promises, and who keeps the promise.

contracts.md, "Interaction guarantees"; seed 0012, decision 2 (``resolution_disclosure``). The table is
data: tests prove that it is complete, that every named function exists, and that each enforced or
delegated cell is claimed by a contract test that runs the path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from surefoot.interact.model import DispatchPath


class Guarantee(StrEnum):
    """What an interaction promises."""

    DISAMBIGUATION = "disambiguation"
    OCCLUSION = "occlusion"
    OFFSCREEN = "offscreen"
    NON_HITTABLE = "non_hittable"
    RESPONSE_CONSTRUCTION = "response_construction"
    RESPONSE_IDENTITY = "response_identity"
    VERIFY_EVIDENCE = "verify_evidence"
    ERROR_TAXONOMY = "error_taxonomy"
    RESOLUTION_DISCLOSURE = "resolution_disclosure"


@dataclass(frozen=True, slots=True)
class Enforced:
    """The path keeps it itself, in ``function`` (``module:name``)."""

    function: str


@dataclass(frozen=True, slots=True)
class Delegated:
    """Where it matters, the path hands over to ``path`` before anything is dispatched."""

    path: DispatchPath
    reason: str


@dataclass(frozen=True, slots=True)
class Inapplicable:
    """There is nothing to keep here."""

    reason: str


@dataclass(frozen=True, slots=True)
class Waived:
    """It would apply and is not kept; ``reason`` says why that is accepted."""

    reason: str


Cell = Enforced | Delegated | Inapplicable | Waived

_COVERED = Enforced("surefoot.interact.guards:check_covered")
_PLACE = Enforced("surefoot.interact.guards:check_place")
_HITTABLE = Enforced("surefoot.interact.guards:non_hittable_hint")
_RESPOND = Enforced("surefoot.interact.response:respond")
_IDENTITY = Enforced("surefoot.interact.describe:target_data")
_WATCH = Enforced("surefoot.interact.aftermath:watch")
_TRANSLATE = Enforced("surefoot.interact.dispatch:translate")
_DISCLOSE = Enforced("surefoot.interact.response:disclose")
_RULE = Enforced("surefoot.selectors:resolve_for_action")
_TO_SELECTOR = DispatchPath.RUNTIME_SELECTOR
_NO_ELEMENT = Inapplicable("no element is resolved")
_REFUSED_THERE = Delegated(
    _TO_SELECTOR, "what the platform refuses before dispatch is decided on an observation"
)

GUARANTEES: Mapping[DispatchPath, Mapping[Guarantee, Cell]] = {
    DispatchPath.RUNTIME_SELECTOR: {
        Guarantee.DISAMBIGUATION: _RULE,
        Guarantee.OCCLUSION: _COVERED,
        Guarantee.OFFSCREEN: _PLACE,
        Guarantee.NON_HITTABLE: _HITTABLE,
        Guarantee.RESPONSE_CONSTRUCTION: _RESPOND,
        Guarantee.RESPONSE_IDENTITY: _IDENTITY,
        Guarantee.VERIFY_EVIDENCE: _WATCH,
        Guarantee.ERROR_TAXONOMY: _TRANSLATE,
        Guarantee.RESOLUTION_DISCLOSURE: _DISCLOSE,
    },
    DispatchPath.RUNTIME_REF: {
        Guarantee.DISAMBIGUATION: Enforced("surefoot.interact.resolve:resolve_label"),
        Guarantee.OCCLUSION: _COVERED,
        Guarantee.OFFSCREEN: _PLACE,
        Guarantee.NON_HITTABLE: _HITTABLE,
        Guarantee.RESPONSE_CONSTRUCTION: _RESPOND,
        Guarantee.RESPONSE_IDENTITY: Enforced("surefoot.interact.resolve:same_element"),
        Guarantee.VERIFY_EVIDENCE: _WATCH,
        Guarantee.ERROR_TAXONOMY: _TRANSLATE,
        Guarantee.RESOLUTION_DISCLOSURE: _DISCLOSE,
    },
    DispatchPath.NATIVE_REF: {
        Guarantee.DISAMBIGUATION: Inapplicable("an admitted ref names exactly one element"),
        Guarantee.OCCLUSION: _COVERED,
        Guarantee.OFFSCREEN: _PLACE,
        Guarantee.NON_HITTABLE: _HITTABLE,
        Guarantee.RESPONSE_CONSTRUCTION: _RESPOND,
        Guarantee.RESPONSE_IDENTITY: _IDENTITY,
        Guarantee.VERIFY_EVIDENCE: Delegated(
            DispatchPath.RUNTIME_REF, "--verify needs an observation and never takes this path"
        ),
        Guarantee.ERROR_TAXONOMY: _TRANSLATE,
        Guarantee.RESOLUTION_DISCLOSURE: _DISCLOSE,
    },
    DispatchPath.DIRECT_SELECTOR: {
        Guarantee.DISAMBIGUATION: Delegated(
            _TO_SELECTOR, "the platform counts raw matches; the structural rule is ours"
        ),
        Guarantee.OCCLUSION: _REFUSED_THERE,
        Guarantee.OFFSCREEN: _REFUSED_THERE,
        Guarantee.NON_HITTABLE: _REFUSED_THERE,
        Guarantee.RESPONSE_CONSTRUCTION: _RESPOND,
        Guarantee.RESPONSE_IDENTITY: Waived(
            "the platform does not say which element it pressed, so the answer names none"
        ),
        Guarantee.VERIFY_EVIDENCE: Delegated(
            _TO_SELECTOR, "--verify needs an observation and never takes this path"
        ),
        Guarantee.ERROR_TAXONOMY: _TRANSLATE,
        Guarantee.RESOLUTION_DISCLOSURE: _DISCLOSE,
    },
    DispatchPath.COORDINATE: {
        Guarantee.DISAMBIGUATION: _NO_ELEMENT,
        Guarantee.OCCLUSION: Inapplicable("a point is pressed whatever lies there"),
        Guarantee.OFFSCREEN: Enforced("surefoot.interact.guards:check_point"),
        Guarantee.NON_HITTABLE: _NO_ELEMENT,
        Guarantee.RESPONSE_CONSTRUCTION: _RESPOND,
        Guarantee.RESPONSE_IDENTITY: _NO_ELEMENT,
        Guarantee.VERIFY_EVIDENCE: _WATCH,
        Guarantee.ERROR_TAXONOMY: _TRANSLATE,
        Guarantee.RESOLUTION_DISCLOSURE: _NO_ELEMENT,
    },
    DispatchPath.NON_HITTABLE_FALLBACK: {
        Guarantee.DISAMBIGUATION: Waived(
            "Maestro owns matching; several raw matches are refused by the platform"
        ),
        Guarantee.OCCLUSION: Waived("the fallback presses coordinates, whatever lies there"),
        Guarantee.OFFSCREEN: Waived("the platform answers for the coordinates it presses"),
        Guarantee.NON_HITTABLE: Inapplicable("the path exists for elements that are not hittable"),
        Guarantee.RESPONSE_CONSTRUCTION: _RESPOND,
        Guarantee.RESPONSE_IDENTITY: Inapplicable("coordinates were pressed, no element"),
        Guarantee.VERIFY_EVIDENCE: Delegated(
            _TO_SELECTOR, "--verify needs an observation and never takes this path"
        ),
        Guarantee.ERROR_TAXONOMY: _TRANSLATE,
        Guarantee.RESOLUTION_DISCLOSURE: Inapplicable("coordinates were pressed, no element"),
    },
    DispatchPath.TARGET_DRAG: {
        Guarantee.DISAMBIGUATION: _RULE,
        Guarantee.OCCLUSION: _COVERED,
        Guarantee.OFFSCREEN: _PLACE,
        Guarantee.NON_HITTABLE: Inapplicable("dragging is no activation"),
        Guarantee.RESPONSE_CONSTRUCTION: _RESPOND,
        Guarantee.RESPONSE_IDENTITY: _IDENTITY,
        Guarantee.VERIFY_EVIDENCE: _WATCH,
        Guarantee.ERROR_TAXONOMY: _TRANSLATE,
        Guarantee.RESOLUTION_DISCLOSURE: _DISCLOSE,
    },
}
