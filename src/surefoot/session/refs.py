"""The spelling of refs: ``@e12``, pinned ``@e12~s42``. A ref number is the node's index plus one."""

from __future__ import annotations

import re
from typing import NewType

from msgspec import Struct

from surefoot.errors import invalid_args
from surefoot.tree import Node

Ref = NewType("Ref", str)
"""``e12``: without the ``@`` and without a generation."""

_REF = re.compile(r"@e([1-9][0-9]{0,6})(?:~s([1-9][0-9]{0,14}))?")


class RefToken(Struct, frozen=True):
    """A ref as a caller wrote it. ``generation`` is set when it was pinned."""

    index: int
    generation: int | None = None

    @property
    def ref(self) -> Ref:
        return Ref(f"e{self.index + 1}")

    def __str__(self) -> str:
        pin = "" if self.generation is None else f"~s{self.generation}"
        return f"@{self.ref}{pin}"


def ref_of(node: Node) -> Ref:
    """The ref that names this node in the frame published from its tree."""
    return Ref(f"e{node.index + 1}")


def pinned(ref: str, generation: int) -> str:
    """The spelling text output uses: ``@e12~s42``."""
    return f"@{ref}~s{generation}"


def looks_like_ref(text: str) -> bool:
    """Whether a target starts like a ref (so that a misspelt one is an error, not a selector)."""
    return text.startswith("@")


def parse_ref(text: str) -> RefToken:
    """``@e12`` or ``@e12~s42``. ``INVALID_ARGS`` reason ``invalid_ref`` for anything else."""
    match = _REF.fullmatch(text)
    if match is None:
        raise invalid_args(
            f"{text[:80]!r} is not a ref.",
            hint="A ref is @e and a number, as `surefoot snapshot -i` prints it; pinned: @e12~s42.",
            reason="invalid_ref",
        )
    generation = match.group(2)
    return RefToken(int(match.group(1)) - 1, int(generation) if generation else None)
