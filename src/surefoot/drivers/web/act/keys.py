"""Which events does a stroke of a key make in a browser?"""

from __future__ import annotations

import sys

from surefoot.drivers.keys import ALT, CTRL, META, NAMED, SHIFT, Chord, Key

_MODIFIER_KEYS = (("ctrl", CTRL), ("alt", ALT), ("meta", META), ("shift", SHIFT))

EDITING_COMMANDS = {
    # macOS only: there the system, not the page, turns these into editing
    (META, "KeyA"): "selectAll",
    (META, "KeyC"): "copy",
    (META, "KeyV"): "paste",
    (META, "KeyX"): "cut",
    (META, "KeyZ"): "undo",
}


def events(chord: Chord) -> list[dict[str, object]]:
    """The parameters of ``Input.dispatchKeyEvent`` for one stroke, modifiers pressed around it."""
    down: list[dict[str, object]] = []
    up: list[dict[str, object]] = []
    held = 0
    for name, bit in _MODIFIER_KEYS:
        if chord.modifiers & bit:
            held |= bit
            down.append({"type": "rawKeyDown", **_fields(NAMED[name], held)})
            up.insert(0, {"type": "keyUp", **_fields(NAMED[name], held & ~bit)})
    text = chord.text
    stroke: dict[str, object] = {
        "type": "keyDown" if text else "rawKeyDown",
        **_fields(chord.key, held),
    }
    if text:
        stroke |= {"text": text, "unmodifiedText": text}
    command = EDITING_COMMANDS.get((held, chord.key.code)) if sys.platform == "darwin" else None
    if command:
        stroke["commands"] = [command]
    return [*down, stroke, {"type": "keyUp", **_fields(chord.key, held)}, *up]


def _fields(key: Key, modifiers: int) -> dict[str, object]:
    return {
        "key": key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.vk,
        "nativeVirtualKeyCode": key.vk,
        "location": key.location,
        "modifiers": modifiers,
    }
