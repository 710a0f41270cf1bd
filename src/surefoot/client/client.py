"""The Python client: :class:`AsyncSurefoot`, and :class:`Surefoot`, which waits for it.

::

    from surefoot import Surefoot

    with Surefoot().open("http://localhost:8000") as s:
        s.press(role="button", label="Save")

The methods are the commands (``session list`` is ``session_list``); results are the structs of
``surefoot.wire``; failures raise :class:`~surefoot.errors.SurefootError`.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Coroutine
from typing import Any, TypedDict, TypeVar, Unpack

import msgspec

from surefoot import __version__
from surefoot.client._methods import AsyncMethods, Methods
from surefoot.client.link import Link, forwarded
from surefoot.client.portal import Portal
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import (
    PROTOCOL,
    Call,
    CallOptions,
    CallRequest,
    Cost,
    Level,
    OpenData,
    state_paths,
)

R = TypeVar("R")


class Options(TypedDict, total=False):
    """The common flags of surface.md. ``timeout_ms`` bounds each call, in milliseconds."""

    session: str | None
    platform: str | None
    timeout_ms: int | None
    level: Level
    no_record: bool
    debug: bool
    cost: bool


class _Core:
    """What a client and the sessions it opened share: one connection, and who still needs it."""

    def __init__(self, state_dir: str | os.PathLike[str] | None) -> None:
        self.env = forwarded()
        self.cwd = os.getcwd()
        explicit = None if state_dir is None else os.fspath(state_dir)
        self.link = Link(state_paths(explicit, os.environ, self.cwd), os.environ)
        self.users = 0

    async def call(self, call: Call, result: type[R]) -> tuple[R, Cost | None]:
        request = CallRequest(
            protocol=PROTOCOL, version=__version__, kind="client", cwd=self.cwd, env=self.env, call=call
        )
        return await self.link.call(request, result)

    async def leave(self) -> None:
        """One user less; without users the connection is closed."""
        self.users = max(0, self.users - 1)
        if not self.users:
            await self.link.disconnect()


class AsyncSurefoot(AsyncMethods):
    """A client of the daemon, which is started when it is needed.

    ``session`` and ``platform`` mean what the flags mean. ``timeout_ms`` bounds each call (the daemon
    has bounds of its own). The working directory and the forwarded variables are those of now.
    """

    def __init__(
        self,
        *,
        state_dir: str | os.PathLike[str] | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._core = _Core(state_dir)
        self._options = CallOptions(**options)
        self.last_cost: Cost | None = None

    def with_options(self, **options: Unpack[Options]) -> AsyncSurefoot:
        """The same client, over the same connection, with other options."""
        other = AsyncSurefoot.__new__(AsyncSurefoot)
        other._core = self._core
        other._options = msgspec.structs.replace(self._options, **options)
        other.last_cost = None
        return other

    async def disconnect(self) -> None:
        """Close the connection (its lease ends). A later call opens another."""
        await self._core.link.disconnect()

    async def __aenter__(self) -> AsyncSurefoot:
        self._core.users += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._core.leave()

    async def _call(self, command: str, arguments: dict[str, object], result: type[R]) -> R:
        call = Call(command=command, arguments=arguments, options=self._options)
        data, self.last_cost = await self._core.call(call, result)
        return data

    async def _open(self, arguments: dict[str, object]) -> AsyncSession:
        opened = await self._call("open", arguments, OpenData)
        self._core.users += 1
        return AsyncSession._of(self, opened)


class AsyncSession(AsyncSurefoot):
    """An open session. Leaving its ``async with`` closes it; ``opened`` is what ``open`` answered."""

    opened: OpenData

    @classmethod
    def _of(cls, client: AsyncSurefoot, opened: OpenData) -> AsyncSession:
        session = cls.__new__(cls)
        session._core = client._core
        session._options = msgspec.structs.replace(client._options, session=opened.session)
        session.last_cost = client.last_cost
        session.opened = opened
        return session

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(self, *error: object) -> None:
        try:
            await _close_quietly(self, failed=bool(error and error[0]))
        finally:
            await self._core.leave()


async def _close_quietly(session: AsyncSession, failed: bool) -> None:
    """Close; that it is closed already, or fails to close after another failure, is no news."""
    try:
        await session.close()
    except SurefootError as error:
        if not failed and error.code is not ErrorCode.SESSION_NOT_FOUND:
            raise


class Surefoot(Methods):
    """:class:`AsyncSurefoot` for code that is not asynchronous: the same options, the same methods.

    Thread-safe. Ctrl-C cancels the call that is running.
    """

    def __init__(
        self,
        *,
        state_dir: str | os.PathLike[str] | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._async = AsyncSurefoot(state_dir=state_dir, **options)
        self._portal = Portal()
        weakref.finalize(self._async._core, self._portal.stop)

    @property
    def last_cost(self) -> Cost | None:
        """What the last call spent, when ``cost`` is set."""
        return self._async.last_cost

    def with_options(self, **options: Unpack[Options]) -> Surefoot:
        """The same client, over the same connection, with other options."""
        return _wrapped(Surefoot, self._async.with_options(**options), self._portal)

    def disconnect(self) -> None:
        """Close the connection (its lease ends). A later call opens another."""
        self._portal.run(self._async.disconnect())
        self._portal.stop()

    def __enter__(self) -> Surefoot:
        self._async._core.users += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._leave(self._async._core.leave())

    def _leave(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            self._portal.run(work)
        finally:
            if not self._async._core.users:
                self._portal.stop()

    def _call(self, command: str, arguments: dict[str, object], result: type[R]) -> R:
        return self._portal.run(self._async._call(command, arguments, result))

    def _open(self, arguments: dict[str, object]) -> Session:
        return _wrapped(Session, self._portal.run(self._async._open(arguments)), self._portal)


class Session(Surefoot):
    """An open session. Leaving its ``with`` closes it; ``opened`` is what ``open`` answered."""

    _async: AsyncSession

    @property
    def opened(self) -> OpenData:
        return self._async.opened

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self._leave(self._async.__aexit__(*error))


S = TypeVar("S", bound=Surefoot)


def _wrapped(kind: type[S], client: AsyncSurefoot, portal: Portal) -> S:
    waiting = kind.__new__(kind)
    waiting._async = client
    waiting._portal = portal
    return waiting
