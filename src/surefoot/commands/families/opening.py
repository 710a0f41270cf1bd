"""``open``: a URL or an app in a new session, or in the one that is open."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from surefoot.commands.context import Caller, Context, Terminal, refuse_unknown_platform
from surefoot.commands.descriptor import Answer, Descriptor
from surefoot.commands.families.common import (
    SESSIONS,
    absolute,
    lifecycle_traits,
    remaining_ms,
    save_target,
    shown_page,
)
from surefoot.commands.families.shapes import OpenArgs
from surefoot.commands.language.forms import Word, words
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.language.spelling import about, is_pending, refused, told
from surefoot.commands.output.words import dialog_lines, lines, warning_lines
from surefoot.drivers import (
    Driver,
    DriverEvent,
    OpenRequest,
    check_cdp,
    check_url,
    check_viewport,
    is_url,
    no_url,
)
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact import open_dialog
from surefoot.plan import Plan, PlanStep, bind_step
from surefoot.recording import (
    arm,
    authoring_of,
    check_target,
    refuse_captured,
)
from surefoot.script import Scope, ScriptIssue, script_error
from surefoot.session import ReplayStep, Session
from surefoot.text import single_line, url_password
from surefoot.wire import OpenData

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
        raise _platform_needed(context, args.target)
    target = _armed_target(context, args)
    driver = await context.drivers.get(platform)
    app = await driver.open(_request(context, args), _unheard)
    session = context.store.add(context.session, platform, app)
    _hide_password(session, args)
    if target is not None:
        arm(session, target, force=args.force)
    return Answer(await _opened(session, created=True, warnings=_told_by_url(context, session, args)))


def _platform_needed(context: Context, target: str) -> SurefootError:
    others = [name for name in context.drivers.platforms if name != "web"]
    return refused(
        f"{told(target)} is no URL, so --platform is needed",
        given=target,
        hint=f"Use --platform {'|'.join(others) or 'web'}, or give a URL (http://…).",
        reason="platform_needed",
    )


async def refuse_unopenable(context: Context, plan: Plan, scope: Scope) -> None:
    """What the opens of a plan name is of the platform they open on: known before the first step.

    Raises ``UNSUPPORTED_PLATFORM``, or ``INVALID_ARGS`` at the step; a value of a variable is not told.
    """
    platform = plan.platform
    await refuse_unknown_platform(context.drivers, platform)
    session = context.store.find(context.session)
    if platform is None and session is not None:
        platform = session.platform
    inner = scope.within(plan.env)
    for step in plan.steps:
        if step.command != "open" or platform not in (None, "web"):
            continue
        target = bind_step(step, inner, SCRIPT_GRAMMAR).positionals[0]
        if platform is None and not _URL.match(target):
            raise _at(step, _platform_needed(context, step.positionals[0]))
        if platform == "web" and not is_url(target):
            raise _at(step, no_url(step.positionals[0]))


def _at(step: PlanStep, error: SurefootError) -> SurefootError:
    """The refusal at its line of the script."""
    issue = ScriptIssue(
        line=step.source.line,
        column=step.columns[0] if step.columns else step.column,
        rule="argument",
        message=error.message,
        expected=error.hint,
        reason=error.reason,
        text=step.text,
        length=len(step.positionals[0]),
    )
    return script_error(step.source.path, [issue])


def _hide_password(session: Session, args: OpenArgs) -> None:
    """What a URL logs in with is as secret as what goes into a password field."""
    password = url_password(args.target)
    if password is not None:
        session.hidden.learn(password)


def _told_by_url(context: Context, session: Session, args: OpenArgs) -> tuple[str, ...]:
    typed = not isinstance(context.provenance, ReplayStep)
    if not session.recording_active or url_password(args.target) is None or not typed:
        return ()
    return (
        "The password in the URL goes into the recording; write ${PASSWORD} in its place there, and "
        "replay with -e PASSWORD=….",
    )


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
    _hide_password(session, args)
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
    return Answer(await _opened(session, created=False, warnings=warnings))


def _unheard(_event: DriverEvent) -> None:
    """What happens by itself is read from the app when a command asks for it."""


async def _relaunch(context: Context, driver: Driver, session: Session, args: OpenArgs) -> None:
    session.refs.expire()
    await session.app.close()
    session.app = await driver.open(_request(context, args), _unheard)


def _request(context: Context, args: OpenArgs) -> OpenRequest:
    return OpenRequest(
        target=_located(context, args.target),
        session=context.session,
        state_dir=context.state_dir,
        relaunch=args.relaunch,
        browser_path=absolute(context, args.browser_path) if args.browser_path else None,
        headed=args.headed,
        profile=absolute(context, args.profile) if args.profile else None,
        viewport=_size(args.viewport) if args.viewport else None,
        cdp=args.cdp,
        timeout_ms=max(1, round(remaining_ms(context, OPEN_MS))),
    )


def _located(context: Context, target: str) -> str:
    """A path of an app file is the caller's; URLs and names stay as they are."""
    return absolute(context, target) if target.startswith(("./", "../", "/")) else target


async def _opened(session: Session, *, created: bool, warnings: tuple[str, ...] = ()) -> OpenData:
    recording = authoring_of(session)
    return OpenData(
        session=session.name,
        platform=session.platform,
        app=session.app.name,
        created=created,
        dialog=open_dialog(session),
        recording=None if recording is None else recording.state.value,
        warnings=(*warnings, *await _http_error(session), *session.take_warnings()),
    )


async def _http_error(session: Session) -> tuple[str, ...]:
    """A page that says of itself that it is none: it is open, and that is told."""
    page = await shown_page(session)
    if page is None or page.status is None:
        return ()
    return (f"The server answered with HTTP {page.status}: this is the page it shows for that.",)


def _check_open(args: OpenArgs) -> None:
    if not is_pending(args.target):
        _check_target(args.target)
    if args.force and not args.save_script:
        raise refused("--force goes with --save-script", given="--force", argument="force")
    if args.viewport is not None and not is_pending(args.viewport):
        with about(args.viewport, "viewport"):
            check_viewport(*_size(args.viewport))
    if args.cdp is not None and not is_pending(args.cdp):
        with about(args.cdp, "cdp"):
            check_cdp(args.cdp, launches=bool(args.browser_path or args.headed or args.profile))


def _check_target(target: str) -> None:
    """An app's name is its platform's; what means the web must be an address of it."""
    if not target.strip():
        raise refused("open needs a URL or the name of an app", given=target, argument="target")
    if _URL.match(target) or target.strip().lower().startswith("javascript:"):
        with about(target, "target"):
            check_url(target)


def _size(viewport: str) -> tuple[int, int]:
    width, _, height = viewport.partition("x")
    return int(width), int(height)


def _open_text(_args: OpenArgs, data: OpenData, _terminal: Terminal) -> str:
    verb = "opened" if data.created else "navigated to"
    return lines(
        f"{verb} {single_line(data.app)} on {data.platform} in session {single_line(data.session)}",
        None if data.recording is None else f"recording: {data.recording}",
        () if data.dialog is None else dialog_lines(data.dialog),
        warning_lines(data.warnings),
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
        traits=lifecycle_traits("session", OPEN_MS, recorded=True, batchable=True),
        run=_open,
        text=_open_text,
        check=_check_open,
        platform=_platform,
        overlaps_capture=lambda args: "open --save-script" if args.save_script else "open",
        notes=(
            "A URL means the web. An app name needs --platform.",
            "--save-script records a new session; its close writes the script.",
            "A page the server answers with an HTTP error opens too; a warning says so.",
        ),
    ),
)
