"""How a difference is put into words: what changed, where one is now, what is not shown."""

from __future__ import annotations

import pytest

from surefoot.commands.output.words import diff_lines
from surefoot.wire import ChangeData, DiffData, PageData, ScreenRef


def changed(field: str, now: str | bool | None) -> DiffData:
    item = ScreenRef(
        ref="e4",
        role="radio",
        hittable=True,
        label="L",
        covered=True if (field, now) == ("covered", True) else None,
        changes=(ChangeData(field=field, now=now),),
    )
    return DiffData(changed=(item,), changed_count=1)


@pytest.mark.parametrize(
    ("field", "now", "words"),
    [
        ("checked", "true", "[checked]"),
        ("checked", "false", "[unchecked]"),
        ("value", 'say "hi"', 'value="say \\"hi\\""'),
        ("value", None, 'value=""'),
        ("enabled", True, "[enabled]"),
        ("enabled", False, "[disabled]"),
        ("expanded", False, "[collapsed]"),
        ("expanded", None, "[no longer expanded]"),
        ("hasValue", True, "[filled]"),
        ("covered", True, "[covered]"),
        ("covered", False, "[uncovered]"),
        ("visible", True, "[shown]"),
    ],
)
def test_a_changed_element_shows_its_new_state(field: str, now: str | bool | None, words: str) -> None:
    assert diff_lines(changed(field, now), 7) == [f'~ radio "L" [@e4~s7] {words}']


def test_another_page_is_told_first() -> None:
    diff = DiffData(
        page=PageData(url="http://x/b", title="B"),
        added=(ScreenRef(ref="e2", role="heading", hittable=False, label="B"),),
        added_count=1,
        removed_count=40,
    )
    assert diff_lines(diff, 7) == ['now on page "B" http://x/b', '+ heading "B" [@e2~s7]']


def test_a_change_no_snapshot_lists_is_said_to_be_one() -> None:
    assert diff_lines(DiffData(changed_count=1), None) == [
        "1 element changed that no snapshot lists (`--raw` does)"
    ]


def test_what_there_was_no_room_for_is_counted() -> None:
    diff = DiffData(
        added=(ScreenRef(ref="e2", role="text", hittable=False, label="B"),), added_count=9, more=3
    )
    assert diff_lines(diff, 7)[-1] == "… 3 more (`surefoot snapshot -i` shows the screen)"
