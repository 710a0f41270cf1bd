"""``python doomed_daemon.py <point> <state dir> <report fd>``: a daemon that is killed where it says.

The real daemon's ``main``; the only difference is a watcher that sends SIGKILL at the named point.
"""

from __future__ import annotations

import os
import signal
import sys

from surefoot.daemon.__main__ import main
from surefoot.session import watched


def die_at(point: str) -> None:
    def at(reached: str) -> None:
        if reached == point:
            os.kill(os.getpid(), signal.SIGKILL)

    with watched(at):
        sys.exit(main())


if __name__ == "__main__":
    die_at(sys.argv.pop(1))
