"""Checks every import between rooms against the table in docs/architecture.md.

import-linter holds the layers; this holds the table itself, row by row, so that the page cannot
drift from the code: a room imports only what its row (and theirs) allow, and only through another
room's ``__init__``, never from a module inside it.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "surefoot"
ROW = re.compile(r"^\| (`[^|]*`) \|[^|]*\| ([^|]*) \|$", re.MULTILINE)


def rooms_table(page: str) -> dict[str, set[str]]:
    """Room to every room it may import, its own row's and all that theirs allow."""
    direct: dict[str, set[str]] = {}
    for names, allowed in ROW.findall(page):
        for name in re.findall(r"`(\w+)`", names):
            direct[name] = set(re.findall(r"[a-z_]+", re.sub(r"\([^)]*\)", "", allowed)))
    known = set(direct)
    closed = {name: targets & known for name, targets in direct.items()}
    for _ in closed:
        for targets in closed.values():
            for target in tuple(targets):
                targets |= closed[target]
    return closed


def imports(path: Path) -> list[tuple[int, str]]:
    """Line and dotted name of every ``surefoot`` import of a file."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "surefoot":
            found += [(node.lineno, f"surefoot.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append((node.lineno, node.module))
    return [(line, name) for line, name in found if name.startswith("surefoot.")]


def problems(table: dict[str, set[str]]) -> list[str]:
    """One line for each import the table does not allow or that goes past a door."""
    found: list[str] = []
    for path in sorted(SOURCE.rglob("*.py")):
        inside = path.relative_to(SOURCE).parts
        room = inside[0] if len(inside) > 1 else ""
        if room and room not in table:
            found.append(f"{path.relative_to(ROOT)}: the room {room} is not in docs/architecture.md")
            continue
        for line, name in imports(path):
            _, target, *rest = name.split(".")
            where = f"{path.relative_to(ROOT)}:{line}: {name}"
            if target == room or not room or target not in table:
                continue
            if target not in table[room]:
                found.append(f"{where}: {room} may not import {target}")
            elif rest and not (SOURCE / target / rest[0]).is_dir():
                found.append(f"{where}: import from surefoot.{target}, not from inside it")
    return found


def main() -> int:
    table = rooms_table((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    found = problems(table)
    print("\n".join(found) or f"rooms: {len(table)} rooms, every import is in the table")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
