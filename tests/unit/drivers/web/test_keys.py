"""Key names, chords and the events they make."""

from __future__ import annotations

import pytest

from surefoot.drivers.keys import ALT, CTRL, META, SHIFT, character, parse_chord
from surefoot.drivers.web.act.keys import events
from surefoot.drivers.web.act.segments import keystrokes
from surefoot.errors import SurefootError


@pytest.mark.parametrize(
    ("text", "key", "code", "modifiers"),
    [
        ("Enter", "Enter", "Enter", 0),
        ("esc", "Escape", "Escape", 0),
        ("a", "a", "KeyA", 0),
        ("A", "A", "KeyA", SHIFT),
        ("ctrl+a", "a", "KeyA", CTRL),
        ("ctrl+A", "a", "KeyA", CTRL),
        ("shift+a", "A", "KeyA", SHIFT),
        ("shift+A", "A", "KeyA", SHIFT),
        ("ctrl+shift+A", "A", "KeyA", CTRL | SHIFT),
        ("shift+?", "?", "Slash", SHIFT),
        ("shift+é", "É", "", SHIFT),
        ("Control+Shift+k", "K", "KeyK", CTRL | SHIFT),
        ("cmd+ArrowLeft", "ArrowLeft", "ArrowLeft", META),
        ("alt+F4", "F4", "F4", ALT),
        ("shift+Tab", "Tab", "Tab", SHIFT),
        ("shift+1", "!", "Digit1", SHIFT),
        ("!", "!", "Digit1", SHIFT),
        ("+", "+", "Equal", SHIFT),
        ("ctrl++", "+", "Equal", CTRL | SHIFT),
        ("ctrl+plus", "+", "Equal", CTRL),
        ("Space", " ", "Space", 0),
        ("é", "é", "", 0),
    ],
)
def test_a_chord_means_this_key(text: str, key: str, code: str, modifiers: int) -> None:
    chord = parse_chord(text)
    assert (chord.key.key, chord.key.code, chord.modifiers) == (key, code, modifiers)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Entr", "Did you mean Enter?"),
        ("ctl+a", "Did you mean ctrl?"),
        ("", "Examples: Enter, Tab, Escape, ArrowDown, ctrl+a."),
        ("ctrl+", "Examples: Enter, Tab, Escape, ArrowDown, ctrl+a."),
        ("foo+a", "Examples: Enter, Tab, Escape, ArrowDown, ctrl+a."),
    ],
)
def test_an_unknown_name_is_refused(text: str, hint: str) -> None:
    with pytest.raises(SurefootError) as caught:
        parse_chord(text)
    assert (caught.value.code, caught.value.hint) == ("INVALID_ARGS", hint)


def test_modifiers_go_down_before_the_key_and_up_after_it() -> None:
    made = [
        (event["type"], event["key"], event["modifiers"])
        for event in events(parse_chord("ctrl+shift+Tab"))
    ]
    assert made == [
        ("rawKeyDown", "Control", CTRL),
        ("rawKeyDown", "Shift", CTRL | SHIFT),
        ("rawKeyDown", "Tab", CTRL | SHIFT),
        ("keyUp", "Tab", CTRL | SHIFT),
        ("keyUp", "Shift", CTRL),
        ("keyUp", "Control", 0),
    ]


def test_a_character_types_itself_and_a_command_types_nothing() -> None:
    assert events(character("x"))[0]["text"] == "x"
    assert all("text" not in event for event in events(parse_chord("ctrl+x")))


def strokes(kind: str, value: str, order: str) -> str | None:
    made = keystrokes(kind, value, order)
    return None if made is None else "".join(c.key.key if len(c.key.key) == 1 else ">" for c in made)


@pytest.mark.parametrize(
    ("kind", "value", "order", "expected"),
    [
        ("date", "2024-02-29", "mdy", "02292024"),
        ("date", "2024-02-29", "dmy", "29022024"),
        ("date", "2024-02-29", "ymd", "20240229"),
        ("date", "12024-02-29", "mdy", None),
        ("date", "2024-02-29", "", None),
        ("date", "", "mdy", None),
        ("time", "00:05", "mdy", "1205a"),
        ("time", "12:05", "mdy", "1205p"),
        ("time", "23:59", "mdy", "1159p"),
        ("time", "10:20:30", "mdy", None),
        ("datetime-local", "2024-02-29T13:00", "mdy", "02292024>0100p"),
    ],
)
def test_dates_and_times_are_struck_segment_by_segment(
    kind: str, value: str, order: str, expected: str | None
) -> None:
    assert strokes(kind, value, order) == expected
