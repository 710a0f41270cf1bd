"""Compositions of up to 1,000 fragments: preflight beside one flat file of the same steps.

Chains of fragments eight deep; the flat file holds every step in the order it runs, the entry guards'
annotations among them.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.registry import Case, Run

from surefoot.compose import (
    MemoryReader,
    fragment_identity,
    load_composed,
    read_closure,
    read_unit,
)
from surefoot.plan import build_plan
from surefoot.script import GrammarIssue, Scope, Token, ValidStep, scan_script

STEPS = 20
"""A fragment's steps, its guard among them: 1,000 fragments are 20,000 steps."""
DEPTH = 8
SIZES = (125, 250, 500, 1_000)

EVIDENCE = (
    '# agent-device:target-v1 {{"role":"heading","label":"Screen {0}","ancestry":[{{"role":"main"}}],'
    '"sibling":0,"viewportOrder":0,"verification":"verified"}}'
)


class AsWritten:
    """A grammar that takes every line as it stands: what is timed is the core, not the commands."""

    def validate(self, command: Token, args: Sequence[Token]) -> ValidStep | tuple[GrammarIssue, ...]:
        return ValidStep(
            command=command.text,
            positionals=tuple(token.text for token in args),
            columns=tuple(token.column for token in args),
            targets=(0,),
        )


def is_fragment_safe(command: str, _word: str) -> bool:
    return command not in ("open", "close")


def body(at: int) -> list[str]:
    """The steps of fragment ``at``: its guard, then presses."""
    presses = [f'press "role=\\"button\\" label=\\"Add {at}-{step}\\""' for step in range(1, STEPS)]
    return [EVIDENCE.format(at), f'wait "label=\\"Screen {at}\\"" 5000', *presses]


def children(at: int, count: int) -> range:
    """The fragments that fragment ``at`` includes; ``-1`` is the root, which includes every eighth."""
    if at < 0:
        return range(0, count, DEPTH)
    return range(at + 1, min(at + 2, count)) if (at + 1) % DEPTH else range(0)


def composition(count: int) -> dict[str, bytes]:
    """``count`` fragments and their root, every pin current."""
    sources: dict[str, bytes] = {}
    pins: dict[int, str] = {}
    for at in range(count - 1, -2, -1):
        includes: list[str] = []
        for child in children(at, count):
            includes += [
                f'# agent-device:fragment-ref-v1 {{"callSiteId":"c{child}","digest":"{pins[child]}"}}',
                f'include "./f{child}.ad"',
            ]
        if at < 0:
            lines = ["composition-v1", "context platform=web target=desktop", 'open "shop"', *includes]
            sources["main.ad"] = "\n".join([*lines, "close"]).encode()
            break
        lines = ["fragment-v1", "context platform=web target=desktop", *body(at), *includes]
        data = sources[f"f{at}.ad"] = "\n".join(lines).encode()
        pins[at] = fragment_identity(read_unit(data, f"f{at}.ad", AsWritten(), is_fragment_safe)).digest
    return sources


def preflight(count: int) -> Run:
    sources = composition(count)

    def run() -> object:
        reader = MemoryReader(sources)
        closure = read_closure("main.ad", sources["main.ad"], reader, AsWritten(), is_fragment_safe)
        return load_composed(
            closure, AsWritten(), platform="web", target="desktop", scope=Scope.of()
        ).composition_digest

    return run


def flat(count: int) -> Run:
    lines = ["context platform=web target=desktop", 'open "shop"']
    for at in range(count):
        lines += body(at)
    data = "\n".join([*lines, "close"]).encode()
    return lambda: build_plan(scan_script(data, "flow.ad"), AsWritten(), scope=Scope.of()).digest


CASES = [
    Case(
        "preflight a composition",
        "fragments",
        1_000,
        SIZES,
        preflight,
        "parse and digest one flat file of the same steps",
        flat,
        max_exponent=1.15,
        max_ratio=2.0,
    ),
]
