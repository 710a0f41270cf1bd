"""How time grows with size: ``python bench/growth.py [repeats]``, at doubling sizes.

Prints the exponent fitted by least squares on logarithms (1 is linear), and for comparison that of the
named baseline; exits with 1 when a case grows faster than it may.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.registry import all_cases, interleaved


def exponent(sizes: tuple[int, ...], times: list[float]) -> float:
    """The slope of log time over log size."""
    xs = [math.log(size) for size in sizes]
    ys = [math.log(max(taken, 1e-6)) for taken in times]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    rise = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return rise / sum((x - mean_x) ** 2 for x in xs)


def main(repeats: int) -> int:
    over = 0
    for case in all_cases():
        runs = [(case.prepare, size) for size in case.sizes]
        base_runs = [(case.prepare_baseline, size) for size in case.sizes]
        case.prepare(case.sizes[0])()
        times = interleaved(runs + base_runs, repeats)
        took, base = times[: len(runs)], times[len(runs) :]
        fitted = exponent(case.sizes, took)
        verdict = "ok" if fitted <= case.max_exponent else f"over {case.max_exponent}"
        over += verdict != "ok"
        table = "  ".join(
            f"{size:,}: {taken:.2f}" for size, taken in zip(case.sizes, took, strict=True)
        )
        print(f"{case.name} ({case.unit}, ms)  {table}")
        print(
            f"    exponent {fitted:.2f} ({verdict}); {case.baseline}: {exponent(case.sizes, base):.2f}"
        )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
