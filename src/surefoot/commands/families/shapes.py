"""The argument structs: what each command can be asked, with bounds and help, in one place.

A positional is declared with ``word``, a flag with ``flag``; the order is the order of help.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, Literal

from msgspec import Struct

from surefoot.commands.language.arguments import Args, flag, word
from surefoot.drivers import MAX_VIEWPORT, MIN_VIEWPORT, parse_chord
from surefoot.errors import SurefootError

MAX_COUNT = 20
MAX_HOLD_MS = 60_000
MAX_DELAY_MS = 5_000
MAX_WAIT_MS = 60 * 60 * 1000
MAX_DEPTH = 1_000
COORDINATE = 1_000_000

TARGET = word("A ref (@e12), a selector ('role=button label=\"Save\"').", value="target")
LABEL = word("The label a ref was shown with; replay falls back to it.", value="label")
X = word("Left edge distance in logical pixels.", value="x", ge=-COORDINATE, le=COORDINATE)
Y = word("Top edge distance in logical pixels.", value="y", ge=-COORDINATE, le=COORDINATE)
SETTLE = flag("Wait until the screen is at rest, then show what changed.", recorded=False)
VERIFY = flag("Show whether anything changed.", recorded=False)
RECORD = flag("Keep this reading in a repair (it is left out otherwise).", recorded=False)
RECORD_AS = flag(
    "Record ${NAME} in place of the text.",
    value="NAME",
    pattern="^(?!AD_)[A-Z_][A-Z0-9_]*$",
    recorded=False,
)
MESSAGE = flag("Answer only a dialog that says this (a recording adds it).", value="TEXT")
DELAY = flag("Pause between characters.", value="MS", ge=0, le=MAX_DELAY_MS)
SAVE_SCRIPT = flag("Record this session into a script.", value="path", caller_only=True, path=True)
FORCE = flag("Replace an existing script.", caller_only=True)


class NoArgs(Args, frozen=True, kw_only=True):
    """A command without arguments."""


class OpenArgs(Args, frozen=True, kw_only=True):
    """``open``."""

    target: Annotated[str, word("A URL, or the name of an app.", value="url|app")]
    relaunch: Annotated[bool, flag("End a running app and start it anew.")] = False
    save_script: Annotated[bool | str, SAVE_SCRIPT] = False
    force: Annotated[bool, FORCE] = False
    browser_path: Annotated[str | None, flag("The browser to launch.", value="P", path=True)] = None
    headed: Annotated[bool, flag("Show the browser's window.")] = False
    profile: Annotated[str | None, flag("A browser profile to use.", value="DIR", path=True)] = None
    viewport: Annotated[
        str | None,
        flag("Size in CSS pixels.", value="WxH", pattern="^[1-9][0-9]{0,4}x[1-9][0-9]{0,4}$"),
    ] = None
    cdp: Annotated[str | None, flag("Attach to a running browser.", value="URL")] = None


class CloseArgs(Args, frozen=True, kw_only=True):
    """``close``."""

    save_script: Annotated[
        bool | str, flag("Where the recording goes.", value="path", caller_only=True, path=True)
    ] = False
    force: Annotated[bool, FORCE] = False


class SaveScriptArgs(Args, frozen=True, kw_only=True):
    """``session save-script``."""

    path: Annotated[
        str | None,
        word("Where the script goes; the path given to open by default.", value="path", path=True),
    ] = None
    force: Annotated[bool, FORCE] = False


class SnapshotArgs(Args, frozen=True, kw_only=True):
    """``snapshot``."""

    interactive: Annotated[bool, flag("Only what can be acted on, and what names it.", short="-i")] = (
        False
    )
    depth: Annotated[
        int | None, flag("Only this many levels.", short="-d", value="N", ge=0, le=MAX_DEPTH)
    ] = None
    scope: Annotated[
        str | None, flag("Only below a ref, a selector or a label.", short="-s", value="SCOPE")
    ] = None
    raw: Annotated[bool, flag("Every node and every field.")] = False
    record: Annotated[bool, RECORD] = False


class PointerArgs(Args, frozen=True, kw_only=True):
    """``press``, ``click``, ``longpress``."""

    target: Annotated[str | None, TARGET] = None
    label: Annotated[str | None, LABEL] = None
    x: Annotated[float | None, X] = None
    y: Annotated[float | None, Y] = None
    count: Annotated[int, flag("How often; 2 is a double click.", value="N", ge=1, le=MAX_COUNT)] = 1
    settle: Annotated[bool, SETTLE] = False
    verify: Annotated[bool, VERIFY] = False
    button: Annotated[Literal["left", "right", "middle"], flag("The mouse button.", value="B")] = "left"
    hold_ms: Annotated[int | None, flag("How long it is held.", value="MS", ge=0, le=MAX_HOLD_MS)] = (
        None
    )


class HoverArgs(Args, frozen=True, kw_only=True):
    """``hover``."""

    target: Annotated[str | None, TARGET] = None
    label: Annotated[str | None, LABEL] = None
    x: Annotated[float | None, X] = None
    y: Annotated[float | None, Y] = None
    settle: Annotated[bool, SETTLE] = False
    verify: Annotated[bool, VERIFY] = False
    hold_ms: Annotated[int, flag("How long to stay.", value="MS", ge=0, le=MAX_HOLD_MS)] = 0


class FillArgs(Args, frozen=True, kw_only=True):
    """``fill``."""

    target: Annotated[str, TARGET]
    text: Annotated[str, word("The new content; an empty text clears the field.", value="text")]
    label: Annotated[str | None, LABEL] = None
    record_as: Annotated[str | None, RECORD_AS] = None
    settle: Annotated[bool, SETTLE] = False
    verify: Annotated[bool, VERIFY] = False
    delay_ms: Annotated[int, DELAY] = 0


class TypeArgs(Args, frozen=True, kw_only=True):
    """``type``."""

    text: Annotated[str, word("What to append to the focused field.", value="text")]
    record_as: Annotated[str | None, RECORD_AS] = None
    settle: Annotated[bool, SETTLE] = False
    verify: Annotated[bool, VERIFY] = False
    delay_ms: Annotated[int, DELAY] = 0


class KeyArgs(Args, frozen=True, kw_only=True):
    """``key``."""

    chord: Annotated[str, word("A key or a chord: Enter, Tab, Escape, ctrl+a.", value="chord")]
    settle: Annotated[bool, SETTLE] = False
    verify: Annotated[bool, VERIFY] = False


class ScrollArgs(Args, frozen=True, kw_only=True):
    """``scroll``."""

    direction: Annotated[
        Literal["up", "down", "left", "right", "top", "bottom"], word("Where to.", value="direction")
    ]
    amount: Annotated[
        float | None, word("In screens; 0.8 by default.", value="amount", ge=0.01, le=100)
    ] = None
    pixels: Annotated[int | None, flag("In logical pixels.", value="N", ge=1, le=COORDINATE)] = None
    until: Annotated[str | None, flag("Repeat until this is in view.", value="SELECTOR")] = None


class SwipeArgs(Args, frozen=True, kw_only=True):
    """``swipe``."""

    x1: Annotated[float, word("Start, left.", value="x1", ge=-COORDINATE, le=COORDINATE)]
    y1: Annotated[float, word("Start, top.", value="y1", ge=-COORDINATE, le=COORDINATE)]
    x2: Annotated[float, word("End, left.", value="x2", ge=-COORDINATE, le=COORDINATE)]
    y2: Annotated[float, word("End, top.", value="y2", ge=-COORDINATE, le=COORDINATE)]
    ms: Annotated[int, word("How long it takes.", value="ms", ge=0, le=MAX_HOLD_MS)] = 300


class DragArgs(Args, frozen=True, kw_only=True):
    """``drag``."""

    source: Annotated[str, word("What to drag: a ref or a selector.", value="source")]
    destination: Annotated[str, word("Where to: a ref or a selector.", value="destination")]


class ViewportArgs(Args, frozen=True, kw_only=True):
    """``viewport``."""

    width: Annotated[int, word("Width in logical pixels.", value="W", ge=MIN_VIEWPORT, le=MAX_VIEWPORT)]
    height: Annotated[
        int, word("Height in logical pixels.", value="H", ge=MIN_VIEWPORT, le=MAX_VIEWPORT)
    ]


class GetArgs(Args, frozen=True, kw_only=True):
    """``get``."""

    what: Annotated[Literal["text", "attrs"], word("What to read.", value="what")]
    target: Annotated[str, TARGET]
    label: Annotated[str | None, LABEL] = None
    record: Annotated[bool, RECORD] = False


Predicate = Literal[
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
]


class IsArgs(Args, frozen=True, kw_only=True):
    """``is``."""

    predicate: Annotated[Predicate, word("What must hold.", value="predicate")]
    selector: Annotated[str, word("A selector; a ref, but for exists and absent.", value="selector")]
    value: Annotated[str | None, word("The expected text, for `is text`.", value="value")] = None
    record: Annotated[bool, RECORD] = False


Locator = Literal["any", "text", "label", "value", "role", "id"]
FindAction = Literal[
    "list", "exists", "wait", "get_text", "get_attrs", "click", "fill", "focus", "type"
]


class FindArgs(Args, frozen=True, kw_only=True):
    """``find``."""

    query: Annotated[str, word("What to look for; case and blanks are ignored.", value="query")]
    locator: Annotated[Locator, word("Where to look; any field by default.", value="locator")] = "any"
    action: Annotated[
        FindAction, word("What to do with it; `list` (only look) by default.", value="action")
    ] = "list"
    value: Annotated[
        str | None, word("The text for fill and type; milliseconds for wait.", value="value")
    ] = None
    first: Annotated[bool, flag("Take the first match in document order.")] = False
    last: Annotated[bool, flag("Take the last match in document order.")] = False
    record: Annotated[bool, RECORD] = False
    record_as: Annotated[str | None, RECORD_AS] = None


class WaitArgs(Args, frozen=True, kw_only=True):
    """``wait``: exactly one of ``ms``, ``text``, ``absent``, ``stable``, ``target``."""

    ms: Annotated[int | None, word("Just this long.", value="ms", ge=0, le=MAX_WAIT_MS)] = None
    text: Annotated[str | None, word("Until this text is on the screen.", value="text")] = None
    absent: Annotated[str | None, word("Until nothing matches this selector.", value="selector")] = None
    stable: Annotated[bool, word("Until the screen is at rest.", value="stable")] = False
    quiet_ms: Annotated[
        int | None, word("How long it must be at rest.", value="quiet", ge=1, le=60_000)
    ] = None
    target: Annotated[str | None, word("Until this ref or selector matches.", value="target")] = None
    timeout_ms: Annotated[
        int | None, word("Give up after; 10000 by default.", value="timeout", ge=0, le=MAX_WAIT_MS)
    ] = None


class TabSelectArgs(Args, frozen=True, kw_only=True):
    """``tab select``."""

    index: Annotated[int, word("The tab's number, from 1.", value="n", ge=1, le=10_000)]


class TabCloseArgs(Args, frozen=True, kw_only=True):
    """``tab close``."""

    index: Annotated[
        int | None, word("The tab's number; the active one by default.", value="n", ge=1, le=10_000)
    ] = None


class UploadArgs(Args, frozen=True, kw_only=True):
    """``upload``."""

    target: Annotated[str, TARGET]
    files: Annotated[tuple[str, ...], word("The files to choose.", value="file", path=True)]
    label: Annotated[str | None, LABEL] = None


class DialogWaitArgs(Args, frozen=True, kw_only=True):
    """``dialog wait``."""

    ms: Annotated[
        int | None,
        word("Give up after; --timeout, or 10000, by default.", value="ms", ge=0, le=MAX_WAIT_MS),
    ] = None


class DialogAcceptArgs(Args, frozen=True, kw_only=True):
    """``dialog accept``."""

    text: Annotated[str | None, word("The answer to a prompt.", value="text")] = None
    message: Annotated[str | None, MESSAGE] = None


class DialogDismissArgs(Args, frozen=True, kw_only=True):
    """``dialog dismiss``."""

    message: Annotated[str | None, MESSAGE] = None


class ScreenshotArgs(Args, frozen=True, kw_only=True):
    """``screenshot``."""

    path: Annotated[
        str | None,
        word("Where to write the PNG; ./screenshot-<time>.png by default.", value="path", path=True),
    ] = None
    full: Annotated[bool, flag("The whole page, not only the viewport.")] = False
    overlay_refs: Annotated[bool, flag("Draw a box and a ref on what can be acted on.")] = False


class ReplayArgs(Args, frozen=True, kw_only=True):
    """``replay``."""

    file: Annotated[str, word("The script.", value="file", path=True)]
    from_: Annotated[
        str | None, flag("Resume at a step number, or a token.", spelling="--from", value="N|TOKEN")
    ] = None
    plan_digest: Annotated[
        str | None,
        flag("The plan a step number belongs to.", value="SHA", pattern="^[0-9a-f]{64}$"),
    ] = None
    composition_digest: Annotated[
        str | None,
        flag("The composition a token belongs to.", value="SHA", pattern="^sha256:[0-9a-f]{64}$"),
    ] = None
    env: Annotated[tuple[str, ...], flag("Set a variable of the script.", short="-e", value="K=V")] = ()
    save_script: Annotated[
        bool | str, flag("Repair: record what works.", value="out", caller_only=True, path=True)
    ] = False
    keep_session: Annotated[bool, flag("Leave out the script's last close.")] = False
    update: Annotated[bool, flag("Accepted; never writes.", short="-u")] = False
    maestro: Annotated[bool, flag("The file is a Maestro flow.")] = False


class CheckArgs(Args, frozen=True, kw_only=True):
    """``check``."""

    files: Annotated[tuple[str, ...], word("The scripts.", value="file", path=True)]
    strict: Annotated[bool, flag("Warnings count as errors.")] = False
    against: Annotated[
        str | None,
        flag("Say what each step would do on this saved snapshot.", value="snapshot.json", path=True),
    ] = None


class BatchArgs(Args, frozen=True, kw_only=True):
    """``batch``: exactly one of the two."""

    steps: Annotated[
        str | tuple[dict[str, Any] | tuple[str, ...], ...] | None,
        flag('[{"command": "press", "arguments": {…}}, …]', value="JSON"),
    ] = None
    steps_file: Annotated[str | None, flag("A file that holds the same.", value="F", path=True)] = None


class EventsArgs(Args, frozen=True, kw_only=True):
    """``events``."""

    follow: Annotated[bool, flag("Go on until interrupted.")] = False
    after: Annotated[
        int | None, flag("The ones after this cursor; the newest by default.", value="CURSOR", ge=0)
    ] = None
    limit: Annotated[int, flag("At most so many.", value="N", ge=1, le=1_000)] = 200


class HelpArgs(Args, frozen=True, kw_only=True):
    """``help``."""

    topic: Annotated[str | None, word("A command or a topic, as `workflow`.", value="topic")] = None


def enters_text(args: Struct) -> bool:
    """Whether a command with these arguments types a text of its own; a key may type a character."""
    if isinstance(args, FindArgs):
        return args.action in ("fill", "type")
    if isinstance(args, KeyArgs):
        with suppress(SurefootError):  # a variable is no key yet
            typed = parse_chord(args.chord).text
            return bool(typed) and typed.isprintable()
        return False
    return isinstance(args, FillArgs | TypeArgs)
