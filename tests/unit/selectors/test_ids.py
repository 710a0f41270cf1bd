"""Ids that are not identities (identity.md 2; amendment #1269; public fault B081)."""

from __future__ import annotations

import pytest
from tests.support.trees import el, tree

from surefoot.selectors import written_id


@pytest.mark.parametrize(
    ("ids", "written"),
    [
        pytest.param(["save", "open"], "save", id="unique"),
        pytest.param(["android:id/title"] * 11, None, id="B081-shared-framework-id"),
        pytest.param(["del-0", "del-1"], None, id="positional-at-the-end"),
        pytest.param(["row-0-del", "row-1-del"], None, id="positional-in-the-middle"),
        pytest.param(["row-10023-del", "row-10024-del"], None, id="long-number-in-the-middle"),
        pytest.param(["row-0-del", "row-0-edit"], "row-0-del", id="nothing-differs-in-digits-only"),
        pytest.param(["a1b2c", "a1b3c"], None, id="one-of-two-runs"),
        pytest.param(["a1b2c", "a2b3c"], "a1b2c", id="two-runs-at-once"),
        pytest.param(["step1", "step2"], "step1", id="at-the-end-without-a-separator"),
        pytest.param(["order-10023", "order-10024"], "order-10023", id="long-number-at-the-end"),
        pytest.param(["x-1-", "x--"], "x-1-", id="shorter-other"),
        pytest.param([""], None, id="none"),
        pytest.param(["x" * 257], None, id="longer-than-evidence-holds"),
        pytest.param(["é" * 129], None, id="longer-in-bytes"),
    ],
)
def test_written_id(ids: list[str], written: str | None) -> None:
    view = tree(*(el("button", id=node_id) for node_id in ids))
    assert written_id(view, view[0]) == written
