"""Which ids may stand for a node in a recording (identity.md 2; seed 0012, amendment #1269).

An id is *written* only when it is unique in the capture and accepted. Any id still *matches* when a
selector names it.
"""

from __future__ import annotations

import re

from surefoot.text import normalize_id
from surefoot.tree import Node, Tree

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
_DIGITS = re.compile("[0-9]+")


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

    Not written: an id that is not accepted, that is not unique in the capture, or that differs from
    another in the capture only in a digit run that is not at its end (``row-0-del``).
    """
    node_id = normalize_id(node.id)
    if not is_accepted_id(node_id) or len(tree.by_id.get(node_id, ())) != 1:
        return None
    return None if _is_numbered(tree, node_id) else node_id


def _is_numbered(tree: Tree, node_id: str) -> bool:
    for run in _DIGITS.finditer(node_id):
        if run.end() == len(node_id):
            continue
        prefix, suffix = node_id[: run.start()], node_id[run.end() :]
        for other in tree.by_id:
            if (
                other != node_id
                and other.startswith(prefix)
                and other.endswith(suffix)
                and _DIGITS.fullmatch(other, len(prefix), max(len(prefix), len(other) - len(suffix)))
            ):
                return True
    return False
