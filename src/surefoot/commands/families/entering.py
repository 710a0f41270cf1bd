"""``fill``, ``type``, ``key``."""

from __future__ import annotations

from typing import Any

from surefoot.commands.context import Context
from surefoot.commands.descriptor import Answer, Descriptor
from surefoot.commands.families.common import ACT, acted, interaction_text, options, session_of
from surefoot.commands.families.pointer import MUTATES
from surefoot.commands.families.shapes import FillArgs, KeyArgs, TypeArgs
from surefoot.commands.language.forms import Target, Word, words
from surefoot.commands.language.spelling import about, is_pending, refused
from surefoot.commands.targets import check_element
from surefoot.drivers import parse_chord
from surefoot.errors import invalid_args
from surefoot.interact import fill, key, parse_element, type_text
from surefoot.session import Session
from surefoot.wire import InteractionData


def admit_record_as(context: Context, session: Session, name: str | None, text: str) -> None:
    """``--record-as`` needs an armed recording and excludes ``--no-record`` (contracts.md, 0017).

    The text is hidden from here on, whatever becomes of the command.
    """
    if name is None:
        return
    if context.options.no_record:
        raise invalid_args(
            "--record-as and --no-record exclude each other",
            hint="Leave --no-record out: the recording keeps ${NAME}, never the text.",
            reason="record_conflict",
        )
    if not session.recording_active:
        raise invalid_args(
            "--record-as needs a recording, and this session has none",
            hint="Record from the start: `surefoot open <url> --save-script`.",
            reason="no_recording",
        )
    if session.hidden.full and all(one.text != text for one in session.hidden.texts):
        raise invalid_args(
            "this session hides as many texts as it can; another one would not be kept secret",
            hint="Save what there is (`surefoot session save-script`) and go on in a new session.",
            reason="too_many_secrets",
        )
    session.hidden.learn(text, name)


async def _fill(context: Context, args: FillArgs) -> Answer[InteractionData]:
    session = session_of(context)
    admit_record_as(context, session, args.record_as, args.text)
    interaction = await fill(
        session,
        parse_element(args.target, args.label),
        args.text,
        options(context, settle=args.settle, verify=args.verify, record_as=args.record_as),
        delay_ms=args.delay_ms,
    )
    return acted(interaction)


async def _type(context: Context, args: TypeArgs) -> Answer[InteractionData]:
    session = session_of(context)
    admit_record_as(context, session, args.record_as, args.text)
    interaction = await type_text(
        session,
        args.text,
        options(context, settle=args.settle, verify=args.verify, record_as=args.record_as),
        delay_ms=args.delay_ms,
    )
    return acted(interaction)


async def _key(context: Context, args: KeyArgs) -> Answer[InteractionData]:
    how = options(context, settle=args.settle, verify=args.verify)
    return acted(await key(session_of(context), args.chord, how))


def _check_fill(args: FillArgs) -> None:
    check_element(args.target, args.label)


def _check_type(args: TypeArgs) -> None:
    if not args.text:
        raise refused('type needs a text that is not empty (to clear a field, fill it with "")')


def _check_key(args: KeyArgs) -> None:
    if not is_pending(args.chord):
        with about(args.chord, "chord"):
            parse_chord(args.chord)


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="fill",
        group=ACT,
        summary="Replace the content of a field.",
        args=FillArgs,
        result=InteractionData,
        form=Target(after=(Word("text", "text"),)),
        examples=(
            "surefoot fill 'label=\"Email\"' 'ada@example.com'",
            "surefoot fill @e7 'hunter2' --record-as PASSWORD",
            "surefoot fill 'label=\"Search\"' ''",
            "surefoot fill 'label=\"Country\"' 'Portugal'",
        ),
        traits=MUTATES,
        run=_fill,
        text=interaction_text,
        check=_check_fill,
        targets=("target",),
        rewritten=("target",),
        notes=(
            "A text that begins with a dash goes after `--`.",
            "Fields take: a date 2026-03-14, a time 09:30, both 2026-03-14T09:30, a month 2026-03, a "
            "week 2026-W11, a colour #ff8800, a range or number field 12.5.",
            "A select takes an option's name; one that holds several takes them with commas between "
            "(or one a line), and exactly these are selected then.",
            "A checkbox, radio or switch is pressed; files are uploaded.",
        ),
    ),
    Descriptor(
        name="type",
        group=ACT,
        summary="Append text to the focused field.",
        args=TypeArgs,
        result=InteractionData,
        form=words(Word("text", "text")),
        examples=("surefoot type ' and more'",),
        traits=MUTATES,
        run=_type,
        text=interaction_text,
        check=_check_type,
    ),
    Descriptor(
        name="key",
        group=ACT,
        summary="Press a key or a chord.",
        args=KeyArgs,
        result=InteractionData,
        form=words(Word("chord", "chord")),
        examples=("surefoot key Enter --settle", "surefoot key ctrl+a"),
        traits=MUTATES,
        run=_key,
        text=interaction_text,
        check=_check_key,
    ),
)
