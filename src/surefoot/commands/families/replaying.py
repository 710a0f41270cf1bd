"""``replay``: read the script from the caller, make the whole plan, run it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

from surefoot.commands.context import Caller, Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, TimeoutPolicy, Traits
from surefoot.commands.families.common import SESSIONS, absolute, absolute_in
from surefoot.commands.families.opening import refuse_unopenable
from surefoot.commands.families.shapes import ReplayArgs
from surefoot.commands.language.forms import Word, words
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.language.spelling import refused
from surefoot.commands.output.words import lines, plural, warning_lines
from surefoot.commands.running.composing import (
    admit_composed,
    load_composition,
    refuse_address_of_flat,
)
from surefoot.compose import ComposedPlan, is_composed
from surefoot.errors import ErrorCode, SurefootError
from surefoot.plan import Plan, build_plan, source_path
from surefoot.replay import Reporting, run
from surefoot.script import (
    MAX_SOURCE_BYTES,
    Scope,
    ScriptIssue,
    parse_assignments,
    scan_script,
    script_error,
    shell_variables,
)
from surefoot.session import worktree_root
from surefoot.text import single_line
from surefoot.wire import ReplayData

DEFAULT_PLATFORM = "web"
RECORD_AS = "record-as"

_ORDINAL = re.compile(r"[1-9][0-9]{0,8}")

_LATER = (("maestro", "--maestro", "maestro_unavailable"),)


async def _platform(caller: Caller, args: ReplayArgs) -> str | None:
    """The script's ``context platform=``: it decides where the script replays (surface.md)."""
    path = absolute_in(caller.cwd, args.file)
    parsed = scan_script(await caller.read_file(path, MAX_SOURCE_BYTES), path)
    return parsed.script.context.get("platform")


async def _replay(context: Context, args: ReplayArgs) -> Answer[ReplayData]:
    from surefoot.commands.families.repairing import (  # the table knows this family
        RepairingExecutor,
        admit_replay,
        repair_data,
        under_repair,
    )
    from surefoot.commands.running.steps import CommandStepExecutor
    from surefoot.commands.running.uploads import refuse_missing_files, sources_root

    for name, flag, reason in _LATER:
        if getattr(args, name):
            raise SurefootError(
                ErrorCode.UNSUPPORTED_OPERATION,
                f"replay {flag} is not supported yet.",
                hint="Replay the whole script: `surefoot replay <file>`.",
                details={"reason": reason},
            )
    scope_args = parse_assignments(args.env)
    plan, scope, composed = await _plan(context, args, scope_args)
    _refuse_unrecordable(context, args, plan)
    await refuse_unopenable(context, plan, scope)
    again = _again(context, args, scope_args)
    repair, start = None, 1
    if composed is None:
        refuse_address_of_flat(args)
        repair, start = admit_replay(context, args, plan, again), int(args.from_ or 1)
    else:
        start = admit_composed(context, args, composed)
    root = sources_root(context, args.file, composed)
    refuse_missing_files(plan, scope, root, start)
    plain = CommandStepExecutor(context, plan.platform, root)
    following = None if repair is None else RepairingExecutor(context, plan.platform, root, repair)
    executor = following or plain
    async with under_repair(repair, executor):
        replayed = await run(
            plan,
            scope,
            SCRIPT_GRAMMAR,
            executor,
            clock=context.clock,
            start=start,
            keep_session=args.keep_session or repair is not None,
            on_step=None if following is None else following.begin,
            reporting=Reporting(level=context.options.level, again=again),
            composed=composed,
        )
    data = ReplayData(
        replayed=replayed.steps,
        session=context.session,
        session_active=context.store.find(context.session) is not None,
        duration_ms=replayed.duration_ms,
        artifact_paths=(),
        warnings=(*_warnings(context, plan, composed), *replayed.warnings),
        total=len(plan.steps),
        repair=repair_data(repair),
    )
    return Answer(data)


async def _plan(
    context: Context, args: ReplayArgs, assignments: dict[str, str]
) -> tuple[Plan, Scope, ComposedPlan | None]:
    """The whole script, checked before its first step, and the variables it runs with."""
    path = absolute(context, args.file)
    data = await context.caller.read_file(path, MAX_SOURCE_BYTES)
    parsed = scan_script(data, path)
    platform = context.options.platform or parsed.script.context.get("platform")
    scope = Scope.of(
        cli=assignments,
        shell=shell_variables(context.caller.env),
        built_ins={
            "AD_PLATFORM": platform or DEFAULT_PLATFORM,
            "AD_SESSION": context.session,
            "AD_FILENAME": path,
            "AD_DEVICE": platform or DEFAULT_PLATFORM,
            "AD_ARTIFACTS": str(Path(context.state_dir) / "artifacts"),
        },
    )
    if is_composed(parsed.script):
        composed = await load_composition(context, path, data, parsed.script, scope)
        return composed.course, scope, composed
    plan = build_plan(
        parsed,
        SCRIPT_GRAMMAR,
        provenance=source_path(path, str(worktree_root(Path(path).parent))),
        platform=platform,
        scope=scope,
    )
    return plan, scope, None


def _refuse_unrecordable(context: Context, args: ReplayArgs, plan: Plan) -> None:
    """Steps with ``--record-as`` where nothing records (contracts.md, 0017): known before the first."""
    session = context.store.find(context.session)
    recorded = bool(args.save_script) or (session is not None and session.recording_active)
    named = next((step for step in plan.steps if RECORD_AS in step.flags), None)
    if named is None or (recorded and not context.options.no_record):
        return
    issue = ScriptIssue(
        line=named.source.line,
        column=max(1, named.text.find(f"--{RECORD_AS}") + 1),
        rule="flag",
        message=f"--{RECORD_AS} needs a recording, and this replay runs in none",
        expected='"${NAME}" as the text, with -e NAME=…; or a session opened with --save-script',
        reason="no_recording",
        text=named.text,
        length=len(RECORD_AS) + 2,
    )
    raise script_error(named.source.path, [issue])


def _again(context: Context, args: ReplayArgs, assignments: dict[str, str]) -> str:
    """The caller's own command line, to be continued with ``--from``. Values of variables are not
    told: the line takes them from the shell."""
    options = context.options
    words = ["surefoot", "replay", shlex.quote(args.file)]
    for flag, value in (("--session", options.session), ("--platform", options.platform)):
        if value is not None:
            words += [flag, shlex.quote(value)]
    if args.keep_session:
        words.append("--keep-session")
    for name in assignments:
        words += ["-e", f'{name}="${name}"']
    return " ".join(words)


def _warnings(context: Context, plan: Plan, composed: ComposedPlan | None) -> tuple[str, ...]:
    empty = () if plan.steps else (f"{single_line(plan.path)} holds no step: nothing was done.",)
    if composed is not None:
        told = (f"{path}:{item.line}: {item.message}" for path, item in composed.warnings)
        return (*empty, *told)
    own = plan.context.get("platform")
    asked = context.options.platform
    overridden: tuple[str, ...] = ()
    if asked is not None and own is not None and asked != own:
        overridden = (f"--platform {asked} overrides the script's context platform={own}.",)
    return (
        *empty,
        *overridden,
        *(f"{plan.path}:{item.line}: {item.message}" for item in plan.warnings),
    )


def _check(args: ReplayArgs) -> None:
    if args.save_script and args.from_ is not None:
        raise refused(
            "--save-script starts a repair with its first step, and --from goes on with it",
            given="--save-script",
            hint="Leave --save-script out: the session knows that it is under repair.",
            reason="repair_starts_whole",
        )
    if args.from_ is not None and (args.plan_digest is None) == (args.composition_digest is None):
        raise refused(
            "--from goes with exactly one of --plan-digest and --composition-digest",
            given="--from",
            hint="Copy both from `resume` of the divergence.",
        )
    for name, flag in (
        ("plan_digest", "--plan-digest"),
        ("composition_digest", "--composition-digest"),
    ):
        if getattr(args, name) is not None and args.from_ is None:
            raise refused(f"{flag} goes with --from", given=flag)
    if args.plan_digest is not None and args.from_ is not None and not _ORDINAL.fullmatch(args.from_):
        raise refused("--from with --plan-digest is a step number", given=args.from_)


def _text(_args: ReplayArgs, data: ReplayData, _terminal: Terminal) -> str:
    left = f"; session {single_line(data.session)} is open" if data.session_active else ""
    seconds = data.duration_ms / 1000
    repair = data.repair
    return lines(
        f"replayed {plural(data.replayed, 'step')} in {seconds:.1f} s{left}",
        None
        if repair is None
        else f"repair complete: `surefoot close` saves {plural(repair.actions, 'action')} to "
        f"{single_line(repair.path)}",
        warning_lines(data.warnings),
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="replay",
        group=SESSIONS,
        summary="Run a recorded script; stop before a wrong act.",
        args=ReplayArgs,
        result=ReplayData,
        form=words(Word("file", "file")),
        examples=(
            "surefoot replay login.ad -e PASSWORD=hunter2",
            "surefoot replay flow.ad --keep-session",
            "surefoot replay flow.ad --save-script",
        ),
        traits=Traits(
            ref_frame_effect="expires",
            recording_effect="none",
            target_identity_verification="none",
            fragment_safe=False,
            timeout_policy=TimeoutPolicy(default_ms=1_800_000),
            observation_only=False,
            batchable=False,
            lane="session",
        ),
        run=_replay,
        text=_text,
        check=_check,
        platform=_platform,
        overlaps_capture=lambda args: "replay --save-script" if args.save_script else None,
        notes=(
            "The whole script is checked before its first step runs.",
            "A divergence prints the command that resumes (--from N --plan-digest SHA).",
            "--save-script repairs: do what diverged by hand, resume, close: flow.healed.ad.",
        ),
    ),
)
