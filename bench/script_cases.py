"""Scripts of up to 10,000 lines: parsed, planned, digested, written.

Every fifth line is an annotation of about 170 bytes, which is what fits the 1 MiB a source may have.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from bench.registry import Case, Prepare, Run

from surefoot.plan import build_plan, plan_digest, plan_ir
from surefoot.script import (
    GrammarIssue,
    Scope,
    Token,
    ValidStep,
    parse_script,
    scan_script,
    write_script,
)

SIZES = (1_250, 2_500, 5_000, 10_000)


class AsWritten:
    """A grammar that takes every line as it stands: what is timed is the core, not the commands."""

    def validate(self, command: Token, args: Sequence[Token]) -> ValidStep | tuple[GrammarIssue, ...]:
        return ValidStep(
            command=command.text,
            positionals=tuple(token.text for token in args),
            columns=tuple(token.column for token in args),
            targets=(0,),
        )


def source(size: int) -> bytes:
    """A script of ``size`` lines."""
    lines = ["context platform=web target=desktop"]
    while len(lines) < size:
        at = len(lines)
        if at % 5 == 1 and at + 1 < size:
            lines.append(
                f'# agent-device:target-v1 {{"role":"button","label":"Add {at}","ancestry":'
                f'[{{"role":"main"}}],"sibling":{at},"viewportOrder":0,"peers":1,"verification":"verified"}}'
            )
        lines.append(f'press "role=\\"button\\" label=\\"Add {at}\\""')
    return "\n".join(lines).encode()


def parse(size: int) -> Run:
    data = source(size)
    return lambda: scan_script(data, "flow.ad")


def plan(size: int) -> Run:
    parsed = scan_script(source(size), "flow.ad")
    return lambda: build_plan(parsed, AsWritten(), scope=Scope.of())


def digest(size: int) -> Run:
    made = build_plan(scan_script(source(size), "flow.ad"), AsWritten())
    return lambda: plan_digest(made.platform, made.target, made.steps)


def write(size: int) -> Run:
    script = parse_script(source(size), "flow.ad")
    return lambda: write_script(script, AsWritten())


def split_lines(size: int) -> Run:
    data = source(size)
    return lambda: [line.split() for line in data.decode().split("\n")]


def plain_json(size: int) -> Run:
    made = build_plan(scan_script(source(size), "flow.ad"), AsWritten())
    ir = plan_ir(made.platform, made.target, made.steps)
    return lambda: hashlib.sha256(json.dumps(ir, sort_keys=True).encode()).hexdigest()


def _case(name: str, prepare: Prepare, baseline: str, prepare_baseline: Prepare) -> Case:
    return Case(name, "lines", 10_000, SIZES, prepare, baseline, prepare_baseline)


SPLIT = "str.split on every line"
PLAIN = "json.dumps of the same form, then SHA-256"

CASES = [
    _case("parse a script", parse, SPLIT, split_lines),
    _case("plan a parsed script", plan, SPLIT, split_lines),
    _case("digest a plan", digest, PLAIN, plain_json),
    _case("write a script", write, SPLIT, split_lines),
]
