"""The owner-local name of a composed step, and its token (seed 0020, "Stable addressing").

Equality is that of the fields: version, owner, both paths, local step. Where a step was written
(:class:`Provenance`) stands beside an address and takes no part in it.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Final, Literal

import msgspec
import rfc8785
from msgspec import Struct

from surefoot.errors import SurefootError, invalid_args
from surefoot.plan import PlanSource

ADDRESS_VERSION: Final = 1
DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
MAX_TOKEN_CHARACTERS: Final = 16 * 1024

Format = Literal["ad", "maestro"]


class RootOwner(Struct, frozen=True, kw_only=True, tag_field="kind", tag="root", rename="camel"):
    """A step of the composed root. ``composition_digest`` is ``sha256:`` and 64 hex digits."""

    format: Format
    composition_digest: str


class FragmentOwner(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag="fragment", rename="camel"
):
    """A step of a fragment, by the digest of its content."""

    format: Format
    fragment_digest: str


Owner = RootOwner | FragmentOwner


class Invocation(Struct, frozen=True, kw_only=True, rename="camel"):
    """One include on the way to a step: its persisted identity, and its runtime ordinal (0-based)."""

    call_site_id: str
    iteration: int = 0


class ControlEntry(Struct, frozen=True, kw_only=True, rename="camel"):
    """One repeat or retry around a step: its persisted identity, and the iteration or attempt."""

    control_id: str
    iteration: int = 0


class Address(Struct, frozen=True, kw_only=True, rename="camel"):
    """One executable step of a composed plan. ``local_step`` counts within its owner, from 1.

    Both paths run from the root inwards. A root step has an empty invocation path.
    """

    version: int = ADDRESS_VERSION
    owner: Owner
    invocation_path: tuple[Invocation, ...] = ()
    control_path: tuple[ControlEntry, ...] = ()
    local_step: int

    @property
    def is_first_round(self) -> bool:
        """Whether every iteration and attempt on the way is 0."""
        return not any(_rounds(self))

    def in_round(self, control_id: str, iteration: int) -> Address:
        """The same logical step in another iteration or attempt of that control."""
        return msgspec.structs.replace(
            self,
            control_path=tuple(
                msgspec.structs.replace(entry, iteration=iteration)
                if entry.control_id == control_id
                else entry
                for entry in self.control_path
            ),
        )


class Provenance(Struct, frozen=True, kw_only=True):
    """Where a step was written, for people: the includes on the way (root first), and its own line."""

    invocation_sources: tuple[PlanSource, ...]
    step_source: PlanSource


def address_json(address: Address) -> dict[str, Any]:
    """The address as it stands on the wire (camelCase)."""
    built: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(address))
    return built


def address_token(address: Address) -> str:
    """base64url without padding of the canonical JSON (RFC 8785): what ``--from`` takes."""
    return base64.urlsafe_b64encode(rfc8785.dumps(address_json(address))).rstrip(b"=").decode()


class _Versioned(Struct):
    version: int


def parse_token(token: str) -> Address:
    """The address of a token in exactly the form :func:`address_token` writes.

    ``INVALID_ARGS``: ``fragment_unsupported`` for another address version, else
    ``fragment_resume_unsupported`` with ``problem`` ``token_malformed``.
    """
    if len(token) > MAX_TOKEN_CHARACTERS:
        raise _malformed("it is longer than a token can be")
    try:
        data = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _malformed("it is no base64url") from None
    try:
        version = msgspec.json.decode(data, type=_Versioned).version
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _malformed("it holds no address") from None
    if version != ADDRESS_VERSION:
        raise invalid_args(
            f"The token is an address of version {version}; this reader knows {ADDRESS_VERSION}.",
            hint="Replay the whole script again; its divergence will carry a new token.",
            reason="fragment_unsupported",
            problem="address_version",
            version=version,
        )
    try:
        address = msgspec.json.decode(data, type=Address)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _malformed("it holds no address") from None
    problem = _problem(address)
    if problem is not None:
        raise _malformed(problem)
    if address_token(address) != token:
        raise _malformed("it is not in canonical form")
    return address


def _problem(address: Address) -> str | None:
    owner = address.owner
    digest = owner.composition_digest if isinstance(owner, RootOwner) else owner.fragment_digest
    if DIGEST.fullmatch(digest) is None:
        return "its owner's digest is not spelled sha256: and 64 hex digits"
    if address.local_step < 1 or any(entry < 0 for entry in _rounds(address)):
        return "it counts below the first step"
    if isinstance(owner, RootOwner) == bool(address.invocation_path):
        return "a root step has no invocation path, and every other step has one"
    return None


def _rounds(address: Address) -> tuple[int, ...]:
    return (
        *(entry.iteration for entry in address.invocation_path),
        *(entry.iteration for entry in address.control_path),
    )


def _malformed(problem: str) -> SurefootError:
    return invalid_args(
        f"--from is no address token: {problem}.",
        hint="Copy `resume.token` from the divergence.",
        reason="fragment_resume_unsupported",
        problem="token_malformed",
    )
