"""``dialog get``, ``dialog wait``, ``dialog accept``, ``dialog dismiss``."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, RecordingEffect, TimeoutPolicy, Traits
from surefoot.commands.families.common import (
    PAGES,
    acted,
    interaction_text,
    options,
    require,
    session_of,
)
from surefoot.commands.families.navigation import NAVIGATES
from surefoot.commands.families.shapes import (
    DialogAcceptArgs,
    DialogDismissArgs,
    DialogWaitArgs,
    NoArgs,
)
from surefoot.commands.language.forms import Nothing, Word, words
from surefoot.commands.output.words import dialog_lines, lines, warning_lines
from surefoot.interact import answer_dialog, dialog_message, open_dialog, wait_dialog
from surefoot.session import Session
from surefoot.wire import DialogStateData, InteractionData

TIMEOUT_MS = 10_000
"""How long to wait for a dialog when nobody says."""


def _session(context: Context) -> Session:
    session = session_of(context)
    require(session, "dialogs", "dialog")
    return session


async def _get(context: Context, _args: NoArgs) -> Answer[DialogStateData]:
    dialog = open_dialog(_session(context))
    return Answer(DialogStateData(open=dialog is not None, dialog=dialog))


async def _wait(context: Context, args: DialogWaitArgs) -> Answer[DialogStateData]:
    within = args.ms if args.ms is not None else context.options.timeout_ms
    dialog = await wait_dialog(_session(context), TIMEOUT_MS if within is None else within)
    return Answer(DialogStateData(open=True, dialog=dialog))


async def _accept(context: Context, args: DialogAcceptArgs) -> Answer[InteractionData]:
    return await _answer(context, args, accept=True, text=args.text)


async def _dismiss(context: Context, args: DialogDismissArgs) -> Answer[InteractionData]:
    return await _answer(context, args, accept=False, text=None)


async def _answer(
    context: Context, args: DialogAcceptArgs | DialogDismissArgs, *, accept: bool, text: str | None
) -> Answer[InteractionData]:
    """Answer, and let a recording keep what the dialog said (identity.md, 5)."""
    done = await answer_dialog(_session(context), accept, text, options(context), expected=args.message)
    assert done.data.answered is not None
    said = dialog_message(done.data.answered.message)
    kept = args if args.message is not None else msgspec.structs.replace(args, message=said)
    return dataclasses.replace(acted(done), kept=kept)


def _text(_args: Any, data: DialogStateData, _terminal: Terminal) -> str:
    if data.dialog is None:
        return "no dialog is open"
    return lines(dialog_lines(data.dialog), warning_lines(data.warnings))


def _looks(recording_effect: RecordingEffect) -> Traits:
    return Traits(
        ref_frame_effect="none",
        recording_effect=recording_effect,
        target_identity_verification="none",
        fragment_safe=recording_effect != "none",
        timeout_policy=TimeoutPolicy(
            default_ms=30_000,
            plus=("ms",) if recording_effect != "none" else (),
            grace_ms=5_000 if recording_effect != "none" else 0,
        ),
        observation_only=recording_effect == "none",
        batchable=True,
        lane="session",
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="dialog get",
        group=PAGES,
        summary="Show the open dialog.",
        args=NoArgs,
        result=DialogStateData,
        form=Nothing(),
        examples=("surefoot dialog get",),
        traits=_looks("none"),
        run=_get,
        text=_text,
    ),
    Descriptor(
        name="dialog wait",
        group=PAGES,
        summary="Wait for a dialog to open.",
        args=DialogWaitArgs,
        result=DialogStateData,
        form=words(Word("ms", "ms", "int", optional=True)),
        examples=("surefoot dialog wait 5000",),
        traits=_looks("synchronises"),
        run=_wait,
        text=_text,
    ),
    Descriptor(
        name="dialog accept",
        group=PAGES,
        summary="Accept the dialog, with a text for a prompt.",
        args=DialogAcceptArgs,
        result=InteractionData,
        form=words(Word("text", "text", optional=True)),
        examples=("surefoot dialog accept", "surefoot dialog accept 'Ada'"),
        traits=NAVIGATES,
        run=_accept,
        text=interaction_text,
        notes=("surefoot never answers a dialog by itself.",),
    ),
    Descriptor(
        name="dialog dismiss",
        group=PAGES,
        summary="Dismiss the dialog.",
        args=DialogDismissArgs,
        result=InteractionData,
        form=Nothing(),
        examples=("surefoot dialog dismiss",),
        traits=NAVIGATES,
        run=_dismiss,
        text=interaction_text,
    ),
)
