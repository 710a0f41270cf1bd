"""An MCP client's connection: its messages go to the tool server, whose calls are requests like others.

The tools are a projection of the descriptors (architecture.md, decision 1); the server itself is the
room ``mcp``, which knows nothing of the commands.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from surefoot.commands import (
    DESCRIPTORS,
    By,
    Descriptor,
    Terminal,
    data_with_calls,
    error_body,
    for_calls,
    input_schema,
    json_text,
    parse_argv,
    reply,
    tool_name,
    with_calls,
)
from surefoot.daemon.lanes import Running
from surefoot.daemon.requests import Host, Link, Request, version_mismatch
from surefoot.daemon.service import Done
from surefoot.errors import ErrorCode, SurefootError
from surefoot.mcp import COMMON_OPTIONS, Answered, Follow, Steps, Tool, serve
from surefoot.wire import Call, Kind, ScreenshotData, decode_mcp

MAX_CALLS = 64
"""Tool calls of one client at once."""

MAX_WAITING = 256
"""Messages of one client that may wait to be read."""

MAX_IMAGE_BYTES = 1024 * 1024
"""A picture larger than this is named and not sent."""

OF_A_SESSION = frozenset({"events", "capabilities"})
"""Commands that mean a session and hold none."""

NO_APP_TEXT = frozenset(
    {"events", "devices", "capabilities", "doctor", "daemon status", "daemon stop", "help"}
)
"""Commands whose answers hold no text of an app."""


class McpTask(Request):
    """The connection. Implements ``mcp.ToolHost`` and ``mcp.Channel``."""

    def __init__(self, link: Link, host: Host, number: int) -> None:
        super().__init__(link, host, number)
        self._kind = "mcp"
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue(MAX_WAITING)
        self._calls = 0
        self._owed = 0

    @property
    def busy(self) -> bool:
        return self._owed > 0

    @property
    def tools(self) -> Sequence[Tool]:
        return tool_list()

    async def run(self, payload: bytes, too_many: bool) -> None:
        try:
            self.check(too_many)
            if self.other_version is not None:
                raise version_mismatch(self.other_version)
            asked = decode_mcp(payload)
            self._cwd, self._env = asked.cwd, asked.env
            self._link.leased = True
            await serve(self, self)
        except SurefootError as error:
            await self.fail(error)

    async def fail(self, error: SurefootError) -> None:
        body = json_text(reply(error, log_path=self._host.log_path)).encode()
        await self._link.send(Kind.REPLY, self.number, body)

    def cancel(self) -> None:
        """The client is gone: so is its server."""
        if self.task is not None:
            self.task.cancel()

    def take(self, kind: Kind, payload: bytes) -> None:
        if kind is not Kind.INPUT:
            return
        try:
            self._inbox.put_nowait(payload)
        except asyncio.QueueFull:
            self.cancel()  # it asks faster than anybody could answer

    async def receive(self) -> bytes | None:
        """The next message, acknowledged; what comes while the daemon leaves is never read, so that the
        pipe may ask the next one."""
        while True:
            message = await self._inbox.get()
            if message is None or not self._host.router.stopping:
                await self._link.send(Kind.ACK, self.number)
                return message

    async def send(self, message: bytes) -> None:
        await self._link.send(Kind.MESSAGE, self.number, message)

    def owes(self, answers: int) -> None:
        self._owed = answers

    async def session_of(self, call: Call) -> str | None:
        attached = self._attached()
        try:
            return (await self._host.service.plan(call, attached)).session
        except (SurefootError, ConnectionError):
            return None
        finally:
            self._link.detach(attached)

    def batch_steps(self, steps: Steps) -> list[tuple[str, dict[str, Any]]] | None:
        given = json.dumps(steps) if isinstance(steps, list) else steps
        try:
            written = msgspec.json.decode(given, type=list[list[str] | _Step])
            calls = [parse_argv(step, {}).call if isinstance(step, list) else step for step in written]
        except (msgspec.MsgspecError, SurefootError, RecursionError):
            return None
        return [(call.command, call.arguments) for call in calls]

    async def run_call(self, call: Call, follow: Follow | None) -> Answered:
        """Run a tool's call as any other request."""
        session, outcome = await self._outcome(call, follow)
        if isinstance(outcome, SurefootError):
            outcome = for_calls(outcome, call.command)
        printed = self._host.service.render(
            call, outcome, Terminal(), as_json=False, log_path=self._host.log_path
        )
        text = with_calls((printed.stdout or printed.stderr).decode(errors="replace"))
        if isinstance(outcome, SurefootError):
            body = msgspec.to_builtins(error_body(outcome, self._host.log_path))
            return Answered(session=session, text=text, error=body)
        image = await asyncio.to_thread(_picture, outcome.data)
        if image is None and isinstance(outcome.data, ScreenshotData):
            text = (
                f"{text.rstrip()}\nnot shown here: only pictures of up to {MAX_IMAGE_BYTES} bytes are"
            )
        data = data_with_calls(msgspec.to_builtins(outcome.data))
        return Answered(session=session, text=text, data=data, image=image)

    async def _outcome(self, call: Call, follow: Follow | None) -> tuple[str, Done | SurefootError]:
        if self._calls >= MAX_CALLS:
            return "", SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"{MAX_CALLS} calls of this client run already.",
                hint="Wait for one to end.",
                details={"reason": "too_many_requests"},
            )
        attached = self._attached()
        attached.follow = follow
        self._calls += 1
        try:
            outcome = await attached.serve(call)
        finally:
            self._calls -= 1
            self._link.detach(attached)
        return attached.session, outcome

    def _attached(self) -> _ToolCall:
        attached = _ToolCall(self._link, self._host, 0)
        attached.of(self)
        self._link.attach(attached)
        return attached


class _ToolCall(Request):
    """One tool call: a request with a number of its own, so that the files it asks for are its own."""

    session = ""
    follow: Follow | None = None

    @property
    def busy(self) -> bool:
        """The connection's own request is, until the answer is out."""
        return False

    def of(self, task: McpTask) -> None:
        self._kind, self._cwd, self._env = task.kind, task.cwd, task.env

    def admitted(self, running: Running) -> None:
        self.session = running.session
        super().admitted(running)

    async def step_done(self, ordinal: int, command: str) -> None:
        """Tell the client. It may have gone; who listens never changes what happens."""
        if self.follow is not None:
            with suppress(Exception):
                await self.follow(ordinal, command)

    async def emit(self, data: object, text: str) -> None:
        """No tool streams."""
        raise NotImplementedError


def _picture(data: object) -> bytes | None:
    """The PNG a call wrote, where it is small enough to be shown."""
    if not isinstance(data, ScreenshotData) or data.bytes > MAX_IMAGE_BYTES:
        return None
    try:
        return Path(data.path).read_bytes()
    except OSError:  # taken away already
        return None


class _Step(msgspec.Struct):
    command: str
    arguments: dict[str, Any] = {}


@cache
def tool_list() -> tuple[Tool, ...]:
    """One tool a command, in the order of the table."""
    return tuple(map(_tool, DESCRIPTORS))


def _tool(one: Descriptor[Any, Any]) -> Tool:
    schema = input_schema(one)
    properties = {name: _short(value) for name, value in schema.get("properties", {}).items()}
    properties.pop(one.traits.timeout_policy.unbounded_when or "", None)  # a tool cannot stream
    options = _options(one) - set(properties)
    properties |= {name: value for name, value in COMMON_OPTIONS.items() if name in options}
    wires = {argument.name: argument.wire for argument in one.arguments}
    return Tool(
        name=tool_name(one.name),
        command=one.name,
        description=" ".join((one.summary, *one.notes)),
        input_schema={**schema, "type": "object", "properties": properties},
        targets=tuple(wires[name] for name in one.targets),
        publishes=_can_be(one.traits.ref_frame_effect, "activates_all"),
        read_only=one.traits.observation_only is True and not any(a.path for a in one.arguments),
        untrusted=one.name not in NO_APP_TEXT,
        options=frozenset(options),
        quotes_files=any(argument.path for argument in one.arguments),
    )


def _short(schema: dict[str, Any]) -> dict[str, Any]:
    """An argument's schema without what goes without saying: a list of tools is read by models."""
    found = {name: value for name, value in schema.items() if (name, value) != ("default", None)}
    if found.get("default") is False:
        del found["default"]
    kinds = [kind for kind in found.pop("anyOf", []) if kind != {"type": "null"}]
    if len(kinds) > 1:
        return {**found, "anyOf": kinds}
    return {**found, **(kinds[0] if kinds else {})}


def _options(one: Descriptor[Any, Any]) -> set[str]:
    """The common options that mean something to this command."""
    found = {"level", "timeoutMs"}
    if one.traits.lane in ("session", "preempt") or one.name in OF_A_SESSION:
        found |= {"session", "platform"}
    elif one.name in ("devices", "doctor"):
        found.add("platform")
    if not _can_be(one.traits.recording_effect, "none") or isinstance(one.traits.recording_effect, By):
        found.add("noRecord")
    return found


def _can_be(trait: object, value: str) -> bool:
    if isinstance(trait, By):
        return value in (trait.otherwise, *trait.table.values())
    return trait == value
