"""``check``: what can be said of scripts without a device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from surefoot.check import (
    MAX_SNAPSHOT_BYTES,
    Finding,
    Foreseen,
    ReadScript,
    ReadStep,
    StepTraits,
    findings,
    foresee,
    load_snapshot,
    password_literal,
    read_for_check,
)
from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, TimeoutPolicy, Traits
from surefoot.commands.families.common import SESSIONS, absolute
from surefoot.commands.families.shapes import CheckArgs, PointerArgs, SwipeArgs, enters_text
from surefoot.commands.language.forms import Several
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.language.spelling import refused, told
from surefoot.commands.output.words import lines, plural, safe_line, target_text
from surefoot.commands.running.composing import with_composition
from surefoot.commands.running.sources import CallerSources
from surefoot.compose import is_composed
from surefoot.drivers import is_url, no_url
from surefoot.identity import IdentityView
from surefoot.plan import PlanStep
from surefoot.script import MAX_SOURCE_BYTES
from surefoot.selectors import looks_like_selector
from surefoot.session import looks_like_ref
from surefoot.text import single_line
from surefoot.tree import Node
from surefoot.wire import CheckData, CheckedFile, CheckedStep, CheckEntry, TargetData

MAX_FILES = 500


async def _check(context: Context, args: CheckArgs) -> Answer[CheckData]:
    view: IdentityView | None = None
    if args.against is not None:
        path = absolute(context, args.against)
        saved = await context.caller.read_file(path, MAX_SNAPSHOT_BYTES)
        view = IdentityView(load_snapshot(saved, path))
    files: list[CheckedFile] = []
    for name in args.files:
        path = absolute(context, name)
        data = await context.caller.read_file(path, MAX_SOURCE_BYTES)
        script = read_for_check(data, name, SCRIPT_GRAMMAR, traits_of)
        checked = _checked(script, view)
        if is_composed(script.script):
            checked = with_composition(checked, await CallerSources(context.caller, path).closure(data))
        files.append(checked)
    ok = not any(file.errors or (args.strict and file.warnings) for file in files)
    return Answer(CheckData(files=tuple(files), ok=ok), exit_code=0 if ok else 1)


def _is_selector(name: str) -> bool:
    return looks_like_selector(name) and not name.endswith(".ad")


def traits_of(step: PlanStep) -> StepTraits:
    """What the step's own descriptor says of it."""
    descriptor, args = SCRIPT_GRAMMAR.args(step.command, step.positionals, step.flags)
    place = isinstance(args, PointerArgs) and args.target is None
    return StepTraits(
        phase=descriptor.target_identity_verification(args),
        mutates=descriptor.recording_effect(args) == "mutates",
        text=len(step.positionals) - 1 if enters_text(args) else None,
        coordinates=place or isinstance(args, SwipeArgs),
        finds=descriptor.name == "find",
    )


def _checked(script: ReadScript, view: IdentityView | None) -> CheckedFile:
    errors = [*findings(script, "error"), *_unopenable(script)]
    against: list[CheckedStep] = []
    if view is not None:
        told = {finding.line for finding in errors if finding.rule == "password-literal"}
        for one in script.steps:
            foreseen = foresee(view, one)
            against += (_step(view, one, each) for each in foreseen)
            if one.line not in told and _types_a_password(one, foreseen):
                errors.append(password_literal(one))
    return CheckedFile(
        path=script.path,
        errors=tuple(map(_entry, errors)),
        warnings=tuple(map(_entry, findings(script, "warning"))),
        steps=len(script.steps),
        plan_digest=script.digest,
        variables=script.variables,
        against=None if view is None else tuple(against),
    )


def _unopenable(script: ReadScript) -> Iterator[Finding]:
    """What the script opens on the web and is no URL."""
    if script.script.context.get("platform") != "web":
        return
    for one in script.steps:
        target = one.step.positionals[0] if one.step.command == "open" else ""
        if target and "${" not in target and not is_url(target):
            error = no_url(target)
            yield Finding(
                rule="parse",
                line=one.line,
                column=one.column(0),
                message=error.message,
                expected=error.hint,
            )


def _types_a_password(one: ReadStep, foreseen: tuple[Foreseen, ...]) -> bool:
    literal = one.text is not None and bool(one.text) and "${" not in one.text
    return literal and any(each.node is not None and each.node.password for each in foreseen)


def _entry(finding: Finding) -> CheckEntry:
    return CheckEntry(
        line=finding.line,
        column=finding.column,
        rule=finding.rule,
        message=finding.message,
        expected=finding.expected,
        suggestion=finding.suggestion,
    )


def _step(view: IdentityView, one: ReadStep, foreseen: Foreseen) -> CheckedStep:
    return CheckedStep(
        step=one.step.ordinal,
        line=one.line,
        column=one.step.column,
        command=one.step.command,
        does=foreseen.does,
        reason=foreseen.reason,
        message=foreseen.message,
        target=None if foreseen.node is None else _target(view, foreseen.node),
        match_count=foreseen.match_count,
    )


def _target(view: IdentityView, node: Node) -> TargetData:
    return TargetData(role=node.role, label=view.tree.labels[node.index] or None, id=node.id or None)


def _check_args(args: CheckArgs) -> None:
    if not args.files:
        raise refused("check needs the scripts to look at", argument="files")
    if len(args.files) > MAX_FILES:
        raise refused(f"check takes at most {MAX_FILES} files", argument="files")
    element = next((name for name in args.files if looks_like_ref(name) or _is_selector(name)), None)
    if element is not None:  # other tools tick a box with ``check``
        raise refused(
            f"check reads scripts, and {told(element)} names an element",
            given=element,
            hint="To tick a box: `surefoot press <target>`; to see whether it is ticked: "
            "`surefoot is checked <target>`.",
            reason="not_a_script",
        )


def _text(_args: CheckArgs, data: CheckData, _terminal: Terminal) -> str:
    return lines(*(line for file in data.files for line in _file_lines(file)))


def _file_lines(file: CheckedFile) -> Iterator[str]:
    path = single_line(file.path)
    for kind, entries in (("error", file.errors), ("warning", file.warnings)):
        for entry in entries:
            place = f"{path}:{entry.line}:{entry.column}"
            yield f"{place}: {kind} {entry.rule}: {safe_line(entry.message)}"
            if entry.expected is not None:
                yield f"  expected: {safe_line(entry.expected)}"
            if entry.suggestion is not None:
                yield f'  did you mean "{single_line(entry.suggestion)}"?'
    for step in file.against or ():
        yield f"{path}:{step.line}: {_foreseen_text(step)}"
    counts = f"{plural(len(file.errors), 'error')}, {plural(len(file.warnings), 'warning')}"
    needs = f"; needs {', '.join(file.variables)}" if file.variables else ""
    yield f"{path}: {plural(file.steps, 'step')}, {counts}{needs}"


def _foreseen_text(step: CheckedStep) -> str:
    on = "" if step.target is None else f" on {target_text(step.target)}"
    why = "" if step.message is None else f" ({safe_line(step.message)})"
    reason = "" if step.reason is None else f" {step.reason}"
    return f"{step.command} {step.does}{on}{reason}{why}"


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="check",
        group=SESSIONS,
        summary="Say what is wrong or weak in scripts; no device.",
        args=CheckArgs,
        result=CheckData,
        form=Several("files", "file"),
        examples=(
            "surefoot check flow.ad",
            "surefoot check --strict --json login.ad order.ad",
            "surefoot check flow.ad --against screen.json",
        ),
        traits=Traits(
            ref_frame_effect="none",
            recording_effect="none",
            target_identity_verification="none",
            fragment_safe=False,
            timeout_policy=TimeoutPolicy(default_ms=120_000),
            observation_only=False,
            batchable=False,
            lane="free",
        ),
        run=_check,
        text=_text,
        check=_check_args,
        notes=(
            "Exit code 1 where there is an error, with --strict also a warning. That is an answer, no "
            "failure: in JSON `success` is true and `data.ok` false.",
            "`surefoot snapshot --raw --json > screen.json` saves what --against reads.",
        ),
    ),
)
