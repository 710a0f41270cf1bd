"""One session's tabs as a :class:`~surefoot.drivers.protocol.App`: the door other rooms come through.

Everything here ends typed: a refusal of the browser, a vanished document, a crash or a hang never
reaches a caller raw.
"""

from __future__ import annotations

import base64
import functools
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from surefoot.drivers.admission import check_url, check_viewport
from surefoot.drivers.keys import parse_chord
from surefoot.drivers.protocol import (
    Capability,
    Delivery,
    Dialog,
    Direction,
    DirectQuery,
    DriverEvent,
    Gesture,
    OpenRequest,
    Point,
    ScrollOutcome,
    SettleOutcome,
    SettlePolicy,
    Tab,
    TextOutcome,
)
from surefoot.drivers.web.act.aim import Place, ask, place_of
from surefoot.drivers.web.act.append import append
from surefoot.drivers.web.act.choice import take
from surefoot.drivers.web.act.dragging import drag
from surefoot.drivers.web.act.handing import handed_over
from surefoot.drivers.web.act.keyboard import strike
from surefoot.drivers.web.act.outcome import Entered
from surefoot.drivers.web.act.pointer import press, press_at
from surefoot.drivers.web.act.refusals import refusal
from surefoot.drivers.web.act.scrolling import scroll
from surefoot.drivers.web.act.text import fill
from surefoot.drivers.web.act.uploading import upload
from surefoot.drivers.web.connect.browser import Browser, metrics
from surefoot.drivers.web.connect.cdp import CdpError
from surefoot.drivers.web.pages.downloads import Downloads, directory_of
from surefoot.drivers.web.pages.effects import Effects, arrived
from surefoot.drivers.web.pages.navigation import history, navigate
from surefoot.drivers.web.pages.page import Page
from surefoot.drivers.web.pages.settle import settle
from surefoot.drivers.web.pages.tabs import Tabs
from surefoot.drivers.web.see import FrameGone, capture, unchanged
from surefoot.errors import CaptureUnreadable, ErrorCode, SurefootError
from surefoot.tree import Node, Observation

CAPABILITIES: frozenset[Capability] = frozenset(
    (
        "native_target",
        "history",
        "reload",
        "viewport",
        "tabs",
        "dialogs",
        "upload",
        "hover",
        "screenshot",
    )
)

READABLE_WAIT = 5.0
"""Seconds from its beginning that a navigation is waited for to commit, and from its commit for its
document to be parsed."""
LOOKS = 3
"""Tries at a capture that a navigation runs into; each waits for the new document first."""
SCREENSHOT_DEADLINE = 30.0

P = ParamSpec("P")
R = TypeVar("R")


def typed(
    method: Callable[Concatenate[WebApp, P], Awaitable[R]],
) -> Callable[Concatenate[WebApp, P], Coroutine[Any, Any, R]]:
    """Let no raw fault of the browser out: each becomes a :class:`SurefootError`."""

    async def guarded(self: WebApp, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await method(self, *args, **kwargs)
        except FrameGone:
            raise CaptureUnreadable("navigating", "The page navigated meanwhile.") from None
        except CdpError as error:
            if error.gone:
                raise CaptureUnreadable("navigating", "The page navigated meanwhile.") from error
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"The browser refused {error.method}.",
                details={"reason": "driver_refused", "call": error.method},
            ) from error

    functools.update_wrapper(guarded, method)
    return guarded


class WebApp:
    """One session: a browser context, its tabs, its downloads."""

    def __init__(
        self,
        browser: Browser,
        context_id: str | None,
        request: OpenRequest,
        on_event: Callable[[DriverEvent], None],
    ) -> None:
        self.browser = browser
        self.context_id = context_id
        self.request = request
        self._on_event = on_event
        self._tabs = Tabs(browser, context_id, on_event)
        self._closed = False
        self._acted = time.monotonic()
        directory = directory_of(request.state_dir, request.session)
        self.downloads = Downloads(directory, self._downloaded, self._stir)

    # -- life ------------------------------------------------------------------------------------

    @property
    def capabilities(self) -> frozenset[Capability]:
        return CAPABILITIES

    @property
    def name(self) -> str:
        return self._tabs.active.url if self._tabs.active else self.request.target

    def _downloaded(self, name: str) -> None:
        self._on_event(DriverEvent(kind="download", detail=name))

    def _stir(self) -> None:
        for page in self._tabs.pages:
            page.stir()

    async def begin(self, page: Page) -> None:
        """Take over a fresh tab, its context's popups and downloads."""
        self.browser.on_download[self.context_id] = self.downloads.event
        if self.context_id is None:
            self.downloads.frames = self._tabs.owns_frame
        self._tabs.open(page)
        if self.browser.own:  # where the user's own browser puts downloads is the user's business
            await self.downloads.enable(self.browser.connection, self.context_id)
        if self.request.viewport is not None:
            await self._resize(*self.request.viewport)

    @typed
    async def goto(self, target: str, timeout_ms: int) -> None:
        """Open a URL in the active tab, reviving or replacing a tab that hangs, crashed or is gone."""
        url = check_url(target)
        page = await self._tabs.usable()
        self._acted = time.monotonic()
        await navigate(page, url, timeout_ms / 1000)

    @property
    def lost(self) -> bool:
        """Whether the browser behind the session is gone."""
        return self.browser.lost

    async def close(self) -> None:
        """End the session: its tabs, context and unfinished downloads. Idempotent."""
        if self._closed:
            return
        self._closed = True
        await self._let_go()
        self.downloads.clear_up()

    async def _let_go(self) -> None:
        self.browser.on_download.pop(self.context_id, None)
        await self._tabs.close()

    async def move_to(
        self, browser: Browser, context_id: str | None, page: Page, request: OpenRequest
    ) -> None:
        """Carry the session over to a new context (``--relaunch``, or after its browser died)."""
        await self._let_go()
        self.browser, self.context_id, self.request = browser, context_id, request
        self._tabs = Tabs(browser, context_id, self._on_event)
        await self.begin(page)

    # -- tabs ------------------------------------------------------------------------------------

    @typed
    async def tabs(self) -> Sequence[Tab]:
        return await self._tabs.views()

    @typed
    async def select_tab(self, index: int) -> Tab:
        return await self._tabs.select(index)

    @typed
    async def close_tab(self, index: int | None) -> None:
        await self._tabs.close_one(index)

    # -- seeing ----------------------------------------------------------------------------------

    @typed
    async def observe(self) -> Observation:
        if self._tabs.recovering:
            raise CaptureUnreadable("crashed_recovering", "The page crashed and is being loaded again.")
        page = self._tabs.current()
        for attempt in range(LOOKS):
            await _readable(page)
            try:
                seen = await capture(page)
                if page.status is None or seen.page is None:
                    return seen
                return replace(seen, page=replace(seen.page, status=page.status))
            except CaptureUnreadable as verdict:
                if verdict.verdict != "navigating" or attempt + 1 == LOOKS:
                    raise
        raise AssertionError("the last look returns or raises")

    @typed
    async def unchanged(self, observation: Observation) -> bool:
        page = self._tabs.active
        if page is None or page.obstructed or self._tabs.recovering:
            return False
        try:
            return await unchanged(page, observation)
        except SurefootError:
            return False

    @typed
    async def screenshot(self, full: bool = False) -> bytes:
        page = self._tabs.current()
        params: dict[str, Any] = {"format": "png"}
        if full:
            size = (await page.call("Page.getLayoutMetrics"))["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16384)}
            params |= {"captureBeyondViewport": True, "clip": {**clip, "scale": 1}}
        answer = await page.call("Page.captureScreenshot", params, deadline=SCREENSHOT_DEADLINE)
        return base64.b64decode(answer["data"])

    # -- acting ----------------------------------------------------------------------------------

    async def _act(self) -> Effects:
        """Begin an action on the active tab: what it causes is counted from here.

        A navigation that has begun is let commit first: the action is meant for what comes. ``TIMEOUT``
        ``driver_deadline`` where that takes too long: nothing can be proven of a page that is leaving.
        """
        page = self._tabs.current()
        await _readable(page)
        if page.navigating:
            raise SurefootError(
                ErrorCode.TIMEOUT,
                "The page is still on its way to another address; nothing was done.",
                hint="Wait with `surefoot wait stable`, or stay here with `surefoot reload`.",
                details={"reason": "driver_deadline"},
            )
        self._acted = time.monotonic()
        return Effects(page, self._tabs.pages, self._tabs.view, self.downloads)

    @typed
    async def pointer(self, node: Node, gesture: Gesture) -> Delivery:
        effects = await self._act()
        try:
            point, warnings = await press(effects.page, node, gesture)
        except SurefootError as error:
            if gesture != Gesture() or "list" not in error.details:
                raise
            option = place_of(effects.page, node)
            owner = Place(option.frame, option.document, error.details["list"])
            trusted = await take(effects.page, node, owner, error.details["option"])
            return await effects.delivery(trusted=trusted)
        return await effects.delivery(point=point, warnings=warnings)

    @typed
    async def pointer_at(self, point: Point, gesture: Gesture) -> Delivery:
        effects = await self._act()
        warnings = await press_at(effects.page, point, gesture)
        return await effects.delivery(point=point, warnings=warnings)

    @typed
    async def press_native(self, handle: str) -> Delivery:
        node = Node(index=0, parent=-1, depth=0, role="element", handle=handle)
        return await self.pointer(node, Gesture(as_seen=3))

    @typed
    async def press_direct(self, query: DirectQuery, allow_fallback: bool) -> Delivery:
        raise SurefootError(
            ErrorCode.UNSUPPORTED_OPERATION,
            "The web has no direct selector path.",
            details={
                "reason": "direct_selector",
                "query": msgspec.to_builtins(query),
                "allowFallback": allow_fallback,
            },
        )

    @typed
    async def drag(self, source: Node | Point, destination: Node | Point, ms: int) -> Delivery:
        effects = await self._act()
        point, warnings = await drag(effects.page, source, destination, ms)
        return await effects.delivery(point=point, warnings=warnings)

    @typed
    async def focus(self, node: Node) -> Delivery:
        effects = await self._act()
        asked = ask(place_of(effects.page, node), node, "focusField")
        answer = await handed_over(effects.page, asked)
        if answer is not None and not answer["focused"]:
            raise refusal("not_delivered", node, why="it does not take the focus")
        return await effects.delivery()

    @typed
    async def fill(self, node: Node, text: str, delay_ms: int = 0) -> TextOutcome:
        effects = await self._act()
        return await self._outcome(effects, await fill(effects.page, node, text, delay_ms))

    @typed
    async def type_text(self, text: str, delay_ms: int = 0) -> TextOutcome:
        effects = await self._act()
        return await self._outcome(effects, await append(effects.page, text, delay_ms))

    async def _outcome(self, effects: Effects, entered: Entered) -> TextOutcome:
        delivery = await effects.delivery(trusted=entered.trusted, warnings=entered.warnings)
        return TextOutcome(
            delivery=delivery, value=entered.value, secret=entered.secret, retried=entered.retried
        )

    @typed
    async def key(self, chord: str) -> Delivery:
        parsed = parse_chord(chord)
        effects = await self._act()
        warnings = await strike(effects.page, parsed)
        return await effects.delivery(warnings=warnings)

    @typed
    async def scroll(self, node: Node | None, direction: Direction, pixels: float) -> ScrollOutcome:
        effects = await self._act()
        return await scroll(effects.page, node, direction, pixels)

    @typed
    async def upload(self, node: Node, paths: Sequence[str]) -> Delivery:
        effects = await self._act()
        await upload(effects.page, node, paths)
        return await effects.delivery(chooser=False)

    @typed
    async def settle(self, policy: SettlePolicy) -> SettleOutcome:
        page = self._tabs.current()
        outcome = await settle(page, policy, self._acted)
        return replace(outcome, downloads=await arrived(page, self.downloads))

    @typed
    async def history(self, step: Literal["back", "forward", "reload"]) -> Delivery:
        page = self._tabs.current()
        await _readable(page)
        await page.stay()
        if step == "reload":
            page = await self._tabs.usable()
        self._acted = time.monotonic()
        await history(page, step, self.request.timeout_ms / 1000)
        return Delivery(navigated=True, dialog=page.dialog, downloads=self.downloads.take())

    @typed
    async def set_viewport(self, width: int, height: int) -> None:
        check_viewport(width, height)
        self._tabs.current().check()
        await self._resize(width, height)

    async def _resize(self, width: int, height: int) -> None:
        if self.context_id is not None:
            self.browser.viewports[self.context_id] = (width, height)
        for page in self._tabs.pages:
            if not page.obstructed:
                await page.call("Emulation.setDeviceMetricsOverride", metrics(width, height))

    # -- dialogs ---------------------------------------------------------------------------------

    def dialog(self) -> Dialog | None:
        """The dialog of the active tab, else of any other."""
        page = self._asking()
        return page.dialog if page else None

    def _asking(self) -> Page | None:
        active = self._tabs.active
        asking = [page for page in self._tabs.pages if page.dialog is not None]
        return active if active in asking else asking[0] if asking else None

    @typed
    async def answer_dialog(self, accept: bool, text: str | None = None) -> None:
        page = self._asking()
        if page is None:
            self._tabs.current()
            raise SurefootError(
                ErrorCode.COMMAND_FAILED, "No dialog is open.", details={"reason": "no_dialog"}
            )
        params: dict[str, Any] = {"accept": accept}
        open_one = page.dialog
        if open_one is not None and open_one.kind == "prompt":
            # Accepting as it stands means the default text; the protocol would send an empty one.
            params["promptText"] = open_one.default or "" if text is None else text
        self._acted = time.monotonic()
        await page.call("Page.handleJavaScriptDialog", params)
        await page.until(lambda: page.dialog is not open_one, 5.0)


async def _readable(page: Page) -> None:
    """A navigation that has begun is let commit and be parsed; not longer than is useful.

    Raises what makes the page unusable: closed, crashed, a dialog open.
    """
    loaded = "DOMContentLoaded"

    def there() -> bool:
        top = page.tree.top
        parsed = top is not None and ((page.loader, loaded) in top.milestones or not page.loader)
        return page.obstructed or (not page.navigating and parsed)

    await page.until(there, page.moved_at + READABLE_WAIT - time.monotonic())
    page.check()
