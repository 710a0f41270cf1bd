"""The measured cases of the pure core, shared by ``bench/core.py`` and ``bench/growth.py``.

To add cases (parsing, digests, …): write a module beside ``bench/tree_cases.py`` that has a list of
:class:`Case`, and name the list in :func:`all_cases`.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Run = Callable[[], object]
Prepare = Callable[[int], Run]


@dataclass(frozen=True)
class Case:
    """One thing to measure, beside a baseline that is measured in the same run.

    ``prepare(size)`` builds the input and returns what is timed; it is called again before every
    repetition, so that caches are cold unless it warms them itself. ``size`` is that of
    ``bench/core.py``, ``sizes`` (each twice the one before) those of ``bench/growth.py``. Where a case
    may take at most so many times its baseline, ``max_ratio`` says so and ``bench/core.py`` holds it.
    """

    name: str
    unit: str
    size: int
    sizes: tuple[int, ...]
    prepare: Prepare
    baseline: str
    prepare_baseline: Prepare
    max_exponent: float = 1.25
    max_ratio: float | None = None


def all_cases() -> list[Case]:
    """Every registered case; one line a module."""
    from bench import compose_cases, identity_cases, script_cases, tree_cases

    return [
        *tree_cases.CASES,
        *identity_cases.CASES,
        *script_cases.CASES,
        *compose_cases.CASES,
    ]


def interleaved(prepares: list[tuple[Prepare, int]], repeats: int) -> list[float]:
    """Median milliseconds of each, the repetitions of all taking turns."""
    times: list[list[float]] = [[] for _ in prepares]
    for _ in range(repeats):
        for position, (prepare, size) in enumerate(prepares):
            run = prepare(size)
            gc.collect()
            gc.disable()
            start = time.perf_counter()
            run()
            times[position].append((time.perf_counter() - start) * 1000)
            gc.enable()
    return [statistics.median(taken) for taken in times]
