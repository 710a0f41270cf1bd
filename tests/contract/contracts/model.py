"""What a contract is given, and the few words contracts are written with."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

import pytest

from surefoot.drivers import App, Clock, Driver, DriverEvent
from surefoot.errors import CaptureUnreadable, ErrorCode, SurefootError
from surefoot.tree import Node, Observation

ALLOWED: frozenset[tuple[ErrorCode, str]] = frozenset(
    {
        (ErrorCode.ELEMENT_NOT_FOUND, "node_detached"),
        (ErrorCode.ELEMENT_COVERED, "covered"),
        (ErrorCode.ELEMENT_OFFSCREEN, "offscreen"),
        (ErrorCode.ELEMENT_OFFSCREEN, "zero_size"),
        (ErrorCode.ELEMENT_DISABLED, "disabled"),
        (ErrorCode.ELEMENT_DISABLED, "inert"),
        (ErrorCode.COMMAND_FAILED, "moving"),
        (ErrorCode.COMMAND_FAILED, "not_delivered"),
        (ErrorCode.COMMAND_FAILED, "text_mismatch"),
        (ErrorCode.COMMAND_FAILED, "not_editable"),
        (ErrorCode.COMMAND_FAILED, "readonly"),
        (ErrorCode.COMMAND_FAILED, "maxlength"),
        (ErrorCode.COMMAND_FAILED, "bad_value"),
        (ErrorCode.COMMAND_FAILED, "no_focus"),
        (ErrorCode.DIALOG_PENDING, "dialog_open"),
        (ErrorCode.COMMAND_FAILED, "capture_unreadable"),
        (ErrorCode.COMMAND_FAILED, "app_crashed"),
        (ErrorCode.COMMAND_FAILED, "driver_lost"),
        (ErrorCode.TIMEOUT, "driver_deadline"),
    }
)
"""The driver protocol's table of errors that an app's calls raise."""


@dataclass
class Opened:
    """An app a contract opened, and what it told by itself."""

    app: App
    driver: Driver
    clock: Clock
    events: list[DriverEvent] = field(default_factory=list)

    async def node(self, role: str, label: str, nth: int = 0) -> Node:
        """The ``nth`` node with this role and label on the screen as it is now."""
        found = matches(await self.app.observe(), role, label)
        assert len(found) > nth, f"no {role} {label!r} (number {nth}) on the screen"
        return found[nth]

    async def shows(self, text: str) -> bool:
        """Whether a node of the screen is called ``text``."""
        return text in labels(await self.app.observe())

    async def shows_soon(self, text: str, ms: int = 5_000) -> bool:
        """Whether a node called ``text`` appears within so many ms; rides out content verdicts."""
        end = self.clock.now_ms() + ms
        while self.clock.now_ms() < end:
            with contextlib.suppress(CaptureUnreadable):
                if await self.shows(text):
                    return True
            await self.clock.sleep(20)
        return False


class Stage(Protocol):
    """Opens the contract apps (``tests/contract/apps``) on one driver."""

    async def open(self, name: str) -> Opened: ...

    async def open_missing(self) -> Opened: ...

    async def reopen(self, opened: Opened, name: str) -> None: ...


@dataclass(frozen=True)
class Contract:
    """One thing every driver does. ``check`` opens its app on the stage and asserts."""

    name: str
    check: Callable[[Stage], Awaitable[None]]


def contract(into: list[Contract]) -> Callable[[Callable[[Stage], Awaitable[None]]], None]:
    """Put a function into a table of contracts under its own name."""

    def add(check: Callable[[Stage], Awaitable[None]]) -> None:
        into.append(Contract(getattr(check, "__name__", "").replace("_", "-"), check))

    return add


def matches(observation: Observation, role: str, label: str) -> list[Node]:
    return [node for node in observation.tree if node.role == role and node.label == label]


def labels(observation: Observation) -> set[str]:
    return {node.label for node in observation.tree}


async def refused(call: Awaitable[object], code: ErrorCode, reason: str) -> SurefootError:
    """The call must raise exactly this error of the table; returns it."""
    with pytest.raises(SurefootError) as caught:
        await call
    error = caught.value
    assert (error.code, error.reason) == (code, reason), f"refused as {error!r}"
    assert (error.code, error.reason) in ALLOWED
    assert error.message
    assert error.hint
    return error
