"""``python -m surefoot.daemon <state dir> <report fd>``: the daemon process itself."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from surefoot.daemon.diagnostics import Diagnostics
from surefoot.daemon.rooms import CommandService
from surefoot.daemon.server import IDLE_EXIT_MS, Daemon, HeldLock
from surefoot.errors import SurefootError
from surefoot.recording import give_files_mode
from surefoot.wire import StatePaths, prepare


def main() -> int:
    """Become the daemon of a state directory; say ``ready`` (or why not) on the report descriptor."""
    paths = StatePaths(Path(sys.argv[1]))
    report = int(sys.argv[2])
    give_files_mode(0o666 & ~os.umask(0o077))
    os.set_inheritable(report, False)
    sys.path[:] = [os.path.abspath(entry) if entry else entry for entry in sys.path]
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    try:
        prepare(paths)
        os.chdir(paths.run)
        lock = HeldLock(paths)
        lock.acquire()
        asyncio.run(_serve(paths, report))
        return 0
    except SurefootError as error:
        os.write(report, error.message.encode())
        return 1
    except Exception as error:
        os.write(report, f"{type(error).__name__} (its log says more)".encode())
        raise


async def _serve(paths: StatePaths, report: int) -> None:
    service = CommandService(paths.state)
    diagnostics = Diagnostics(paths.log, redact=service.redact)
    daemon = Daemon(
        paths, service, diagnostics, idle_exit_ms=idle_exit_ms(os.environ.get("SUREFOOT_IDLE_EXIT"))
    )
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: _stray(diagnostics, context))
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, _on_signal, daemon, number)

    def ready() -> None:
        os.write(report, b"ready\n")
        os.close(report)

    await daemon.run(ready)
    diagnostics.close()
    # Neither a task that hears no cancel nor a thread that hangs in a library may keep the lock.
    os._exit(0)


def _stray(diagnostics: Diagnostics, context: dict[str, Any]) -> None:
    """Something went wrong where nobody waits for it; nobody is told, so the log is."""
    error = context.get("exception")
    diagnostics.unexpected(str(context.get("message")), "none", error or RuntimeError("no exception"))


def _on_signal(daemon: Daemon, number: signal.Signals) -> None:
    """The first ends it in order, the next one at once."""
    if daemon.router.stopping:
        os._exit(1)
    daemon.stop(number.name)


def idle_exit_ms(text: str | None) -> int:
    """``SUREFOOT_IDLE_EXIT`` in milliseconds; the default for anything that is no such number."""
    plain = text is not None and text.isascii() and text.isdecimal() and len(text) < 11
    return int(text) if text and plain else IDLE_EXIT_MS


if __name__ == "__main__":
    sys.exit(main())
