"""How long the pure core takes on large inputs: ``python bench/core.py [repeats]``.

Medians in milliseconds, each beside a named baseline measured in the same run, taking turns.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.registry import all_cases, interleaved


def main(repeats: int) -> None:
    print(f"{'case':36} {'size':>13} {'ms':>8} {'baseline':>9} {'ratio':>7}  baseline is")
    for case in all_cases():
        case.prepare(case.size)()
        took, base = interleaved(
            [(case.prepare, case.size), (case.prepare_baseline, case.size)], repeats
        )
        size = f"{case.size:,} {case.unit}"
        print(f"{case.name:36} {size:>13} {took:8.2f} {base:9.2f} {took / base:7.2f}  {case.baseline}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
