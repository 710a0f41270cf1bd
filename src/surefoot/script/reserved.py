"""Reserved comments: ``# agent-device:NAME …``, read with or without the space (surface.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from surefoot.errors import SurefootError, invalid_args
from surefoot.identity import Evidence, RepeatedKey, parse_target, parse_targets, read_json
from surefoot.script.model import FragmentReference

PREFIX: Final = "# agent-device:"
HEAL_COMPLETE: Final = "heal-complete"
FRAGMENT_REF: Final = "fragment-ref-v1"
MAX_REFERENCE_BYTES: Final = 4096
MAX_CALL_SITE_BYTES: Final = 64
"""Sixteen of them (the deepest nesting) have to fit twice into the smallest divergence report."""

EVIDENCE_READERS: Final[Mapping[str, Callable[[str], Evidence]]] = {
    "target-v1": parse_target,
    "targets-v1": parse_targets,
}

NEWER_EVIDENCE: Final = re.compile(r"targets?-v[0-9]+")
"""With :data:`EVIDENCE_READERS` asked first: evidence of a version that nothing here reads."""

_RESERVED = re.compile(r"#[ \t]*agent-device:([A-Za-z][A-Za-z0-9-]*)(.*)", re.DOTALL)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_CALL_SITE = re.compile(r"\S(?:.*\S)?")


def reserved(comment: str) -> tuple[str, str, int] | None:
    """Name, payload and the payload's 0-based offset of a reserved comment; None for any other."""
    if "agent-device:" not in comment:
        return None
    match = _RESERVED.fullmatch(comment)
    if match is None:
        return None
    rest = match[2]
    if rest and not rest[0].isspace() and rest[0] not in "{[":
        return None
    payload = rest.strip()
    return match[1], payload, match.start(2) + len(rest) - len(rest.lstrip())


def parse_reference(payload: str) -> FragmentReference:
    """The pin in a ``fragment-ref-v1`` payload, strictly: exactly ``callSiteId`` and ``digest``.

    ``INVALID_ARGS``, reason ``fragment_call_site_invalid`` (decisions.md, unlisted preflight cases).
    """
    if len(payload.encode("utf-8", "surrogatepass")) > MAX_REFERENCE_BYTES:
        raise _bad(f"exceeds the {MAX_REFERENCE_BYTES}-byte payload cap")
    try:
        body: Any = read_json(payload)
    except RepeatedKey as error:
        raise _bad(f'says "{error}" twice') from None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise _bad("is not valid JSON") from None
    if not isinstance(body, dict):
        raise _bad("must be a JSON object")
    unknown = sorted(set(body) - {"callSiteId", "digest"})
    if unknown:
        raise _bad(f'has an unknown field "{unknown[0]}"')
    call_site, digest = body.get("callSiteId"), body.get("digest")
    if not isinstance(call_site, str) or not _CALL_SITE.fullmatch(call_site):
        raise _bad('needs a "callSiteId" that is not empty')
    if len(call_site.encode()) > MAX_CALL_SITE_BYTES:
        raise _bad(f'"callSiteId" exceeds the {MAX_CALL_SITE_BYTES}-byte field cap')
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise _bad('needs a "digest" spelled sha256: and 64 lower-case hex digits')
    return FragmentReference(call_site_id=call_site, digest=digest)


def _bad(problem: str) -> SurefootError:
    return invalid_args(f"{FRAGMENT_REF} annotation {problem}.", reason="fragment_call_site_invalid")
