"""Which id attributes are identities (identity.md, 2): a table of refused forms, and one loop.

The page ships raw candidates of a node in order (test id attributes, then the DOM id); the first
accepted one becomes ``Node.id``. Acceptance does not depend on uniqueness.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

TEST_ID_ATTRIBUTES = ("data-testid", "data-test-id", "data-test", "data-cy", "data-qa")
"""Attributes looked at before the DOM ``id``, in order (identity.md, 2); configurable."""

GENERATED: tuple[tuple[str, str], ...] = (
    ("react-use-id", r":[rR][0-9a-zA-Z]*:"),
    ("react-use-id-19", r"«[rR][0-9a-zA-Z]*»"),
    ("react-use-id-19-1", r"_[rR]_[0-9a-zA-Z]*_"),
    ("radix", r"^radix-"),
    ("headlessui", r"^headlessui-"),
    ("mui", r"^mui-(?:p-)?[0-9]+"),
    ("ember", r"^ember[0-9]+"),
    ("bootstrap-vue", r"__BVID__[0-9]+"),
    ("react-aria", r"^react-aria"),
    ("angular-cdk", r"^cdk-.*-[0-9]+(?:-[0-9]+)*$"),
    ("angular-material", r"^mat-[a-z-]+-[0-9]+(?:-[0-9]+)*$"),
    ("uuid", r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"),
    (
        "hex",
        r"(?<![0-9a-zA-Z])(?=[0-9a-fA-F]*[0-9])(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{12,}(?![0-9a-zA-Z])",
    ),
    ("positional", r"(?:^|[-_:.])[0-9]{1,3}$"),
)
"""Name of a refused form, and the pattern that finds it anywhere in the id."""

_PATTERNS = tuple((name, re.compile(pattern)) for name, pattern in GENERATED)
_DIGITS = re.compile(r"[0-9]+")


@lru_cache(maxsize=65_536)
def refused_form(candidate: str) -> str | None:
    """The name of the first refused form ``candidate`` has; ``None`` when it may be an identity."""
    if not candidate:
        return "empty"
    for name, pattern in _PATTERNS:
        if pattern.search(candidate):
            return name
    return None


def middle_digit_twins(candidates: Sequence[str]) -> frozenset[str]:
    """Those of ``candidates`` that differ from another one only in one digit run in the middle."""
    families: dict[tuple[str, str], set[str]] = {}
    for candidate in set(candidates):
        for run in _DIGITS.finditer(candidate):
            if run.start() > 0 and run.end() < len(candidate):
                key = (candidate[: run.start()], candidate[run.end() :])
                families.setdefault(key, set()).add(candidate)
    return frozenset(one for family in families.values() if len(family) > 1 for one in family)


def accept_ids(candidates: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """For each node of one capture its first accepted id; nodes without one are left out.

    ``candidates`` maps a node's index to its id attributes' values in order.
    """
    formed = {
        index: [value for value in values if refused_form(value) is None]
        for index, values in candidates.items()
    }
    twins = middle_digit_twins([value for values in formed.values() for value in values])
    accepted: dict[int, str] = {}
    for index, values in formed.items():
        for value in values:
            if value not in twins:
                accepted[index] = value
                break
    return accepted
