"""``batch``: several commands in one request; the first failure stops it (fault B048)."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, TimeoutPolicy, Traits
from surefoot.commands.families.common import SESSIONS, absolute
from surefoot.commands.families.shapes import BatchArgs
from surefoot.commands.language.forms import Nothing
from surefoot.commands.language.spelling import refused, told
from surefoot.commands.output.words import lines, plural
from surefoot.errors import SurefootError
from surefoot.wire import BatchData, BatchStepData, Call

MAX_STEPS = 500
MAX_BYTES = 1 << 20


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One step as a caller writes it: a command line, or a command with its arguments."""

    command: str
    arguments: dict[str, Any] = {}


_STEPS = msgspec.json.Decoder(list[Step | list[str]])


async def _batch(context: Context, args: BatchArgs) -> Answer[BatchData]:
    """Every step is admitted before the first one runs."""
    from surefoot.commands.running.execute import execute, worded  # the table knows this family

    calls = admit_steps(await _source(context, args), context)
    done: list[BatchStepData] = []
    answers: list[tuple[Call, Answer[Any]]] = []
    for number, call in enumerate(calls, start=1):
        step = dataclasses.replace(context, options=call.options)
        try:
            answer = await execute(call, step)
        except SurefootError as error:
            error.details["step"] = number
            error.details["completed"] = [msgspec.to_builtins(item) for item in done]
            error.message = f"step {number} of {len(calls)} ({call.command}): {error.message}"
            error.args = (error.message,)
            if done:
                steps = "Step 1 is" if number == 2 else f"Steps 1 to {number - 1} are"
                error.hint = f"{steps} done: run only the rest again. {error.hint or ''}".rstrip()
            raise
        done.append(BatchStepData(step=number, command=call.command, data=answer.data))
        answers.append((call, answer))
    data = BatchData(steps=tuple(done), total=len(calls))

    def text() -> str:
        return _batch_text(data, [worded(call, one, context.caller.terminal) for call, one in answers])

    return Answer(data, worded=text)


async def _source(context: Context, args: BatchArgs) -> bytes:
    if args.steps is not None:
        given = args.steps if isinstance(args.steps, str) else json.dumps(args.steps)
        return given.encode("utf-8", "surrogatepass")
    assert args.steps_file is not None
    return await context.caller.read_file(absolute(context, args.steps_file), MAX_BYTES)


def admit_steps(source: bytes, context: Context) -> list[Call]:
    """The calls of a batch, every one admitted. ``INVALID_ARGS`` names the step at fault."""
    from surefoot.commands.language.admission import admit
    from surefoot.commands.table import GRAMMAR

    try:
        steps = _STEPS.decode(source)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise refused(
            f"the steps are not what a batch takes: {error}",
            hint='Write [{"command": "press", "arguments": {"target": "@e12"}}, …] or '
            '[["press", "@e12"], …].',
            reason="batch_steps_invalid",
        ) from None
    if not 1 <= len(steps) <= MAX_STEPS:
        raise refused(f"a batch has from 1 to {MAX_STEPS} steps, not {len(steps)}")
    calls: list[Call] = []
    for number, step in enumerate(steps, start=1):
        try:
            if isinstance(step, list):
                call = GRAMMAR.parse(step, {}).call
                _same_request(call, context)
            else:
                call = Call(command=step.command, arguments=step.arguments)
            call = Call(
                command=call.command,
                arguments=call.arguments,
                options=msgspec.structs.replace(
                    context.options,
                    no_record=context.options.no_record or call.options.no_record,
                    timeout_ms=None,
                ),
            )
            found = GRAMMAR.find(call.command)
            if not found.traits.batchable:
                raise refused(f"{found.name} cannot be a step of a batch", reason="not_batchable")
            own = next(
                (a for a in found.arguments if a.caller_only and call.arguments.get(a.wire)), None
            )
            if own is not None:
                raise refused(
                    f"a step takes no {own.flag}: it is the caller's", reason="caller_only_flag"
                )
            admit(found, call.arguments, call.options)
        except SurefootError as error:
            error.message = f"step {number}: {error.message}"
            error.args = (error.message,)
            error.details["step"] = number
            raise
        calls.append(call)
    return calls


def _same_request(call: Call, context: Context) -> None:
    """A step runs in the batch's own session and answers in its own form."""
    given = call.options
    for name in ("session", "platform", "timeout_ms"):
        value = getattr(given, name)
        if value is not None and value != getattr(context.options, name):
            flag = "--" + name.removesuffix("_ms")
            raise refused(f"a step takes no {flag}; give it to the batch", given=str(value))


def _batch_text(data: BatchData, texts: list[str]) -> str:
    out: list[str] = []
    for step, text in zip(data.steps, texts, strict=True):
        out.append(f"step {step.step}: {step.command}")
        out.extend(f"  {line}" for line in text.split("\n") if line)
    return lines(out, f"{plural(data.total, 'step')} done")


def _check(args: BatchArgs) -> None:
    if (args.steps is None) == (args.steps_file is None):
        raise refused(f"batch needs exactly one of {told('--steps')} and {told('--steps-file')}")


def _text(_args: BatchArgs, data: BatchData, _terminal: Terminal) -> str:
    return f"{plural(data.total, 'step')} done"


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="batch",
        group=SESSIONS,
        summary="Run several commands; the first failure stops it.",
        args=BatchArgs,
        result=BatchData,
        form=Nothing(),
        examples=(
            'surefoot batch --steps \'[["press", "label=\\"Add\\""], ["wait", "stable"]]\'',
            "surefoot batch --steps-file steps.json",
        ),
        traits=Traits(
            ref_frame_effect="none",
            recording_effect="none",
            target_identity_verification="none",
            fragment_safe=False,
            timeout_policy=TimeoutPolicy(default_ms=600_000),
            observation_only=False,
            batchable=False,
            lane="session",
        ),
        run=_batch,
        text=_text,
        check=_check,
        notes=(
            'A step is a command line as a list, or {"command": …, "arguments": {…}}.',
            "All steps are checked before the first one runs.",
        ),
    ),
)
