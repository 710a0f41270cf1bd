"""What every family needs: the session, the target, the options of an action, paths, traits."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from pathlib import Path
from typing import Any

import msgspec

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, TimeoutPolicy, Traits
from surefoot.commands.families.shapes import (
    KeyArgs,
    ScrollArgs,
    SwipeArgs,
    TabCloseArgs,
    TabSelectArgs,
    UploadArgs,
    ViewportArgs,
)
from surefoot.commands.output.words import (
    dialog_lines,
    diff_lines,
    download_text,
    lines,
    page_text,
    resolution_note,
    shown,
    target_text,
    warning_lines,
)
from surefoot.commands.targets import Aimed
from surefoot.drivers import Capability, Point, SettlePolicy
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact import (
    ActOptions,
    Interaction,
    PointTarget,
    Target,
    open_dialog,
    parse_element,
)
from surefoot.recording import default_target
from surefoot.session import Session
from surefoot.text import single_line
from surefoot.wire import InteractionData, PageData, ScrollData, SettledData, VerifyData

SEE = "See"
ACT = "Act"
CHECK = "Check and wait"
PAGES = "Tabs, dialogs, pages"
SESSIONS = "Sessions, recording, replay"
SYSTEM = "The tool itself"

QUICK = TimeoutPolicy(default_ms=30_000)
STANDARD = TimeoutPolicy(default_ms=60_000)
LONG = TimeoutPolicy(default_ms=1_800_000)


def session_of(context: Context) -> Session:
    """The session of this request. ``SESSION_NOT_FOUND``, or what its tombstone says.

    An explicit ``--platform`` that is not the session's is ``INVALID_ARGS`` ``platform_mismatch``.
    """
    session = context.store.get(context.session)
    refuse_other_platform(session, context.options.platform)
    return session


def refuse_other_platform(session: Session, asked: str | None) -> None:
    """``INVALID_ARGS`` where an explicit ``--platform`` is not the session's."""
    if asked is not None and asked != session.platform:
        raise SurefootError(
            ErrorCode.INVALID_ARGS,
            f"session {session.name} is on {session.platform}, not on {asked}",
            hint="Leave out --platform, or name another --session.",
            details={"reason": "platform_mismatch", "platform": session.platform},
        )


def aim(args: Aimed) -> Target:
    """The target of a pointer command; ``check_aim`` has admitted it."""
    if args.target is None:
        assert args.x is not None
        assert args.y is not None
        return PointTarget(Point(args.x, args.y))
    return parse_element(args.target, args.label)


def options(
    context: Context, *, settle: bool = False, verify: bool = False, record_as: str | None = None
) -> ActOptions:
    """The options of an action: a replayed step's seams plus what the caller asked for."""
    return dataclasses.replace(
        context.seams.act,
        settle=SettlePolicy() if settle else None,
        verify=verify,
        shown_as=f"${{{record_as}}}" if record_as else None,
    )


def acted(interaction: Interaction) -> Answer[InteractionData]:
    """An interaction as a handler's answer; the focused node stands in for a missing target."""
    resolved = interaction.targets
    if not resolved and interaction.focused is not None:
        resolved = (interaction.focused,)
    return Answer(interaction.data, resolved)


def require(session: Session, capability: Capability, what: str) -> None:
    """``UNSUPPORTED_OPERATION`` with the capability as reason, before anything is touched."""
    if capability not in session.app.capabilities:
        raise SurefootError(
            ErrorCode.UNSUPPORTED_OPERATION,
            f"{what} is not supported on {session.platform}.",
            details={"reason": capability, "platform": session.platform},
        )


def remaining_ms(context: Context, at_most: float) -> float:
    """Milliseconds left for this request, at most ``at_most``; never negative."""
    return max(0.0, min(at_most, context.deadline_ms - context.clock.now_ms()))


def absolute(context: Context, path: str) -> str:
    """``path`` fixed against the caller's directory, ``~`` left alone, ``..`` folded."""
    return absolute_in(context.caller.cwd, path)


def input_file(context: Context, path: str) -> str:
    """The absolute path of a file that is read: what is typed starts at the caller's directory, what a
    script says at the script's."""
    return absolute_in(context.directory or context.caller.cwd, path)


def absolute_in(directory: str, path: str) -> str:
    """``path`` fixed against an absolute directory."""
    return os.path.normpath(os.path.join(directory, path))


def is_file(path: str) -> bool:
    """Whether the daemon can read a regular file there."""
    return os.path.isfile(path) and os.access(path, os.R_OK)


async def shown_page(session: Session) -> PageData | None:
    """The page a session shows, where the platform can name it right now."""
    if "tabs" not in session.app.capabilities or session.app.dialog() is not None:
        return None
    with contextlib.suppress(SurefootError):
        for tab in await session.app.tabs():
            if tab.active:
                return PageData(url=tab.url, title=tab.title, status=tab.status)
    return None


async def arrived(session: Session, interaction: Interaction) -> Interaction:
    """The interaction with the page it led to, where that can be named, and the dialog it opened."""
    page = await shown_page(session)
    dialog = interaction.data.dialog or open_dialog(session)
    data = msgspec.structs.replace(interaction.data, page=page or interaction.data.page, dialog=dialog)
    return dataclasses.replace(interaction, data=data)


def interaction_text(args: Any, data: InteractionData, _terminal: Terminal) -> str:
    """What an interaction did, in a few lines."""
    return lines(
        _headline(args, data),
        None if (note := resolution_note(data.resolution)) is None else f"note: {note}",
        None if data.hint is None else f"hint: {data.hint}",
        None if data.page is None else f"now on page {page_text(data.page)}",
        () if data.dialog is None else dialog_lines(data.dialog),
        _aside(data),
        () if data.settled is None else _settled_lines(data.settled),
        None if data.verified is None else _verified_text(data.verified),
        warning_lines(data.warnings),
    )


def _headline(args: Any, data: InteractionData) -> str:
    if data.answered is not None:
        return f"answered: {data.answered.kind} {shown(data.answered.message)}"
    parts = [data.action, *_asked(args, data)]
    if data.target is not None:
        parts.append(target_text(data.target))
    if data.destination is not None and data.destination.target is not None:
        parts.append(f"to {target_text(data.destination.target)}")
    if data.point is not None and not isinstance(args, SwipeArgs):
        parts.append(f"at ({data.point.x:.0f}, {data.point.y:.0f})")
    if data.times is not None:
        parts.append(f"{data.times} times")
    if data.text is not None and (data.text.secret or data.text.value is not None):
        held = "(secret)" if data.text.secret else shown(data.text.value or "")
        parts.append(f"→ {held}")
    if data.target_hittable is False:
        parts.append("[takes no activation of its own]")
    if isinstance(args, UploadArgs):
        parts.append("← " + ", ".join(shown(os.path.basename(path)) for path in args.files))
    return " ".join(parts) + ("" if data.scroll is None else f": {_scroll_text(data.scroll)}")


def _asked(args: Any, data: InteractionData) -> list[str]:
    """What was asked for, where the answer has no field for it."""
    match args:
        case KeyArgs():
            return [single_line(args.chord)]
        case ScrollArgs():
            return [args.direction, *(["to"] if data.target is not None else [])]
        case SwipeArgs():
            return [f"({args.x1:g}, {args.y1:g}) to ({args.x2:g}, {args.y2:g})"]
        case TabSelectArgs():
            return [str(args.index)]
        case TabCloseArgs() if args.index is not None:
            return [str(args.index)]
        case ViewportArgs():
            return [f"{args.width}x{args.height}"]
        case _:
            return []


def _aside(data: InteractionData) -> list[str]:
    out: list[str] = []
    if data.opened_tab is not None:
        tab = data.opened_tab
        title = f"{shown(tab.title)} " if tab.title else ""
        out.append(f"opened tab {tab.index}: {title}{single_line(tab.url)}")
        if not tab.active:
            out.append(f"next: surefoot tab select {tab.index}")
    if data.navigated and data.page is None:
        out.append("a navigation began")
    out += [download_text(file) for file in data.downloads]
    if not data.trusted:
        out.append("note: only a synthetic event could do this")
    return out


def _scroll_text(scroll: ScrollData) -> str:
    if not scroll.effect:
        return "nothing moved" + (": already at the edge" if scroll.at_edge else "")
    moved = f"moved {scroll.moved_x:g}, {scroll.moved_y:g} px"
    counted = "" if scroll.scrolls is None else f" in {scroll.scrolls} scrolls"
    return moved + counted + (", now at the edge" if scroll.at_edge else "")


def _settled_lines(settled: SettledData) -> list[str]:
    head = f"settled after {settled.waited_ms} ms"
    if not settled.settled:
        head = f"not settled after {settled.waited_ms} ms: {single_line(settled.why or 'busy')}"
    if settled.diff is None:
        return [head]
    changed = diff_lines(settled.diff, settled.refs_generation)
    return [head, *(changed or ["no visible change"])]


def _verified_text(verified: VerifyData) -> str:
    if verified.changed is None:
        return f"verify: unknown ({single_line(verified.reason or 'nothing to compare')})"
    if not verified.changed:
        return "verify: nothing changed"
    counts = (
        f"+{verified.added_count} ~{verified.changed_count} -{verified.removed_count} elements"
        + (", page changed" if verified.page_changed else "")
        + (", target gone" if verified.target_gone else "")
    )
    return f"verify: changed ({counts})"


def save_target(cwd: str, asked: str | bool) -> Path:
    """Where ``--save-script[=path]`` goes, absolute in the caller's directory."""
    if isinstance(asked, str):
        return Path(absolute_in(cwd, asked))
    return default_target(Path(cwd), time.strftime("%Y%m%d-%H%M%S"))


def lifecycle_traits(lane: Any, timeout_ms: int, *, recorded: bool, batchable: bool) -> Traits:
    return Traits(
        ref_frame_effect="expires",
        recording_effect="mutates" if recorded else "none",
        target_identity_verification="none",
        fragment_safe=False,
        timeout_policy=TimeoutPolicy(default_ms=timeout_ms),
        observation_only=False,
        batchable=batchable,
        lane=lane,
    )
