"""A warm command's whole round trip against the bare interpreter: ``python bench/cli.py [pairs]``.

Measures ``surefoot session list`` (the installed command, its own daemon), ``python -c pass`` of the
same virtual environment and, where there is one, ``node -e 0``; interleaved, so that whatever else the
machine does falls on all alike. Prints medians in milliseconds and the ratio that counts (at most 2.0).
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PAIRS = 60
LIMIT = 2.0


def timed(command: list[str], env: dict[str, str]) -> float:
    """Milliseconds of one run, from start to exit."""
    begun = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begun) * 1000


def main() -> int:
    """Print the table; the exit code says whether the limit holds."""
    pairs = max(50, int(sys.argv[1])) if len(sys.argv) > 1 else PAIRS
    surefoot = str(Path(sys.executable).with_name("surefoot"))
    commands = {
        "surefoot session list": [surefoot, "session", "list"],
        "python -c pass": [sys.executable, "-c", "pass"],
    }
    node = shutil.which("node")
    if node is not None:
        commands["node -e 0"] = [node, "-e", "0"]
    with tempfile.TemporaryDirectory() as state:
        env = {**os.environ, "SUREFOOT_STATE_DIR": state}
        subprocess.run([surefoot, "session", "list"], env=env, stdout=subprocess.DEVNULL, check=True)
        try:
            times: dict[str, list[float]] = {name: [] for name in commands}
            for _ in range(pairs):
                for name, command in commands.items():
                    times[name].append(timed(command, env))
        finally:
            subprocess.run([surefoot, "daemon", "stop"], env=env, stdout=subprocess.DEVNULL, check=True)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        low, high = min(times[name]), max(times[name])
        print(f"{name:24} median {median:6.1f} ms   (min {low:.1f}, max {high:.1f}, n={pairs})")
    ratio = medians["surefoot session list"] / medians["python -c pass"]
    print(f"ratio to the bare interpreter: {ratio:.2f} (limit {LIMIT})")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
