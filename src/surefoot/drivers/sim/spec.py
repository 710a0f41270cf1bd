"""The data format of a simulated app (``"format": "surefoot-sim-1"``), read and checked as a whole.

See ``apps/README.md`` for the format with an example. Everything is checked when the app is opened:
an unknown field, screen, key, variable or capability is ``INVALID_ARGS`` that names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from surefoot.drivers.protocol import Capability
from surefoot.drivers.sim.notation import Template, parse_screen
from surefoot.errors import ErrorCode, SurefootError, invalid_args

FORMAT: Final = "surefoot-sim-1"
MAX_APP_BYTES = 16 * 1024 * 1024

Flavour = Literal["desktop", "android", "ios"]
Operation = Literal[
    "observe",
    "unchanged",
    "pointer",
    "drag",
    "focus",
    "fill",
    "type",
    "key",
    "scroll",
    "settle",
    "history",
    "viewport",
    "tabs",
    "upload",
    "dialog",
    "screenshot",
    "native",
    "direct",
]
Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]

ALL_CAPABILITIES: tuple[Capability, ...] = (
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
)
FLAVOUR_LACKS: dict[Flavour, frozenset[Capability]] = {
    "desktop": frozenset(),
    "android": frozenset({"reload", "viewport", "tabs", "upload", "hover"}),
    "ios": frozenset({"history", "reload", "viewport", "tabs", "upload", "hover"}),
}
"""What each flavour of platform cannot do at all; ``without`` takes more away."""


class _Data(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    pass


class DialogSpec(_Data, frozen=True, kw_only=True):
    """A native dialog; ``into`` names the variable a prompt's answer goes to."""

    kind: Literal["alert", "confirm", "prompt", "beforeunload"] = "alert"
    message: str
    default: str | None = None
    into: str | None = None
    accept: tuple[Action, ...] = ()
    dismiss: tuple[Action, ...] = ()


class TabSpec(_Data, frozen=True, kw_only=True):
    """A tab to open on a screen; ``active`` says whether it comes to the front."""

    screen: str
    active: bool = False


class Delayed(_Data, frozen=True, kw_only=True):
    """Actions that run ``ms`` milliseconds later, unless the screen was left."""

    ms: Count
    do: tuple[Action, ...]


class Action(_Data, frozen=True, kw_only=True):
    """One effect; exactly one field is given (``keep`` belongs to ``go``)."""

    go: str | None = None
    keep: bool = False
    set: dict[str, str] | None = None
    add: dict[str, int] | None = None
    toggle: str | None = None
    dialog: DialogSpec | None = None
    open_tab: TabSpec | None = None
    swap: str | None = None
    focus: str | None = None
    after: Delayed | None = None
    download: str | None = None
    back: bool = False
    crash: bool = False
    lose: bool = False


class Rule(_Data, frozen=True, kw_only=True):
    """When one thing happens and the condition holds, do the actions. Exactly one trigger is given.

    ``press double long context hover focus blur fill scroll drop approach`` name an element by key or
    ``#id``; ``approach`` fires once, after the caller decided to act on it and before the guards.
    ``key`` is a chord (``at``: only while that element has the focus). ``after`` and ``every`` are
    ms since the screen was entered, ``captures`` the number of captures made of it.
    """

    press: str | None = None
    double: str | None = None
    long: str | None = None
    context: str | None = None
    hover: str | None = None
    focus: str | None = None
    blur: str | None = None
    fill: str | None = None
    scroll: str | None = None
    drop: str | None = None
    approach: str | None = None
    key: str | None = None
    at: str | None = None
    after: Count | None = None
    every: Annotated[int, Meta(ge=10, le=1_000_000_000)] | None = None
    captures: Count | None = None
    when: str | None = None
    do: tuple[Action, ...]


ELEMENT_TRIGGERS = (
    "press",
    "double",
    "long",
    "context",
    "hover",
    "focus",
    "blur",
    "fill",
    "scroll",
    "drop",
    "approach",
)
TRIGGERS = (*ELEMENT_TRIGGERS, "key", "after", "every", "captures")
EFFECTS = (
    "go",
    "set",
    "add",
    "toggle",
    "dialog",
    "open_tab",
    "swap",
    "focus",
    "after",
    "download",
    "back",
    "crash",
    "lose",
)


class Unreadable(_Data, frozen=True, kw_only=True):
    """The screen cannot be read for so many captures, or for so many ms after it was entered."""

    verdict: str = "empty_document"
    captures: Count = 0
    ms: Count = 0


class WindowSpec(_Data, frozen=True, kw_only=True):
    """A window nodes belong to by ``window=id``; a foreign one lies over the app's own."""

    id: str
    title: str = ""
    app: str = ""
    foreign: bool = False


class ScreenSpec(_Data, frozen=True, kw_only=True):
    """One screen: its tree (notation, or lines of it), its rules, and how it misbehaves."""

    tree: str | tuple[str, ...]
    title: str = ""
    url: str = ""
    on: tuple[Rule, ...] = ()
    windows: tuple[WindowSpec, ...] = ()
    sparse: Count = 0
    bound: Count = 0
    unreadable: Unreadable | None = None
    slow: dict[Operation, Count] = {}
    hangs: tuple[Operation, ...] = ()

    @property
    def text(self) -> str:
        return self.tree if isinstance(self.tree, str) else "\n".join(self.tree)


class Death(_Data, frozen=True, kw_only=True):
    """The app crashes, or the device is lost, at operation number ``after`` + 1."""

    after: Count
    how: Literal["app_crashed", "driver_lost"] = "app_crashed"


class AppSpec(_Data, frozen=True, kw_only=True):
    """A whole app. ``without`` switches capabilities off; ``bring_into_view`` false refuses instead."""

    format: Literal["surefoot-sim-1"] = FORMAT
    name: str
    flavour: Flavour = "desktop"
    viewport: tuple[Annotated[int, Meta(ge=1, le=10_000)], Annotated[int, Meta(ge=1, le=10_000)]] = (
        800,
        600,
    )
    start: str
    variables: dict[str, str] = {}
    screens: dict[str, ScreenSpec]
    without: tuple[Capability, ...] = ()
    bring_into_view: bool = True
    dies: Death | None = None
    deadline_ms: Annotated[int, Meta(ge=1, le=600_000)] = 30_000

    @property
    def capabilities(self) -> frozenset[Capability]:
        return frozenset(ALL_CAPABILITIES) - FLAVOUR_LACKS[self.flavour] - frozenset(self.without)


class LoadedApp:
    """A checked app: the data and, per screen, the parsed elements."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        self.roots: dict[str, tuple[Template, ...]] = {}
        for name, screen in spec.screens.items():
            try:
                self.roots[name] = parse_screen(screen.text)
            except SurefootError as error:
                raise invalid_args(
                    f"app {spec.name!r}, screen {name!r}: {error.message}",
                    hint=error.hint,
                    **error.details,
                ) from error
        problem = next(_problems(spec, self.roots), None)
        if problem is not None:
            raise _bad(spec.name, problem)


def load_app(source: AppSpec | bytes | str) -> LoadedApp:
    """Read an app from its data: an :class:`AppSpec` or JSON. ``INVALID_ARGS`` when it is wrong."""
    if isinstance(source, AppSpec):
        return LoadedApp(source)
    try:
        spec = msgspec.json.decode(source, type=AppSpec)
    except msgspec.MsgspecError as error:
        raise _bad("(data)", str(error)) from error
    return LoadedApp(spec)


def load_app_file(path: Path) -> LoadedApp:
    """Read an app from a JSON file. ``APP_NOT_FOUND`` when there is none to read."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_APP_BYTES + 1)
    except OSError as error:
        raise SurefootError(
            ErrorCode.APP_NOT_FOUND,
            f"no app file can be read at {path}",
            hint="Give the path of an app file, or the name of a bundled app.",
            details={"reason": "app_file_unreadable"},
        ) from error
    if len(data) > MAX_APP_BYTES:
        raise _bad(path.name, f"the file is larger than {MAX_APP_BYTES} bytes")
    return load_app(data)


def screen_app(tree: str, *, name: str = "screen") -> AppSpec:
    """An app of one screen with no rules: what a test of the pure core needs."""
    return AppSpec(name=name, start="main", screens={"main": ScreenSpec(tree=tree)})


def _bad(name: str, problem: str) -> SurefootError:
    return invalid_args(
        f"app {name!r}: {problem}",
        hint="The format is described in surefoot/drivers/sim/apps/README.md.",
        reason="bad_app_data",
    )


def condition_variable(condition: str) -> str:
    """The variable a condition (``v``, ``!v``, ``v=x``, ``v!=x``) asks about."""
    name = condition.partition("=")[0]
    return name.removeprefix("!").removesuffix("!")


def _problems(spec: AppSpec, roots: dict[str, tuple[Template, ...]]) -> Iterator[str]:
    if spec.start not in spec.screens:
        yield f"the start screen {spec.start!r} does not exist"
    for name, screen in spec.screens.items():
        where = f"screen {name!r}"
        elements = list(walk(roots[name]))
        names = {e.key for e in elements} | {f"#{e.id}" for e in elements}
        windows = {window.id for window in screen.windows}
        for element in elements:
            yield from _element_problems(where, element, spec, names, windows)
        for rule in screen.on:
            given = [t for t in TRIGGERS if getattr(rule, t) is not None]
            if len(given) != 1:
                yield f"{where}: a rule takes exactly one trigger, not {given or 'none'}"
            for trigger in (*ELEMENT_TRIGGERS, "at"):
                target = getattr(rule, trigger)
                if target is not None and target not in names and not _repeated(target, elements):
                    yield f"{where}: no element {target!r} for a rule on {trigger}"
            if rule.when is not None and condition_variable(rule.when) not in spec.variables:
                yield f"{where}: no variable {condition_variable(rule.when)!r}"
            yield from _action_problems(where, rule.do, spec, names, elements)


def _element_problems(
    where: str, element: Template, spec: AppSpec, names: set[str], windows: set[str]
) -> Iterator[str]:
    for attribute in ("if", "enabledif", "inertif"):
        condition = element.attributes.get(attribute)
        if condition is not None and condition_variable(condition) not in spec.variables:
            yield f"{where}: no variable {condition_variable(condition)!r}"
    bound = element.attributes.get("bind")
    if bound is not None and bound not in spec.variables:
        yield f"{where}: no variable {bound!r}"
    window = element.attributes.get("window")
    if window is not None and window not in windows:
        yield f"{where}: no window {window!r}"
    cover = element.attributes.get("covered")
    if cover is not None and cover not in names:
        yield f"{where}: no element {cover!r} to cover with"


def _action_problems(
    where: str, actions: tuple[Action, ...], spec: AppSpec, names: set[str], elements: list[Template]
) -> Iterator[str]:
    for action in actions:
        given = [e for e in EFFECTS if getattr(action, e) not in (None, False)]
        if len(given) != 1:
            yield f"{where}: an action takes exactly one effect, not {given or 'none'}"
        tab = action.open_tab.screen if action.open_tab else None
        for screen in (action.go, tab):
            if screen is not None and screen not in spec.screens:
                yield f"{where}: no screen {screen!r}"
        into = action.dialog.into if action.dialog else None
        for variable in (*(action.set or ()), *(action.add or ()), action.toggle, into):
            if variable is not None and variable not in spec.variables:
                yield f"{where}: no variable {variable!r}"
        for target in (action.swap, action.focus):
            if target is not None and target not in names and not _repeated(target, elements):
                yield f"{where}: no element {target!r}"
        if action.after is not None:
            yield from _action_problems(where, action.after.do, spec, names, elements)
        if action.dialog is not None:
            yield from _action_problems(where, action.dialog.accept, spec, names, elements)
            yield from _action_problems(where, action.dialog.dismiss, spec, names, elements)


def _repeated(target: str, elements: list[Template]) -> bool:
    """Whether ``target`` may name a copy of a repeated element (its key or id counts with ``${i}``)."""
    for element in elements:
        for name in (element.key, f"#{element.id}"):
            before, counter, after = name.partition("${i}")
            if counter and target.startswith(before) and target.endswith(after):
                return True
    return False


def walk(roots: tuple[Template, ...] | list[Template]) -> Iterator[Template]:
    """The written elements in document order."""
    waiting = list(reversed(roots))
    while waiting:
        element = waiting.pop()
        yield element
        waiting.extend(reversed(element.children))
