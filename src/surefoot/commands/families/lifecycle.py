"""``open``, ``close``, ``session list``."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import msgspec

from surefoot.commands.context import Caller, Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, TimeoutPolicy, Traits
from surefoot.commands.families.common import (
    SESSIONS,
    absolute,
    absolute_in,
    refuse_other_platform,
    remaining_ms,
    session_of,
)
from surefoot.commands.families.shapes import CloseArgs, NoArgs, OpenArgs, SaveScriptArgs
from surefoot.commands.language.forms import Nothing, Word, words
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.language.spelling import is_pending, refused, told
from surefoot.commands.output.robustness import robustness_data, robustness_lines
from surefoot.commands.output.words import dialog_lines, lines, plural, shown, warning_lines
from surefoot.drivers import Driver, DriverEvent, OpenRequest
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact import open_dialog
from surefoot.recording import (
    RepairEnding,
    Save,
    abort_fragment,
    admit_save,
    arm,
    authoring_of,
    check_target,
    closing_repair,
    closing_save,
    default_target,
    fragment_of,
    refuse_captured,
    refuse_save,
    refuse_unarmed,
    repair_of,
)
from surefoot.session import Session, reached
from surefoot.text import single_line
from surefoot.wire import CallOptions, CloseData, OpenData, SavedData, SessionData, SessionsData

OPEN_MS = 60_000
_URL = re.compile(r"(https?|file|about|data):", re.IGNORECASE)
_LAUNCH = ("browser_path", "headed", "profile", "cdp")


async def _platform(_caller: Caller, args: OpenArgs) -> str | None:
    """A URL means the web (surface.md); an app name says nothing of its platform."""
    return "web" if _URL.match(args.target) else None


async def _open(context: Context, args: OpenArgs) -> Answer[OpenData]:
    session = context.store.find(context.session)
    if session is None:
        return await _open_new(context, args)
    asked = context.options.platform or await _platform(context.caller, args)
    if asked is not None and asked != session.platform:
        raise SurefootError(
            ErrorCode.INVALID_ARGS,
            f"session {session.name} is on {session.platform}, not on {asked}",
            hint="Close it first, or name another --session.",
            details={"reason": "platform_mismatch", "platform": session.platform},
        )
    return await _open_again(context, session, args)


async def _open_new(context: Context, args: OpenArgs) -> Answer[OpenData]:
    platform = context.options.platform or await _platform(context.caller, args)
    if platform is None:
        others = [name for name in context.drivers.platforms if name != "web"]
        raise refused(
            f"{told(args.target)} is no URL, so --platform is needed",
            given=args.target,
            hint=f"Use --platform {'|'.join(others) or 'web'}, or give a URL (http://…).",
            reason="platform_needed",
        )
    target = _armed_target(context, args)
    driver = await context.drivers.get(platform)
    app = await driver.open(_request(context, args), _unheard)
    session = context.store.add(context.session, platform, app)
    if target is not None:
        arm(session, target, force=args.force)
    return Answer(_opened(session, created=True))


def _armed_target(context: Context, args: OpenArgs) -> Path | None:
    """Where the recording this open starts will go, refused before anything is opened."""
    if not args.save_script:
        return None
    if context.options.no_record:
        raise refused(
            "--save-script and --no-record exclude each other: a script begins with its open",
            given="--no-record",
            hint="Leave --no-record out; it is for single actions of a recorded session.",
            reason="record_conflict",
        )
    target = save_target(context.caller.cwd, args.save_script)
    check_target(target, force=args.force)
    return target


async def _open_again(context: Context, session: Session, args: OpenArgs) -> Answer[OpenData]:
    if args.save_script:
        refuse_captured(session, "open --save-script")
        raise refused(
            f"session {session.name} is already open; only its first open can start a recording",
            given="--save-script",
            hint="Run `surefoot close` first, or name another --session.",
            reason="session_already_open",
        )
    launch = next((name for name in _LAUNCH if getattr(args, name)), None)
    if launch is not None and not args.relaunch:
        flag = "--" + launch.replace("_", "-")
        raise refused(
            f"{flag} is for a new session, and {session.name} is already open",
            given=flag,
            hint="Run `surefoot close` first, or add --relaunch.",
            reason="session_already_open",
        )
    driver = await context.drivers.get(session.platform)
    if args.relaunch:
        await _relaunch(context, driver, session, args)
    else:
        session.refs.expire()
        await driver.reopen(session.app, _request(context, args))
    session.reopened()
    recording = authoring_of(session)
    warnings: tuple[str, ...] = ()
    if recording is not None and recording.active:
        recording.abort()
        warnings = ("The recording is over: a script holds exactly one open. Nothing will be saved.",)
    return Answer(_opened(session, created=False, warnings=warnings))


def _unheard(_event: DriverEvent) -> None:
    """What happens by itself is read from the app when a command asks for it."""


async def _relaunch(context: Context, driver: Driver, session: Session, args: OpenArgs) -> None:
    session.refs.expire()
    await session.app.close()
    session.app = await driver.open(_request(context, args), _unheard)


def _request(context: Context, args: OpenArgs) -> OpenRequest:
    width, _, height = (args.viewport or "").partition("x")
    return OpenRequest(
        target=_located(context, args.target),
        session=context.session,
        state_dir=context.state_dir,
        relaunch=args.relaunch,
        browser_path=absolute(context, args.browser_path) if args.browser_path else None,
        headed=args.headed,
        profile=absolute(context, args.profile) if args.profile else None,
        viewport=(int(width), int(height)) if args.viewport else None,
        cdp=args.cdp,
        timeout_ms=max(1, round(remaining_ms(context, OPEN_MS))),
    )


def _located(context: Context, target: str) -> str:
    """A path of an app file is the caller's; URLs and names stay as they are."""
    return absolute(context, target) if target.startswith(("./", "../", "/")) else target


def _opened(session: Session, *, created: bool, warnings: tuple[str, ...] = ()) -> OpenData:
    recording = authoring_of(session)
    return OpenData(
        session=session.name,
        platform=session.platform,
        app=session.app.name,
        created=created,
        dialog=open_dialog(session),
        recording=None if recording is None else recording.state.value,
        warnings=(*warnings, *session.take_warnings()),
    )


def save_target(cwd: str, asked: str | bool) -> Path:
    """Where ``--save-script[=path]`` goes, absolute in the caller's directory."""
    if isinstance(asked, str):
        return Path(absolute_in(cwd, asked))
    return default_target(Path(cwd), time.strftime("%Y%m%d-%H%M%S"))


async def _close(context: Context, args: CloseArgs) -> Answer[CloseData]:
    session = session_of(context)
    save = _closing(session, args, context.caller, context.options)
    saved = save.write() if isinstance(save, RepairEnding) else None
    if isinstance(save, Save):
        saved = await _written(save)
    if abort_fragment(session, "closed") is not None:
        session.warn("The fragment capture was aborted: nothing was saved.")
    try:
        await session.app.close()
    finally:
        context.store.remove(session.name)
    reached("closed")
    return Answer(
        CloseData(session=session.name, closed=True, saved=saved, warnings=session.take_warnings())
    )


def _closing(
    session: Session, args: CloseArgs, caller: Caller, options: CallOptions
) -> Save | RepairEnding | None:
    """What a close publishes, or why it is refused; nothing is touched.

    Every kind of recording a session can have answers here: one that is armed may be retargeted,
    one that is not can still be left behind by a plain close.
    """
    repair = repair_of(session)
    if args.save_script:
        refuse_captured(session, "close --save-script")
    if args.save_script and repair is None:
        refuse_unarmed(session)
    if options.no_record:
        if args.save_script:
            raise refused(
                "--save-script and --no-record exclude each other",
                given="--no-record",
                reason="record_conflict",
            )
        return closing_repair(session, target=None, force=False, keep=False)
    target = save_target(caller.cwd, args.save_script) if isinstance(args.save_script, str) else None
    if repair is not None:
        return closing_repair(session, target=target, force=args.force)
    return closing_save(session, SCRIPT_GRAMMAR, target=target, force=args.force)


def _preflight_close(session: Session, args: CloseArgs, caller: Caller, options: CallOptions) -> None:
    """A close that is refused ends nothing that runs in the session."""
    refuse_other_platform(session, options.platform)
    _closing(session, args, caller, options)


async def _save_script(context: Context, args: SaveScriptArgs) -> Answer[SavedData]:
    session = session_of(context)
    refuse_captured(session, "session save-script")
    refuse_save(session, "`session save-script`")
    target = None if args.path is None else save_target(context.caller.cwd, args.path)
    save = admit_save(session, SCRIPT_GRAMMAR, closing=False, target=target, force=args.force)
    return Answer(await _written(save))


async def _written(save: Save) -> SavedData:
    """Try the steps on changed copies of their captures, then publish. A publication that fails
    leaves everything as it was."""
    robustness = await save.steps.assess()
    saved = save.write()
    return msgspec.structs.replace(saved, robustness=robustness_data(robustness))


async def _list(context: Context, _args: NoArgs) -> Answer[SessionsData]:
    now = context.clock.now_ms()
    listed: list[SessionData] = []
    for session in sorted(context.store, key=lambda item: item.name):
        recording = authoring_of(session)
        listed.append(
            SessionData(
                session=session.name,
                platform=session.platform,
                app=session.hidden.hide(session.app.name),
                recording=None if recording is None else recording.state.value,
                repair=None if (repair := repair_of(session)) is None else repair.state.value,
                fragment=None if (made := fragment_of(session)) is None else made.state.value,
                idle_ms=max(0, round(now - session.last_used_ms)),
            )
        )
    return Answer(SessionsData(sessions=tuple(listed)))


def _check_open(args: OpenArgs) -> None:
    if not is_pending(args.target) and not args.target.strip():
        raise refused("open needs a URL or the name of an app", given=args.target, argument="target")
    if args.force and not args.save_script:
        raise refused("--force goes with --save-script", given="--force", argument="force")


def _check_close(args: CloseArgs) -> None:
    if args.force and not args.save_script:
        raise refused("--force goes with --save-script", given="--force", argument="force")


def _save_text(_args: SaveScriptArgs, data: SavedData, _terminal: Terminal) -> str:
    return lines(_saved_lines(data), f"session {single_line(data.session)} stays open")


def _open_text(_args: OpenArgs, data: OpenData, _terminal: Terminal) -> str:
    verb = "opened" if data.created else "navigated to"
    return lines(
        f"{verb} {single_line(data.app)} on {data.platform} in session {single_line(data.session)}",
        None if data.recording is None else f"recording: {data.recording}",
        () if data.dialog is None else dialog_lines(data.dialog),
        warning_lines(data.warnings),
    )


def _saved_lines(saved: SavedData) -> str:
    return lines(
        f"saved {plural(saved.actions, 'action')} to {single_line(saved.path)}",
        () if saved.robustness is None else robustness_lines(saved.robustness),
        warning_lines(saved.warnings),
    )


def _close_text(_args: CloseArgs, data: CloseData, _terminal: Terminal) -> str:
    return lines(
        f"closed session {single_line(data.session)}",
        None if data.saved is None else _saved_lines(data.saved),
        warning_lines(data.warnings),
    )


def _list_text(_args: NoArgs, data: SessionsData, _terminal: Terminal) -> str:
    if not data.sessions:
        return "no session is open (surefoot open <url>)"
    out: list[str] = []
    for item in data.sessions:
        parts = [single_line(item.session), item.platform, shown(item.app or "")]
        parts += [f"recording: {item.recording}"] if item.recording else []
        parts += [f"repair: {item.repair}"] if item.repair else []
        parts += [f"fragment: {item.fragment}"] if item.fragment else []
        out.append("  ".join(parts))
    return lines(out)


def _lifecycle(lane: Any, timeout_ms: int, *, recorded: bool, batchable: bool) -> Traits:
    return Traits(
        ref_frame_effect="expires",
        recording_effect="mutates" if recorded else "none",
        target_identity_verification="none",
        fragment_safe=False,
        timeout_policy=TimeoutPolicy(default_ms=timeout_ms),
        observation_only=False,
        batchable=batchable,
        lane=lane,
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="open",
        group=SESSIONS,
        summary="Open a URL or an app; go to it in the open session.",
        args=OpenArgs,
        result=OpenData,
        form=words(Word("target", "url|app")),
        examples=(
            "surefoot open http://127.0.0.1:8000/",
            "surefoot open http://127.0.0.1:8000/ --save-script=flow.ad",
            "surefoot open shop --platform sim",
        ),
        traits=_lifecycle("session", OPEN_MS, recorded=True, batchable=True),
        run=_open,
        text=_open_text,
        check=_check_open,
        platform=_platform,
        overlaps_capture=lambda args: "open --save-script" if args.save_script else "open",
        notes=(
            "A URL means the web. An app name needs --platform.",
            "--save-script records a new session; its close writes the script.",
        ),
    ),
    Descriptor(
        name="close",
        group=SESSIONS,
        summary="End the session; write its recording.",
        args=CloseArgs,
        result=CloseData,
        form=Nothing(),
        examples=("surefoot close", "surefoot close --save-script=flow.ad"),
        traits=_lifecycle("preempt", 30_000, recorded=True, batchable=True),
        run=_close,
        text=_close_text,
        check=_check_close,
        preflight=_preflight_close,
        overlaps_capture=lambda args: "close --save-script" if args.save_script else None,
        ends_capture=True,
        notes=(
            "It ends whatever still runs in the session, unless it is refused.",
            "--no-record leaves the recording unwritten; a fragment capture is always aborted.",
        ),
    ),
    Descriptor(
        name="session save-script",
        group=SESSIONS,
        summary="Write the recording; keep the session open.",
        args=SaveScriptArgs,
        result=SavedData,
        form=words(Word("path", "path", optional=True)),
        examples=("surefoot session save-script", "surefoot session save-script flow.ad --force"),
        traits=Traits(
            ref_frame_effect="none",
            recording_effect="none",
            target_identity_verification="none",
            fragment_safe=False,
            timeout_policy=TimeoutPolicy(default_ms=30_000),
            observation_only=False,
            batchable=False,
            lane="session",
        ),
        run=_save_script,
        text=_save_text,
        overlaps_capture=lambda _args: "session save-script",
        notes=(
            "A wait for an element must follow the last action: it proves where the script ends.",
            "The recording is over then; the session is not.",
        ),
    ),
    Descriptor(
        name="session list",
        group=SESSIONS,
        summary="Show every open session.",
        args=NoArgs,
        result=SessionsData,
        form=Nothing(),
        examples=("surefoot session list --json",),
        traits=Traits(
            ref_frame_effect="none",
            recording_effect="none",
            target_identity_verification="none",
            fragment_safe=False,
            timeout_policy=TimeoutPolicy(default_ms=10_000),
            observation_only=False,
            batchable=False,
            lane="control",
        ),
        run=_list,
        text=_list_text,
    ),
)
