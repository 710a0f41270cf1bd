"""Which id attribute of an element is its id (identity.md, 2).

The page ships raw candidates of a node in order (test id attributes, then the DOM id). The first one
that may stand for an element becomes ``Node.id``; where none may, the first of them does, so that a
selector that names it still matches. What may is :mod:`surefoot.tree`'s rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from surefoot.tree import is_accepted_id, numbered_ids

TEST_ID_ATTRIBUTES = ("data-testid", "data-test-id", "data-test", "data-cy", "data-qa")
"""Attributes looked at before the DOM ``id``, in order (identity.md, 2); configurable."""


def choose_ids(candidates: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """For each node of one capture its id; nodes without a candidate are left out.

    ``candidates`` maps a node's index to its id attributes' values in order.
    """
    chosen: dict[int, str] = {}
    contested: dict[int, list[str]] = {}
    for index, values in candidates.items():
        given = [value for value in values if value]
        if given:
            chosen[index] = given[0]
        if len(given) > 1:
            contested[index] = given
    if contested:
        numbered = numbered_ids({value for values in candidates.values() for value in values})
        for index, given in contested.items():
            may = (value for value in given if value not in numbered and is_accepted_id(value))
            chosen[index] = next(may, given[0])
    return chosen
