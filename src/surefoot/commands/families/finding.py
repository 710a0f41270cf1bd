"""``find``: look for something by what it says, and read it or act on it.

Without an action it only lists (fault B047): inspecting never mutates.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import (
    Answer,
    By,
    Descriptor,
    KeptStep,
    RecordingEffect,
    RefFrameEffect,
    TimeoutPolicy,
    Traits,
)
from surefoot.commands.families.common import ACT, interaction_text, options, session_of
from surefoot.commands.families.entering import admit_record_as
from surefoot.commands.families.shapes import FillArgs, FindArgs, PointerArgs, TypeArgs
from surefoot.commands.language.odd_forms import FIND, READ_FINDS, check_find
from surefoot.commands.output.nodes import whole_node
from surefoot.commands.output.words import (
    PROVENANCE,
    attributes_line,
    lines,
    plural,
    screen_ref_line,
    shown,
    target_text,
    warning_lines,
)
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact import (
    FoundTarget,
    Interaction,
    describe_surface,
    fill,
    focus,
    name_of,
    observe,
    places,
    press,
    resolve_read,
    screen_ref,
    surface_text,
    target_data,
    type_text,
    unseen_note,
    wait_selector,
)
from surefoot.session import Session
from surefoot.text import normalize
from surefoot.tree import (
    DOCUMENT_ROLE,
    Node,
    Observation,
    Tree,
    canonical_role,
    has_area,
    inner_pieces,
    reads,
    text_runs,
)
from surefoot.wire import FindData

MAX_LISTED = 20
MAX_NAMED = 3
TIMEOUT_MS = 10_000
NOT_SHOWN_HINT = (
    "Reveal it first (`surefoot hover <target>`, or press what opens it); a selector also means what "
    "is not shown: `surefoot press <selector>`."
)

Fields = Callable[[Tree, Node], Sequence[str]]
_FIELDS: dict[str, Fields] = {
    "text": lambda tree, node: (tree.texts[node.index],),
    "label": lambda tree, node: (tree.labels[node.index],),
    "value": lambda _tree, node: (normalize(node.value or ""),),
    "id": lambda tree, node: (tree.ids[node.index],),
    "role": lambda _tree, node: (node.role,),
    "any": lambda tree, node: (
        tree.labels[node.index],
        normalize(node.value or ""),
        tree.ids[node.index],
    ),
}


def _wanted(args: FindArgs) -> str:
    wanted = normalize(args.query).casefold()
    return canonical_role(wanted) if args.locator == "role" else wanted


def _saying(args: FindArgs, tree: Tree, *, visible: bool) -> list[Node]:
    """The visible (or the other) nodes that say exactly the query, else those that contain it."""
    wanted, read = _wanted(args), _FIELDS[args.locator]
    exact: list[Node] = []
    containing: list[Node] = []
    for node in tree.nodes:
        titles = node.role == DOCUMENT_ROLE and args.locator not in ("role", "id")
        if titles or node.visible is not visible:
            continue
        fields = [field.casefold() for field in read(tree, node)]
        if wanted in fields:
            exact.append(node)
        elif args.locator != "role" and any(wanted in field for field in fields):
            containing.append(node)
    return exact or containing


def _not_shown(args: FindArgs, tree: Tree) -> list[Node]:
    """What says the query and is not shown: each once, without what is inside another of them."""
    kept: list[Node] = []
    for node in _saying(args, tree, visible=False):
        if not kept or not tree.contains(kept[-1], node):
            kept.append(node)
    return kept


def _why_not_shown(observation: Observation, hidden: Sequence[Node]) -> str:
    """``4 elements that are not shown say it: button "Delete", which is transparent, …``."""
    named = dict.fromkeys(
        f"{name_of(observation, node)}, which "
        + ("is transparent" if has_area(node.rect) else "has no area on the screen")
        for node in hidden
    )
    listed = "; ".join(islice(named, MAX_NAMED)) + ("; …" if len(named) > MAX_NAMED else "")
    verb = "that is not shown says" if len(hidden) == 1 else "that are not shown say"
    return f"{plural(len(hidden), 'element')} {verb} it: {listed}"


def search(args: FindArgs) -> FoundTarget:
    """The search as a target: visible nodes that say the query, document order.

    Case and runs of blanks are ignored. Nodes that say exactly the query win over nodes that contain
    it; a role is always meant exactly. A document's title is no text on the screen. A search that only
    looks falls back to what phrases say together. ``--first`` and ``--last`` keep one of them.
    """
    wanted = _wanted(args)

    def find(observation: Observation) -> Sequence[Node]:
        tree = observation.tree
        found = _saying(args, tree, visible=True)
        if not found and args.locator in ("any", "text") and args.action in READ_FINDS:
            found = [
                node
                for node, pieces in text_runs(tree)
                if reads([piece.casefold() for piece in pieces], wanted)
            ]
        if args.first:
            return found[:1]
        return found[-1:] if args.last else found

    where = "" if args.locator == "any" else f"{args.locator} "
    return FoundTarget(f"find {where}{shown(args.query)}", find)


async def _find(context: Context, args: FindArgs) -> Answer[FindData]:
    session = session_of(context)
    if args.action in READ_FINDS:
        return await _READS[args.action](context, session, args)
    return await _mutate(context, session, args)


async def _list(_context: Context, session: Session, args: FindArgs) -> Answer[FindData]:
    observation, found = await _look(session, args)
    listed = found[:MAX_LISTED]
    generation = None
    if observation.quality == "ok":
        frame = session.refs.publish_partial(observation, [node.index for node in listed])
        generation = frame.generation
    place_of = places(observation.tree, found, listed)
    data = FindData(
        action="list",
        match_count=len(found),
        matches=tuple(screen_ref(observation, node, place=place_of.get(node.index)) for node in listed),
        refs_generation=generation,
        more=len(found) - len(listed),
        hidden=len(_not_shown(args, observation.tree)),
        warnings=session.take_warnings(),
    )
    return Answer(data)


async def _exists(_context: Context, session: Session, args: FindArgs) -> Answer[FindData]:
    _, found = await _look(session, args)
    return Answer(FindData(action="exists", match_count=len(found), exists=True))


async def _look(session: Session, args: FindArgs) -> tuple[Observation, Sequence[Node]]:
    observation = await observe(session)
    target = search(args)
    found = target.find(observation)
    if not found:
        surface = surface_text(describe_surface(observation, session.app.dialog()))
        hidden = _not_shown(args, observation.tree)
        told = f" {_why_not_shown(observation, hidden)}." if hidden else ""
        raise SurefootError(
            ErrorCode.ELEMENT_NOT_FOUND,
            f"{target}: nothing on the screen says that.{told} On the screen: {surface}."
            f"{unseen_note(observation)}",
            hint=NOT_SHOWN_HINT if hidden else None,
            details={"reason": "selector_not_found", "query": args.query, "hidden": len(hidden)},
        )
    return observation, found


async def _wait(context: Context, session: Session, args: FindArgs) -> Answer[FindData]:
    timeout = int(args.value) if args.value is not None else context.options.timeout_ms
    waited = await wait_selector(session, search(args), TIMEOUT_MS if timeout is None else timeout)
    data = FindData(
        action="wait",
        match_count=waited.data.match_count or 0,
        waited_ms=waited.data.waited_ms,
        target=waited.data.target,
    )
    return Answer(data)


async def _read(_context: Context, session: Session, args: FindArgs) -> Answer[FindData]:
    found = await resolve_read(session, search(args))
    tree, node = found.observation.tree, found.node
    data = FindData(
        action=args.action,
        match_count=1,
        target=target_data(found.observation, node),
        text=" ".join(inner_pieces(tree, node)) if args.action == "get_text" else None,
        attrs=whole_node(tree, node) if args.action == "get_attrs" else None,
        resolution=found.resolution,
        warnings=session.take_warnings(),
    )
    return Answer(data)


_READS = {"list": _list, "exists": _exists, "wait": _wait, "get_text": _read, "get_attrs": _read}


async def _mutate(context: Context, session: Session, args: FindArgs) -> Answer[FindData]:
    admit_record_as(context, session, args.record_as, args.value or "")
    how = options(context, record_as=args.record_as)
    target = search(args)
    match args.action:
        case "click":
            done = await press(session, target, options=how, action="click")
        case "fill":
            done = await fill(session, target, args.value or "", how)
        case "focus":
            done = await focus(session, target, how)
        case _:
            focused = await focus(session, target, how)
            typed = await type_text(session, args.value or "", how)
            done = dataclasses.replace(typed, targets=focused.targets)
    data = FindData(
        action=args.action,
        match_count=1,
        target=done.data.target,
        resolution=done.data.resolution,
        acted=done.data,
    )
    return Answer(data, done.targets, steps=_steps(context, args, done))


def _steps(context: Context, args: FindArgs, done: Interaction) -> tuple[KeptStep, ...]:
    """The steps that do the same to the element that was found, which a replay can verify.

    The focus is given by a press, which only what takes text takes as no more than that. Where it can
    not be pressed the search is kept, and what is typed then is verified by what has the focus.
    """
    if not done.targets:
        return ()
    if args.action in ("click", "fill"):
        return (KeptStep(command=args.action, of=_ONE_STEP[args.action], resolved=done.targets),)
    if context.template is not None:  # a step that is replayed stays one step
        return ()
    node = done.targets[0].node
    if node.editable and node.enabled and node.covered_by is None and has_area(node.rect):
        first = KeptStep(command="press", of=_ONE_STEP["click"], resolved=done.targets)
    else:
        first = KeptStep(command="find", of=_only_focus, resolved=done.targets)
    if args.action == "focus":
        return (first,)
    typed = () if done.focused is None else (done.focused,)
    return (first, KeptStep(command="type", of=_typing, resolved=typed))


def _only_focus(args: FindArgs) -> FindArgs:
    return msgspec.structs.replace(args, action="focus", value=None, record_as=None)


def _typing(args: FindArgs) -> TypeArgs:
    return TypeArgs(text=args.value or "", record_as=args.record_as)


_ONE_STEP: dict[str, Callable[[FindArgs], Struct]] = {
    "click": lambda args: PointerArgs(target=args.query),
    "fill": lambda args: FillArgs(target=args.query, text=args.value or "", record_as=args.record_as),
}


def _text(args: FindArgs, data: FindData, terminal: Terminal) -> str:
    if data.acted is not None:
        return lines(interaction_text(args, data.acted, terminal), warning_lines(data.warnings))
    match data.action:
        case "list":
            more = f"… {data.more} more" if data.more else None
            body = [screen_ref_line(item, data.refs_generation) for item in data.matches]
            head = f"# {plural(data.match_count, 'match')} {PROVENANCE}"
            hidden = f"# {data.hidden} more not shown" if data.hidden else None
            return lines(head, body, more, hidden, warning_lines(data.warnings))
        case "exists":
            return f"true: {plural(data.match_count, 'match')}"
        case "wait":
            what = "" if data.target is None else f" {target_text(data.target)}"
            return f"found{what} after {data.waited_ms} ms"
        case "get_text":
            return lines(shown(data.text or "", 10_000), warning_lines(data.warnings))
        case _:
            attrs = "" if data.attrs is None else attributes_line(data.attrs)
            return lines(attrs, warning_lines(data.warnings))


def _recorded_as(args: FindArgs) -> str | None:
    """A find that acted is kept by the element it acted on, which a replay can verify."""
    return args.action if args.action in _ONE_STEP else None


_MUTATIONS = ("click", "fill", "focus", "type")
_FRAMES: By[RefFrameEffect] = By(
    "action", {"list": "activates_partial", **dict.fromkeys(_MUTATIONS, "expires")}, "none"
)
_RECORDED: By[RecordingEffect] = By(
    "action", {"list": "on_request", **dict.fromkeys(_MUTATIONS, "mutates")}, "observes"
)

DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="find",
        group=ACT,
        summary="Find by what is said; list, read, or act.",
        args=FindArgs,
        result=FindData,
        form=FIND,
        examples=(
            "surefoot find 'Save'",
            "surefoot find label 'Email' fill 'ada@example.com'",
            "surefoot find 'Edit' click --first",
        ),
        traits=Traits(
            ref_frame_effect=_FRAMES,
            recording_effect=_RECORDED,
            target_identity_verification="none",
            fragment_safe=False,
            timeout_policy=TimeoutPolicy(default_ms=60_000, grace_ms=5_000),
            observation_only=By("action", dict.fromkeys(_MUTATIONS, False), True),
            batchable=True,
            lane="session",
        ),
        run=_find,
        text=_text,
        check=check_find,
        recorded_as=_recorded_as,
        notes=(
            "Without an action it only lists; nothing is pressed.",
            "A first word text|label|value|role|id followed by more says where to look.",
        ),
    ),
)
