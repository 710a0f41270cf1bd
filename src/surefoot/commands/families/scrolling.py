"""``scroll``."""

from __future__ import annotations

from typing import Any, cast

from surefoot.commands.context import Context
from surefoot.commands.descriptor import Answer, Descriptor, TimeoutPolicy, Traits
from surefoot.commands.families.common import (
    ACT,
    acted,
    interaction_text,
    options,
    remaining_ms,
    session_of,
)
from surefoot.commands.families.shapes import ScrollArgs
from surefoot.commands.language.forms import Word, words
from surefoot.commands.language.spelling import is_pending, refused
from surefoot.commands.targets import check_selector
from surefoot.interact import SelectorTarget, parse_element, scroll, scroll_until
from surefoot.wire import InteractionData

UNTIL_MS = 30_000
"""How long ``scroll --until`` goes on without ``--timeout``."""


async def _scroll(context: Context, args: ScrollArgs) -> Answer[InteractionData]:
    session = session_of(context)
    if args.until is None:
        interaction = await scroll(
            session,
            args.direction,
            options(context),
            pixels=args.pixels,
            fraction=args.amount,
        )
        return acted(interaction)
    budget = context.options.timeout_ms or UNTIL_MS
    interaction = await scroll_until(
        session,
        cast(Any, args.direction),
        cast(SelectorTarget, parse_element(args.until)),
        options(context),
        timeout_ms=remaining_ms(context, budget),
        fraction=args.amount,
    )
    return acted(interaction)


def _check(args: ScrollArgs) -> None:
    if args.amount is not None and args.pixels is not None:
        raise refused("an amount and --pixels exclude each other", given="--pixels")
    edge = args.direction in ("top", "bottom")
    if edge and (args.amount is not None or args.pixels is not None):
        raise refused(f"{args.direction} goes all the way and takes no amount", argument="amount")
    if edge and args.until is not None:
        raise refused(
            "--until goes with up, down, left or right",
            given="--until",
            hint=f"Use `surefoot scroll {'up' if args.direction == 'top' else 'down'} --until …`.",
        )
    if args.until is not None and args.pixels is not None and not is_pending(args.pixels):
        raise refused("--until and --pixels exclude each other", given="--pixels")
    check_selector(args.until, argument="until")


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="scroll",
        group=ACT,
        summary="Scroll, or scroll until an element is in view.",
        args=ScrollArgs,
        result=InteractionData,
        form=words(
            Word("direction", "direction", choices=("up", "down", "left", "right", "top", "bottom")),
            Word("amount", "amount", "number", optional=True),
        ),
        examples=(
            "surefoot scroll down",
            "surefoot scroll down --until 'label=\"Row 1500\"' --timeout 60000",
            "surefoot scroll top",
        ),
        traits=Traits(
            ref_frame_effect="expires",
            recording_effect="mutates",
            target_identity_verification="none",
            fragment_safe=True,
            timeout_policy=TimeoutPolicy(default_ms=60_000, grace_ms=5_000),
            observation_only=False,
            batchable=True,
            lane="session",
        ),
        run=_scroll,
        text=interaction_text,
        check=_check,
        notes=(
            "The amount is in screens, 0.8 by default.",
            "--until gives up after 30 s or --timeout, or at an end that loads nothing more for 2 s.",
        ),
    ),
)
