"""One call from admission to answer: admit, run, record, measure.

The daemon asks :func:`route` where a call belongs (lane, session, deadline), takes the lock, and calls
:func:`execute`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.commands.context import Caller, Context, Terminal, refuse_unknown_platform
from surefoot.commands.descriptor import Answer, Descriptor, Lane
from surefoot.commands.language.admission import admit, check_options
from surefoot.commands.language.spelling import refused
from surefoot.commands.output.hiding import hide_in_error, without_hidden
from surefoot.commands.running.capture import admit_to_capture
from surefoot.commands.running.expiry import expired_here, give_up_lost, refuse_expired
from surefoot.commands.running.recorded import record
from surefoot.commands.table import descriptor
from surefoot.errors import SurefootError
from surefoot.session import (
    CostCounters,
    HiddenTexts,
    ReplayStep,
    Session,
    SessionStore,
    admit_name,
    implicit_name,
)
from surefoot.wire import Call, CallOptions, RequestFinished, RequestStarted

DEFAULT_PLATFORM = "web"


class Route(Struct, frozen=True, kw_only=True):
    """Where a call runs. ``deadline_ms`` is ``None`` only for an endless stream."""

    lane: Lane
    session: str
    deadline_ms: int | None


async def route(call: Call, caller: Caller, store: SessionStore) -> Route:
    """Admit a call and say where it belongs. Raises what refuses it outright; nothing is touched.

    The session is ``--session``, else ``SUREFOOT_SESSION``, else the implicit one of the caller's git
    worktree and the platform. Without a platform it is the only one open there; several are refused.
    """
    found = descriptor(call.command)
    options = with_environment(call.options, caller.env)
    check_options(options)
    args = admit(found, call.arguments, options)
    if options.session is not None:
        name = admit_name(options.session)
    else:
        own = None if found.platform is None else await found.platform(caller, args)
        name = _implicit(options.platform or own, caller, store, strict=_holds_a_session(found))
    _preflight(found, args, store.find(name), caller, options)
    return Route(
        lane=found.traits.lane,
        session=name,
        deadline_ms=found.deadline_ms(args, options.timeout_ms),
    )


def _preflight(
    found: Descriptor[Any, Any],
    args: Struct,
    session: Session | None,
    caller: Caller,
    options: CallOptions,
) -> None:
    if session is None or not _holds_a_session(found):
        return
    try:
        found.preflight(session, args, caller, options)
    except SurefootError as error:
        hide_in_error(session.hidden, error)
        raise


def with_environment(options: CallOptions, env: Mapping[str, str]) -> CallOptions:
    """The options with ``SUREFOOT_SESSION`` and ``SUREFOOT_PLATFORM`` where they say nothing."""
    return msgspec.structs.replace(
        options,
        session=options.session if options.session is not None else env.get("SUREFOOT_SESSION") or None,
        platform=options.platform
        if options.platform is not None
        else env.get("SUREFOOT_PLATFORM") or None,
    )


def _implicit(platform: str | None, caller: Caller, store: SessionStore, *, strict: bool) -> str:
    """The session a call without a name means; of several, one that is not ``strict`` takes the last
    used one."""
    cwd = Path(caller.cwd)
    if platform is not None:
        return implicit_name(cwd, platform)
    here = [s for s in store if s.name == implicit_name(cwd, s.platform)]
    here.sort(key=lambda session: -session.last_used_ms)
    if len(here) > 1 and strict:
        names = ", ".join(session.name for session in here)
        raise refused(
            f"several sessions are open here: {names}",
            hint="Say which with --session NAME or --platform P.",
            reason="several_sessions",
        )
    if here:
        return here[0].name
    return expired_here(store, cwd) or implicit_name(cwd, DEFAULT_PLATFORM)


async def execute(call: Call, context: Context) -> Answer[Any]:
    """Run one call. Raises ``SurefootError``; ``context.meter`` says what it cost either way.

    The events ``request_started`` and ``request_finished`` go to the session's log; what a recording
    keeps goes to its action log, on success only.
    """
    found = descriptor(call.command)
    context = dataclasses.replace(
        context, options=with_environment(context.options, context.caller.env)
    )
    args = admit(found, call.arguments, context.options)
    await refuse_unknown_platform(context.drivers, context.options.platform)
    if not _holds_a_session(found):
        with _accounted(found, context):
            return await run_admitted(found, args, context)
    await refuse_expired(context, args)
    try:
        with _accounted(found, context):
            return await run_admitted(found, args, context)
    except SurefootError as error:
        gone = await give_up_lost(context)
        if gone is not None:
            raise gone from error
        raise


async def run_admitted(found: Descriptor[Any, Any], args: Struct, context: Context) -> Answer[Any]:
    """Run an admitted command and keep what a recording keeps of it.

    Its error is without the texts the session hides, but as a step of a replay: the report names the
    variables the step used, and the error of the replay hides what is left.
    """
    before = _session(found, context)
    try:
        if before is not None:
            admit_to_capture(before, found, args)
        answer = await found.run(context, args)
    except SurefootError as error:
        session = _session(found, context) or before
        if not isinstance(context.provenance, ReplayStep):
            hide_in_error(HiddenTexts() if session is None else session.hidden, error)
        raise
    session = _session(found, context) or before
    if session is None:
        return answer
    context.meter.session = session
    warnings = _record(context, session, found, args, answer)
    if warnings:
        data = msgspec.structs.replace(answer.data, warnings=(*answer.data.warnings, *warnings))
        answer = dataclasses.replace(answer, data=data)
    return without_hidden(session.hidden, answer)


def _record(
    context: Context, session: Session, found: Descriptor[Any, Any], args: Struct, answer: Answer[Any]
) -> tuple[str, ...]:
    """Keep the command, or the steps that stand for it; the warnings for its response."""
    if not answer.steps:
        return record(context, session, found, answer.kept or args, answer)
    warnings: tuple[str, ...] = ()
    for step in answer.steps:
        template = None if context.template is None else step.of(context.template)
        warnings += record(
            dataclasses.replace(context, template=template),
            session,
            descriptor(step.command),
            step.of(args),
            dataclasses.replace(answer, resolved=step.resolved),
        )
    return warnings


def worded(call: Call, answer: Answer[Any], terminal: Terminal) -> str:
    """The text of a success, without cost."""
    if answer.worded is not None:
        return answer.worded()
    found = descriptor(call.command)
    return found.text(admit(found, call.arguments, call.options), answer.data, terminal)


@contextmanager
def _accounted(found: Descriptor[Any, Any], context: Context) -> Iterator[None]:
    """Measure a request and tell the session's event log of its beginning and end."""
    before = _session(found, context)
    mark = before.cost.mark() if before is not None else CostCounters()
    if before is not None:
        before.events.append(RequestStarted(command=found.name))
    started = context.clock.now_ms()
    failure: SurefootError | None = None
    try:
        yield
    except SurefootError as error:
        failure = error
        raise
    finally:
        meter = context.meter
        session = _session(found, context) or meter.session or before
        spent_ms = context.clock.now_ms() - started
        meter.total_ms += spent_ms
        if session is not None:
            spent = session.cost.since(mark if session is before else CostCounters())
            meter.captures += spent.captures
            meter.polls += spent.polls
            meter.reused += spent.reused
            session.events.append(_finished(found.name, spent_ms, failure))


def _holds_a_session(found: Descriptor[Any, Any]) -> bool:
    return found.traits.lane in ("session", "preempt")


def _session(found: Descriptor[Any, Any], context: Context) -> Session | None:
    """The session a command of a session's lane runs in, when it is open."""
    if not _holds_a_session(found):
        return None
    return context.store.find(context.session)


def _finished(command: str, duration_ms: float, failure: SurefootError | None) -> RequestFinished:
    return RequestFinished(
        command=command,
        success=failure is None,
        duration_ms=round(duration_ms, 1),
        code=None if failure is None else failure.code.value,
        reason=None if failure is None else failure.reason,
        diagnostic_id=None if failure is None else failure.diagnostic_id,
    )
