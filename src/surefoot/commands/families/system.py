"""``events``, ``devices``, ``capabilities``, ``doctor``, ``daemon status|stop``, ``help``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, get_args

from msgspec import to_builtins
from msgspec.structs import replace

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, Lane, TimeoutPolicy, Traits
from surefoot.commands.families.common import SYSTEM
from surefoot.commands.families.shapes import EventsArgs, HelpArgs, NoArgs
from surefoot.commands.language.forms import Nothing, Tail
from surefoot.commands.output.words import lines
from surefoot.drivers import Capability
from surefoot.errors import SurefootError
from surefoot.text import single_line
from surefoot.wire import (
    CapabilitiesData,
    DaemonStatus,
    DeviceData,
    DevicesData,
    DoctorData,
    EventEntry,
    EventsData,
    FindingData,
    HelpData,
    PlatformCapabilities,
    StoppedData,
)

POLL_MS = 200
ALL_CAPABILITIES: tuple[str, ...] = get_args(Capability)


async def _events(context: Context, args: EventsArgs) -> Answer[EventsData]:
    log = context.store.events(context.session)
    after = args.after if args.after is not None else max(0, log.cursor - args.limit)
    data = log.read(after, args.limit)
    if args.after is None:  # what was not asked for is not missing
        data = replace(data, gap=False)
    if not args.follow:
        return Answer(data)
    while True:
        for entry in data.events:
            await context.caller.emit(to_builtins(entry), event_line(entry))
        await context.clock.sleep(POLL_MS)
        data = context.store.events(context.session).read(data.next, args.limit)


def json_value(value: object) -> str:
    """``true``, not ``True``: as ``--json`` spells it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def event_line(entry: EventEntry) -> str:
    """One entry of the log on one line."""
    fields = to_builtins(entry.event)
    kind = fields.pop("type")
    at = datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%H:%M:%S.%f")[:-3]
    told = " ".join(
        f"{name}={single_line(json_value(value))}"
        for name, value in fields.items()
        if value is not None
    )
    return f"{entry.cursor} {at} {kind} {told}".rstrip()


async def _devices(context: Context, _args: NoArgs) -> Answer[DevicesData]:
    found: list[DeviceData] = []
    for platform in _platforms(context):
        driver = await context.drivers.get(platform)
        found += [
            DeviceData(
                id=device.id,
                name=device.name,
                platform=device.platform,
                available=device.available,
                detail=device.detail or None,
            )
            for device in await driver.devices()
        ]
    return Answer(DevicesData(devices=tuple(found)))


def _platforms(context: Context) -> tuple[str, ...]:
    asked = context.options.platform
    return (asked,) if asked is not None else tuple(context.drivers.platforms)


async def _capabilities(context: Context, _args: NoArgs) -> Answer[CapabilitiesData]:
    session = context.store.find(context.session)
    listed: list[PlatformCapabilities] = []
    for platform in _platforms(context):
        own = session is not None and session.platform == platform
        has = (
            session.app.capabilities
            if own and session is not None
            else (await context.drivers.get(platform)).capabilities
        )
        listed.append(
            PlatformCapabilities(
                platform=platform,
                capabilities=tuple(sorted(has)),
                missing=tuple(name for name in ALL_CAPABILITIES if name not in has),
            )
        )
    name = None if session is None else session.name
    return Answer(CapabilitiesData(platforms=tuple(listed), session=name))


async def _doctor(context: Context, _args: NoArgs) -> Answer[DoctorData]:
    findings: list[FindingData] = []
    for platform in _platforms(context):
        try:
            findings += [
                FindingData(
                    platform=platform, name=item.name, ok=item.ok, found=item.found, fix=item.fix
                )
                for item in await (await context.drivers.get(platform)).doctor()
            ]
        except SurefootError as error:
            if context.options.platform is not None:
                raise
            findings.append(
                FindingData(
                    platform=platform, name="driver", ok=False, found=error.message, fix=error.hint
                )
            )
    return Answer(DoctorData(ok=all(item.ok for item in findings), findings=tuple(findings)))


async def _status(context: Context, _args: NoArgs) -> Answer[DaemonStatus]:
    return Answer(context.control.status())


async def _stop(context: Context, _args: NoArgs) -> Answer[StoppedData]:
    status = context.control.status()
    await context.control.stop()
    return Answer(StoppedData(stopping=True, pid=status.pid, sessions=status.sessions))


async def _help(_context: Context, args: HelpArgs) -> Answer[HelpData]:
    from surefoot.commands.output.help import help_page  # the table knows this family

    return Answer(HelpData(text=help_page(args.topic), topic=args.topic))


def _check_help(args: HelpArgs) -> None:
    from surefoot.commands.output.help import check_topic

    check_topic(args.topic)


def _events_text(_args: EventsArgs, data: EventsData, _terminal: Terminal) -> str:
    gap = "# earlier events have rotated away" if data.gap else None
    return lines(gap, map(event_line, data.events), f"# next: --after {data.next}")


def _devices_text(_args: NoArgs, data: DevicesData, _terminal: Terminal) -> str:
    return lines(
        f"{single_line(item.id)}  {item.platform}  {single_line(item.name)}"
        f"  {'available' if item.available else 'not available'}"
        + (f"  {single_line(item.detail)}" if item.detail else "")
        for item in data.devices
    )


def _capabilities_text(_args: NoArgs, data: CapabilitiesData, _terminal: Terminal) -> str:
    return lines(
        f"{item.platform}: {', '.join(item.capabilities) or 'none'}"
        + (f" (not: {', '.join(item.missing)})" if item.missing else "")
        for item in data.platforms
    )


def _doctor_text(_args: NoArgs, data: DoctorData, _terminal: Terminal) -> str:
    out: list[str] = []
    for item in data.findings:
        out.append(
            f"{'ok  ' if item.ok else 'FAIL'} {item.platform} {item.name}: {single_line(item.found)}"
        )
        if item.fix and not item.ok:
            out.append(f"     fix: {single_line(item.fix)}")
    return lines(out, "everything is there" if data.ok else "something is missing")


def _status_text(_args: NoArgs, data: DaemonStatus, _terminal: Terminal) -> str:
    sessions = f"{data.sessions} session{'' if data.sessions == 1 else 's'}"
    browser = "" if data.browser_pid is None else f", browser pid {data.browser_pid}"
    head = f"daemon {data.version}, pid {data.pid}, since {data.started_at}, {sessions}{browser}"
    return lines(head, None if data.log_path is None else f"log {single_line(data.log_path)}")


def _stop_text(_args: NoArgs, data: StoppedData, _terminal: Terminal) -> str:
    return f"daemon {data.pid} stops"


def _help_text(_args: HelpArgs, data: HelpData, _terminal: Terminal) -> str:
    return data.text


def _aside(lane: Lane, timeout_ms: int, unbounded_when: str | None = None) -> Traits:
    return Traits(
        ref_frame_effect="none",
        recording_effect="none",
        target_identity_verification="none",
        fragment_safe=False,
        timeout_policy=TimeoutPolicy(default_ms=timeout_ms, unbounded_when=unbounded_when),
        observation_only=False,
        batchable=False,
        lane=lane,
    )


DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="events",
        group=SYSTEM,
        summary="Read the session's event log.",
        args=EventsArgs,
        result=EventsData,
        form=Nothing(),
        examples=("surefoot events --follow", "surefoot events --after 120"),
        traits=_aside("control", 30_000, unbounded_when="follow"),
        run=_events,
        text=_events_text,
    ),
    Descriptor(
        name="devices",
        group=SYSTEM,
        summary="Show where apps can be opened.",
        args=NoArgs,
        result=DevicesData,
        form=Nothing(),
        examples=("surefoot devices",),
        traits=_aside("free", 60_000),
        run=_devices,
        text=_devices_text,
    ),
    Descriptor(
        name="capabilities",
        group=SYSTEM,
        summary="Show what each platform can do.",
        args=NoArgs,
        result=CapabilitiesData,
        form=Nothing(),
        examples=("surefoot capabilities --platform web",),
        traits=_aside("free", 60_000),
        run=_capabilities,
        text=_capabilities_text,
    ),
    Descriptor(
        name="doctor",
        group=SYSTEM,
        summary="Check what is installed; say what mends it.",
        args=NoArgs,
        result=DoctorData,
        form=Nothing(),
        examples=("surefoot doctor",),
        traits=_aside("free", 120_000),
        run=_doctor,
        text=_doctor_text,
    ),
    Descriptor(
        name="daemon status",
        group=SYSTEM,
        summary="Show the daemon.",
        args=NoArgs,
        result=DaemonStatus,
        form=Nothing(),
        examples=("surefoot daemon status --json",),
        traits=_aside("control", 10_000),
        run=_status,
        text=_status_text,
    ),
    Descriptor(
        name="daemon stop",
        group=SYSTEM,
        summary="Close every session and end the daemon.",
        args=NoArgs,
        result=StoppedData,
        form=Nothing(),
        examples=("surefoot daemon stop",),
        traits=_aside("control", 30_000),
        run=_stop,
        text=_stop_text,
    ),
    Descriptor(
        name="help",
        group=SYSTEM,
        summary="Show help on a command or a topic.",
        args=HelpArgs,
        result=HelpData,
        form=Tail("topic", "topic"),
        examples=("surefoot help press", "surefoot help workflow"),
        traits=_aside("free", 10_000),
        run=_help,
        text=_help_text,
        check=_check_help,
    ),
)
