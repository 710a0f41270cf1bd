"""The table of faults and its tests belong together: no row without tests, no test without a row."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from tests.support.faults import Row, rows

ROWS = {row.id: row for row in rows()}
PARTS = (1, 2, 3, 4)


def uses() -> list[tuple[str, str, int, bool]]:
    """Every ``@cases("B045", ...)`` of this directory: row, test, how many inputs, whether it stands
    next to the function (its ids then begin with the row's id)."""
    found = []
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for decorator in function.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "cases":
                    (first,) = decorator.args
                    inputs = sum(2 if word.arg is None else 1 for word in decorator.keywords)
                    last = decorator is function.decorator_list[-1]
                    found.append((ast.literal_eval(first), function.name, inputs, last))
    return found


def test_the_table_holds_seventy_rows_with_one_name_each() -> None:
    assert len(rows()) == len(ROWS) == 70
    assert len({row.name for row in rows()}) == 70
    for row in rows():
        assert re.fullmatch(r"B\d{3}", row.id)
        assert re.fullmatch(r"[a-z0-9-]+", row.name)
        assert row.part in PARTS
        assert all((row.area, row.fault, row.input, row.outcome))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.id}-{row.name}")
def test_a_row_has_its_tests_or_the_part_that_will_carry_them(row: Row) -> None:
    own = [use for use in uses() if use[0] == row.id]
    assert bool(own) is row.tested
    assert row.tested or row.part > 1
    for _, _, _, last in own:
        assert last


@pytest.mark.parametrize(
    "row", [row for row in rows() if row.part == 1], ids=lambda row: f"{row.id}-{row.name}"
)
def test_a_row_stands_for_its_kind(row: Row) -> None:
    inputs = Counter({row.id: 0})
    for name, _, count, _ in uses():
        inputs[name] += count
    assert inputs[row.id] >= 2


def test_no_test_names_a_row_that_is_not_there() -> None:
    assert {name for name, *_ in uses()} <= set(ROWS)
