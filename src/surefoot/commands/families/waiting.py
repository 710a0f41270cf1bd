"""``wait``."""

from __future__ import annotations

from typing import Any

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, By, Descriptor, TimeoutPolicy, Traits
from surefoot.commands.families.common import CHECK, session_of
from surefoot.commands.families.shapes import WaitArgs
from surefoot.commands.language.odd_forms import WAIT, check_wait
from surefoot.commands.output.words import lines, staleness_note, target_text, warning_lines
from surefoot.commands.targets import check_element, check_selector
from surefoot.errors import invalid_args
from surefoot.interact import (
    RefTarget,
    SelectorTarget,
    Waited,
    parse_element,
    wait_absent,
    wait_duration,
    wait_ref,
    wait_selector,
    wait_stable,
    wait_text,
)
from surefoot.session import Session
from surefoot.wire import WaitData

TIMEOUT_MS = 10_000
"""A selector wait without a number (decisions.md, timers)."""
QUIET_MS = 500


async def _wait(context: Context, args: WaitArgs) -> Answer[WaitData]:
    session = session_of(context)
    asked = args.timeout_ms if args.timeout_ms is not None else context.options.timeout_ms
    waited = await _for(context, session, args, TIMEOUT_MS if asked is None else asked)
    return Answer(waited.data, () if waited.landmark is None else (waited.landmark,))


async def _for(context: Context, session: Session, args: WaitArgs, timeout_ms: int) -> Waited:
    if args.ms is not None:
        return await wait_duration(session, args.ms)
    if args.text is not None:
        return await wait_text(session, args.text, timeout_ms)
    if args.absent is not None:
        target = parse_element(args.absent)
        assert isinstance(target, SelectorTarget)
        return await wait_absent(session, target, timeout_ms)
    if args.target is not None:
        return await _for_target(context, session, args.target, timeout_ms)
    quiet_ms = QUIET_MS if args.quiet_ms is None else args.quiet_ms
    return await wait_stable(session, quiet_ms, timeout_ms)


async def _for_target(context: Context, session: Session, text: str, timeout_ms: int) -> Waited:
    target = parse_element(text)
    if isinstance(target, RefTarget):
        if session.recording_active and not context.options.no_record:
            raise invalid_args(
                "a recording cannot keep a wait for a ref",
                hint="Wait for a selector, or add --no-record.",
                reason="ref_wait_not_recordable",
            )
        return await wait_ref(session, target, timeout_ms)
    return await wait_selector(session, target, timeout_ms, landmark=context.seams.landmark)


def _check(args: WaitArgs) -> None:
    check_wait(args)
    check_element(args.target)
    check_selector(args.absent, argument="absent")


def _text(args: WaitArgs, data: WaitData, _terminal: Terminal) -> str:
    if args.ms is not None:
        return f"waited {data.waited_ms} ms"
    what = "the screen is at rest"
    if data.target is not None:
        what = f"found {target_text(data.target)}"
    elif args.absent is not None:
        what = "nothing matches any more"
    return lines(
        f"{what} after {data.waited_ms} ms",
        None if data.staleness is None else f"warning: {staleness_note(data.staleness)}",
        warning_lines(data.warnings),
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="wait",
        group=CHECK,
        summary="Wait for an element, a text, an absence, rest, or time.",
        args=WaitArgs,
        result=WaitData,
        form=WAIT,
        examples=(
            "surefoot wait 'label=\"Order confirmed\"' 5000",
            "surefoot wait text 'Cart: 1'",
            "surefoot wait absent 'role=progressbar' 20000",
            "surefoot wait stable",
            "surefoot wait 500",
        ),
        traits=Traits(
            ref_frame_effect="none",
            recording_effect="synchronises",
            target_identity_verification=By("target", {None: "none"}, "post_resolution"),
            fragment_safe=True,
            timeout_policy=TimeoutPolicy(default_ms=30_000, plus=("ms", "timeout_ms"), grace_ms=5_000),
            observation_only=False,
            batchable=True,
            lane="session",
        ),
        run=_wait,
        text=_text,
        check=_check,
        targets=("target",),
        notes=(
            f"The timeout is {TIMEOUT_MS} ms, or --timeout.",
            "An element counts as soon as it is in the page, shown or not, and until it is gone: add "
            "visible=true to mean what shows.",
        ),
    ),
)
