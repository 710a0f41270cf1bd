"""What a caller asks and what it gets back: the same shapes on every surface."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

Level = Literal["digest", "default", "full"]


class CallOptions(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The common flags of surface.md. ``timeout_ms`` bounds the whole request, in milliseconds."""

    session: str | None = None
    platform: str | None = None
    level: Level = "default"
    json: bool = False
    no_record: bool = False
    timeout_ms: int | None = None
    debug: bool = False
    cost: bool = False


class Call(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """One request. ``command`` is the descriptor's name (``press``, ``session list``);
    ``arguments`` are its fields in camelCase.

    There is deliberately no field for provenance: nothing a caller sends can claim to be a replay
    step, arm a recording or name a resolved node (seed 0012, decision 6, amendment 1271).
    """

    command: str
    arguments: dict[str, Any] = {}
    options: CallOptions = CallOptions()


class ErrorBody(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A failed request (contracts.md, "Errors")."""

    code: str
    message: str
    diagnostic_id: str
    log_path: str
    hint: str | None = None
    details: dict[str, Any] = {}
    retriable: bool | UnsetType = UNSET


class Reply(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """``{"success": true, "data": ...}`` or ``{"success": false, "error": ...}``."""

    success: bool
    data: Any = None
    error: ErrorBody | None = None
    cost: Cost | None = None


class Cost(Struct, frozen=True, kw_only=True, rename="camel"):
    """What one request spent (``--cost``): full captures, cheap polls, milliseconds by phase."""

    captures: int
    polls: int
    reused: int
    total_ms: float
    phases_ms: dict[str, float] = {}
