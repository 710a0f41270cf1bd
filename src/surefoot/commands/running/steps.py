"""How a replay runs one step: through the very descriptor and handler of the command typed by hand."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.commands.context import Context, FollowsSteps
from surefoot.commands.descriptor import Descriptor
from surefoot.commands.families.shapes import enters_text
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.running.execute import run_admitted
from surefoot.commands.running.uploads import directory_of
from surefoot.plan import BoundStep
from surefoot.recording import Phase
from surefoot.replay import StepSeams
from surefoot.session import ReplayStep, Session

_VARIABLE = re.compile(r"\$\{([A-Z_][A-Z0-9_]*)(?::-.*)?\}", re.DOTALL)


class CommandStepExecutor:
    """``replay.StepExecutor`` over the commands, within the request that replays.

    ``platform`` is the plan's: an ``open`` of the script opens there (surface.md). ``root`` is what
    the paths of its sources start at.
    """

    def __init__(self, context: Context, platform: str | None, root: str) -> None:
        options = msgspec.structs.replace(
            context.options, platform=platform or context.options.platform
        )
        self._context = dataclasses.replace(context, options=options)
        self._root = root

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
        self._keep_secret(step, template)
        context = dataclasses.replace(
            self._context,
            provenance=provenance,
            seams=seams,
            template=template,
            directory=directory_of(self._root, step.step),
        )
        await run_admitted(descriptor, args, context)
        if isinstance(context.caller, FollowsSteps):
            await context.caller.step_done(provenance.ordinal, _told(step.command, provenance))

    def _keep_secret(self, step: BoundStep, template: Struct) -> None:
        """A recorded run keeps the placeholder of a text that is one variable, so the session hides
        its value as if it had been entered under that name (contracts.md, 0017)."""
        session = self.session()
        if session is None or not session.recording_active or not enters_text(template):
            return
        text = str(getattr(template, "text", None) or getattr(template, "value", None) or "")
        entered = _VARIABLE.fullmatch(text)
        if entered is not None and entered[1] in step.used:
            session.hidden.learn(step.used[entered[1]], entered[1])

    def _admit(self, step: BoundStep) -> tuple[Descriptor[Any, Any], Struct]:
        return SCRIPT_GRAMMAR.args(step.command, step.positionals, step.flags, bound=True)


def _told(command: str, step: ReplayStep) -> str:
    """A step in the progress of a replay; one of a composition with its own name (seed 0020)."""
    if step.address is None:
        return command
    return f"{command} at {step.path}:{step.line}, address {step.address}"
