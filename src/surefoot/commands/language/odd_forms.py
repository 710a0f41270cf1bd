"""The forms no table describes: ``wait``, ``find``, ``is``, ``viewport``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast, get_args

from surefoot.commands.families.shapes import (
    FindAction,
    FindArgs,
    IsArgs,
    Locator,
    Predicate,
    ViewportArgs,
    WaitArgs,
)
from surefoot.commands.language.forms import Custom, continues_selector, is_number, read_int
from surefoot.commands.language.spelling import is_pending, join_words, refused, told, unknown
from surefoot.selectors import looks_like_selector
from surefoot.text import nearest, normalize

PREDICATES: tuple[str, ...] = get_args(Predicate)
LOCATORS: tuple[str, ...] = get_args(Locator)
ACTIONS: tuple[str, ...] = get_args(FindAction)

WAIT_USAGE = (
    "<ms> | text <t> [timeout] | absent <selector> [timeout] | stable [quiet] [timeout] | "
    "<selector|@ref> [timeout]"
)
WAIT_HINT = (
    'One of: wait 500; wait text "Saved" 5000; wait absent \'role="progressbar"\'; wait stable; '
    "wait 'label=\"Save\" visible=true' 5000. Run `surefoot help wait`."
)


def _split_selector(words: Sequence[str]) -> tuple[str, list[str]]:
    """A selector of one or more words, and what follows it."""
    count = 1
    while count < len(words) and continues_selector(words[count - 1], words[count]):
        count += 1
    return join_words(words[:count]), list(words[count:])


def _only(words: Sequence[str], limit: int) -> None:
    if len(words) > limit:
        extra = words[limit]
        raise refused(f"wait takes no {told(extra)} here", given=extra, hint=WAIT_HINT)


def _read_wait(_command: str, words: list[str]) -> dict[str, Any]:
    if not words:
        raise refused("wait needs to know what for", hint=WAIT_HINT)
    first, rest = words[0], words[1:]
    if is_number(first):
        _only(words, 1)
        return {"ms": read_int(first, "ms")}
    if first == "stable":
        _only(rest, 2)
        names = ("quiet_ms", "timeout_ms")
        return {"stable": True} | {
            name: read_int(word, name) for name, word in zip(names, rest, strict=False)
        }
    if first in ("text", "absent"):
        if not rest:
            raise refused(f"wait {first} needs what to wait for", hint=WAIT_HINT)
        what, tail = (rest[0], rest[1:]) if first == "text" else _split_selector(rest)
        return {first: what, **_wait_timeout(tail)}
    if not is_pending(first) and not first.startswith("@") and "=" not in first:
        raise _not_a_wait(first, rest)
    target, tail = (first, rest) if first.startswith("@") else _split_selector(words)
    return {"target": target, **_wait_timeout(tail)}


def _wait_timeout(tail: Sequence[str]) -> dict[str, Any]:
    _only(tail, 1)
    return {"timeout_ms": read_int(tail[0], "timeout")} if tail else {}


def _not_a_wait(word: str, rest: Sequence[str]) -> Exception:
    """``wait visible 'label="Open"'`` and its kind (fault B071): never read as literal text."""
    message = f"wait has no {told(word)}"
    selector = next((other for other in rest if looks_like_selector(other)), None)
    state = {"hidden": "visible=false", "exists": "", "present": "", "gone": "", "not": ""}.get(
        word, f"{word}=true" if word in ("visible", "enabled", "checked", "focused", "selected") else ""
    )
    if selector is not None:
        form = f"wait '{' '.join(part for part in (selector, state) if part)}'"
        if word in ("gone", "not", "hidden"):
            form = f"wait absent '{selector}'"
        timeout = next((f" {other}" for other in rest if is_number(other)), "")
        return refused(
            message, given=word, suggestion=form + timeout, hint=f"Run `surefoot {form}{timeout}`."
        )
    near = nearest(word, ("text", "absent", "stable"))
    if near is not None:
        return unknown(message, word, (near,), hint=WAIT_HINT)
    return refused(message, given=word, hint=f'For a text: `surefoot wait text "{word}"`. {WAIT_HINT}')


def _write_wait(args: WaitArgs) -> list[str]:
    timeout = [] if args.timeout_ms is None else [str(args.timeout_ms)]
    if args.ms is not None:
        return [str(args.ms)]
    if args.text is not None:
        return ["text", args.text, *timeout]
    if args.absent is not None:
        return ["absent", args.absent, *timeout]
    if args.target is not None:
        return [args.target, *timeout]
    quiet = [] if args.quiet_ms is None else [str(args.quiet_ms)]
    return ["stable", *quiet, *timeout]


def check_wait(args: WaitArgs) -> None:
    """Exactly one thing to wait for, and only the numbers that go with it."""
    kinds = (args.ms, args.text, args.absent, args.target, True if args.stable else None)
    if sum(kind is not None for kind in kinds) != 1:
        raise refused("wait needs exactly one of ms, text, absent, stable, target", hint=WAIT_HINT)
    if args.text is not None and not normalize(args.text):
        raise refused("wait text needs a text that is not empty", given=args.text)
    if args.quiet_ms is not None and not args.stable:
        raise refused("quietMs goes with stable only", argument="quietMs")
    if args.timeout_ms is not None and args.ms is not None:
        raise refused("a duration has no timeout", argument="timeoutMs")
    quiet, timeout = args.quiet_ms, args.timeout_ms
    both = quiet is not None and timeout is not None and not (is_pending(quiet) or is_pending(timeout))
    if both and cast(int, timeout) < cast(int, quiet):
        raise refused("the timeout is shorter than the quiet time", argument="timeoutMs")


def _read_find(command: str, words: list[str]) -> dict[str, Any]:
    if not words:
        raise refused(f"{command} needs a query")
    rest = list(words)
    result: dict[str, Any] = {}
    if rest[0] in LOCATORS and len(rest) > 1:
        result["locator"] = rest.pop(0)
    result["query"] = rest.pop(0)
    if rest:
        action = rest.pop(0)
        if action not in ACTIONS and not is_pending(action):
            tail = f" (one of {'|'.join(ACTIONS)})"
            raise unknown(f"{command} has no action {told(action)}", action, ACTIONS, tail=tail)
        result["action"] = action
    if rest:
        result["value"] = rest.pop(0)
    if rest:
        raise refused(f"{command} takes no {told(rest[0])}", given=rest[0])
    return result


def _write_find(args: FindArgs) -> list[str]:
    out: list[str] = [] if args.locator == "any" and args.query not in LOCATORS else [args.locator]
    out.append(args.query)
    if args.action != "list" or args.value is not None:
        out.append(args.action)
    return out if args.value is None else [*out, args.value]


READ_FINDS = frozenset({"list", "exists", "wait", "get_text", "get_attrs"})
"""The one predicate that says which find actions observe (seed 0012, amendment 1271, 3)."""


def check_find(args: FindArgs) -> None:
    """What goes with which action; ``--record`` only with one that observes."""
    if not normalize(args.query):
        raise refused("find needs a query that is not empty", given=args.query, argument="query")
    if args.first and args.last:
        raise refused("--first and --last exclude each other", given="--last")
    if args.record and args.action not in READ_FINDS and not is_pending(args.action):
        raise refused(
            f"--record goes with a find that only reads; {args.action} is recorded anyway",
            given="--record",
            reason="record_on_mutation",
        )
    takes = {"fill": "a text", "type": "a text"}
    if args.action in takes and args.value is None:
        raise refused(f"find … {args.action} needs {takes[args.action]}", argument="value")
    if args.value is not None and args.action not in (*takes, "wait") and not is_pending(args.action):
        raise refused(f"find … {args.action} takes no {told(args.value)}", given=args.value)
    if args.action == "wait" and args.value is not None:
        wait_ms = read_int(args.value, "timeout")
        if not is_pending(args.value) and not 0 <= wait_ms <= 3_600_000:
            raise refused(f"timeout must be from 0 to 3600000, not {wait_ms}", given=args.value)
    if args.record_as is not None and args.action not in takes:
        raise refused("--record-as goes with fill and type", given="--record-as")


def _read_is(command: str, words: list[str]) -> dict[str, Any]:
    listed = "|".join(PREDICATES)
    if not words:
        raise refused(f"{command} needs a predicate: {listed}")
    predicate, rest = words[0], words[1:]
    if predicate not in PREDICATES and not is_pending(predicate):
        raise unknown(
            f"{command} has no predicate {told(predicate)}",
            predicate,
            PREDICATES,
            tail=f" (one of {listed})",
        )
    if not rest:
        raise refused(f"{command} {predicate} needs a selector or a ref")
    result: dict[str, Any] = {"predicate": predicate}
    if predicate == "text":
        if len(rest) < 2:
            raise refused(f"{command} text needs the expected text after the selector")
        selector, tail = _split_selector(rest[:-1])
        tail = [*tail, rest[-1]]
    else:
        selector, tail = _split_selector(rest)
    result["selector"] = selector
    if tail:
        result["value"] = tail.pop(0)
    if tail:
        raise refused(f"{command} takes no {told(tail[0])}", given=tail[0])
    return result


def _write_is(args: IsArgs) -> list[str]:
    out = [args.predicate, args.selector]
    return out if args.value is None else [*out, args.value]


def check_is_value(args: IsArgs) -> None:
    """``is text`` needs a value; no other predicate takes one."""
    if is_pending(args.predicate):
        return
    if args.predicate == "text" and args.value is None:
        raise refused("is text needs the expected text after the selector", argument="value")
    if args.predicate != "text" and args.value is not None:
        raise refused(
            f"is {args.predicate} takes no {told(args.value)}", given=args.value, argument="value"
        )


def _read_viewport(command: str, words: list[str]) -> dict[str, Any]:
    if len(words) == 1 and (match := re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", words[0])):
        return {"width": int(match[1]), "height": int(match[2])}
    if len(words) == 2:
        return {"width": read_int(words[0], "W"), "height": read_int(words[1], "H")}
    given = words[0] if words else None
    raise refused(f"{command} needs a size: 1280x720", given=given)


def _write_viewport(args: ViewportArgs) -> list[str]:
    return [f"{args.width}x{args.height}"]


WAIT = Custom(
    WAIT_USAGE,
    ("ms", "text", "absent", "stable", "quiet_ms", "target", "timeout_ms"),
    _read_wait,
    _write_wait,
)
FIND = Custom(
    f"[{'|'.join(LOCATORS[1:])}] <query> [{'|'.join(ACTIONS)}] [value]",
    ("locator", "query", "action", "value"),
    _read_find,
    _write_find,
)
IS = Custom(
    f"{'|'.join(PREDICATES)} <selector|@ref> [value]",
    ("predicate", "selector", "value"),
    _read_is,
    _write_is,
)
VIEWPORT = Custom("<W>x<H>", ("width", "height"), _read_viewport, _write_viewport)
