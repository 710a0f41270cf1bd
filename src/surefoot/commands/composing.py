"""The half of ``replay`` that composes: the closure checked whole, a resume by address admitted (seed
0020)."""

from __future__ import annotations

import os

from surefoot.commands.context import Context
from surefoot.commands.families.common import absolute
from surefoot.commands.families.shapes import ReplayArgs
from surefoot.commands.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.sources import CallerSources
from surefoot.compose import (
    ComposedPlan,
    Rerecording,
    ResumeRequest,
    Unit,
    load_composed,
    refuse_composed_resume_of_flat,
    repair_unsupported,
)
from surefoot.recording import refuse_repairing
from surefoot.replay import admit_composed_resume
from surefoot.script import Scope, Script

DEFAULT_PLATFORM = "web"
DEFAULT_TARGET = "desktop"


async def load_composition(
    context: Context, path: str, data: bytes, script: Script, scope: Scope
) -> ComposedPlan:
    """The plan of the composition at ``path`` (absolute) with the bytes ``data``, everything verified.

    Raises what :func:`~surefoot.compose.load_composed` raises; no device was asked for anything.
    """
    asked, own = context.options.platform, script.context.get("platform")
    differs = asked is not None and own is not None and asked != own
    closure = await CallerSources(context.caller, path).closure(data)
    return load_composed(
        closure,
        SCRIPT_GRAMMAR,
        platform=asked or own or DEFAULT_PLATFORM,
        target=script.context.get("target", DEFAULT_TARGET),
        overridden={"platform": asked} if differs and asked is not None else None,
        scope=scope,
    )


def admit_composed(context: Context, args: ReplayArgs, plan: ComposedPlan) -> int:
    """The place (1-based) among the plan's steps where this replay starts.

    Refuses ``--save-script`` (``fragment_repair_unsupported``), a session under repair, and whatever
    resume :func:`~surefoot.compose.check_composed_resume` refuses.
    """
    if args.save_script:
        sources = CallerSources(context.caller, absolute(context, args.file))
        cwd = os.path.realpath(context.caller.cwd)
        raise repair_unsupported(
            args.file, [_rerecording(sources, cwd, unit) for unit in plan.fragments]
        )
    session = context.store.find(context.session)
    if session is not None:
        refuse_repairing(session)
    request = resume_request(args)
    return 1 if request is None else admit_composed_resume(plan, request, session) + 1


def resume_request(args: ReplayArgs) -> ResumeRequest | None:
    """The resume a replay asks for, if it does."""
    if args.from_ is None:
        return None
    return ResumeRequest(
        from_=args.from_,
        plan_digest=args.plan_digest,
        composition_digest=args.composition_digest,
    )


def refuse_address_of_flat(args: ReplayArgs) -> None:
    """A flat script resumes by number: a composition digest is for another kind of script."""
    request = resume_request(args)
    if request is not None:
        refuse_composed_resume_of_flat(request)


def _rerecording(sources: CallerSources, cwd: str, unit: Unit) -> Rerecording:
    """The fragment as the caller would name it from their directory, and its own entry selector."""
    guard = unit.steps[0]
    return Rerecording(path=os.path.relpath(sources.path_of(unit.key), cwd), entry=guard.positionals[0])
