"""``tab list``, ``tab select``, ``tab close``."""

from __future__ import annotations

from typing import Any

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, Traits
from surefoot.commands.families.common import (
    PAGES,
    STANDARD,
    acted,
    arrived,
    interaction_text,
    options,
    require,
    session_of,
)
from surefoot.commands.families.navigation import NAVIGATES
from surefoot.commands.families.shapes import NoArgs, TabCloseArgs, TabSelectArgs
from surefoot.commands.language.forms import Nothing, Word, words
from surefoot.commands.output.words import lines, shown
from surefoot.drivers import Delivery
from surefoot.interact import perform
from surefoot.session import Session
from surefoot.text import single_line
from surefoot.wire import InteractionData, TabData, TabsData


def _tabs(context: Context) -> Session:
    session = session_of(context)
    require(session, "tabs", "tab")
    return session


async def _list(context: Context, _args: NoArgs) -> Answer[TabsData]:
    tabs = await _tabs(context).app.tabs()
    return Answer(
        TabsData(
            tabs=tuple(
                TabData(index=tab.index, url=tab.url, title=tab.title, active=tab.active)
                for tab in tabs
            )
        )
    )


async def _select(context: Context, args: TabSelectArgs) -> Answer[InteractionData]:
    session = _tabs(context)

    async def select() -> Delivery:
        await session.app.select_tab(args.index)
        session.observation = None
        return Delivery()

    done = await perform(session, "tab select", select, options(context))
    return acted(await arrived(session, done))


async def _close(context: Context, args: TabCloseArgs) -> Answer[InteractionData]:
    session = _tabs(context)

    async def close() -> Delivery:
        await session.app.close_tab(args.index)
        session.observation = None
        return Delivery()

    done = await perform(session, "tab close", close, options(context))
    return acted(await arrived(session, done))


def _list_text(_args: NoArgs, data: TabsData, _terminal: Terminal) -> str:
    if not data.tabs:
        return "no tab is open; `surefoot open <url>` opens one"
    return lines(
        f"{'*' if tab.active else ' '} {tab.index} {shown(tab.title)} {single_line(tab.url)}"
        for tab in data.tabs
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="tab list",
        group=PAGES,
        summary="Show the tabs of the session.",
        args=NoArgs,
        result=TabsData,
        form=Nothing(),
        examples=("surefoot tab list",),
        traits=Traits(
            ref_frame_effect="none",
            recording_effect="none",
            target_identity_verification="none",
            fragment_safe=False,
            timeout_policy=STANDARD,
            observation_only=True,
            batchable=True,
            lane="session",
        ),
        run=_list,
        text=_list_text,
    ),
    Descriptor(
        name="tab select",
        group=PAGES,
        summary="Go to a tab.",
        args=TabSelectArgs,
        result=InteractionData,
        form=words(Word("index", "n", "int")),
        examples=("surefoot tab select 2",),
        traits=NAVIGATES,
        run=_select,
        text=interaction_text,
    ),
    Descriptor(
        name="tab close",
        group=PAGES,
        summary="Close a tab.",
        args=TabCloseArgs,
        result=InteractionData,
        form=words(Word("index", "n", "int", optional=True)),
        examples=("surefoot tab close", "surefoot tab close 2"),
        traits=NAVIGATES,
        run=_close,
        text=interaction_text,
    ),
)
