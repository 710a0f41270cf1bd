"""What is one tab, and what is going on in it? Sessions, frames, dialog, navigation, crash.

A page owns the protocol sessions of its target and of its out-of-process frames. Every call goes
through it, so that a dialog, a crash or the end of the browser ends the call at once and typed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from surefoot.drivers.protocol import Dialog
from surefoot.drivers.web.act.script import acting_source
from surefoot.drivers.web.connect.cdp import (
    CALL_DEADLINE,
    Answer,
    CdpError,
    Connection,
    deadline_error,
    lost_error,
)
from surefoot.drivers.web.pages.faults import closed_error, crashed_error, dialog_error
from surefoot.drivers.web.pages.frames import FrameTree, PageFrame
from surefoot.drivers.web.pages.network import Requests
from surefoot.drivers.web.see import WALKER_WORLD
from surefoot.errors import SurefootError

if TYPE_CHECKING:
    from surefoot.drivers.web.connect.browser import Browser

BINDING = "__surefootTell"
"""The function the acting script calls to report an event, in the isolated world only."""

MOST_HELD_BACK = 100
HTTP_ERROR = 400
"""Statuses from here on say that the server answered with an error."""
FRAMES_ONLY = [{"type": "iframe", "exclude": False}, {"exclude": True}]
STOP_WAIT = 1.5
REQUEST_HEED = 1.0
"""Seconds a navigation a document asked for counts as under way before the browser confirms it."""
DIALOG_CALLS = ("Page.handleJavaScriptDialog", "Target.", "Browser.")
"""Calls that work while a dialog is open."""


class Page:
    """One tab (a :class:`~surefoot.drivers.web.see.FrameHost`). Made by its browser on attachment."""

    def __init__(
        self,
        browser: Browser,
        target_id: str,
        session_id: str,
        context_id: str | None,
        opener: str | None,
    ) -> None:
        self.browser = browser
        self.target_id = target_id
        self.session_id = session_id
        self.context_id = context_id
        self.opener = opener
        self.tree = FrameTree(self)
        self.requests = Requests()
        self.dialog: Dialog | None = None
        self.crashed = False
        self.closed = False
        self.title = ""
        self.documents = 0
        self.started_navigations = 0
        self.popups_announced = 0
        self.departures = 0
        """Navigations to another document that began."""
        self.submissions = 0
        self.held_back: list[dict[str, str]] = []
        """Fields that held their form back in the present action: ``role``, ``label``, ``why``."""
        self.saves = 0
        """Clicks on links that save what they lead to."""
        self.choosers = 0
        self.loader = ""
        self.status: int | None = None  # the HTTP error the document came with
        self._statuses: dict[str, int] = {}  # of documents that are not shown yet, by loader
        self._navigating: str | None = None
        self._requested = float("-inf")
        self.moved_at = float("-inf")
        """When a navigation began or committed last (``time.monotonic``)."""
        self._sessions: set[str] = {session_id}
        self._gates: dict[str, Callable[[dict[str, Any]], None]] = {}
        self._changed: set[asyncio.Future[None]] = set()
        self._initial: asyncio.Task[None] | None = None
        self.on_drag: Callable[[dict[str, Any]], None] | None = None
        self.on_chooser: Callable[[dict[str, Any], str], None] | None = None
        self.on_event: Callable[[str, str], None] = lambda _kind, _detail: None
        self._table: dict[str, Callable[[dict[str, Any], str], None]] = {
            "Page.frameAttached": self._frame_attached,
            "Page.frameDetached": self._frame_detached,
            "Page.frameNavigated": self._frame_navigated,
            "Page.navigatedWithinDocument": self._within_document,
            "Page.frameRequestedNavigation": self._requested_navigation,
            "Page.frameStartedNavigating": self._started_navigating,
            "Page.frameStoppedLoading": self._stopped_loading,
            "Page.lifecycleEvent": self._lifecycle,
            "Page.javascriptDialogOpening": self._dialog_opening,
            "Page.javascriptDialogClosed": self._dialog_closed,
            "Page.windowOpen": self._window_open,
            "Page.fileChooserOpened": self._chooser_opened,
            "Input.dragIntercepted": self._drag_intercepted,
            "Runtime.executionContextCreated": self._context_created,
            "Runtime.executionContextDestroyed": self._context_destroyed,
            "Runtime.executionContextsCleared": self._contexts_cleared,
            "Runtime.bindingCalled": self._binding_called,
            "Inspector.targetCrashed": self._target_crashed,
            "Target.attachedToTarget": self._attached,
            "Target.detachedFromTarget": self._detached,
            "Network.requestWillBeSent": self.requests.will_be_sent,
            "Network.loadingFinished": self.requests.ended,
            "Network.loadingFailed": self.requests.ended,
            "Network.responseReceived": self._response_received,
        }

    # -- FrameHost -----------------------------------------------------------------------------

    def frames(self) -> list[PageFrame]:
        return list(self.tree.ordered())

    @property
    def navigating(self) -> bool:
        return self._navigating is not None or time.monotonic() - self._requested < REQUEST_HEED

    @property
    def url(self) -> str:
        top = self.tree.top
        return top.url if top else ""

    # -- calls -----------------------------------------------------------------------------------

    @property
    def connection(self) -> Connection:
        return self.browser.connection

    def start(
        self, method: str, params: Mapping[str, Any] | None = None, session_id: str = ""
    ) -> Answer:
        """Begin a call on the page's session (or a frame's). Fails at once where it could only hang."""
        if not method.startswith(DIALOG_CALLS):
            error = self._obstacle()
            if error is not None:
                future = asyncio.get_running_loop().create_future()
                future.set_exception(error)
                future.exception()
                return Answer(future, method)
        return self.connection.start(method, params, session_id or self.session_id)

    def _obstacle(self) -> SurefootError | None:
        if self.connection.lost is not None:
            return lost_error(self.connection.lost)
        if self.closed:
            return closed_error()
        if self.crashed:
            return crashed_error(self.url)
        if self.dialog is not None:
            return dialog_error(self.dialog)
        return None

    @property
    def obstructed(self) -> bool:
        """Whether every call would fail now: closed, crashed, dialog open."""
        return self._obstacle() is not None

    def check(self) -> None:
        """Raise what would end every call now: closed, crashed, dialog open."""
        error = self._obstacle()
        if error is not None:
            raise error

    async def call(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        session_id: str = "",
        deadline: float = CALL_DEADLINE,
    ) -> dict[str, Any]:
        return await self.start(method, params, session_id).result(deadline)

    def _next_change(self) -> asyncio.Future[None]:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._changed.add(future)
        future.add_done_callback(self._changed.discard)
        return future

    def stir(self) -> None:
        """Wake whoever waits for a state of the page."""
        for future in list(self._changed):
            if not future.done():
                future.set_result(None)

    async def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until ``condition`` holds, asked again at every change. False when it never did."""
        deadline = time.monotonic() + seconds
        while not condition():
            if self.connection.lost is not None:
                raise lost_error(self.connection.lost)
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            change = self._next_change()
            done, _ = await asyncio.wait({change}, timeout=left)
            if not done:
                change.cancel()
        return True

    async def stay(self) -> None:
        """Give up a navigation that has begun: the document that is shown stays."""
        if self.navigating:
            await self.call("Page.stopLoading", deadline=STOP_WAIT)
            await self.until(lambda: not self.navigating or self.obstructed, STOP_WAIT)

    # -- life ------------------------------------------------------------------------------------

    def prepare(self, session_id: str, *, resume: bool) -> list[Answer]:
        """Send what a fresh session needs, pipelined, then let its target run.

        The opener of a popup stands still until its target is resumed, so nothing here waits.
        """
        send = self.connection.start
        main = session_id == self.session_id
        answers = [
            send("Page.enable", {}, session_id),
            send("Page.setLifecycleEventsEnabled", {"enabled": True}, session_id),
            send(
                "Runtime.addBinding",
                {"name": BINDING, "executionContextName": WALKER_WORLD},
                session_id,
            ),
            send("Runtime.enable", {}, session_id),
            send(
                "Page.addScriptToEvaluateOnNewDocument",
                {"source": acting_source(), "worldName": WALKER_WORLD, "runImmediately": True},
                session_id,
            ),
            send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}, session_id),
            send(
                "Target.setAutoAttach",
                {
                    "autoAttach": True,
                    "waitForDebuggerOnStart": True,
                    "flatten": True,
                    "filter": FRAMES_ONLY,
                },
                session_id,
            ),
        ]
        if self.browser.own:  # (in a browser of the user's own, choosers are the user's)
            answers.append(send("Page.setInterceptFileChooserDialog", {"enabled": True}, session_id))
        if main:
            answers.append(send("Emulation.setFocusEmulationEnabled", {"enabled": True}, session_id))
            answers += [
                send(method, params, session_id)
                for method, params in self.browser.page_setup(self.context_id)
            ]
        answers.append(send("Page.getFrameTree", {}, session_id))
        if resume:
            send("Runtime.runIfWaitingForDebugger", {}, session_id)
        return answers

    def attach(self, *, resume: bool) -> None:
        """Start listening and preparing; :meth:`ready` waits for it."""
        self.connection.subscribe(self.session_id, self._handler(self.session_id))
        answers = self.prepare(self.session_id, resume=resume)
        self._initial = asyncio.ensure_future(self._prepared(answers))
        self._initial.add_done_callback(_consume)

    async def _prepared(self, answers: list[Answer]) -> None:
        for answer in answers[:-1]:
            await answer.result()
        self.tree.add_tree((await answers[-1].result())["frameTree"], self.session_id)

    async def ready(self, deadline: float = CALL_DEADLINE) -> None:
        """Wait until the page can be spoken to."""
        if self._initial is not None:
            try:
                async with asyncio.timeout(deadline):
                    await asyncio.shield(self._initial)
            except TimeoutError:
                raise deadline_error("attach", deadline) from None
            except CdpError as error:
                raise closed_error() from error
        top = self.tree.top
        if top is None:
            raise closed_error()
        await top.ready()

    def end(self, error: Callable[[], SurefootError]) -> None:
        """The target is gone: end everything that waits for it."""
        if self.closed:
            return
        self.closed = True
        self.connection.fail(self._sessions, error)
        for session_id in self._sessions:
            self.connection.unsubscribe(session_id)
        self.tree.clear()
        self.stir()

    # -- gates: who wants to hear of the acting script's reports ----------------------------------

    @contextlib.contextmanager
    def listening(self, token: str, hear: Callable[[dict[str, Any]], None]) -> Any:
        """Hand the acting script's reports for one token to ``hear`` while the block runs."""
        self._gates[token] = hear
        try:
            yield
        finally:
            del self._gates[token]

    # -- events ----------------------------------------------------------------------------------

    def _handler(self, session_id: str) -> Callable[[str, dict[str, Any]], None]:
        def handle(method: str, params: dict[str, Any]) -> None:
            known = self._table.get(method)
            if known is not None:
                known(params, session_id)

        return handle

    def _attached(self, params: dict[str, Any], _session: str) -> None:
        session_id = params["sessionId"]
        info = params["targetInfo"]
        self._sessions.add(session_id)
        self.connection.subscribe(session_id, self._handler(session_id))
        frame = self.tree.get(info["targetId"])
        if frame is not None:
            frame.moved_to(session_id, None)
        answers = self.prepare(session_id, resume=True)
        asyncio.ensure_future(self._child_prepared(answers[-1], session_id)).add_done_callback(_consume)

    async def _child_prepared(self, answer: Answer, session_id: str) -> None:
        self.tree.add_tree((await answer.result())["frameTree"], session_id)

    def _detached(self, params: dict[str, Any], _session: str) -> None:
        session_id = params["sessionId"]
        self._sessions.discard(session_id)
        self.connection.unsubscribe(session_id)
        self.tree.session_cleared(session_id)
        self.requests.forget(session_id)
        self.connection.fail(
            (session_id,), lambda: CdpError("call", -32001, "Inspected target navigated or closed")
        )
        self.stir()

    def _frame_attached(self, params: dict[str, Any], session: str) -> None:
        self.tree.add(params["frameId"], params["parentFrameId"], session)
        self.stir()

    def _frame_detached(self, params: dict[str, Any], session: str) -> None:
        frame = self.tree.get(params["frameId"])
        if frame is None:
            return
        if params.get("reason") == "swap":
            if frame.session_id == session:
                frame.moved_to(session, None)
            return
        self.tree.remove(params["frameId"])
        self.stir()

    def _frame_navigated(self, params: dict[str, Any], session: str) -> None:
        info = params["frame"]
        frame = self.tree.navigated(info, session)
        loader = str(info.get("loaderId", ""))
        frame.milestones = {entry for entry in frame.milestones if entry[0] == loader}
        if frame.parent is None:
            self.tree.top_id = frame.id
            self.documents += 1
            self.moved_at = time.monotonic()
            self.loader = loader
            status = self._statuses.get(loader, 0)
            self._statuses.clear()
            self.status = status if status >= HTTP_ERROR else None
            self._navigation_over()
            self.requests.new_document(self.loader)
        self.stir()

    def _within_document(self, params: dict[str, Any], _session: str) -> None:
        frame = self.tree.get(params["frameId"])
        if frame is not None:
            frame.url = params["url"]
            if frame.parent is None:
                self.started_navigations += 1
                self._navigation_over()
        self.stir()

    def _requested_navigation(self, params: dict[str, Any], _session: str) -> None:
        """The document asked to leave; the browser's own event follows, unless it refuses."""
        if params["frameId"] == self.tree.top_id and params.get("disposition") == "currentTab":
            self.started_navigations += 1
            self._requested = self.moved_at = time.monotonic()
            self.stir()

    def _started_navigating(self, params: dict[str, Any], session: str) -> None:
        kind = params.get("navigationType", "")
        if params["frameId"] == self.tree.top_id and session == self.session_id:
            if kind not in ("sameDocument", "historySameDocument"):
                self.started_navigations += 1
                self.departures += 1
                self._navigating = str(params.get("loaderId", "?"))
                self.moved_at = time.monotonic()
                self._requested = float("-inf")
            self.stir()

    def _stopped_loading(self, params: dict[str, Any], _session: str) -> None:
        if params["frameId"] == self.tree.top_id:
            self._navigation_over()
            self.stir()

    def _navigation_over(self) -> None:
        self._navigating = None
        self._requested = float("-inf")

    def _lifecycle(self, params: dict[str, Any], _session: str) -> None:
        if params["name"] in ("DOMContentLoaded", "load"):
            frame = self.tree.get(params["frameId"])
            if frame is not None:
                frame.milestones.add((params["loaderId"], params["name"]))
            self.stir()

    def _response_received(self, params: dict[str, Any], session: str) -> None:
        self.requests.answered(params, session)
        if params.get("type") == "Document" and params.get("frameId") == self.tree.top_id:
            self._statuses[str(params.get("loaderId"))] = int(params["response"].get("status", 0))

    def _dialog_opening(self, params: dict[str, Any], _session: str) -> None:
        kind = params["type"]
        self.dialog = Dialog(
            kind=kind if kind in ("alert", "confirm", "prompt", "beforeunload") else "alert",
            message=str(params.get("message", "")),
            default=str(params.get("defaultPrompt", "")) if kind == "prompt" else None,
            url=str(params.get("url", "")) or None,
        )
        dialog = self.dialog
        self.connection.fail(self._sessions, lambda: dialog_error(dialog), keep="Page.handleJava")
        self.on_event("dialog_opened", f"{dialog.kind}: {dialog.message[:200]}")
        self.stir()

    def _dialog_closed(self, params: dict[str, Any], _session: str) -> None:
        if self.dialog is not None and self.dialog.kind == "beforeunload" and not params.get("result"):
            self._navigation_over()  # the document stays
        self.dialog = None
        self.on_event("dialog_closed", "")
        self.stir()

    def _window_open(self, _params: dict[str, Any], _session: str) -> None:
        self.popups_announced += 1

    def _chooser_opened(self, params: dict[str, Any], session: str) -> None:
        self.choosers += 1
        if self.on_chooser is not None:
            self.on_chooser(params, session)
        self.stir()

    def _drag_intercepted(self, params: dict[str, Any], _session: str) -> None:
        if self.on_drag is not None:
            self.on_drag(params["data"])

    def _context_created(self, params: dict[str, Any], session: str) -> None:
        description = params["context"]
        if description.get("name") == WALKER_WORLD:
            self.tree.context_created(description, session)
            self.stir()

    def _context_destroyed(self, params: dict[str, Any], _session: str) -> None:
        self.tree.context_destroyed(str(params.get("executionContextUniqueId", "")))
        self.stir()

    def _contexts_cleared(self, _params: dict[str, Any], session: str) -> None:
        self.tree.session_cleared(session)

    def _binding_called(self, params: dict[str, Any], _session: str) -> None:
        if params.get("name") != BINDING:
            return
        report = json.loads(params["payload"])
        self.submissions += report.get("e") == "submit"
        self.saves += report.get("e") == "download"
        if report.get("e") == "invalid" and len(self.held_back) < MOST_HELD_BACK:
            self.held_back.append(report)
        gate = self._gates.get(report.get("t", ""))
        if gate is not None:
            gate(report)

    def _target_crashed(self, _params: dict[str, Any], session: str) -> None:
        if session != self.session_id:
            # A frame's own process died: its content is gone, the page lives on.
            self.tree.session_crashed(session)
            self.connection.fail(
                (session,), lambda: CdpError("call", -32001, "Inspected target navigated or closed")
            )
            return
        self.set_crashed()

    def set_crashed(self) -> None:
        if self.crashed or self.closed:
            return
        self.crashed = True
        self.dialog = None
        url = self.url
        self.connection.fail(self._sessions, lambda: crashed_error(url))
        for session_id in self._sessions:
            self.tree.session_cleared(session_id)
        self.on_event("crashed", url)
        self.stir()

    def sessions(self) -> Iterable[str]:
        return tuple(self._sessions)


def _consume(task: asyncio.Future[Any]) -> None:
    """Nobody need await a preparation that failed because its target went away."""
    if not task.cancelled():
        task.exception()
