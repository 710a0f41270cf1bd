"""The one-line notation for screens: ``document "App"(main(button "Pay" #save =A))``.

An element is ``role`` followed, in any order, by ``"label"`` (a JSON string), ``#id`` (or
``#"an id"``), ``=key`` (its name in rules, and what tests call the same thing for a person), flags
(bare words) and ``name=value`` attributes (a bare word or a JSON string), then its children in
parentheses, separated by commas. White space and line breaks are free. The flags and attributes are
the two tables below; an unknown one is ``INVALID_ARGS`` with the nearest spelling, line, column and a
caret.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from surefoot.errors import SurefootError, invalid_args
from surefoot.text import caret_excerpt, nearest
from surefoot.tree import canonical_role

MAX_DEPTH = 200
MAX_ELEMENTS = 100_000

FLAGS: Mapping[str, str] = {
    "disabled": "takes no input",
    "inert": "takes no input and shows no disabled state",
    "hidden": "in the tree, laid out nowhere, not visible (its descendants too)",
    "transparent": "laid out and not visible",
    "hittable": "has an activation of its own, whatever its role",
    "unhittable": "has none, whatever its role",
    "editable": "takes text, whatever its role",
    "uneditable": "takes none, whatever its role",
    "focused": "has the focus when the screen is entered",
    "selected": "",
    "unselected": "",
    "checked": "",
    "unchecked": "",
    "mixed": "checked is mixed",
    "expanded": "",
    "collapsed": "",
    "required": "",
    "readonly": "",
    "password": "a password field: its content is in no capture",
    "multiline": "takes line breaks",
    "chrome": "part of the platform's chrome (its descendants too)",
    "across": "lays its children out from left to right",
    "virtual": "a scroll container that renders only the children near its viewport",
    "overlay": "lies over everything before it; covers the viewport unless `rect` says otherwise",
    "fixed": "does not scroll with the page",
    "passthrough": "never takes a hit (pointer-events: none; its descendants too)",
    "offscreen": "lies outside the viewport where no scrolling reaches",
    "zero": "laid out with no area",
    "undelivered": "input is sent to it and never arrives",
    "dropsonce": "the first insertion loses every second character",
}

Kind = Literal["text", "number", "rect", "axis"]
ATTRIBUTES: Mapping[str, tuple[Kind, str]] = {
    "value": ("text", "what the field holds when the screen is entered"),
    "author": ("text", "the author-given part of the name"),
    "bind": ("text", "the variable that holds the field's content"),
    "if": ("text", "present only while the condition holds: v, !v, v=x, v!=x"),
    "enabledif": ("text", "enabled only while the condition holds"),
    "inertif": ("text", "inert while the condition holds (its descendants too)"),
    "late": ("number", "appears so many ms after the screen was entered"),
    "latecaptures": ("number", "is missing from the first so many captures"),
    "gone": ("number", "disappears so many ms after the screen was entered"),
    "moving": ("number", "its box moves until so many ms after the screen was entered"),
    "swaps": ("number", "is replaced by an equal element on the first so many attempts to act on it"),
    "covered": ("text", "the key of the element that takes its hits"),
    "drops": ("text", "characters that never arrive in the field"),
    "accepts": ("text", "the only characters the field takes"),
    "maxlength": ("number", "in characters"),
    "input": ("text", "the input type (password, email, number, date, file)"),
    "level": ("number", "heading level"),
    "opaque": ("text", "why the content below cannot be read"),
    "window": ("text", "the id of the window it belongs to (its descendants too)"),
    "height": ("number", "in px"),
    "width": ("number", "in px"),
    "rect": ("rect", "x:y:width:height in px, out of the flow"),
    "scroll": ("axis", "scrolls its children along x or y; its own height or width is fixed"),
    "repeat": (
        "number",
        "so many copies; ${i} counts from 1 in labels, ids, keys and values",
    ),
}

_SPACE = re.compile(r"\s*")
_ROLE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_NAME = re.compile(r"[A-Za-z]+")
_BARE = re.compile(r"[^\s,()\"]+")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_RECT = re.compile(r"-?\d+(?:\.\d+)?(?::-?\d+(?:\.\d+)?){3}")
_NUMBER = re.compile(r"\d{1,9}")


@dataclass(slots=True)
class Template:
    """One written element; ``ordinal`` is its position in the notation (pre-order)."""

    role: str
    ordinal: int
    label: str = ""
    id: str = ""
    key: str = ""
    flags: frozenset[str] = frozenset()
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Template] = field(default_factory=list)

    def number(self, name: str) -> int | None:
        """A number attribute, or ``None`` when it is not written."""
        text = self.attributes.get(name)
        return None if text is None else int(text)

    def rect(self) -> tuple[float, float, float, float] | None:
        """The ``rect`` attribute as x, y, width, height."""
        text = self.attributes.get("rect")
        if text is None:
            return None
        x, y, width, height = (float(part) for part in text.split(":"))
        return x, y, width, height


def parse_screen(text: str) -> tuple[Template, ...]:
    """Read the notation: one or several root elements. ``INVALID_ARGS`` says where it is wrong."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.count = 0

    def read(self) -> tuple[Template, ...]:
        roots: list[Template] = []
        open_elements: list[Template] = []
        while True:
            element = self.element()
            (open_elements[-1].children if open_elements else roots).append(element)
            if self.take("("):
                if len(open_elements) + 1 >= MAX_DEPTH:
                    raise self.wrong(f"elements are nested deeper than {MAX_DEPTH}")
                open_elements.append(element)
                continue
            while self.take(")"):
                if not open_elements:
                    raise self.wrong("this parenthesis closes nothing", self.at - 1)
                open_elements.pop()
            if self.take(","):
                continue
            self.skip()
            if self.at < len(self.text):
                raise self.wrong("expected a comma, a parenthesis, a flag or an attribute")
            if open_elements:
                raise self.wrong(f"the parenthesis of {open_elements[-1].role!r} is never closed")
            return tuple(roots)

    def skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def take(self, mark: str) -> bool:
        self.skip()
        if self.text.startswith(mark, self.at):
            self.at += len(mark)
            return True
        return False

    def element(self) -> Template:
        self.skip()
        role = _ROLE.match(self.text, self.at)
        if role is None:
            raise self.wrong("expected a role such as `button`")
        self.at = role.end()
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise self.wrong(f"more than {MAX_ELEMENTS} elements")
        made = Template(canonical_role(role.group()), self.count - 1)
        flags: set[str] = set()
        seen: set[str] = set()
        while True:
            self.skip()
            start = self.at
            mark = self.text[start : start + 1]
            if mark in ("", ",", "(", ")"):
                made.flags = frozenset(flags)
                return made
            if mark == '"':
                name, made.label = "label", self.string()
            elif mark == "#":
                self.at += 1
                name, made.id = "id", self.word()
            elif mark == "=":
                self.at += 1
                name, made.key = "key", self.word()
            else:
                name = self.modifier(made, flags)
            if name in seen:
                raise self.wrong(f"{name} is given twice", start)
            seen.add(name)

    def modifier(self, made: Template, flags: set[str]) -> str:
        start = self.at
        found = _NAME.match(self.text, start)
        if found is None:
            raise self.wrong("expected a flag, an attribute, a comma or a parenthesis")
        name = found.group()
        self.at = found.end()
        if not self.text.startswith("=", self.at):
            if name not in FLAGS:
                raise self.unknown(name, "flag", FLAGS, start)
            flags.add(name)
            return name
        if name not in ATTRIBUTES:
            raise self.unknown(name, "attribute", ATTRIBUTES, start)
        self.at += 1
        value = self.word()
        kind = ATTRIBUTES[name][0]
        if kind == "number" and not _NUMBER.fullmatch(value):
            raise self.wrong(f"{name} takes a whole number", start)
        if kind == "rect" and not _RECT.fullmatch(value):
            raise self.wrong("rect takes x:y:width:height", start)
        if kind == "axis" and value not in ("x", "y"):
            raise self.wrong("scroll takes x or y", start)
        made.attributes[name] = value
        return name

    def word(self) -> str:
        if self.text.startswith('"', self.at):
            return self.string()
        found = _BARE.match(self.text, self.at)
        if found is None:
            raise self.wrong("expected a word or a quoted string")
        self.at = found.end()
        return found.group()

    def string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise self.wrong("this string is never closed")
        try:
            value = json.loads(found.group(), strict=False)
        except ValueError as error:
            raise self.wrong("this is not a JSON string") from error
        self.at = found.end()
        return str(value)

    def unknown(self, name: str, what: str, known: Mapping[str, object], at: int) -> SurefootError:
        near = nearest(name, known)
        return self.wrong(f"unknown {what} {name!r}", at, f"Did you mean `{near}`?" if near else None)

    def wrong(self, what: str, at: int | None = None, hint: str | None = None) -> SurefootError:
        at = min(self.at if at is None else at, len(self.text))
        begin = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        line = self.text[begin : len(self.text) if end < 0 else end]
        row, column = self.text.count("\n", 0, at) + 1, at - begin + 1
        return invalid_args(
            f"screen notation {row}:{column}: {what}\n{caret_excerpt(line, column)}",
            hint=hint or "The notation is described in surefoot.drivers.sim.notation.",
            reason="bad_screen_notation",
            line=row,
            column=column,
        )
