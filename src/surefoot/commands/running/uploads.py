"""The files an ``upload`` of a script names: where they are looked for, and that they are there.

A script is a file of its own, so a relative path in it starts at its directory, wherever the replay is
started; a composed step's at its own source's. All of them are looked for before the first step.
"""

from __future__ import annotations

import os
from pathlib import Path

from surefoot.commands.context import Context
from surefoot.commands.families.common import absolute, absolute_in, is_file
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.compose import ComposedPlan
from surefoot.plan import Plan, PlanStep, bind_step
from surefoot.script import IssueList, Scope, ScriptIssue
from surefoot.session import worktree_root

UPLOAD = "upload"


def sources_root(context: Context, file: str, composed: ComposedPlan | None) -> str:
    """The absolute directory that the paths of a plan's sources start at (decisions.md)."""
    path = absolute(context, file)
    return str(worktree_root(Path(path if composed is None else os.path.realpath(path)).parent))


def directory_of(root: str, step: PlanStep) -> str:
    """Where a relative path in the step starts: the directory of the file it is written in."""
    return os.path.dirname(absolute_in(root, step.source.path))


def refuse_missing_files(plan: Plan, scope: Scope, root: str, start: int) -> None:
    """``INVALID_ARGS`` ``file_not_found`` for every file that a step from ``start`` on uploads and that
    is not there, with its place in the script; nothing ran."""
    found: dict[str, IssueList] = {}
    inner = scope.within(plan.env)
    for step in plan.steps[start - 1 :]:
        if step.command != UPLOAD:
            continue
        bound = bind_step(step, inner, SCRIPT_GRAMMAR)
        _, args = SCRIPT_GRAMMAR.args(step.command, bound.positionals, bound.flags, bound=True)
        for name in getattr(args, "files", ()):
            path = absolute_in(directory_of(root, step), name)
            if not is_file(path):
                at = bound.positionals.index(name)
                found.setdefault(step.source.path, IssueList()).add(_missing(step, at, name, path))
    for path, issues in found.items():
        error = issues.error(path)
        if error is not None:
            raise error


def _missing(step: PlanStep, at: int, name: str, path: str) -> ScriptIssue:
    return ScriptIssue(
        line=step.source.line,
        column=step.columns[at] if at < len(step.columns) else step.column,
        rule="argument",
        message=f"there is no file {name} to upload",
        expected=f"a readable file at {path} (a relative path starts at the script's directory)",
        reason="file_not_found",
        text=step.text,
        length=len(step.positionals[at]),
    )
