"""``session fragment``: start, save, abort (seed 0020)."""

from __future__ import annotations

import os
import shlex
from pathlib import Path, PurePath
from typing import Annotated, Any

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, TimeoutPolicy, Traits
from surefoot.commands.families.common import SESSIONS, absolute, session_of
from surefoot.commands.families.shapes import FORCE, MAX_WAIT_MS, NoArgs
from surefoot.commands.families.waiting import TIMEOUT_MS
from surefoot.commands.language.arguments import Args, flag, word
from surefoot.commands.language.forms import Nothing, Word, words
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.language.spelling import refused
from surefoot.commands.output.robustness import robustness_data, robustness_lines
from surefoot.commands.output.words import lines, plural, warning_lines
from surefoot.commands.targets import check_selector
from surefoot.compose import fresh_call_site
from surefoot.interact import ActOptions, parse_element, resolve_mutation
from surefoot.recording import (
    FragmentCapture,
    abort_fragment,
    admit_fragment_save,
    arm_fragment,
    check_target,
    entry_guard,
    refuse_not_capturing,
    refuse_overlap,
)
from surefoot.script import FragmentReference, include_lines
from surefoot.selectors import parse_selector
from surefoot.session import looks_like_ref
from surefoot.text import single_line
from surefoot.wire import FragmentCaptureData, SavedFragmentData


class FragmentStartArgs(Args, frozen=True, kw_only=True):
    """``session fragment start``."""

    path: Annotated[str, word("Where the fragment goes.", value="path", path=True)]
    entry: Annotated[
        str, flag("A selector that proves the screen it starts on; no ref.", value="SELECTOR")
    ]
    entry_timeout_ms: Annotated[
        int | None,
        flag(
            "How long its replay waits for it; 10000 by default.",
            spelling="--entry-timeout",
            value="MS",
            ge=0,
            le=MAX_WAIT_MS,
        ),
    ] = None
    force: Annotated[bool, FORCE] = False


class FragmentSaveArgs(Args, frozen=True, kw_only=True):
    """``session fragment save``."""

    force: Annotated[bool, FORCE] = False


async def _start(context: Context, args: FragmentStartArgs) -> Answer[FragmentCaptureData]:
    session = session_of(context)
    refuse_overlap(session)
    if context.options.no_record:
        raise refused(
            "session fragment start and --no-record exclude each other: it begins a recording",
            given="--no-record",
            hint="Leave --no-record out; it is for single actions of the capture.",
            reason="record_conflict",
        )
    target = Path(absolute(context, args.path))
    check_target(target, force=True)
    timeout_ms = TIMEOUT_MS if args.entry_timeout_ms is None else args.entry_timeout_ms
    # The rule of actions: where several match and nothing tells them apart, the entry is ambiguous.
    found = await resolve_mutation(session, parse_element(args.entry), ActOptions())
    guard = entry_guard(session, args.entry, (found.observation, found.node), timeout_ms)
    capture = FragmentCapture(target, guard, force=args.force, lease=context.caller.lease)
    arm_fragment(session, capture, SCRIPT_GRAMMAR, SCRIPT_GRAMMAR.is_fragment_safe)
    landmark = [(found.observation, found.node)]
    capture.steps.keep(1, guard, landmark, parse_selector(args.entry), "landmark")
    return Answer(
        FragmentCaptureData(
            path=str(target),
            session=session.name,
            state="ARMED",
            actions=len(capture.records),
            entry=args.entry,
            timeout_ms=timeout_ms,
            exists=capture.exists,
            warnings=session.take_warnings(),
        )
    )


async def _save(context: Context, args: FragmentSaveArgs) -> Answer[SavedFragmentData]:
    session = session_of(context)
    save = admit_fragment_save(
        session, SCRIPT_GRAMMAR, SCRIPT_GRAMMAR.is_fragment_safe, force=args.force
    )
    robustness = await save.steps.assess()
    save.write()
    locator = _locator(context, save.path)
    call_site = fresh_call_site(locator, ())
    reference = FragmentReference(call_site_id=call_site, digest=save.digest)
    return Answer(
        SavedFragmentData(
            path=str(save.path),
            session=session.name,
            actions=save.actions,
            digest=save.digest,
            call_site_id=call_site,
            locator=locator,
            pin=include_lines(locator, reference),
            robustness=robustness_data(robustness),
            warnings=session.take_warnings(),
        )
    )


def _locator(context: Context, path: Path) -> str:
    """How a flow in the caller's directory would include it."""
    relative = PurePath(os.path.relpath(path, context.caller.cwd)).as_posix()
    return relative if relative.startswith("../") else f"./{relative}"


async def _abort(context: Context, _args: NoArgs) -> Answer[FragmentCaptureData]:
    session = session_of(context)
    capture = refuse_not_capturing(session)
    abort_fragment(session, "aborted")
    return Answer(
        FragmentCaptureData(
            path=str(capture.target),
            session=session.name,
            state="ABORTED",
            actions=len(capture.records),
            warnings=session.take_warnings(),
        )
    )


def _check_start(args: FragmentStartArgs) -> None:
    if looks_like_ref(args.entry):
        raise refused(
            f"--entry is a selector, and {args.entry} is a ref of this session only",
            given=args.entry,
            hint="Name the landmark itself: --entry 'role=heading label=\"Sign in\"'.",
            reason="fragment_entry_guard",
            problem="ref",
            argument="entry",
        )
    check_selector(args.entry, argument="entry")


def _start_text(args: FragmentStartArgs, data: FragmentCaptureData, _terminal: Terminal) -> str:
    return lines(
        f"capturing a fragment into {single_line(data.path)}",
        f"step 1: wait {shlex.quote(' '.join((data.entry or '').split()))} {data.timeout_ms}",
        "the file exists already: saving needs --force" if data.exists and not args.force else None,
        "next: do what it is for, then `surefoot session fragment save`",
        warning_lines(data.warnings),
    )


def _save_text(_args: FragmentSaveArgs, data: SavedFragmentData, _terminal: Terminal) -> str:
    return lines(
        f"saved {plural(data.actions, 'step')} to {single_line(data.path)}",
        () if data.robustness is None else robustness_lines(data.robustness),
        data.digest,
        "to include it from here:",
        *(f"  {line}" for line in data.pin),
        warning_lines(data.warnings),
    )


def _abort_text(_args: NoArgs, data: FragmentCaptureData, _terminal: Terminal) -> str:
    return lines(
        f"aborted the capture of {single_line(data.path)}; nothing was saved",
        f"session {single_line(data.session)} stays open",
        warning_lines(data.warnings),
    )


TRAITS = Traits(
    ref_frame_effect="none",
    recording_effect="none",
    target_identity_verification="none",
    fragment_safe=False,
    timeout_policy=TimeoutPolicy(default_ms=30_000),
    observation_only=False,
    batchable=False,
    lane="session",
)

DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="session fragment start",
        group=SESSIONS,
        summary="Begin to record a fragment at a landmark.",
        args=FragmentStartArgs,
        result=FragmentCaptureData,
        form=words(Word("path", "path")),
        examples=("surefoot session fragment start login.ad --entry 'label=\"Sign in\"'",),
        traits=TRAITS,
        run=_start,
        text=_start_text,
        check=_check_start,
        overlaps_capture=lambda _args: "session fragment start",
        notes=(
            "The landmark is on the screen now; waiting for it becomes the fragment's first step.",
            "Not while the session is recorded or repaired; open and replay are refused meanwhile.",
        ),
    ),
    Descriptor(
        name="session fragment save",
        group=SESSIONS,
        summary="Write the fragment; print how to include it.",
        args=FragmentSaveArgs,
        result=SavedFragmentData,
        form=Nothing(),
        examples=("surefoot session fragment save", "surefoot session fragment save --force"),
        traits=TRAITS,
        run=_save,
        text=_save_text,
        ends_capture=True,
        notes=("A save that fails leaves the capture armed: save again, or abort.",),
    ),
    Descriptor(
        name="session fragment abort",
        group=SESSIONS,
        summary="Discard the fragment; keep the session open.",
        args=NoArgs,
        result=FragmentCaptureData,
        form=Nothing(),
        examples=("surefoot session fragment abort",),
        traits=TRAITS,
        run=_abort,
        text=_abort_text,
        ends_capture=True,
    ),
)
