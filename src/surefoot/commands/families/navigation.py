"""``back``, ``forward``, ``reload``, ``viewport``."""

from __future__ import annotations

from typing import Any, Literal

from surefoot.commands.context import Context
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
from surefoot.commands.families.shapes import NoArgs, ViewportArgs
from surefoot.commands.language.forms import Nothing
from surefoot.commands.language.odd_forms import VIEWPORT
from surefoot.drivers import Delivery
from surefoot.interact import perform
from surefoot.wire import InteractionData

Step = Literal["back", "forward", "reload"]

NAVIGATES = Traits(
    ref_frame_effect="expires",
    recording_effect="mutates",
    target_identity_verification="none",
    fragment_safe=True,
    timeout_policy=STANDARD,
    observation_only=False,
    batchable=True,
    lane="session",
)


async def _history(context: Context, step: Step) -> Answer[InteractionData]:
    session = session_of(context)
    require(session, "reload" if step == "reload" else "history", step)
    done = await perform(session, step, lambda: session.app.history(step), options(context))
    return acted(await arrived(session, done))


async def _back(context: Context, _args: NoArgs) -> Answer[InteractionData]:
    return await _history(context, "back")


async def _forward(context: Context, _args: NoArgs) -> Answer[InteractionData]:
    return await _history(context, "forward")


async def _reload(context: Context, _args: NoArgs) -> Answer[InteractionData]:
    return await _history(context, "reload")


async def _viewport(context: Context, args: ViewportArgs) -> Answer[InteractionData]:
    session = session_of(context)
    require(session, "viewport", "viewport")

    async def resize() -> Delivery:
        await session.app.set_viewport(args.width, args.height)
        return Delivery()

    return acted(await perform(session, "viewport", resize, options(context)))


def _step(name: Step, summary: str, run: Any) -> Descriptor[Any, Any]:
    return Descriptor(
        name=name,
        group=PAGES,
        summary=summary,
        args=NoArgs,
        result=InteractionData,
        form=Nothing(),
        examples=(f"surefoot {name}",),
        traits=NAVIGATES,
        run=run,
        text=interaction_text,
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    _step("back", "Go back in the history.", _back),
    _step("forward", "Go forward in the history.", _forward),
    _step("reload", "Load the page again.", _reload),
    Descriptor(
        name="viewport",
        group=PAGES,
        summary="Set the size of the view.",
        args=ViewportArgs,
        result=InteractionData,
        form=VIEWPORT,
        examples=("surefoot viewport 1280x720",),
        traits=NAVIGATES,
        run=_viewport,
        text=interaction_text,
    ),
)
