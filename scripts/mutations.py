"""Planted mutations: each rule broken on purpose, and the test that must notice it.

``python scripts/mutations.py [table ...]`` reads ``tests/mutations/*.toml``. A row is

    [[mutation]]
    rule = "what the mutation breaks"
    file = "src/surefoot/…"
    original = "text that stands exactly once in the file"
    mutated = "what stands there instead"
    test = "tests/…::test_name"

Works on a copy; the checkout is never touched. Every named test must pass on the copy as it is and fail
on the mutated one. Exits with 1 when a mutation survives or a row is wrong.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "tests" / "mutations"
COPIED = ("src", "tests", "scripts", "bench", "examples", "pyproject.toml")
TIMEOUT_S = 300
TESTS_FAILED = 1
"""pytest's exit code when tests ran and some failed; anything else means it did not get so far."""


class Mutation(NamedTuple):
    rule: str
    file: str
    original: str
    mutated: str
    test: str


def read(paths: list[Path]) -> list[Mutation]:
    """The rows of the tables, in their order."""
    rows: list[Mutation] = []
    for path in paths:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        rows += [Mutation(**row) for row in table["mutation"]]
    return rows


def pytest(copy: Path, tests: list[str]) -> int:
    """pytest's exit code on the copy."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return TESTS_FAILED
    return done.returncode


def verdict(copy: Path, row: Mutation) -> str:
    """``noticed``, or what is wrong."""
    file = copy / row.file
    text = file.read_text(encoding="utf-8")
    if text.count(row.original) != 1:
        return f"the original stands {text.count(row.original)} times in {row.file}"
    file.write_text(text.replace(row.original, row.mutated), encoding="utf-8")
    try:
        code = pytest(copy, [row.test])
    finally:
        file.write_text(text, encoding="utf-8")
    if code == TESTS_FAILED:
        return "noticed"
    return "SURVIVED" if code == 0 else f"pytest did not run the test (exit {code})"


def main(names: list[str]) -> int:
    tables = [TABLES / f"{name}.toml" for name in names] or sorted(TABLES.glob("*.toml"))
    rows = read(tables)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, copy / name)
        code = pytest(copy, sorted({row.test for row in rows}))
        if code != 0:
            print(f"the tests do not pass unmutated (exit {code})")
            return 1
        missed = 0
        for row in rows:
            found = verdict(copy, row)
            missed += found != "noticed"
            print(f"{found:10} {row.rule}", flush=True)
    print(f"{len(rows) - missed} of {len(rows)} mutations noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
