"""``python -m bench``: every benchmark in turn. Ratios are of one run; nothing here is a test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPTS = ("cli", "see", "verify", "web", "core", "growth")


def main() -> int:
    """Run them all, whatever one says; the exit code tells whether every printed limit held."""
    failed = []
    for name in SCRIPTS:
        print(f"\n== bench/{name}.py", flush=True)
        script = Path(__file__).with_name(f"{name}.py")
        if subprocess.run([sys.executable, script], check=False).returncode:
            failed.append(name)
    if failed:
        print(f"\nlimits not held: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
