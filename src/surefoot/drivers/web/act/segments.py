"""Which keys does a person strike to enter a date or a time into a browser's segmented field?"""

from __future__ import annotations

import re

from surefoot.drivers.keys import NAMED, Chord, character

DATE = re.compile(r"(\d{4,6})-(\d\d)-(\d\d)")
TIME = re.compile(r"(\d\d):(\d\d)")


def keystrokes(kind: str, value: str, order: str) -> list[Chord] | None:
    """The strokes for ``date``, ``time`` or ``datetime-local``; ``None`` when only a setter can do it.

    ``order`` is the order of day, month and year in the browser's language. Every segment is typed
    in full width, so that each moves on to the next by itself; 12-hour clocks get ``a`` or ``p``.
    """
    if not value:
        return None
    date, _, time = (
        value.partition("T")
        if kind == "datetime-local"
        else ((value, "", "") if kind == "date" else ("", "", value))
    )
    text = ""
    if date:
        found = DATE.fullmatch(date)
        if not found or len(found[1]) != 4 or sorted(order) != ["d", "m", "y"]:
            return None
        parts = {"y": found[1], "m": found[2], "d": found[3]}
        text += "".join(parts[part] for part in order)
    chords = [character(char) for char in text]
    if date and time and order.endswith("y"):
        # a four-digit year does not move on by itself: six digits would fit
        chords.append(Chord(NAMED["arrowright"]))
    if time:
        clock = TIME.fullmatch(time)
        if not clock:
            return None  # seconds: whether the field shows them depends on its step
        hour = int(clock[1])
        chords += [character(char) for char in f"{hour % 12 or 12:02d}{clock[2]}"]
        chords.append(character("p" if hour >= 12 else "a"))
    return chords
