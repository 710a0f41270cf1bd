"""Compositions in ``replay`` and ``check``: the closure checked whole, a resume by address admitted
(seed 0020)."""

from __future__ import annotations

import os

import msgspec

from surefoot.commands.context import Context
from surefoot.commands.families.common import absolute
from surefoot.commands.families.shapes import ReplayArgs
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.running.sources import CallerSources
from surefoot.compose import (
    Closure,
    ComposedPlan,
    Preflight,
    Rerecording,
    ResumeRequest,
    Unit,
    Violation,
    composition_digest,
    load_composed,
    preflight,
    refuse_composed_resume_of_flat,
    repair_unsupported,
)
from surefoot.recording import refuse_repairing
from surefoot.replay import admit_composed_resume
from surefoot.script import Scope, Script
from surefoot.wire import CheckedFile, CheckEntry

DEFAULT_PLATFORM = "web"
DEFAULT_TARGET = "desktop"
MAX_ENTRIES = 100
"""Violations of one closure that ``check`` lists."""


async def load_composition(
    context: Context, path: str, data: bytes, script: Script, scope: Scope
) -> ComposedPlan:
    """The plan of the composition at ``path`` (absolute) with the bytes ``data``, everything verified.

    Raises what :func:`~surefoot.compose.load_composed` raises; no device was asked for anything.
    """
    asked, own = context.options.platform, script.context.get("platform")
    differs = asked is not None and own is not None and asked != own
    sources = CallerSources(context.caller, path)
    return load_composed(
        await sources.closure(data),
        SCRIPT_GRAMMAR,
        platform=asked or own or DEFAULT_PLATFORM,
        target=script.context.get("target", DEFAULT_TARGET),
        overridden={"platform": asked} if differs and asked is not None else None,
        scope=scope,
        path_of=sources.path_of,
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


def with_composition(checked: CheckedFile, closure: Closure) -> CheckedFile:
    """A file of ``check`` with what is wrong below it, its digest where nothing is, and the variables
    its fragments need. A fault further down stands at the include of this file that leads to it.
    """
    found = preflight(closure)
    told = {entry.line for entry in checked.errors}
    errors = [
        CheckEntry(line=line, column=column, rule=one.reason, message=message)
        for one in found.violations[:MAX_ENTRIES]
        for line, column, message in (_placed(found, one),)
        if one.at.path != found.graph.root or not {line, line - 1} & told
    ]
    root = found.graph.units[found.graph.root]
    needed = dict.fromkeys(checked.variables)
    for unit in found.graph.units.values():
        needed.update(dict.fromkeys(unit.variables))
    sound = not found.violations and not checked.errors
    return msgspec.structs.replace(
        checked,
        errors=(*checked.errors, *errors),
        digest=root_digest(found) if sound else None,
        variables=tuple(
            name for name in needed if name not in root.script.env and not name.startswith("AD_")
        ),
    )


def root_digest(found: Preflight) -> str:
    """The identity of a sound closure's root, in the context of its own header."""
    root = found.graph.units[found.graph.root]
    if root.kind == "fragment":
        return found.graph.identities[root.key].digest
    below = [key for key in found.graph.bottom_up if key != root.key]
    return composition_digest(
        root,
        root.platform or DEFAULT_PLATFORM,
        root.target or DEFAULT_TARGET,
        [(found.graph.identities[key], found.graph.units[key]) for key in below],
    )


def _placed(found: Preflight, one: Violation) -> tuple[int, int, str]:
    """Where a violation stands in the root, and what it says there."""
    if one.at.path == found.graph.root:
        return one.at.line, one.at.column, one.message
    site = found.graph.first_sites.get(one.at.path)
    while site is not None and site.source != found.graph.root:
        site = found.graph.first_sites.get(site.source)
    line = site.include.line if site is not None else 1
    return line, 1, f"{one.at.path}:{one.at.line}: {one.message}"
