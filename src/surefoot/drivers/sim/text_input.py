"""Filling and typing: what cannot be entered is refused before typing, the rest is read back."""

from __future__ import annotations

from surefoot.drivers.clock import Clock
from surefoot.drivers.protocol import TextOutcome
from surefoot.drivers.sim.guards import describe, living
from surefoot.drivers.sim.hands import Hands
from surefoot.drivers.sim.machine import Element
from surefoot.errors import ErrorCode, SurefootError

MAX_TEXT = 1_000_000
"""Characters in one text; more is refused (``bad_value``)."""


def refuse_text(field: Element, text: str, *, replaces: bool) -> None:
    """Raise when the field cannot hold the text; nothing was typed then."""
    if not field.takes_text:
        raise _refusal(field, "not_editable", "takes no text")
    if field.has("readonly"):
        raise _refusal(field, "readonly", "is read-only")
    length = len(text) + (0 if replaces else len(field.content or ""))
    limit = field.template.number("maxlength")
    if limit is not None and length > limit:
        raise _refusal(field, "maxlength", f"holds at most {limit} characters, the text has {length}")
    if length > MAX_TEXT:
        raise _refusal(field, "bad_value", f"is given more than {MAX_TEXT} characters")
    accepts = field.attribute("accepts")
    if accepts is not None and any(character not in accepts for character in text):
        raise _refusal(field, "bad_value", "does not take some of the characters")
    if "\n" in text and not field.has("multiline"):
        raise _refusal(field, "bad_value", "has one line only")
    options = _options(field)
    if options and text not in {_worth(o) for o in options} | {o.label for o in options}:
        raise _refusal(field, "bad_value", "has no such option")


async def fill(hands: Hands, clock: Clock, field: Element, text: str, delay_ms: int) -> TextOutcome:
    """Replace the content, read it back, retry once, else ``text_mismatch``.

    With a delay it can be cancelled between two characters; what was typed stays.
    """
    device = hands.device
    hands.begin()
    device.focus(field)
    hands.log("fill", field, text=text, delivered=not field.has("undelivered"))
    _refuse_undelivered(field)
    options = _options(field)
    if options:
        _choose(options, text)
        text = next(o.label for o in options if text in (_worth(o), o.label))
    wanted = text
    retried = False
    await _enter(hands, clock, field, "", text, delay_ms)
    if _held(hands, field) != wanted:
        retried = True
        await _enter(hands, clock, field, "", text, delay_ms)
    return _outcome(hands, field, wanted, retried)


async def type_text(hands: Hands, clock: Clock, text: str, delay_ms: int) -> TextOutcome:
    """Append to the focused field; ``no_focus`` when nothing has the focus."""
    field = hands.device.focused()
    if field is None:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            "no field has the focus",
            hint="Press the field first, or use `surefoot fill <target> <text>`.",
            details={"reason": "no_focus"},
        )
    refuse_text(field, text, replaces=False)
    hands.begin()
    hands.log("type", field, text=text, delivered=not field.has("undelivered"))
    _refuse_undelivered(field)
    before = "" if hands.selecting else (field.content or "")
    hands.selecting = False
    await _enter(hands, clock, field, before, text, delay_ms)
    return _outcome(hands, field, before + text, False)


async def _enter(
    hands: Hands, clock: Clock, field: Element, before: str, text: str, delay_ms: int
) -> None:
    """Put ``before`` and what arrives of ``text`` into the field, at once or bit by bit."""
    drops = field.attribute("drops") or ""
    arriving = "".join(character for character in text if character not in drops)
    if field.has("dropsonce") and field.memory.typed == 0:
        arriving = arriving[::2]
    field.memory.typed += 1
    if delay_ms <= 0:
        hands.put(field, before + arriving)
        return
    for length in range(1, len(arriving) + 1):
        hands.put(living(hands.device, field.handle), before + arriving[:length])
        await clock.sleep(delay_ms)
        hands.device.advance(clock.now_ms())


def _held(hands: Hands, field: Element) -> str | None:
    now = hands.device.scene().by_handle(field.handle)
    return field.memory.value if now is None else now.content


def _outcome(hands: Hands, field: Element, wanted: str, retried: bool) -> TextOutcome:
    held = _held(hands, field)
    shown = None if field.password else held
    if held != wanted:
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            f"{describe(field)} holds another text than was typed",
            hint="Run `surefoot get text <target>` to see what it holds.",
            details={"reason": "text_mismatch", "actual": shown},
        )
    return TextOutcome(delivery=hands.delivery(), value=shown, secret=field.password, retried=retried)


def _refuse_undelivered(field: Element) -> None:
    if field.has("undelivered"):
        raise _refusal(field, "not_delivered", "never got the input")


def _refusal(field: Element, reason: str, what: str) -> SurefootError:
    return SurefootError(
        ErrorCode.COMMAND_FAILED, f"{describe(field)} {what}", details={"reason": reason}
    )


def _options(field: Element) -> list[Element]:
    if field.role != "combobox":
        return []
    return [kid for kid in _below(field) if kid.role == "option"]


def _below(element: Element) -> list[Element]:
    found = []
    for kid in element.kids:
        found.append(kid)
        found.extend(_below(kid))
    return found


def _worth(option: Element) -> str:
    """An option's value: the written one, else its label."""
    written = option.attribute("value")
    return option.label if written is None else written


def _choose(options: list[Element], text: str) -> None:
    for option in options:
        option.memory.selected = text in (_worth(option), option.label)
