"""What a difference shows of a screen that something came to lie over."""

from __future__ import annotations

import pytest
from tests.support.trees import El, el, seen

from surefoot.commands.output.words import diff_lines
from surefoot.interact import difference_data
from surefoot.tree import diff_trees
from surefoot.wire import DiffData


def page(buttons: int, *, modal: bool) -> El:
    over = [el("dialog", "Sure?", handle="dialog")] if modal else []
    under = [
        el("button", f"B{number}", handle=f"b{number}", covered_by=1 if modal else None)
        for number in range(buttons)
    ]
    return el("document", "", *over, *under, handle="root")


def told(buttons: int, *, opens: bool) -> DiffData:
    before, after = seen(page(buttons, modal=not opens)), seen(page(buttons, modal=opens))
    return difference_data(before, after, diff_trees(before.tree, after.tree))


def test_a_page_that_a_dialog_covers_is_counted() -> None:
    diff = told(17, opens=True)
    assert ([item.label for item in diff.added], diff.changed) == (["Sure?"], ())
    assert (diff.covered, diff.uncovered, diff.more) == (17, 0, 0)
    assert diff_lines(diff, None)[-1] == "~ 17 elements are covered now"


def test_a_page_that_is_free_again_is_counted() -> None:
    diff = told(17, opens=False)
    assert (diff.covered, diff.uncovered, diff.changed) == (0, 17, ())
    assert "~ 17 elements are no longer covered" in diff_lines(diff, None)


@pytest.mark.parametrize("opens", [True, False])
def test_a_few_are_shown(opens: bool) -> None:
    diff = told(3, opens=opens)
    assert [item.label for item in diff.changed] == ["B0", "B1", "B2"]
    assert (diff.covered, diff.uncovered) == (0, 0)


def test_a_column_that_is_sorted_now_is_told() -> None:
    def table(*marks: str) -> El:
        header = el("columnheader", el("button", "Name", handle="b"), handle="h", marks=marks)
        return el("document", header, handle="root")

    def lines(before: El, after: El) -> list[str]:
        old, new = seen(before), seen(after)
        return diff_lines(difference_data(old, new, diff_trees(old.tree, new.tree)), 7)

    assert lines(table(), table("sorted ascending")) == ["~ columnheader [@e2~s7] [sorted ascending]"]
    assert lines(table("sorted ascending"), table()) == ["~ columnheader [@e2~s7] [no longer marked]"]
