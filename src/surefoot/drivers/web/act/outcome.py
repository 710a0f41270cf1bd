"""What entering text led to, before the driver makes its answer of it."""

from __future__ import annotations

from msgspec import Struct


class Entered(Struct, frozen=True, kw_only=True):
    """What a field holds now; ``value`` is ``None`` when it is ``secret`` or could not be read."""

    value: str | None
    secret: bool = False
    trusted: bool = True
    retried: bool = False
    warnings: tuple[str, ...] = ()
