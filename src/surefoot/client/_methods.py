"""Both clients' methods, from ``python -m surefoot.commands.project``; never edited."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Literal, TypeVar

from surefoot.client.arguments import given, located
from surefoot.client.errors import denied
from surefoot.errors import SurefootError
from surefoot.wire import (
    BatchData,
    CapabilitiesData,
    CheckData,
    CloseData,
    DaemonStatus,
    DevicesData,
    DialogStateData,
    DoctorData,
    EventsData,
    FindData,
    FragmentCaptureData,
    FragmentDigestData,
    FragmentGraphData,
    FragmentPinData,
    FragmentVerifyData,
    GetData,
    HelpData,
    InteractionData,
    IsData,
    ReplayData,
    SavedData,
    SavedFragmentData,
    ScreenshotData,
    SessionsData,
    SnapshotData,
    SnapshotDiffData,
    StoppedData,
    TabsData,
    WaitData,
)

if TYPE_CHECKING:
    from surefoot.client.client import AsyncSession, Session

R = TypeVar("R")


class AsyncMethods(ABC):
    """One method a command."""

    @abstractmethod
    async def _call(self, command: str, arguments: dict[str, object], result: type[R]) -> R: ...

    @abstractmethod
    async def _open(self, arguments: dict[str, object]) -> AsyncSession: ...

    async def open(
        self,
        target: str,
        *,
        relaunch: bool = False,
        save_script: bool | str | PathLike[str] = False,
        force: bool = False,
        browser_path: str | PathLike[str] | None = None,
        headed: bool = False,
        profile: str | PathLike[str] | None = None,
        viewport: str | None = None,
        cdp: str | None = None,
    ) -> AsyncSession:
        """Open a URL or an app; go to it in the open session."""
        return await self._open(
            given(
                {
                    "target": target,
                    "relaunch": relaunch,
                    "saveScript": save_script,
                    "force": force,
                    "browserPath": browser_path,
                    "headed": headed,
                    "profile": profile,
                    "viewport": viewport,
                    "cdp": cdp,
                }
            )
        )

    async def close(
        self, *, save_script: bool | str | PathLike[str] = False, force: bool = False
    ) -> CloseData:
        """End the session; write its recording."""
        return await self._call("close", given({"saveScript": save_script, "force": force}), CloseData)

    async def session_save_script(
        self, path: str | PathLike[str] | None = None, *, force: bool = False
    ) -> SavedData:
        """Write the recording; keep the session open."""
        return await self._call("session save-script", given({"path": path, "force": force}), SavedData)

    async def session_list(self) -> SessionsData:
        """Show every open session."""
        return await self._call("session list", given({}), SessionsData)

    async def session_fragment_start(
        self,
        path: str | PathLike[str],
        *,
        entry: str,
        entry_timeout_ms: int | None = None,
        force: bool = False,
    ) -> FragmentCaptureData:
        """Begin to record a fragment at a landmark."""
        return await self._call(
            "session fragment start",
            given({"path": path, "entry": entry, "entryTimeoutMs": entry_timeout_ms, "force": force}),
            FragmentCaptureData,
        )

    async def session_fragment_save(self, *, force: bool = False) -> SavedFragmentData:
        """Write the fragment; print how to include it."""
        return await self._call("session fragment save", given({"force": force}), SavedFragmentData)

    async def session_fragment_abort(self) -> FragmentCaptureData:
        """Discard the fragment; keep the session open."""
        return await self._call("session fragment abort", given({}), FragmentCaptureData)

    async def snapshot(
        self,
        *,
        interactive: bool = False,
        depth: int | None = None,
        scope: str | None = None,
        raw: bool = False,
        record: bool = False,
    ) -> SnapshotData:
        """Show the screen as a tree with refs."""
        return await self._call(
            "snapshot",
            given(
                {
                    "interactive": interactive,
                    "depth": depth,
                    "scope": scope,
                    "raw": raw,
                    "record": record,
                }
            ),
            SnapshotData,
        )

    async def diff_snapshot(self) -> SnapshotDiffData:
        """Show what changed since refs were last shown."""
        return await self._call("diff snapshot", given({}), SnapshotDiffData)

    async def press(
        self,
        target: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        count: int = 1,
        settle: bool = False,
        verify: bool = False,
        button: Literal["left", "right", "middle"] = "left",
        hold_ms: int | None = None,
    ) -> InteractionData:
        """Press an element or a point."""
        return await self._call(
            "press",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given(
                {
                    "x": x,
                    "y": y,
                    "count": count,
                    "settle": settle,
                    "verify": verify,
                    "button": button,
                    "holdMs": hold_ms,
                }
            ),
            InteractionData,
        )

    async def click(
        self,
        target: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        count: int = 1,
        settle: bool = False,
        verify: bool = False,
        button: Literal["left", "right", "middle"] = "left",
        hold_ms: int | None = None,
    ) -> InteractionData:
        """Press with the mouse; the same as press."""
        return await self._call(
            "click",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given(
                {
                    "x": x,
                    "y": y,
                    "count": count,
                    "settle": settle,
                    "verify": verify,
                    "button": button,
                    "holdMs": hold_ms,
                }
            ),
            InteractionData,
        )

    async def longpress(
        self,
        target: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        count: int = 1,
        settle: bool = False,
        verify: bool = False,
        button: Literal["left", "right", "middle"] = "left",
        hold_ms: int | None = None,
    ) -> InteractionData:
        """Press and hold, 800 ms unless --hold-ms says otherwise."""
        return await self._call(
            "longpress",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given(
                {
                    "x": x,
                    "y": y,
                    "count": count,
                    "settle": settle,
                    "verify": verify,
                    "button": button,
                    "holdMs": hold_ms,
                }
            ),
            InteractionData,
        )

    async def hover(
        self,
        target: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        settle: bool = False,
        verify: bool = False,
        hold_ms: int = 0,
    ) -> InteractionData:
        """Move the pointer over an element or a point."""
        return await self._call(
            "hover",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given({"x": x, "y": y, "settle": settle, "verify": verify, "holdMs": hold_ms}),
            InteractionData,
        )

    async def swipe(self, x1: float, y1: float, x2: float, y2: float, ms: int = 300) -> InteractionData:
        """Drag from one point to another."""
        return await self._call(
            "swipe", given({"x1": x1, "y1": y1, "x2": x2, "y2": y2, "ms": ms}), InteractionData
        )

    async def drag(self, source: str, destination: str) -> InteractionData:
        """Drag one element onto another."""
        return await self._call(
            "drag", given({"source": source, "destination": destination}), InteractionData
        )

    async def upload(
        self,
        target: str | None = None,
        files: Sequence[str | PathLike[str]] | None = None,
        *,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
    ) -> InteractionData:
        """Choose files in a file input."""
        return await self._call(
            "upload",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given({"files": files}),
            InteractionData,
        )

    async def fill(
        self,
        target: str | None = None,
        text: str | None = None,
        *,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        record_as: str | None = None,
        settle: bool = False,
        verify: bool = False,
        delay_ms: int = 0,
    ) -> InteractionData:
        """Replace the content of a field."""
        return await self._call(
            "fill",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given(
                {
                    "text": text,
                    "recordAs": record_as,
                    "settle": settle,
                    "verify": verify,
                    "delayMs": delay_ms,
                }
            ),
            InteractionData,
        )

    async def type(
        self,
        text: str,
        *,
        record_as: str | None = None,
        settle: bool = False,
        verify: bool = False,
        delay_ms: int = 0,
    ) -> InteractionData:
        """Append text to the focused field."""
        return await self._call(
            "type",
            given(
                {
                    "text": text,
                    "recordAs": record_as,
                    "settle": settle,
                    "verify": verify,
                    "delayMs": delay_ms,
                }
            ),
            InteractionData,
        )

    async def key(self, chord: str, *, settle: bool = False, verify: bool = False) -> InteractionData:
        """Press a key or a chord."""
        return await self._call(
            "key", given({"chord": chord, "settle": settle, "verify": verify}), InteractionData
        )

    async def scroll(
        self,
        direction: Literal["up", "down", "left", "right", "top", "bottom"],
        amount: float | None = None,
        *,
        pixels: int | None = None,
        until: str | None = None,
    ) -> InteractionData:
        """Scroll, or scroll until an element is in view."""
        return await self._call(
            "scroll",
            given({"direction": direction, "amount": amount, "pixels": pixels, "until": until}),
            InteractionData,
        )

    async def back(self) -> InteractionData:
        """Go back in the history."""
        return await self._call("back", given({}), InteractionData)

    async def forward(self) -> InteractionData:
        """Go forward in the history."""
        return await self._call("forward", given({}), InteractionData)

    async def reload(self) -> InteractionData:
        """Load the page again."""
        return await self._call("reload", given({}), InteractionData)

    async def viewport(self, width: int, height: int) -> InteractionData:
        """Set the size of the view."""
        return await self._call("viewport", given({"width": width, "height": height}), InteractionData)

    async def get(
        self,
        what: Literal["text", "attrs"],
        target: str | None = None,
        *,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        record: bool = False,
    ) -> GetData:
        """Read an element's text or attributes."""
        return await self._call(
            "get",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given({"what": what, "record": record}),
            GetData,
        )

    async def is_(
        self,
        predicate: Literal[
            "visible",
            "hidden",
            "exists",
            "absent",
            "enabled",
            "editable",
            "selected",
            "checked",
            "focused",
            "text",
        ],
        selector: str | None = None,
        *,
        value: str | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        record: bool = False,
    ) -> IsData:
        """Check a predicate; exit 1 when it does not hold."""
        return await self._call(
            "is",
            located("selector", selector, id=id, role=role, label=label, takes_label=False)
            | given({"predicate": predicate, "value": value, "record": record}),
            IsData,
        )

    async def holds(
        self,
        predicate: Literal[
            "visible",
            "hidden",
            "exists",
            "absent",
            "enabled",
            "editable",
            "selected",
            "checked",
            "focused",
            "text",
        ],
        selector: str | None = None,
        *,
        value: str | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
    ) -> bool:
        """Whether a predicate holds: `is_` as a truth value."""
        try:
            await self.is_(
                predicate=predicate, selector=selector, value=value, id=id, role=role, label=label
            )
        except SurefootError as error:
            return denied(error)
        return True

    async def find(
        self,
        query: str,
        locator: Literal["any", "text", "label", "value", "role", "id"] = "any",
        action: Literal[
            "list", "exists", "wait", "get_text", "get_attrs", "click", "fill", "focus", "type"
        ] = "list",
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        record: bool = False,
        record_as: str | None = None,
    ) -> FindData:
        """Find by what is said; list, read, or act."""
        return await self._call(
            "find",
            given(
                {
                    "query": query,
                    "locator": locator,
                    "action": action,
                    "value": value,
                    "first": first,
                    "last": last,
                    "record": record,
                    "recordAs": record_as,
                }
            ),
            FindData,
        )

    async def wait(
        self,
        ms: int | None = None,
        *,
        text: str | None = None,
        absent: str | None = None,
        stable: bool = False,
        quiet_ms: int | None = None,
        target: str | None = None,
        timeout_ms: int | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
    ) -> WaitData:
        """Wait for an element, a text, an absence, rest, or time."""
        return await self._call(
            "wait",
            located("target", target, id=id, role=role, label=label, takes_label=False)
            | given(
                {
                    "ms": ms,
                    "text": text,
                    "absent": absent,
                    "stable": stable,
                    "quietMs": quiet_ms,
                    "timeoutMs": timeout_ms,
                }
            ),
            WaitData,
        )

    async def tab_list(self) -> TabsData:
        """Show the tabs of the session."""
        return await self._call("tab list", given({}), TabsData)

    async def tab_select(self, index: int) -> InteractionData:
        """Go to a tab."""
        return await self._call("tab select", given({"index": index}), InteractionData)

    async def tab_close(self, index: int | None = None) -> InteractionData:
        """Close a tab."""
        return await self._call("tab close", given({"index": index}), InteractionData)

    async def screenshot(
        self, path: str | PathLike[str] | None = None, *, full: bool = False, overlay_refs: bool = False
    ) -> ScreenshotData:
        """Write a PNG of the screen."""
        return await self._call(
            "screenshot",
            given({"path": path, "full": full, "overlayRefs": overlay_refs}),
            ScreenshotData,
        )

    async def dialog_get(self) -> DialogStateData:
        """Show the open dialog."""
        return await self._call("dialog get", given({}), DialogStateData)

    async def dialog_wait(self, ms: int | None = None) -> DialogStateData:
        """Wait for a dialog to open."""
        return await self._call("dialog wait", given({"ms": ms}), DialogStateData)

    async def dialog_accept(
        self, text: str | None = None, *, message: str | None = None
    ) -> InteractionData:
        """Accept the dialog, with a text for a prompt."""
        return await self._call(
            "dialog accept", given({"text": text, "message": message}), InteractionData
        )

    async def dialog_dismiss(self, *, message: str | None = None) -> InteractionData:
        """Dismiss the dialog."""
        return await self._call("dialog dismiss", given({"message": message}), InteractionData)

    async def replay(
        self,
        file: str | PathLike[str],
        *,
        from_: str | None = None,
        plan_digest: str | None = None,
        composition_digest: str | None = None,
        env: Sequence[str] = (),
        save_script: bool | str | PathLike[str] = False,
        keep_session: bool = False,
        update: bool = False,
        maestro: bool = False,
    ) -> ReplayData:
        """Run a recorded script; stop before a wrong act."""
        return await self._call(
            "replay",
            given(
                {
                    "file": file,
                    "from": from_,
                    "planDigest": plan_digest,
                    "compositionDigest": composition_digest,
                    "env": env,
                    "saveScript": save_script,
                    "keepSession": keep_session,
                    "update": update,
                    "maestro": maestro,
                }
            ),
            ReplayData,
        )

    async def check(
        self,
        files: Sequence[str | PathLike[str]],
        *,
        strict: bool = False,
        against: str | PathLike[str] | None = None,
    ) -> CheckData:
        """Say what is wrong or weak in scripts; no device."""
        return await self._call(
            "check", given({"files": files, "strict": strict, "against": against}), CheckData
        )

    async def fragment_digest(self, file: str | PathLike[str]) -> FragmentDigestData:
        """Print the digest that pins a fragment."""
        return await self._call("fragment digest", given({"file": file}), FragmentDigestData)

    async def fragment_graph(
        self, file: str | PathLike[str], *, mermaid: bool = False
    ) -> FragmentGraphData:
        """Show who pins whom, and which pins are stale."""
        return await self._call(
            "fragment graph", given({"file": file, "mermaid": mermaid}), FragmentGraphData
        )

    async def fragment_verify(self, file: str | PathLike[str]) -> FragmentVerifyData:
        """Check a composition as a replay would; no device."""
        return await self._call("fragment verify", given({"file": file}), FragmentVerifyData)

    async def fragment_pin(self, file: str | PathLike[str], *, write: bool = False) -> FragmentPinData:
        """Show the pins to write, leaves first."""
        return await self._call("fragment pin", given({"file": file, "write": write}), FragmentPinData)

    async def batch(
        self,
        *,
        steps: str | Sequence[Sequence[str] | Mapping[str, object]] | None = None,
        steps_file: str | PathLike[str] | None = None,
    ) -> BatchData:
        """Run several commands; the first failure stops it."""
        return await self._call("batch", given({"steps": steps, "stepsFile": steps_file}), BatchData)

    async def events(self, *, after: int | None = None, limit: int = 200) -> EventsData:
        """Read the session's event log."""
        return await self._call("events", given({"after": after, "limit": limit}), EventsData)

    async def devices(self) -> DevicesData:
        """Show where apps can be opened."""
        return await self._call("devices", given({}), DevicesData)

    async def capabilities(self) -> CapabilitiesData:
        """Show what each platform can do."""
        return await self._call("capabilities", given({}), CapabilitiesData)

    async def doctor(self) -> DoctorData:
        """Check what is installed; say what mends it."""
        return await self._call("doctor", given({}), DoctorData)

    async def daemon_status(self) -> DaemonStatus:
        """Show the daemon."""
        return await self._call("daemon status", given({}), DaemonStatus)

    async def daemon_stop(self) -> StoppedData:
        """Close every session and end the daemon."""
        return await self._call("daemon stop", given({}), StoppedData)

    async def help(self, topic: str | None = None) -> HelpData:
        """Show help on a command or a topic."""
        return await self._call("help", given({"topic": topic}), HelpData)


class Methods(ABC):
    """One method a command."""

    @abstractmethod
    def _call(self, command: str, arguments: dict[str, object], result: type[R]) -> R: ...

    @abstractmethod
    def _open(self, arguments: dict[str, object]) -> Session: ...

    def open(
        self,
        target: str,
        *,
        relaunch: bool = False,
        save_script: bool | str | PathLike[str] = False,
        force: bool = False,
        browser_path: str | PathLike[str] | None = None,
        headed: bool = False,
        profile: str | PathLike[str] | None = None,
        viewport: str | None = None,
        cdp: str | None = None,
    ) -> Session:
        """Open a URL or an app; go to it in the open session."""
        return self._open(
            given(
                {
                    "target": target,
                    "relaunch": relaunch,
                    "saveScript": save_script,
                    "force": force,
                    "browserPath": browser_path,
                    "headed": headed,
                    "profile": profile,
                    "viewport": viewport,
                    "cdp": cdp,
                }
            )
        )

    def close(
        self, *, save_script: bool | str | PathLike[str] = False, force: bool = False
    ) -> CloseData:
        """End the session; write its recording."""
        return self._call("close", given({"saveScript": save_script, "force": force}), CloseData)

    def session_save_script(
        self, path: str | PathLike[str] | None = None, *, force: bool = False
    ) -> SavedData:
        """Write the recording; keep the session open."""
        return self._call("session save-script", given({"path": path, "force": force}), SavedData)

    def session_list(self) -> SessionsData:
        """Show every open session."""
        return self._call("session list", given({}), SessionsData)

    def session_fragment_start(
        self,
        path: str | PathLike[str],
        *,
        entry: str,
        entry_timeout_ms: int | None = None,
        force: bool = False,
    ) -> FragmentCaptureData:
        """Begin to record a fragment at a landmark."""
        return self._call(
            "session fragment start",
            given({"path": path, "entry": entry, "entryTimeoutMs": entry_timeout_ms, "force": force}),
            FragmentCaptureData,
        )

    def session_fragment_save(self, *, force: bool = False) -> SavedFragmentData:
        """Write the fragment; print how to include it."""
        return self._call("session fragment save", given({"force": force}), SavedFragmentData)

    def session_fragment_abort(self) -> FragmentCaptureData:
        """Discard the fragment; keep the session open."""
        return self._call("session fragment abort", given({}), FragmentCaptureData)

    def snapshot(
        self,
        *,
        interactive: bool = False,
        depth: int | None = None,
        scope: str | None = None,
        raw: bool = False,
        record: bool = False,
    ) -> SnapshotData:
        """Show the screen as a tree with refs."""
        return self._call(
            "snapshot",
            given(
                {
                    "interactive": interactive,
                    "depth": depth,
                    "scope": scope,
                    "raw": raw,
                    "record": record,
                }
            ),
            SnapshotData,
        )

    def diff_snapshot(self) -> SnapshotDiffData:
        """Show what changed since refs were last shown."""
        return self._call("diff snapshot", given({}), SnapshotDiffData)

    def press(
        self,
        target: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        count: int = 1,
        settle: bool = False,
        verify: bool = False,
        button: Literal["left", "right", "middle"] = "left",
        hold_ms: int | None = None,
    ) -> InteractionData:
        """Press an element or a point."""
        return self._call(
            "press",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given(
                {
                    "x": x,
                    "y": y,
                    "count": count,
                    "settle": settle,
                    "verify": verify,
                    "button": button,
                    "holdMs": hold_ms,
                }
            ),
            InteractionData,
        )

    def click(
        self,
        target: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        count: int = 1,
        settle: bool = False,
        verify: bool = False,
        button: Literal["left", "right", "middle"] = "left",
        hold_ms: int | None = None,
    ) -> InteractionData:
        """Press with the mouse; the same as press."""
        return self._call(
            "click",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given(
                {
                    "x": x,
                    "y": y,
                    "count": count,
                    "settle": settle,
                    "verify": verify,
                    "button": button,
                    "holdMs": hold_ms,
                }
            ),
            InteractionData,
        )

    def longpress(
        self,
        target: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        count: int = 1,
        settle: bool = False,
        verify: bool = False,
        button: Literal["left", "right", "middle"] = "left",
        hold_ms: int | None = None,
    ) -> InteractionData:
        """Press and hold, 800 ms unless --hold-ms says otherwise."""
        return self._call(
            "longpress",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given(
                {
                    "x": x,
                    "y": y,
                    "count": count,
                    "settle": settle,
                    "verify": verify,
                    "button": button,
                    "holdMs": hold_ms,
                }
            ),
            InteractionData,
        )

    def hover(
        self,
        target: str | None = None,
        *,
        x: float | None = None,
        y: float | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        settle: bool = False,
        verify: bool = False,
        hold_ms: int = 0,
    ) -> InteractionData:
        """Move the pointer over an element or a point."""
        return self._call(
            "hover",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given({"x": x, "y": y, "settle": settle, "verify": verify, "holdMs": hold_ms}),
            InteractionData,
        )

    def swipe(self, x1: float, y1: float, x2: float, y2: float, ms: int = 300) -> InteractionData:
        """Drag from one point to another."""
        return self._call(
            "swipe", given({"x1": x1, "y1": y1, "x2": x2, "y2": y2, "ms": ms}), InteractionData
        )

    def drag(self, source: str, destination: str) -> InteractionData:
        """Drag one element onto another."""
        return self._call(
            "drag", given({"source": source, "destination": destination}), InteractionData
        )

    def upload(
        self,
        target: str | None = None,
        files: Sequence[str | PathLike[str]] | None = None,
        *,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
    ) -> InteractionData:
        """Choose files in a file input."""
        return self._call(
            "upload",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given({"files": files}),
            InteractionData,
        )

    def fill(
        self,
        target: str | None = None,
        text: str | None = None,
        *,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        record_as: str | None = None,
        settle: bool = False,
        verify: bool = False,
        delay_ms: int = 0,
    ) -> InteractionData:
        """Replace the content of a field."""
        return self._call(
            "fill",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given(
                {
                    "text": text,
                    "recordAs": record_as,
                    "settle": settle,
                    "verify": verify,
                    "delayMs": delay_ms,
                }
            ),
            InteractionData,
        )

    def type(
        self,
        text: str,
        *,
        record_as: str | None = None,
        settle: bool = False,
        verify: bool = False,
        delay_ms: int = 0,
    ) -> InteractionData:
        """Append text to the focused field."""
        return self._call(
            "type",
            given(
                {
                    "text": text,
                    "recordAs": record_as,
                    "settle": settle,
                    "verify": verify,
                    "delayMs": delay_ms,
                }
            ),
            InteractionData,
        )

    def key(self, chord: str, *, settle: bool = False, verify: bool = False) -> InteractionData:
        """Press a key or a chord."""
        return self._call(
            "key", given({"chord": chord, "settle": settle, "verify": verify}), InteractionData
        )

    def scroll(
        self,
        direction: Literal["up", "down", "left", "right", "top", "bottom"],
        amount: float | None = None,
        *,
        pixels: int | None = None,
        until: str | None = None,
    ) -> InteractionData:
        """Scroll, or scroll until an element is in view."""
        return self._call(
            "scroll",
            given({"direction": direction, "amount": amount, "pixels": pixels, "until": until}),
            InteractionData,
        )

    def back(self) -> InteractionData:
        """Go back in the history."""
        return self._call("back", given({}), InteractionData)

    def forward(self) -> InteractionData:
        """Go forward in the history."""
        return self._call("forward", given({}), InteractionData)

    def reload(self) -> InteractionData:
        """Load the page again."""
        return self._call("reload", given({}), InteractionData)

    def viewport(self, width: int, height: int) -> InteractionData:
        """Set the size of the view."""
        return self._call("viewport", given({"width": width, "height": height}), InteractionData)

    def get(
        self,
        what: Literal["text", "attrs"],
        target: str | None = None,
        *,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        record: bool = False,
    ) -> GetData:
        """Read an element's text or attributes."""
        return self._call(
            "get",
            located("target", target, id=id, role=role, label=label, takes_label=True)
            | given({"what": what, "record": record}),
            GetData,
        )

    def is_(
        self,
        predicate: Literal[
            "visible",
            "hidden",
            "exists",
            "absent",
            "enabled",
            "editable",
            "selected",
            "checked",
            "focused",
            "text",
        ],
        selector: str | None = None,
        *,
        value: str | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
        record: bool = False,
    ) -> IsData:
        """Check a predicate; exit 1 when it does not hold."""
        return self._call(
            "is",
            located("selector", selector, id=id, role=role, label=label, takes_label=False)
            | given({"predicate": predicate, "value": value, "record": record}),
            IsData,
        )

    def holds(
        self,
        predicate: Literal[
            "visible",
            "hidden",
            "exists",
            "absent",
            "enabled",
            "editable",
            "selected",
            "checked",
            "focused",
            "text",
        ],
        selector: str | None = None,
        *,
        value: str | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
    ) -> bool:
        """Whether a predicate holds: `is_` as a truth value."""
        try:
            self.is_(predicate=predicate, selector=selector, value=value, id=id, role=role, label=label)
        except SurefootError as error:
            return denied(error)
        return True

    def find(
        self,
        query: str,
        locator: Literal["any", "text", "label", "value", "role", "id"] = "any",
        action: Literal[
            "list", "exists", "wait", "get_text", "get_attrs", "click", "fill", "focus", "type"
        ] = "list",
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        record: bool = False,
        record_as: str | None = None,
    ) -> FindData:
        """Find by what is said; list, read, or act."""
        return self._call(
            "find",
            given(
                {
                    "query": query,
                    "locator": locator,
                    "action": action,
                    "value": value,
                    "first": first,
                    "last": last,
                    "record": record,
                    "recordAs": record_as,
                }
            ),
            FindData,
        )

    def wait(
        self,
        ms: int | None = None,
        *,
        text: str | None = None,
        absent: str | None = None,
        stable: bool = False,
        quiet_ms: int | None = None,
        target: str | None = None,
        timeout_ms: int | None = None,
        id: str | None = None,
        role: str | None = None,
        label: str | None = None,
    ) -> WaitData:
        """Wait for an element, a text, an absence, rest, or time."""
        return self._call(
            "wait",
            located("target", target, id=id, role=role, label=label, takes_label=False)
            | given(
                {
                    "ms": ms,
                    "text": text,
                    "absent": absent,
                    "stable": stable,
                    "quietMs": quiet_ms,
                    "timeoutMs": timeout_ms,
                }
            ),
            WaitData,
        )

    def tab_list(self) -> TabsData:
        """Show the tabs of the session."""
        return self._call("tab list", given({}), TabsData)

    def tab_select(self, index: int) -> InteractionData:
        """Go to a tab."""
        return self._call("tab select", given({"index": index}), InteractionData)

    def tab_close(self, index: int | None = None) -> InteractionData:
        """Close a tab."""
        return self._call("tab close", given({"index": index}), InteractionData)

    def screenshot(
        self, path: str | PathLike[str] | None = None, *, full: bool = False, overlay_refs: bool = False
    ) -> ScreenshotData:
        """Write a PNG of the screen."""
        return self._call(
            "screenshot",
            given({"path": path, "full": full, "overlayRefs": overlay_refs}),
            ScreenshotData,
        )

    def dialog_get(self) -> DialogStateData:
        """Show the open dialog."""
        return self._call("dialog get", given({}), DialogStateData)

    def dialog_wait(self, ms: int | None = None) -> DialogStateData:
        """Wait for a dialog to open."""
        return self._call("dialog wait", given({"ms": ms}), DialogStateData)

    def dialog_accept(self, text: str | None = None, *, message: str | None = None) -> InteractionData:
        """Accept the dialog, with a text for a prompt."""
        return self._call("dialog accept", given({"text": text, "message": message}), InteractionData)

    def dialog_dismiss(self, *, message: str | None = None) -> InteractionData:
        """Dismiss the dialog."""
        return self._call("dialog dismiss", given({"message": message}), InteractionData)

    def replay(
        self,
        file: str | PathLike[str],
        *,
        from_: str | None = None,
        plan_digest: str | None = None,
        composition_digest: str | None = None,
        env: Sequence[str] = (),
        save_script: bool | str | PathLike[str] = False,
        keep_session: bool = False,
        update: bool = False,
        maestro: bool = False,
    ) -> ReplayData:
        """Run a recorded script; stop before a wrong act."""
        return self._call(
            "replay",
            given(
                {
                    "file": file,
                    "from": from_,
                    "planDigest": plan_digest,
                    "compositionDigest": composition_digest,
                    "env": env,
                    "saveScript": save_script,
                    "keepSession": keep_session,
                    "update": update,
                    "maestro": maestro,
                }
            ),
            ReplayData,
        )

    def check(
        self,
        files: Sequence[str | PathLike[str]],
        *,
        strict: bool = False,
        against: str | PathLike[str] | None = None,
    ) -> CheckData:
        """Say what is wrong or weak in scripts; no device."""
        return self._call(
            "check", given({"files": files, "strict": strict, "against": against}), CheckData
        )

    def fragment_digest(self, file: str | PathLike[str]) -> FragmentDigestData:
        """Print the digest that pins a fragment."""
        return self._call("fragment digest", given({"file": file}), FragmentDigestData)

    def fragment_graph(self, file: str | PathLike[str], *, mermaid: bool = False) -> FragmentGraphData:
        """Show who pins whom, and which pins are stale."""
        return self._call(
            "fragment graph", given({"file": file, "mermaid": mermaid}), FragmentGraphData
        )

    def fragment_verify(self, file: str | PathLike[str]) -> FragmentVerifyData:
        """Check a composition as a replay would; no device."""
        return self._call("fragment verify", given({"file": file}), FragmentVerifyData)

    def fragment_pin(self, file: str | PathLike[str], *, write: bool = False) -> FragmentPinData:
        """Show the pins to write, leaves first."""
        return self._call("fragment pin", given({"file": file, "write": write}), FragmentPinData)

    def batch(
        self,
        *,
        steps: str | Sequence[Sequence[str] | Mapping[str, object]] | None = None,
        steps_file: str | PathLike[str] | None = None,
    ) -> BatchData:
        """Run several commands; the first failure stops it."""
        return self._call("batch", given({"steps": steps, "stepsFile": steps_file}), BatchData)

    def events(self, *, after: int | None = None, limit: int = 200) -> EventsData:
        """Read the session's event log."""
        return self._call("events", given({"after": after, "limit": limit}), EventsData)

    def devices(self) -> DevicesData:
        """Show where apps can be opened."""
        return self._call("devices", given({}), DevicesData)

    def capabilities(self) -> CapabilitiesData:
        """Show what each platform can do."""
        return self._call("capabilities", given({}), CapabilitiesData)

    def doctor(self) -> DoctorData:
        """Check what is installed; say what mends it."""
        return self._call("doctor", given({}), DoctorData)

    def daemon_status(self) -> DaemonStatus:
        """Show the daemon."""
        return self._call("daemon status", given({}), DaemonStatus)

    def daemon_stop(self) -> StoppedData:
        """Close every session and end the daemon."""
        return self._call("daemon stop", given({}), StoppedData)

    def help(self, topic: str | None = None) -> HelpData:
        """Show help on a command or a topic."""
        return self._call("help", given({"topic": topic}), HelpData)
