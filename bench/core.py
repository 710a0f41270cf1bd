"""How long the pure core takes on large inputs: ``python bench/core.py [repeats]``.

Medians in milliseconds, each beside a named baseline measured in the same run, taking turns. Exits with
1 when a case takes more than the share of its baseline that it may.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.registry import all_cases, interleaved


def main(repeats: int) -> int:
    over = 0
    print(f"{'case':36} {'size':>13} {'ms':>8} {'baseline':>9} {'ratio':>7}  baseline is")
    for case in all_cases():
        case.prepare(case.size)()
        took, base = interleaved(
            [(case.prepare, case.size), (case.prepare_baseline, case.size)], repeats
        )
        size = f"{case.size:,} {case.unit}"
        ratio = took / base
        print(f"{case.name:36} {size:>13} {took:8.2f} {base:9.2f} {ratio:7.2f}  {case.baseline}")
        if case.max_ratio is not None and ratio > case.max_ratio:
            over += 1
            print(f"    over {case.max_ratio} times the baseline")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 7))
