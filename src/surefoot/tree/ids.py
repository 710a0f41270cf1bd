"""Which ids may identify (identity.md, 2): an id that a framework made up, or that counts, is none.

Two questions, one home. :func:`is_accepted_form` looks at an id alone; :func:`durable_ids` at a whole
capture: an id is *durable* there when its form is accepted, one node alone carries it, and no other
id differs from it only in a run of digits in its middle (``row-0-del``, ``row-1-del``).
A selector or an annotation that names an id that is not durable still matches it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

# What made the id: the form it has. Each row has a test.
GENERATED_FORMS: tuple[tuple[str, str], ...] = (
    ("React useId", r":[rR][0-9a-z]*:|«[rR][0-9a-z]*»|_[rR]_[0-9a-z]+_"),
    ("Radix", r"radix-.*"),
    ("Headless UI", r"headlessui-.*"),
    ("MUI", r"(?:mui|Mui)-\d+"),
    ("Ember", r"ember\d+"),
    ("BootstrapVue", r"__BVID__\d+.*"),
    ("React Aria", r"react-aria.*"),
    ("Angular CDK", r"cdk-.*-\d+"),
    ("Angular Material", r"mat-(?:[a-z]+-)+\d+"),
    ("UUID", r"(?:.*[-_:.])?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"),
    ("hexadecimal", r"(?=.*[0-9])(?=.*[a-fA-F])[0-9a-fA-F]{12,}"),
    ("position", r"(?:.*[-_:.])?\d{1,3}"),
)
_GENERATED = re.compile("|".join(f"(?:{form})" for _, form in GENERATED_FORMS), re.DOTALL)
_MIDDLE_DIGITS = re.compile(r"(?<=\D)\d+(?=\D)")


def is_accepted_form(id: str) -> bool:
    """Whether the id, taken alone, may identify: not empty and of no generated form."""
    return bool(id) and _GENERATED.fullmatch(id) is None


def durable_ids(ids: Sequence[str]) -> tuple[bool, ...]:
    """For each id of a capture (``""`` for none) whether it may be written as an identity."""
    counts = Counter(ids)
    shapes: dict[str, set[str]] = {}
    for id in counts:
        if shape := _middle_digits_masked(id):
            shapes.setdefault(shape, set()).add(id)
    counting = {id for members in shapes.values() if len(members) > 1 for id in members}
    verdicts = {id: counts[id] == 1 and id not in counting and is_accepted_form(id) for id in counts}
    return tuple([verdicts[id] for id in ids])


def _middle_digits_masked(id: str) -> str | None:
    """The id with each digit run between other characters masked; ``None`` when it has none."""
    masked, runs = _MIDDLE_DIGITS.subn("#", id)
    return masked if runs else None
