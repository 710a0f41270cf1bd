"""What a platform must offer: open, observe, perform, screenshot, close (architecture.md, 2).

A driver knows no selectors, no refs and no scripts. It acts on a :class:`~surefoot.tree.Node` it
handed out in an observation, and *only* on the very element behind that node's ``handle``: when
that element is gone, covered, disabled or off-screen it refuses before anything is dispatched.

Errors every driver raises (all :class:`~surefoot.errors.SurefootError`):

=====================  ==========================  ==============================================
code                   details.reason              when
=====================  ==========================  ==============================================
ELEMENT_NOT_FOUND      ``node_detached``           the element behind the handle is gone
ELEMENT_COVERED        ``covered``                 something else takes the hit; ``details.coveredBy``
                                                   ``{role, label, handle}`` names it
ELEMENT_COVERED        ``no_pointer``              it lets the pointer through to what lies around it
                                                   (``details.coveredBy``)
ELEMENT_OFFSCREEN      ``offscreen``               it cannot be brought into view;
                                                   ``details.direction`` where it lies
ELEMENT_OFFSCREEN      ``zero_size``               it is laid out with no area
ELEMENT_DISABLED       ``disabled``/``inert``      it takes no input
COMMAND_FAILED         ``moving``                  its box never came to rest within the deadline
COMMAND_FAILED         ``not_delivered``           input was sent and the element never got it
COMMAND_FAILED         ``text_mismatch``           the field holds another text afterwards;
                                                   ``details.actual`` (``None`` when secret)
COMMAND_FAILED         ``focus_left``              the same, because the focus went to another element
                                                   (``details.focusMovedTo``) while text was typed
COMMAND_FAILED         ``not_editable``/``readonly``/``maxlength``/``bad_value``
                                                   the text cannot be entered; nothing was typed
COMMAND_FAILED         ``no_file_field``/``no_file_chooser``
                                                   files cannot be put there: nothing was touched /
                                                   it was pressed and opened no chooser
DIALOG_PENDING         ``dialog_open``             a dialog blocks the page; ``details.dialog``
COMMAND_FAILED         ``capture_unreadable``      :class:`~surefoot.errors.CaptureUnreadable`
COMMAND_FAILED         ``app_crashed``             the app behind the session crashed
COMMAND_FAILED         ``driver_lost``             the browser or device is gone
TIMEOUT                ``driver_deadline``         a call had no answer within its deadline
UNSUPPORTED_OPERATION  ``<capability>``            the platform cannot do this at all
=====================  ==========================  ==============================================

Cancelling any coroutine here leaves the app usable; input already sent stays sent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct

from surefoot.tree import Node, Observation

Capability = Literal[
    "native_target",
    "direct_selector",
    "coordinate_fallback",
    "history",
    "reload",
    "viewport",
    "tabs",
    "dialogs",
    "upload",
    "hover",
    "screenshot",
]
Button = Literal["left", "right", "middle"]
Direction = Literal["up", "down", "left", "right", "top", "bottom"]


class Point(Struct, frozen=True):
    """A point in logical pixels of the top viewport."""

    x: float
    y: float


class OpenRequest(Struct, frozen=True, kw_only=True):
    """What to open. ``target`` is a URL or an app name; the rest is for platforms that have it."""

    target: str
    session: str
    state_dir: str
    relaunch: bool = False
    browser_path: str | None = None
    headed: bool = False
    profile: str | None = None
    viewport: tuple[int, int] | None = None
    cdp: str | None = None
    timeout_ms: int = 30_000


class Gesture(Struct, frozen=True, kw_only=True):
    """How the pointer acts. ``count`` 2 is a double press; ``hold_ms`` 0 releases at once.

    ``nth`` is the place of its first press in a series of gestures on one thing, from 1: the second in
    a row makes a double press of the two, as two quick presses of a person do.

    ``as_seen`` is how much must still be as it was when the element was seen, else nothing is sent
    (:meth:`App.pointer`): 3 everything in its document, 2 what it and the small things around it say
    while it is aimed at, 1 only its place (it is not scrolled to), 0 nothing.
    """

    kind: Literal["press", "hover"] = "press"
    button: Button = "left"
    count: int = 1
    nth: int = 1
    hold_ms: int = 0
    as_seen: int = 0


class Dialog(Struct, frozen=True, kw_only=True):
    """A native dialog that blocks the app: never answered by surefoot on its own."""

    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str
    default: str | None = None
    url: str | None = None


class Tab(Struct, frozen=True, kw_only=True):
    """One tab of the session, in opening order; ``index`` starts at 1.

    ``status`` is the HTTP status its document came with where that is an error (400 and above).
    """

    index: int
    url: str
    title: str
    active: bool
    status: int | None = None


class Download(Struct, frozen=True, kw_only=True):
    """A file the app saves. ``name`` is the one it suggests, made safe; ``path`` is where it is, or
    will be once it is ``complete``."""

    name: str
    path: str | None = None
    state: Literal["complete", "arriving", "failed"] = "complete"


class Delivery(Struct, frozen=True, kw_only=True):
    """Proof that input reached the element (a call that cannot prove it raises instead).

    ``dialog`` is what the input opened; ``opened_tab`` the tab it opened; ``navigated`` says a
    navigation began; ``trusted`` is false where only a synthetic event could do it (a colour
    input); ``fallback_taken`` says a direct-selector press ended as a coordinate press.
    ``downloads`` are files not told of before: a late one comes with the next action's proof.
    """

    point: Point | None = None
    dialog: Dialog | None = None
    opened_tab: Tab | None = None
    navigated: bool = False
    downloads: tuple[Download, ...] = ()
    trusted: bool = True
    fallback_taken: bool = False
    warnings: tuple[str, ...] = ()


class TextOutcome(Struct, frozen=True, kw_only=True):
    """What a text field holds after typing.

    ``value`` is ``None`` where it is ``secret`` (a password field), or could not be read back.
    """

    delivery: Delivery
    value: str | None
    secret: bool = False
    retried: bool = False


class ScrollOutcome(Struct, frozen=True, kw_only=True):
    """How far content moved, in logical pixels, and whether it stands at the edge it moved to."""

    moved_x: float
    moved_y: float
    at_edge: bool


class SettlePolicy(Struct, frozen=True, kw_only=True):
    """Quiet for ``quiet_ms`` counted from the later of the last change and the action; hard cap."""

    quiet_ms: int = 100
    timeout_ms: int = 5_000


class SettleOutcome(Struct, frozen=True, kw_only=True):
    """Whether the app came to rest; ``why`` names what kept it busy when it did not. ``downloads`` as
    in :class:`Delivery`."""

    settled: bool
    waited_ms: int
    polls: int
    why: str | None = None
    downloads: tuple[Download, ...] = ()


class DirectQuery(Struct, frozen=True, kw_only=True):
    """A simple conjunctive query a platform can resolve by itself (the direct-selector path)."""

    id: str | None = None
    role: str | None = None
    label: str | None = None
    text: str | None = None


class DriverEvent(Struct, frozen=True, kw_only=True):
    """Something that happened by itself: a dialog, a tab, a crash, a download."""

    kind: Literal["dialog_opened", "dialog_closed", "tab_opened", "crashed", "lost", "download"]
    detail: str = ""


@runtime_checkable
class App(Protocol):
    """One open app of one session. Every coroutine has a deadline of its own."""

    @property
    def capabilities(self) -> frozenset[Capability]: ...

    @property
    def name(self) -> str:
        """What is open, for people: a URL or an app name."""
        ...

    @property
    def lost(self) -> bool:
        """Whether the browser or device is gone for good; never waits."""
        ...

    async def observe(self) -> Observation:
        """Capture the whole screen once. Raises ``CaptureUnreadable``, ``DIALOG_PENDING``, ..."""
        ...

    async def unchanged(self, observation: Observation) -> bool:
        """Whether a capture now would show the same screen. ``False`` whenever in doubt."""
        ...

    async def pointer(self, node: Node, gesture: Gesture) -> Delivery:
        """Bring the node's element into view, prove the hit, act, and confirm it arrived.

        A list that reuses its nodes may make another row of the element when it is brought into view,
        or meanwhile. Where ``gesture.as_seen`` forbids that, nothing is sent and ``COMMAND_FAILED``
        reason ``brought_into_view`` is raised: the caller looks whether it is the same still and asks
        again. ``press_native`` asks for everything.
        """
        ...

    async def pointer_at(self, point: Point, gesture: Gesture) -> Delivery:
        """Act at a point, whatever is there."""
        ...

    async def drag(self, source: Node | Point, destination: Node | Point, ms: int) -> Delivery:
        """Press at the source, move, release at the destination."""
        ...

    async def focus(self, node: Node) -> Delivery: ...

    async def fill(self, node: Node, text: str, delay_ms: int = 0) -> TextOutcome:
        """Replace the field's content, read it back, retry once with keys, else ``text_mismatch``."""
        ...

    async def type_text(self, text: str, delay_ms: int = 0) -> TextOutcome:
        """Append to the focused field. ``COMMAND_FAILED`` reason ``no_focus`` when there is none, and
        ``not_editable`` when the focused element takes no text: keys could press it."""
        ...

    async def key(self, chord: str) -> Delivery:
        """One key or chord (``Enter``, ``ctrl+a``). ``INVALID_ARGS`` for an unknown name."""
        ...

    async def scroll(self, node: Node | None, direction: Direction, pixels: float) -> ScrollOutcome:
        """Scroll the node's container, or the page. ``top``/``bottom`` go to the edge."""
        ...

    async def settle(self, policy: SettlePolicy) -> SettleOutcome: ...

    async def history(self, step: Literal["back", "forward", "reload"]) -> Delivery: ...

    async def set_viewport(self, width: int, height: int) -> None: ...

    async def tabs(self) -> Sequence[Tab]: ...

    async def select_tab(self, index: int) -> Tab: ...

    async def close_tab(self, index: int | None) -> None: ...

    async def upload(self, node: Node, paths: Sequence[str]) -> Delivery: ...

    def dialog(self) -> Dialog | None:
        """The dialog open right now; never waits."""
        ...

    async def answer_dialog(self, accept: bool, text: str | None = None) -> None: ...

    async def screenshot(self, full: bool = False) -> bytes:
        """A PNG of the viewport, or of the whole page."""
        ...

    async def press_native(self, handle: str) -> Delivery:
        """Press by native handle without an observation (capability ``native_target``)."""
        ...

    async def press_direct(self, query: DirectQuery, allow_fallback: bool) -> Delivery:
        """Press what the platform itself finds (capability ``direct_selector``).

        Several raw matches: ``AMBIGUOUS_MATCH``. With ``allow_fallback`` a non-hittable match may
        be pressed at its coordinates (``Delivery.fallback_taken``).
        """
        ...

    async def close(self) -> None:
        """End the app's session; idempotent; leaves no process, port or profile behind."""
        ...


class Finding(Struct, frozen=True, kw_only=True):
    """One line of ``doctor``: what was looked for, what was found, the one command that mends it."""

    name: str
    ok: bool
    found: str
    fix: str | None = None


class Device(Struct, frozen=True, kw_only=True):
    """One place an app can be opened on."""

    id: str
    name: str
    platform: str
    available: bool
    detail: str = ""


@runtime_checkable
class Driver(Protocol):
    """One platform. One instance per daemon; it owns the processes its apps share."""

    @property
    def platform(self) -> str: ...

    @property
    def capabilities(self) -> frozenset[Capability]: ...

    @property
    def pid(self) -> int | None:
        """The process the driver owns (the browser), when one is running."""
        ...

    async def open(self, request: OpenRequest, on_event: Callable[[DriverEvent], None]) -> App:
        """Open an app for a new session. Raises ``APP_NOT_FOUND``, ``DEVICE_NOT_FOUND``, ..."""
        ...

    async def reopen(self, app: App, request: OpenRequest) -> None:
        """Open another target in a session's existing app (a navigation on the web)."""
        ...

    async def devices(self) -> Sequence[Device]: ...

    async def doctor(self) -> Sequence[Finding]: ...

    async def close(self) -> None:
        """End everything this driver owns; idempotent."""
        ...


DriverFactory = Callable[[], Awaitable[Driver]]
