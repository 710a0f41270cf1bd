"""Which ids may stand for a node (identity.md, 2): what frameworks number or draw is no identity.

An id that may not still *matches* when a selector or an annotation names it; it is never written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

MAX_ID_CHARS = 256
"""Longer ids are not compared with their neighbours: no framework counts in them."""

GENERATED_FORMS: tuple[tuple[str, str], ...] = (
    ("radix", r"^radix-"),
    ("headless ui", r"^headlessui-"),
    ("material ui", r"^mui-(?:p-)?[0-9]+"),
    ("ember", r"^ember[0-9]+"),
    ("bootstrap vue", r"__BVID__[0-9]+"),
    ("react aria", r"^react-aria"),
    ("angular cdk", r"^cdk-.*-[0-9]+(?:-[0-9]+)*$"),
    ("angular material", r"^mat-[a-z-]+-[0-9]+(?:-[0-9]+)*$"),
    ("react useId", r":r[0-9a-z]*:"),
    ("react useId 19", r"«r[0-9a-z]*»"),
    ("react useId 19.1", r"_r_[0-9a-z]*_"),
    ("uuid", r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    ("hexadecimal", r"(?<![0-9a-z])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{12,}(?![0-9a-z])"),
    ("counter", r"(?:^|[-_:.])[0-9]{1,3}$"),
)
"""Forms of ids that frameworks number or draw by lot: name, pattern that finds it (case ignored)."""

_DIGITS = re.compile(r"[0-9]+")
_FORMS = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for name, pattern in GENERATED_FORMS
)


@lru_cache(maxsize=65_536)
def generated_form(node_id: str) -> str | None:
    """The name of the generated form ``node_id`` has, or ``None`` when it has none."""
    return next((name for name, pattern in _FORMS if pattern.search(node_id)), None)


def is_accepted_id(node_id: str) -> bool:
    """Whether an id, looked at alone, may stand for a node; ``""`` may not."""
    return bool(node_id) and generated_form(node_id) is None


def numbered_ids(ids: Iterable[str]) -> frozenset[str]:
    """Those that differ from another of the capture only in one digit run that is not at their end.

    ``row-0-del`` beside ``row-1-del``. Ids over ``MAX_ID_CHARS`` are left out.
    """
    alike: dict[tuple[str, str], set[str]] = {}
    for node_id in ids:
        if len(node_id) > MAX_ID_CHARS or node_id.isalpha():
            continue
        for run in _DIGITS.finditer(node_id):
            if run.end() < len(node_id):
                key = (node_id[: run.start()], node_id[run.end() :])
                alike.setdefault(key, set()).add(node_id)
    return frozenset(one for family in alike.values() if len(family) > 1 for one in family)
