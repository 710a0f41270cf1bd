"""Which documents does a page consist of, and how does one speak to each?

A page is a tree of frames; cross-site ones live in processes, and protocol sessions, of their own. A
frame keeps its id when it moves between processes; what moves is its session and its *context*, the
isolated world surefoot evaluates in. Contexts are named by ``uniqueContextId``: plain numbers repeat
from process to process, and a late call must miss rather than hit another document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from surefoot.drivers.web.connect.cdp import CALL_DEADLINE, Answer, CdpError
from surefoot.drivers.web.see import FrameGone
from surefoot.errors import SurefootError

if TYPE_CHECKING:
    from surefoot.drivers.web.pages.page import Page

SHADOW_ROOTS = {
    "serialization": "deep",
    "maxDepth": 1,
    "additionalParameters": {"maxNodeDepth": 0, "includeShadowTree": "all"},
}
FOREIGN_DEADLINE = 2.0
CHILD_CONTEXT_WAIT = 1.0
CONTEXT_WAIT = 5.0
"""Seconds to wait for the isolated world of a document that is just being made."""


class PageFrame:
    """One frame of a page (a :class:`~surefoot.drivers.web.see.Frame`)."""

    def __init__(self, page: Page, frame_id: str, parent: str | None, session_id: str) -> None:
        self._page = page
        self.id = frame_id
        self.parent = parent
        self.session_id = session_id
        self.url = ""
        self.origin = ""
        self.context: str | None = None
        self.removed = False
        self.dead = False  # its own process crashed; a navigation gives it another
        self.milestones: set[tuple[str, str]] = set()
        self._owner: tuple[str, str, int] | None = None

    @property
    def separate(self) -> bool:
        """Whether the frame has a session of its own (cross-site, out of process)."""
        if self.parent is None:
            return False
        parent = self._page.tree.get(self.parent)
        return parent is not None and parent.session_id != self.session_id

    def moved_to(self, session_id: str, context: str | None) -> None:
        """The frame's world is now this one (``None``: it has none at the moment)."""
        self.session_id = session_id
        self.context = context
        self.dead = self.dead and context is None

    def gone(self) -> None:
        self.removed = True
        self.context = None

    async def ready(self) -> str:
        """The id of the frame's isolated world; waits for one in the making."""
        if self.context is None and not (self.removed or self.dead):
            page = self._page
            await page.until(
                lambda: self.context is not None or self.removed or self.dead or page.obstructed,
                CONTEXT_WAIT if self.parent is None else CHILD_CONTEXT_WAIT,
            )
            page.check()
        if self.context is None:
            raise FrameGone(self.id)
        return self.context

    def start(self, expression: str, *, promise: bool = False) -> Answer:
        """Begin an evaluation in the frame's present world without waiting (pipelining)."""
        params: dict[str, Any] = {
            "expression": expression,
            "returnByValue": True,
            "awaitPromise": promise,
            "uniqueContextId": self.context or "none",
        }
        return self._page.start("Runtime.evaluate", params, self.session_id)

    async def evaluate(
        self, expression: str, *, promise: bool = False, deadline: float | None = None
    ) -> str:
        """Evaluate an expression that yields a string; see :class:`~..see.host.Frame`.

        Without a deadline of the caller's, a frame in a process of its own that hangs counts as gone
        after a short while: it must not hold up the page it is in.
        """
        await self.ready()
        answer = self.start(expression, promise=promise)
        if deadline is not None or not self.separate:
            return await self.finish(answer, deadline or CALL_DEADLINE)
        try:
            return await self.finish(answer, FOREIGN_DEADLINE)
        except SurefootError as error:
            if error.reason != "driver_deadline":
                raise
            raise FrameGone(self.id) from None

    async def finish(self, answer: Answer, deadline: float = CALL_DEADLINE) -> str:
        """Wait for an evaluation begun by :meth:`start`."""
        try:
            result = await answer.result(deadline)
        except CdpError as error:
            if error.gone:
                raise FrameGone(self.id) from None
            raise
        fault = result.get("exceptionDetails")
        if fault:
            text = (fault.get("exception") or {}).get("description") or fault.get("text", "")
            raise RuntimeError(f"surefoot's own script failed in the page: {str(text)[:500]}")
        value = result["result"].get("value")
        return value if isinstance(value, str) else ""

    async def object_of(self, document: str, number: int) -> str | None:
        """A protocol object id for the element a handle names; ``None`` when it is gone."""
        see = "globalThis.__surefoot"
        expression = f"{see}?.document === '{document}' ? {see}.node({number}) : null"
        context = await self.ready()
        params = {"expression": expression, "uniqueContextId": context}
        try:
            result = await self._page.call("Runtime.evaluate", params, self.session_id)
        except CdpError as error:
            if error.gone:
                raise FrameGone(self.id) from None
            raise
        found = result["result"].get("objectId")
        return found if isinstance(found, str) else None

    async def closed_hosts(self, numbers: Sequence[int]) -> list[int]:
        """Which of the elements with these numbers have a closed shadow root; see host.py."""
        params = {
            "expression": f"{list(numbers)}.map(globalThis.__surefoot.node)",
            "uniqueContextId": await self.ready(),
            "serializationOptions": SHADOW_ROOTS,
        }
        try:
            answer = (await self._page.call("Runtime.evaluate", params, self.session_id))["result"]
        except CdpError as error:
            if error.gone:
                raise FrameGone(self.id) from None
            raise
        if "objectId" in answer:
            self._page.start("Runtime.releaseObject", {"objectId": answer["objectId"]}, self.session_id)
        found = (answer.get("deepSerializedValue") or {}).get("value") or []
        roots = ((node.get("value") or {}).get("shadowRoot") or {} for node in found)
        modes = ((root.get("value") or {}).get("mode") for root in roots)
        return [number for number, mode in zip(numbers, modes, strict=False) if mode == "closed"]

    async def owner(self) -> int | None:
        """The number of the owner element in the parent frame's world (remembered per world)."""
        parent = self._page.tree.get(self.parent) if self.parent else None
        if parent is None:
            return None
        if self.removed:
            raise FrameGone(self.id)
        context = await parent.ready()
        known = self._owner
        if known is not None and known[:2] == (self.session_id, context):
            return known[2]
        try:
            found = await self._page.call("DOM.getFrameOwner", {"frameId": self.id}, parent.session_id)
            number = await self._number_of(parent, context, found["backendNodeId"])
        except CdpError as error:
            if error.gone:
                raise FrameGone(self.id) from None
            return None
        if number is not None:
            self._owner = (self.session_id, context, number)
        return number

    async def _number_of(self, parent: PageFrame, context: str, backend_id: int) -> int | None:
        # resolveNode knows numeric context ids only
        numeric = self._page.tree.numeric(context)
        if numeric is None:
            raise FrameGone(parent.id)
        resolved = await self._page.call(
            "DOM.resolveNode",
            {"backendNodeId": backend_id, "executionContextId": numeric},
            parent.session_id,
        )
        answer = await self._page.call(
            "Runtime.callFunctionOn",
            {
                "objectId": resolved["object"]["objectId"],
                "functionDeclaration": "function() { return globalThis.__surefoot.number(this) }",
                "returnByValue": True,
            },
            parent.session_id,
        )
        value = answer["result"].get("value")
        return value if isinstance(value, int) else None


class FrameTree:
    """The live frames of a page, kept by the protocol's events."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: dict[str, PageFrame] = {}
        self._contexts: dict[str, tuple[str, int, str]] = {}  # unique id -> session, number, frame
        self.top_id = ""

    def get(self, frame_id: str | None) -> PageFrame | None:
        return self._frames.get(frame_id) if frame_id else None

    @property
    def top(self) -> PageFrame | None:
        return self._frames.get(self.top_id)

    def numeric(self, context: str) -> int | None:
        entry = self._contexts.get(context)
        return entry[1] if entry else None

    def ordered(self) -> Sequence[PageFrame]:
        """Parents before children, the top frame first."""
        children: dict[str | None, list[PageFrame]] = {}
        for frame in self._frames.values():
            children.setdefault(frame.parent, []).append(frame)

        def walk(frame: PageFrame) -> Iterator[PageFrame]:
            yield frame
            for child in children.get(frame.id, ()):
                yield from walk(child)

        top = self.top
        return list(walk(top)) if top else []

    def add(self, frame_id: str, parent: str | None, session_id: str) -> PageFrame:
        frame = self._frames.get(frame_id)
        if frame is None:
            frame = self._frames[frame_id] = PageFrame(self._page, frame_id, parent, session_id)
            if parent is None and not self.top_id:
                self.top_id = frame_id
        return frame

    def add_tree(self, tree: dict[str, Any], session_id: str) -> None:
        """What ``Page.getFrameTree`` answered on a session."""
        info = tree["frame"]
        known = self._frames.get(info["id"])
        frame = known or self.add(info["id"], info.get("parentId"), session_id)
        if frame.context is None:
            frame.session_id = session_id
        # An event may have overtaken this answer: what it said of the address is newer.
        if frame.session_id == session_id and not frame.url:
            frame.url, frame.origin = _address(info)
        for child in tree.get("childFrames", ()):
            self.add_tree(child, session_id)

    def navigated(self, info: dict[str, Any], session_id: str) -> PageFrame:
        """A document was committed in a frame (possibly in another process than before)."""
        frame = self.add(info["id"], info.get("parentId"), session_id)
        frame.url, frame.origin = _address(info)
        for child in [f for f in self._frames.values() if f.parent == frame.id]:
            self.remove(child.id)
        if frame.session_id != session_id:
            frame.moved_to(session_id, None)
        return frame

    def remove(self, frame_id: str) -> None:
        frame = self._frames.pop(frame_id, None)
        if frame is None:
            return
        frame.gone()
        for child in [f for f in self._frames.values() if f.parent == frame_id]:
            self.remove(child.id)

    def context_created(self, description: dict[str, Any], session_id: str) -> None:
        frame_id = (description.get("auxData") or {}).get("frameId")
        frame = self._frames.get(frame_id) if frame_id else None
        if frame is None:
            if not frame_id:
                return
            frame = self.add(frame_id, None if not self.top_id else self.top_id, session_id)
        unique = description["uniqueId"]
        self._contexts[unique] = (session_id, description["id"], frame.id)
        frame.moved_to(session_id, unique)

    def context_destroyed(self, unique: str) -> None:
        entry = self._contexts.pop(unique, None)
        frame = self._frames.get(entry[2]) if entry else None
        if frame is not None and frame.context == unique:
            frame.moved_to(frame.session_id, None)

    def session_cleared(self, session_id: str) -> None:
        """Every context of a session is gone (navigation of its root, crash, detach)."""
        for unique in [u for u, entry in self._contexts.items() if entry[0] == session_id]:
            self.context_destroyed(unique)

    def session_crashed(self, session_id: str) -> None:
        """The process behind a session died: its frames stay, with nothing in them."""
        self.session_cleared(session_id)
        for frame in self._frames.values():
            frame.dead = frame.dead or frame.session_id == session_id

    def clear(self) -> None:
        for frame in list(self._frames.values()):
            frame.gone()
        self._frames.clear()
        self._contexts.clear()


def _address(info: dict[str, Any]) -> tuple[str, str]:
    origin = str(info.get("securityOrigin", ""))
    url = str(info.get("url", "")) + str(info.get("urlFragment", ""))
    return url, "" if origin in ("null", "://") else origin
