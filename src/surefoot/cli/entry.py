"""The entry point: everything the thin command hands on, and the whole command where it cannot run.

``SUREFOOT_CLI_REASON`` says what the thin command met; without it the way is the same from the start.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from surefoot.cli import thin

ATTEMPTS = 3
VALUE_FLAGS = frozenset({"--session", "--platform", "--level", "--timeout", "--state-dir"})


def main() -> NoReturn:
    """Run this process's command line and exit with its code (contracts.md, "Errors")."""
    thin.fill_standard()
    reason = os.environ.pop("SUREFOOT_CLI_REASON", None)
    try:
        code = run(reason)
    except KeyboardInterrupt:
        code = thin.EXIT_INTERRUPTED
    os._exit(code)


def run(reason: str | None) -> int:
    """The exit code of this process's command line, starting a daemon where one is needed."""
    # Imported here: an interrupted start must still end quietly, with 130.
    from surefoot.cli import failure
    from surefoot.client import launch
    from surefoot.errors import SurefootError
    from surefoot.wire import state_paths

    argv = thin.arguments()
    piped = first_words(sys.argv[1:])[:1] == ("mcp",)
    if piped and {"--help", "-h"} & set(sys.argv[1:]):
        piped, argv = False, [b"help", b"mcp"]
    silence_ms = thin.silence_ms(argv, os.environb)
    paths = None
    try:
        try:
            cwd = os.getcwd()
        except FileNotFoundError:
            raise failure.no_directory() from None
        paths = state_paths(explicit_state_dir(sys.argv[1:]), os.environ, cwd)
        if piped:
            from surefoot.cli import pipe

            return pipe.run(paths, cwd, pipe.settings(sys.argv[1:], os.environ))
        if first_words(sys.argv[1:]) == ("daemon", "stop") and (
            reason == "daemon_unresponsive" or launch.holder(paths) is None
        ):
            return failure.stopped(sys.argv[1:], *launch.end(paths, silence_ms=silence_ms))
        for _ in range(ATTEMPTS):
            if reason in (None, "mcp", "state_dir_unclear", "daemon_missing", "daemon_leaving"):
                launch.ensure(paths, silence_ms=silence_ms)
            else:
                raise failure.explain(reason, paths, silence_ms)
            try:
                return thin.ask(os.fsencode(paths.socket), argv, os.environb, os.getcwdb())
            except thin.Lost as lost:
                reason = lost.reason
        raise failure.explain(reason or "daemon_missing", paths, silence_ms, ATTEMPTS)
    except SurefootError as error:
        return failure.report(error, sys.argv[1:], paths)


def explicit_state_dir(argv: list[str]) -> str | None:
    """The last ``--state-dir`` before ``--``; the thin command reads it the same way."""
    found: str | None = None
    for at, word in enumerate(argv):
        if word == "--":
            break
        if word == "--state-dir":
            found = argv[at + 1] if at + 1 < len(argv) else ""
        elif word.startswith("--state-dir="):
            found = word[12:]
    return found


def first_words(argv: list[str]) -> tuple[str, ...]:
    """The first two words that are no common flag: enough to tell ``daemon stop`` from all else."""
    words: list[str] = []
    rest = iter(argv)
    for word in rest:
        if word in VALUE_FLAGS:
            next(rest, None)
        elif not word.startswith("-"):
            words.append(word)
    return tuple(words[:2])
