"""One test a row of ``lines.jsonl``: script texts, what another tool of this format answers, and ours.

``script`` is a list of pieces, ``[text, times]`` a repeated one; ``latin1`` is bytes in that encoding.
``peer`` is ``accepts``, ``refuses`` (before it runs anything) or ``diverges`` (at the step). Where ours
is stricter or laxer, ``note`` says why.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.command import answer, surefoot
from tests.support.script_grammar import SmallGrammar

from surefoot.client import launch
from surefoot.commands import SCRIPT_GRAMMAR
from surefoot.errors import ErrorCode, SurefootError
from surefoot.plan import load_plan
from surefoot.script import Scope
from surefoot.wire import StatePaths

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in Path(__file__).with_name("lines.jsonl").read_text(encoding="utf-8").splitlines()
]
SCOPE = Scope.of(built_ins={"AD_PLATFORM": "linux"})
READ = [row for row in ROWS if row["ours"] == "reads"]
REFUSED = [row for row in ROWS if row["ours"] == "refuses"]


def _bytes(row: dict[str, Any]) -> bytes:
    if "latin1" in row:
        return str(row["latin1"]).encode("latin-1")
    pieces = [piece if isinstance(piece, str) else piece[0] * piece[1] for piece in row["script"]]
    return "".join(pieces).encode()


def _id(row: dict[str, Any]) -> str:
    return str(row["case"]).replace(" ", "-")


def test_the_table_holds_every_handed_row() -> None:
    assert (len(READ), len(REFUSED)) == (48, 59)


@pytest.mark.parametrize("row", READ, ids=_id)
def test_is_read(row: dict[str, Any]) -> None:
    plan = load_plan(_bytes(row), path="case.ad", grammar=SmallGrammar(), scope=SCOPE)
    assert len(plan.steps) == row["steps"]


@pytest.mark.parametrize("row", REFUSED, ids=_id)
def test_is_refused_with_its_place(row: dict[str, Any]) -> None:
    with pytest.raises(SurefootError) as refusal:
        load_plan(_bytes(row), path="case.ad", grammar=SmallGrammar(), scope=SCOPE)
    error = refusal.value
    line, column = row["at"]
    assert error.code is ErrorCode.INVALID_ARGS
    assert (error.details["path"], error.details["line"], error.details["column"]) == (
        "case.ad",
        line,
        column,
    )
    assert error.message.startswith(f"case.ad:{line}:{column}: {row['says']}\n")


@pytest.mark.parametrize("row", ROWS, ids=_id)
def test_the_commands_themselves_answer_the_same(row: dict[str, Any]) -> None:
    """With the grammar of the real commands: the same outcome, refused on the same line."""
    try:
        plan = load_plan(_bytes(row), path="case.ad", grammar=SCRIPT_GRAMMAR, scope=SCOPE)
    except SurefootError as error:
        outcome: tuple[str, object] = (error.code, error.details["line"])
    else:
        outcome = ("reads", len(plan.steps))
    if row["ours"] == "reads":
        assert outcome == ("reads", row["steps"])
    else:
        assert outcome == (ErrorCode.INVALID_ARGS, row["at"][0])


@pytest.mark.parametrize("row", [row for row in REFUSED if row["peer"] == "accepts"], ids=_id)
def test_stricter_than_the_peer_says_why(row: dict[str, Any]) -> None:
    assert row["note"]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What the installed command says of every row, by case: one process for all of them."""
    made = tmp_path_factory.mktemp("rows")
    paths = [made / f"{at}.ad" for at in range(len(ROWS))]
    for path, row in zip(paths, ROWS, strict=True):
        path.write_bytes(_bytes(row))
    done = surefoot(made / "state", "check", "--json", *map(str, paths))
    launch.end(StatePaths(made / "state"), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})
    assert done.returncode == 1
    files = answer(done)["data"]["files"]
    return {str(row["case"]): file for row, file in zip(ROWS, files, strict=True)}


@pytest.mark.parametrize("row", ROWS, ids=_id)
def test_the_installed_check_says_the_same(
    row: dict[str, Any], checked: dict[str, dict[str, Any]]
) -> None:
    file = checked[row["case"]]
    weak = ("unverifiable",)  # what reads and cannot be relied on
    faults = [one["line"] for one in file["errors"] if one["rule"] not in weak]
    if row["ours"] == "reads":
        assert (faults, file.get("steps", 0)) == ([], row["steps"])
    elif "unresolved variable" in row["says"]:  # a caller's to set: told, and no fault of the script
        assert file["variables"] == [row["says"].partition("${")[2].rstrip("}")]
    else:
        assert faults[:1] == [row["at"][0]]
