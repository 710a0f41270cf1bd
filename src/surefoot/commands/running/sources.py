"""A composition's sources from whoever asks: bytes over the caller's connection, never from outside
its root.

The root is the git worktree of the script, else its directory (decisions.md). Links are followed
before the root is checked, so a link that leads out is refused like ``..``.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from surefoot.commands.context import Caller
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.compose import Closure, SourceProblem, SourceRefused, Wanted, joined, locator_problem
from surefoot.errors import SurefootError
from surefoot.plan import source_path
from surefoot.script import MAX_SOURCE_BYTES
from surefoot.session import worktree_root

_REASONS: dict[str, SourceProblem] = {
    "file_not_found": "missing",
    "not_a_file": "unreadable",
    "file_unreadable": "unreadable",
    "file_too_large": "too_large",
}


class CallerSources:
    """The files below one root script of the caller. Keys are POSIX paths relative to ``root``."""

    def __init__(self, caller: Caller, path: str) -> None:
        real = os.path.realpath(path)
        self._caller = caller
        self.root = str(worktree_root(Path(real).parent))
        self.key = source_path(real, self.root)

    def path_of(self, key: str) -> str:
        """The absolute path of a source."""
        return os.path.join(self.root, *key.split("/"))

    async def closure(self, data: bytes) -> Closure:
        """The whole closure of the root script with the bytes ``data``: each source read once.

        What cannot be had becomes a finding of preflight; a lost connection is raised.
        """
        closure = Closure(self.key, data, SCRIPT_GRAMMAR, SCRIPT_GRAMMAR.is_fragment_safe)
        while closure.wanted() or closure.unread():
            wanted = closure.wanted()
            for one, answer in zip(wanted, await asyncio.to_thread(self._resolve, wanted), strict=True):
                if isinstance(answer, SourceRefused):
                    closure.refused(one, answer.problem)
                else:
                    closure.resolved(one, answer)
            for key in closure.unread():
                await self._read(closure, key)
        return closure

    async def _read(self, closure: Closure, key: str) -> None:
        try:
            data = await self._caller.read_file(self.path_of(key), MAX_SOURCE_BYTES)
        except SurefootError as error:
            problem = _REASONS.get(error.reason or "")
            if problem is None:
                raise
            closure.unsupplied(key, problem)
        else:
            closure.supply(key, data)

    def _resolve(self, wanted: tuple[Wanted, ...]) -> list[str | SourceRefused]:
        return [self._key_of(one) for one in wanted]

    def _key_of(self, wanted: Wanted) -> str | SourceRefused:
        problem = locator_problem(wanted.locator)
        if problem is not None:
            return SourceRefused(problem)
        try:
            joined(wanted.including, wanted.locator)  # refuses what leaves the root by its spelling
        except SourceRefused as refused:
            return refused
        folder = os.path.dirname(self.path_of(wanted.including))
        real = os.path.realpath(os.path.join(folder, *wanted.locator.split("/")))
        if os.path.commonpath([real, self.root]) != self.root:
            return SourceRefused("outside_root")
        return source_path(real, self.root)
