"""The long run of the identity lab: ``python scripts/identity_lab.py [--trials N] [--seed N]``.

Prints the seed, the figures, every cause that is left with its smallest screens, and what each field of
the evidence buys; exits with 1 when a figure misses its mark (docs/identity.md).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.identity_ablation import ABLATIONS, ablated
from tests.support.identity_lab import Report, Trial, causes, run, written
from tests.support.identity_shrink import shrink

MAX_WRONG = 0.0002
MIN_PROCEEDED = 0.99
MIN_REFUSED = 0.98
MAX_WORDLESS_WRONG = 0.01
MIN_WORDLESS_PROCEEDED = 0.985
BATCH = 10_000


def long_run(seed: int, trials: int, *, wordless: bool = False) -> Report:
    """The trials in batches, with a line of progress after each."""
    report = Report()
    for start in range(0, trials, BATCH):
        report.merge(run(seed + start, min(BATCH, trials - start), wordless=wordless))
        print(f"  {report.trials:,} trials, {len(report.wrong)} wrong", file=sys.stderr, flush=True)
    return report


def show(trial: Trial) -> None:
    before, after = shrink(trial)
    print(f"  seed {trial.seed}: {', '.join(trial.edits)}; {trial.layout}; ={trial.target.truth}")
    print(f"    before  {written(before)}")
    print(f"    after   {written(after)}")


def ablation_table(seed: int, trials: int) -> None:
    """Each row the rule without one thing, on the same trials."""
    print(f"\nwithout                     wrong  proceeded  refused   ({trials:,} trials each)")
    rows = {"(nothing taken away)": run(seed, trials)}
    for name, ablation in ABLATIONS.items():
        with ablated(ablation):
            rows[name] = run(seed, trials)
    for name, found in rows.items():
        print(
            f"{name:26} {found.wrong_share:7.3%} {found.proceeded:10.2%} {found.harmful_refused:8.2%}"
        )


def wordless_run(seed: int, trials: int) -> bool:
    """Records that say nothing: the figures, and whether they meet their mark."""
    print("\nrecords that differ only by an id, a value, a link, a description or a state")
    report = long_run(seed, trials, wordless=True)
    print("\n".join(report.lines()))
    for cause, count in causes(report.wrong).most_common():
        print(f"  {count:4}  {cause}")
    return (
        report.wrong_share <= MAX_WORDLESS_WRONG
        and report.proceeded >= MIN_WORDLESS_PROCEEDED
        and report.harmful_refused >= MIN_REFUSED
        and report.unverifiable == 0
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--trials", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=None, help="default: the seconds of the clock")
    parser.add_argument("--ablation", type=int, default=5_000, metavar="TRIALS", help="0: none")
    options = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    seed = options.seed if options.seed is not None else int(time.time())
    print(f"seed {seed}")
    report = long_run(seed, options.trials)
    print("\n".join(report.lines()))
    print("\nwrong element, by cause")
    for cause, count in causes(report.wrong).most_common():
        print(f"  {count:4}  {cause}")
    for trial in report.wrong[:40]:
        show(trial)
    print("\ndecidable benign edits refused, by cause")
    for cause, count in causes(report.refused, "why").most_common(25):
        print(f"  {count:4}  {cause}")
    wordless = wordless_run(seed, options.trials // 10)
    if options.ablation:
        ablation_table(seed, options.ablation)
    passed = (
        report.wrong_share <= MAX_WRONG
        and report.proceeded >= MIN_PROCEEDED
        and report.harmful_refused >= MIN_REFUSED
        and report.unverifiable == 0
        and wordless
    )
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
