"""Which ids may stand for a node in a recording (identity.md 2; seed 0012, amendment #1269).

An id is *written* only when it is unique in the capture and accepted. Any id still *matches* when a
selector names it.
"""

from __future__ import annotations

import re

from surefoot.text import normalize_id, utf8_length
from surefoot.tree import Node, Tree

MAX_FIELD_BYTES = 256
"""A longer field is truncated in evidence, so no selector is made of it (identity.md 7)."""

GENERATED_FORMS: tuple[tuple[str, str], ...] = (
    ("react useId", r":r[0-9a-z]+:"),
    ("react useId 19", r"«r[0-9a-z]+»"),
    ("react useId 19.1", r"_r_[0-9a-z]+_"),
    ("radix", r"radix-.*"),
    ("headless ui", r"headlessui-.*"),
    ("material ui", r"mui-[0-9]+"),
    ("ember", r"ember[0-9]+"),
    ("bootstrap vue", r"__BVID__[0-9]+.*"),
    ("react aria", r"react-aria.*"),
    ("angular cdk", r"cdk-.*-[0-9]+"),
    ("angular material", r"mat-[a-z-]+-[0-9]+"),
    ("uuid", r".*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}.*"),
    ("hexadecimal", r"(?=.*[0-9])(?=.*[a-f])[0-9a-f]{12,}"),
    ("react useId, prefixed", r".*(?::r[0-9a-z]+:|«r[0-9a-z]+»).*"),
    ("counter", r"(?:.*[-_:.])?[0-9]{1,3}"),
)
"""Forms of ids that frameworks number or draw by lot: (name, pattern of the whole id, case ignored)."""

_FORMS = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for name, pattern in GENERATED_FORMS
)


def generated_form(node_id: str) -> str | None:
    """The name of the generated form ``node_id`` has, or ``None`` when it has none."""
    for name, pattern in _FORMS:
        if pattern.fullmatch(node_id):
            return name
    return None


def is_accepted_id(node_id: str) -> bool:
    """Whether an id, looked at alone, may stand for a node; ``""`` may not."""
    return bool(node_id) and generated_form(node_id) is None


def written_id(tree: Tree, node: Node) -> str | None:
    """The node's id in the form it is written, or ``None`` when it must not be written.

    Not written: an id that is over ``MAX_FIELD_BYTES``, not accepted, not unique in the capture, or
    that differs from another only in a digit run that is not at its end (``row-0-del``).
    """
    node_id = normalize_id(node.id)
    if not node_id or utf8_length(node_id) > MAX_FIELD_BYTES or not is_accepted_id(node_id):
        return None
    if len(tree.by_id[node_id]) != 1 or node_id in tree.numbered_ids:
        return None
    return node_id
