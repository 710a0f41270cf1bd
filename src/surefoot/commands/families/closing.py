"""``close``, ``session save-script``, ``session list``: how sessions and their recordings end."""

from __future__ import annotations

from typing import Any

import msgspec

from surefoot.commands.context import Caller, Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, TimeoutPolicy, Traits
from surefoot.commands.families.common import (
    SESSIONS,
    lifecycle_traits,
    refuse_other_platform,
    save_target,
    session_of,
)
from surefoot.commands.families.shapes import CloseArgs, NoArgs, SaveScriptArgs
from surefoot.commands.language.forms import Nothing, Word, words
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.language.spelling import refused
from surefoot.commands.output.robustness import robustness_data, robustness_lines
from surefoot.commands.output.words import lines, plural, shown, warning_lines
from surefoot.recording import (
    RepairEnding,
    Save,
    abort_fragment,
    admit_save,
    authoring_of,
    closing_repair,
    closing_save,
    fragment_of,
    refuse_captured,
    refuse_save,
    refuse_unarmed,
    repair_of,
)
from surefoot.session import Session, reached
from surefoot.text import single_line
from surefoot.wire import CallOptions, CloseData, SavedData, SessionData, SessionsData


async def _close(context: Context, args: CloseArgs) -> Answer[CloseData]:
    if context.ended and not args.save_script and context.store.find(context.session) is None:
        return Answer(CloseData(session=context.session, closed=False, ended=context.ended))
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
        CloseData(
            session=session.name,
            closed=True,
            ended=context.ended,
            saved=saved,
            warnings=session.take_warnings(),
        )
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


def _check_close(args: CloseArgs) -> None:
    if args.force and not args.save_script:
        raise refused("--force goes with --save-script", given="--force", argument="force")


def _save_text(_args: SaveScriptArgs, data: SavedData, _terminal: Terminal) -> str:
    return lines(_saved_lines(data), f"session {single_line(data.session)} stays open")


def _saved_lines(saved: SavedData) -> str:
    return lines(
        f"saved {plural(saved.actions, 'action')} to {single_line(saved.path)}",
        () if saved.robustness is None else robustness_lines(saved.robustness),
        warning_lines(saved.warnings),
    )


def _close_text(_args: CloseArgs, data: CloseData, _terminal: Terminal) -> str:
    return lines(
        f"ended {', '.join(data.ended)}" if data.ended else None,
        f"closed session {single_line(data.session)}"
        if data.closed
        else f"session {single_line(data.session)} was not open yet",
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


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="close",
        group=SESSIONS,
        summary="End the session; write its recording.",
        args=CloseArgs,
        result=CloseData,
        form=Nothing(),
        examples=("surefoot close", "surefoot close --save-script=flow.ad"),
        traits=lifecycle_traits("preempt", 30_000, recorded=True, batchable=True),
        run=_close,
        text=_close_text,
        check=_check_close,
        preflight=_preflight_close,
        overlaps_capture=lambda args: "close --save-script" if args.save_script else None,
        ends_capture=True,
        notes=(
            "It ends whatever still runs in the session, unless it is refused.",
            "--no-record leaves the recording unwritten; a fragment capture is always aborted.",
            "Files the app saved stay in downloads/<session> of the state directory.",
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
