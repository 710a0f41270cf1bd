"""How a replay runs one step: through the very descriptor and handler of the command typed by hand."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.commands.context import Context
from surefoot.commands.descriptor import Descriptor
from surefoot.commands.execute import run_admitted
from surefoot.commands.script_grammar import SCRIPT_GRAMMAR
from surefoot.plan import BoundStep
from surefoot.recording import Phase
from surefoot.replay import StepSeams
from surefoot.session import ReplayStep, Session


class CommandStepExecutor:
    """``replay.StepExecutor`` over the commands, within the request that replays.

    ``platform`` is the plan's: an ``open`` of the script opens there (surface.md).
    """

    def __init__(self, context: Context, platform: str | None = None) -> None:
        options = msgspec.structs.replace(
            context.options, platform=platform or context.options.platform
        )
        self._context = dataclasses.replace(context, options=options)

    def phase(self, step: BoundStep) -> Phase:
        """When the step's evidence is verified: its descriptor's trait for its arguments."""
        descriptor, args = self._admit(step)
        return descriptor.target_identity_verification(args)

    def session(self) -> Session | None:
        """The session the steps run in, while it is open."""
        return self._context.store.find(self._context.session)

    async def execute(self, step: BoundStep, provenance: ReplayStep, seams: StepSeams) -> None:
        """Run the step with daemon-only provenance. Raises ``SurefootError``."""
        descriptor, args = self._admit(step)
        _, template = SCRIPT_GRAMMAR.args(step.command, step.step.positionals, step.step.flags)
        context = dataclasses.replace(
            self._context, provenance=provenance, seams=seams, template=template
        )
        await run_admitted(descriptor, args, context)

    def _admit(self, step: BoundStep) -> tuple[Descriptor[Any, Any], Struct]:
        return SCRIPT_GRAMMAR.args(step.command, step.positionals, step.flags, bound=True)
