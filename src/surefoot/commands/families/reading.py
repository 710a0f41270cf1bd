"""``get`` and ``is``."""

from __future__ import annotations

from typing import Any

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, By, Descriptor, IdentityVerification, Traits
from surefoot.commands.families.common import CHECK, STANDARD, session_of
from surefoot.commands.families.shapes import GetArgs, IsArgs
from surefoot.commands.language.forms import Target, Word
from surefoot.commands.language.odd_forms import IS, check_is_value
from surefoot.commands.output.nodes import whole_node
from surefoot.commands.output.words import (
    attributes_line,
    lines,
    plural,
    resolution_note,
    shown,
    staleness_note,
    target_text,
    warning_lines,
)
from surefoot.commands.targets import check_element, check_selector
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact import (
    Resolved,
    SelectorTarget,
    matches_of,
    name_of,
    observe,
    parse_element,
    refuse_absence,
    resolve_read,
    target_data,
)
from surefoot.selectors import STATES
from surefoot.session import Session
from surefoot.text import ellipsize, normalize, quoted
from surefoot.tree import inner_pieces, reads
from surefoot.wire import GetData, IsData


async def _get(context: Context, args: GetArgs) -> Answer[GetData]:
    session = session_of(context)
    found = await _read(context, session, args.target, args.label)
    tree, node = found.observation.tree, found.node
    data = GetData(
        target=target_data(found.observation, node),
        resolution=found.resolution,
        text=" ".join(inner_pieces(tree, node)) if args.what == "text" else None,
        attrs=whole_node(tree, node) if args.what == "attrs" else None,
        staleness=found.staleness,
        warnings=session.take_warnings(),
    )
    return Answer(data, (found,))


async def _read(context: Context, session: Session, target: str, label: str | None) -> Resolved:
    seams = context.seams.act
    return await resolve_read(
        session, parse_element(target, label), guard=seams.guard, decide=seams.decide
    )


async def _is(context: Context, args: IsArgs) -> Answer[IsData]:
    session = session_of(context)
    target = parse_element(args.selector)
    if isinstance(target, SelectorTarget) and args.predicate in ("exists", "absent", "hidden"):
        observation = await observe(session)
        count = len(matches_of(target, observation).nodes)
        if count == 0:
            refuse_absence(observation, args.selector)
        if args.predicate != "hidden":
            holds = (count > 0) == (args.predicate == "exists")
            if not holds:
                seen = f"{plural(count, 'element')} {'matches' if count == 1 else 'match'}"
                raise _failed(args, seen, matchCount=count)
            return Answer(IsData(predicate=args.predicate, passed=True, match_count=count))
        if count == 0:  # decisions.md: hidden of an absent node is true and carries no evidence
            return Answer(IsData(predicate="hidden", passed=True, match_count=0))
    found = await _read(context, session, args.selector, None)
    if found.staleness is not None and not found.staleness.live:
        raise _gone(args, found)
    observed, holds = _judge(args, found)
    if not holds:
        name = name_of(found.observation, found.node)
        raise _failed(args, f"{name} is {observed}", observed=observed)
    data = IsData(
        predicate=args.predicate,
        passed=True,
        target=target_data(found.observation, found.node),
        resolution=found.resolution,
        observed=observed if args.predicate == "text" else None,
        staleness=found.staleness,
        warnings=session.take_warnings(),
    )
    return Answer(data, (found,))


def _judge(args: IsArgs, found: Resolved) -> tuple[str, bool]:
    """What was seen, and whether the predicate holds."""
    node = found.node
    if args.predicate == "text":
        tree, wanted = found.observation.tree, normalize(args.value or "")
        pieces = inner_pieces(tree, node)
        holds = reads(pieces, wanted, whole=True) or tree.texts[node.index] == wanted != ""
        return quoted(ellipsize(" ".join(pieces), 200)), holds
    read = STATES[args.predicate]  # type: ignore[index]
    holds = read(node)
    words = {"visible": ("visible", "hidden"), "hidden": ("hidden", "visible")}
    yes, no = words.get(args.predicate, (args.predicate, f"not {args.predicate}"))
    return (yes if holds else no), holds


def _gone(args: IsArgs, found: Resolved) -> SurefootError:
    """A check of what is not there any more never holds."""
    return SurefootError(
        ErrorCode.ELEMENT_NOT_FOUND,
        f"{args.selector} was {name_of(found.observation, found.node)}, which is no longer on the "
        "screen.",
        hint="Run `surefoot snapshot -i` and use a ref it prints; that nothing matches a selector is "
        "checked with `surefoot is absent <selector>`.",
        details={"reason": "ref_target_gone", "predicate": args.predicate, "ref": args.selector},
    )


def _failed(args: IsArgs, seen: str, **details: object) -> SurefootError:
    expected = f" {quoted(ellipsize(args.value, 200))}" if args.value is not None else ""
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"is {args.predicate}{expected} does not hold for {args.selector}: {seen}",
        hint="Run `surefoot snapshot -i` to see the screen, or `surefoot wait` for it.",
        details={"reason": "predicate_failed", "predicate": args.predicate, **details},
    )


def _check_get(args: GetArgs) -> None:
    check_element(args.target, args.label)


def _check_is(args: IsArgs) -> None:
    if args.predicate in ("exists", "absent"):  # they count what matches
        check_selector(args.selector)
    check_element(args.selector, argument="selector")
    check_is_value(args)


def _get_text(args: GetArgs, data: GetData, _terminal: Terminal) -> str:
    note = resolution_note(data.resolution)
    return lines(
        shown(data.text or "", 10_000) if args.what == "text" else None,
        None if data.attrs is None else attributes_line(data.attrs),
        None if note is None else f"note: {note}",
        None if data.staleness is None else f"warning: {staleness_note(data.staleness)}",
        warning_lines(data.warnings),
    )


def _is_text(args: IsArgs, data: IsData, _terminal: Terminal) -> str:
    what = target_text(data.target) if data.target is not None else args.selector
    if data.match_count is not None:
        what = f"{what} ({data.match_count} match{'es' if data.match_count != 1 else ''})"
    seen = f" {data.observed}" if data.observed is not None else ""
    held = f"reads{seen}" if data.observed is not None else f"is {data.predicate}"
    return lines(
        f"true: {what} {held}",
        None if data.staleness is None else f"warning: {staleness_note(data.staleness)}",
        warning_lines(data.warnings),
    )


_PHASES: By[IdentityVerification] = By(
    "predicate", {"exists": "none", "absent": "none"}, "pre_dispatch"
)

DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="get",
        group=CHECK,
        summary="Read an element's text or attributes.",
        args=GetArgs,
        result=GetData,
        form=Target(before=(Word("what", "what", choices=("text", "attrs")),)),
        examples=(
            "surefoot get text @e12",
            "surefoot get attrs 'role=textbox label=\"Email\"' --json",
        ),
        traits=Traits(
            ref_frame_effect="none",
            recording_effect="observes",
            target_identity_verification="pre_dispatch",
            fragment_safe=True,
            timeout_policy=STANDARD,
            observation_only=True,
            batchable=True,
            lane="session",
        ),
        run=_get,
        text=_get_text,
        check=_check_get,
        targets=("target",),
        rewritten=("target",),
        notes=(
            "The text of an element is what is read in it: what a field holds, what is inside a row, a "
            "list or another container, else its label. `get attrs` shows label and value.",
        ),
    ),
    Descriptor(
        name="is",
        group=CHECK,
        summary="Check a predicate; exit 1 when it does not hold.",
        args=IsArgs,
        result=IsData,
        form=IS,
        examples=(
            "surefoot is visible 'role=heading label=\"Welcome\"'",
            "surefoot is text 'id=\"total\"' '3 items'",
            "surefoot is absent 'role=dialog'",
        ),
        traits=Traits(
            ref_frame_effect="none",
            recording_effect="observes",
            target_identity_verification=_PHASES,
            fragment_safe=True,
            timeout_policy=STANDARD,
            observation_only=True,
            batchable=True,
            lane="session",
        ),
        run=_is,
        text=_is_text,
        check=_check_is,
        targets=("selector",),
    ),
)
