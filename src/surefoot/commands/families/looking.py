"""``snapshot`` and ``diff snapshot``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, Traits
from surefoot.commands.families.common import (
    SEE,
    STANDARD,
    session_of,
)
from surefoot.commands.families.shapes import NoArgs, SnapshotArgs
from surefoot.commands.language.forms import Nothing
from surefoot.commands.language.spelling import is_pending, refused
from surefoot.commands.output.nodes import node_data, off_screen_data, page_data
from surefoot.commands.output.words import (
    PROVENANCE,
    diff_lines,
    lines,
    page_text,
    plural,
    staleness_note,
    warning_lines,
)
from surefoot.commands.targets import check_element
from surefoot.interact import difference_data, observe
from surefoot.selectors import find_scope, looks_like_selector
from surefoot.session import RefFrame, RefToken, Session, looks_like_ref, parse_ref, pinned, ref_of
from surefoot.text import normalize
from surefoot.tree import (
    Node,
    Observation,
    Projection,
    diff_trees,
    is_interactive,
    nothing,
    project,
    render_projection,
)
from surefoot.wire import SnapshotData, SnapshotDiffData, StalenessData

DIGEST_NODES = 20

Lineage = tuple[RefToken, Node]


async def _snapshot(context: Context, args: SnapshotArgs) -> Answer[SnapshotData]:
    session = session_of(context)
    token, known, stale = _ref_scope(session, args.scope)
    observation = await observe(session)
    scope, warnings = _scope(observation, args.scope, known)
    if stale is not None:
        stale = msgspec.structs.replace(stale, live=scope is not None)
    digest = context.options.level == "digest"
    if args.scope is not None and scope is None:
        view = nothing("scope_not_found")
    else:
        view = project(
            observation,
            interactive=args.interactive or digest,
            depth=args.depth,
            scope=scope,
            raw=args.raw,
        )
    cut = digest and len(view.entries) > DIGEST_NODES
    if cut:
        view = _digest(view)
    lineage = (token, scope) if token is not None and scope is not None else None
    frame = _publish(session, observation, view, partial=digest, lineage=lineage, plain=_is_plain(args))
    full = args.raw or context.options.level == "full"
    shown_by: dict[int, int] = {}
    nodes = []
    for entry in view.all():
        shown_by[entry.node.index] = entry.depth
        nodes.append(node_data(observation.tree, entry, view, frame is not None, full=full))
    data = SnapshotData(
        nodes=tuple(nodes),
        total=len(observation.tree),
        quality=observation.quality,
        refs_generation=session.refs.generation,
        partial=digest and frame is not None,
        page=page_data(observation),
        covered=view.covered,
        offscreen=tuple(map(off_screen_data, view.off_screen)),
        truncated=observation.truncated or cut,
        reason=_why_no_refs(observation, view),
        staleness=stale,
        warnings=(*warnings, *observation.notes, *session.take_warnings()),
    )
    return Answer(data, worded=lambda: _snapshot_text(observation, view, data, frame))


def _is_plain(args: SnapshotArgs) -> bool:
    return args.scope is None and args.depth is None and not args.interactive


def _digest(view: Projection) -> Projection:
    """The first entries of an interactive view, the ones to act on before the others."""
    kept = sorted(
        sorted(view.entries, key=lambda entry: not is_interactive(entry.node))[:DIGEST_NODES],
        key=lambda entry: entry.node.index,
    )
    flat = tuple(type(entry)(entry.node, -1, 0, entry.layer) for entry in kept)
    return Projection(entries=flat, off_screen=view.off_screen, covered=view.covered)


def _ref_scope(
    session: Session, scope: str | None
) -> tuple[RefToken | None, Node | None, StalenessData | None]:
    """The node a ``-s @ref`` names: its retained scope, else what the frame knows (reads fail open),
    with why that may be out of date."""
    if scope is None or not looks_like_ref(scope):
        return None, None, None
    token = parse_ref(scope)
    retained = session.refs.scope_lineage(token)
    if retained is not None:
        return token, retained[1], None
    _, node, stale = session.refs.read(token)
    return token, node, stale


def _scope(
    observation: Observation, scope: str | None, known: Node | None
) -> tuple[Node | None, tuple[str, ...]]:
    if scope is None:
        return None, ()
    if known is not None:
        return observation.tree.find_handle(known.handle), ()
    found = find_scope(observation.tree, scope, windows=observation.windows)
    if found.match_count > 1:
        return found.node, (f"{found.match_count} nodes match the scope; the first one is shown.",)
    return found.node, ()


def _publish(
    session: Session,
    observation: Observation,
    view: Projection,
    *,
    partial: bool,
    lineage: Lineage | None,
    plain: bool,
) -> RefFrame | None:
    """Authorise exactly the refs shown; an empty or unusable capture changes nothing."""
    issued = [node.index for node in view.nodes]
    if not issued or observation.quality != "ok":
        return None
    if partial:
        return session.refs.publish_partial(observation, issued)
    return session.refs.publish_complete(observation, None if plain else issued, lineage=lineage)


def _why_no_refs(observation: Observation, view: Projection) -> str | None:
    if view.reason is not None:
        return view.reason
    return None if observation.quality == "ok" else f"capture_{observation.quality}"


def _snapshot_text(
    observation: Observation, view: Projection, data: SnapshotData, frame: RefFrame | None
) -> str:
    count = len(data.nodes)
    head = f"# {plural(count, 'node')} of {data.total}"
    if frame is not None:
        head += f", refs s{frame.generation}"
    head += f" {PROVENANCE}"
    if data.quality != "ok":
        head += "\n# the capture is sparse: it issued no refs; run it again in a moment"
    return lines(
        head,
        _page_line(observation),
        render_projection(
            observation.tree, view, _lookup(frame, partial=data.partial), windows=observation.windows
        ),
        "# cut; `surefoot snapshot -i` shows all of it" if data.truncated else None,
        None if data.staleness is None else f"warning: {staleness_note(data.staleness)}",
        warning_lines(data.warnings),
    )


def _page_line(observation: Observation) -> str | None:
    page = page_data(observation)
    return None if page is None else f"# page {page_text(page)}"


def _lookup(frame: RefFrame | None, *, partial: bool) -> Callable[[Node], str | None]:
    def lookup(node: Node) -> str | None:
        if frame is None or not frame.issues(node.index):
            return None
        return pinned(ref_of(node), frame.generation) if partial else f"@{ref_of(node)}"

    return lookup


def _check_snapshot(args: SnapshotArgs) -> None:
    if args.scope is None or is_pending(args.scope):
        return
    if not normalize(args.scope):
        raise refused("--scope must not be empty", given=args.scope, argument="scope")
    if looks_like_ref(args.scope) or looks_like_selector(args.scope):
        check_element(args.scope, argument="scope")


async def _diff(context: Context, _args: NoArgs) -> Answer[SnapshotDiffData]:
    """Against the screen whose refs were last shown; the refs of the difference become the frame."""
    session = session_of(context)
    before = session.refs.frame.observation if session.refs.frame is not None else None
    after = await observe(session)
    page = page_data(after)
    if before is None:
        data = SnapshotDiffData(
            unchanged=False,
            first=True,
            page=page,
            warnings=("No snapshot was shown yet, so there is nothing to compare.",),
        )
        return Answer(data)
    difference = diff_trees(before.tree, after.tree)
    diff = difference_data(before, after, difference)
    generation = None
    issued = [int(item.ref[1:]) - 1 for item in (*diff.added, *diff.changed)]
    if issued and after.quality == "ok":
        generation = session.refs.publish_partial(after, issued).generation
    data = SnapshotDiffData(
        unchanged=difference.empty and before.page == after.page,
        diff=diff,
        refs_generation=generation,
        page=page,
        warnings=session.take_warnings(),
    )
    return Answer(data)


def _diff_text(_args: NoArgs, data: SnapshotDiffData, _terminal: Terminal) -> str:
    if data.first:
        return lines(warning_lines(data.warnings), "next: surefoot snapshot -i")
    body = diff_lines(data.diff, data.refs_generation) if data.diff is not None else []
    page = data.page and f"# page {page_text(data.page)}"
    return lines(
        "no difference" if data.unchanged else f"# changed {PROVENANCE}",
        page or None,
        body,
        warning_lines(data.warnings),
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="snapshot",
        group=SEE,
        summary="Show the screen as a tree with refs.",
        args=SnapshotArgs,
        result=SnapshotData,
        form=Nothing(),
        examples=(
            "surefoot snapshot -i",
            "surefoot snapshot -i -s 'role=dialog'",
            "surefoot snapshot --raw --json",
        ),
        traits=Traits(
            ref_frame_effect="activates_all",
            recording_effect="on_request",
            target_identity_verification="none",
            fragment_safe=True,
            timeout_policy=STANDARD,
            observation_only=True,
            batchable=True,
            lane="session",
        ),
        run=_snapshot,
        text=lambda _args, _data, _terminal: "",
        check=_check_snapshot,
        notes=(
            "Refs are good until the next action; then take a new snapshot.",
            "With --level digest the most important elements only, with pinned refs.",
        ),
    ),
    Descriptor(
        name="diff snapshot",
        group=SEE,
        summary="Show what changed since refs were last shown.",
        args=NoArgs,
        result=SnapshotDiffData,
        form=Nothing(),
        examples=("surefoot diff snapshot",),
        traits=Traits(
            ref_frame_effect="activates_partial",
            recording_effect="none",
            target_identity_verification="none",
            fragment_safe=False,
            timeout_policy=STANDARD,
            observation_only=True,
            batchable=True,
            lane="session",
        ),
        run=_diff,
        text=_diff_text,
    ),
)
