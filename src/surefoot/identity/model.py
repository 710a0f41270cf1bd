"""What a recorded action says of its target: the ``target-v1`` / ``targets-v1`` tuple as values.

Seed 0012, decision 3 (``id`` to ``scrollRegion``, ``rect``, ``verification``) and identity.md 1
(``item``, ``between``, ``section``, ``peers``, ``nth``, ``screen``), and ``record``. Strings are NFC,
at most 256 UTF-8 bytes; ordinals are non-negative safe integers. ``extra`` holds the fields of other
writers, ``(name, JSON text)`` in the order read: kept on rewrite, never compared and never bound.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Verification = Literal["verified", "unverifiable"]
Extra = tuple[tuple[str, str], ...]


class Ancestor(Struct, frozen=True, kw_only=True, gc=False):
    """One ancestry entry. ``role`` may be empty; ``label`` None leaves the label unconstrained."""

    role: str
    label: str | None = None
    extra: Extra = ()


class RegionKey(Struct, frozen=True, kw_only=True, gc=False):
    """The local identity of the nearest scrollable ancestor: the partition of ``viewport_order``."""

    role: str
    id: str | None = None
    label: str | None = None
    extra: Extra = ()


class ItemKey(Struct, frozen=True, kw_only=True, gc=False):
    """A usable label that tells one item from its siblings."""

    role: str
    label: str
    extra: Extra = ()


class ItemEvidence(Struct, frozen=True, kw_only=True, gc=False):
    """The item (list row, card) a target stands in: its role, steps up to it, its keys (1 or 2)."""

    of: str
    up: int | None = None
    keys: tuple[ItemKey, ...] = ()
    extra: Extra = ()


Signs = tuple[str, ...]
"""``kind:digest`` each (signs.py)."""


class RecordEvidence(Struct, frozen=True, kw_only=True, gc=False):
    """What tells the target's record where no words do.

    ``of`` is the role of the item that is the record; without it the record is the widest container
    with no equal of the target in it (with ``shared`` of them, itself among them), at most ``up``
    structural steps away. ``beside`` are the signs of
    the records before and after, None for no record there; written where ``signs`` leave several.
    """

    of: str | None = None
    up: int | None = None
    shared: int | None = None
    signs: Signs = ()
    beside: tuple[Signs | None, Signs | None] | None = None
    extra: Extra = ()


class RecordedRect(Struct, frozen=True, kw_only=True, gc=False):
    """Where the target was, in CSS pixels. Diagnostics only, never compared."""

    x: float
    y: float
    width: float
    height: float
    extra: Extra = ()


class TargetEvidence(Struct, frozen=True, kw_only=True, gc=False):
    """One target's identity evidence, as recorded (``target-v1``).

    ``ancestry`` runs leaf to root. ``between`` is the nearest labels before and after; either may
    be None where there was none. A field that is None was not recorded.
    """

    role: str
    verification: Verification
    id: str | None = None
    label: str | None = None
    ancestry: tuple[Ancestor, ...] = ()
    sibling: int | None = None
    viewport_order: int | None = None
    scroll_region: RegionKey | None = None
    item: ItemEvidence | None = None
    between: tuple[str | None, str | None] | None = None
    section: str | None = None
    record: RecordEvidence | None = None
    peers: int | None = None
    nth: int | None = None
    screen: str | None = None
    rect: RecordedRect | None = None
    extra: Extra = ()


class TargetsEvidence(Struct, frozen=True, kw_only=True, gc=False):
    """The evidence of an action with two targets (``targets-v1``, amendment 1567)."""

    source: TargetEvidence
    destination: TargetEvidence
    extra: Extra = ()


Evidence = TargetEvidence | TargetsEvidence
