"""Every planted mutation still has the rule it breaks: a table that went stale would prove nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TABLES = sorted((ROOT / "tests" / "mutations").glob("*.toml"))


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_each_row_names_one_place_and_a_test_that_is_there(table: Path) -> None:
    rows = tomllib.loads(table.read_text(encoding="utf-8"))["mutation"]
    assert rows
    wrong = []
    for row in rows:
        places = (ROOT / row["file"]).read_text(encoding="utf-8").count(row["original"])
        file, _, test = row["test"].partition("::")
        name = test.partition("[")[0].rpartition("::")[2]
        known = not name or f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")
        if places != 1 or not known or row["original"] == row["mutated"]:
            wrong.append((row["rule"], places, known))
    assert wrong == []
