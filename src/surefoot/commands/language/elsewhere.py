"""Words other tools have for what a command here does: what to say to someone who brings them along.

Each is an ``unknown command`` still (surface.md); the refusal names the command that is meant.
"""

from __future__ import annotations

from collections.abc import Mapping

_WORDS: Mapping[str, str] = {
    "surefoot open <url>": "goto navigate visit browse launch start url",
    "surefoot close": "quit exit stop end",
    "surefoot snapshot -i": "dump tree inspect describe look observe state page elements",
    "surefoot press <target>": ("tap touch uncheck toggle tick untick submit activate"),
    "surefoot press <target> --count 2": "dblclick doubleclick double-click double_click doubletap",
    "surefoot press <target> --button right": (
        "rightclick right-click right_click contextclick contextmenu"
    ),
    "surefoot fill <target> <text>": "input enter set write fill_form set_value",
    "surefoot fill <the select> <option>": "select choose pick select_option select-option option",
    'surefoot fill <target> ""': "clear",
    "surefoot key <chord>": "keypress keydown keyup press_key hotkey shortcut send_keys sendkeys",
    "surefoot find <its name> focus": "focus",
    "surefoot hover <target>": "mouseover mousemove",
    "surefoot drag <source> <destination>": "dragto drag_and_drop draganddrop move",
    "surefoot upload <target> <file>": "attach setinputfiles set_input_files file_upload",
    "surefoot reload": "refresh",
    "surefoot wait <ms>": "sleep pause",
    "surefoot wait <selector>": "waitfor wait_for wait-for until",
    "surefoot is <predicate> <selector>": "assert expect should verify isvisible",
    "surefoot get text <target>": "text read value html innertext content",
    "surefoot get attrs <target>": "attr attrs attribute attributes",
    "surefoot find <query>": "search locate query grep",
    "surefoot dialog accept": "alert accept confirm prompt",
    "surefoot dialog dismiss": "dismiss cancel",
    "surefoot viewport 1280x720": "resize window size",
    "surefoot tab list": "tabs pages windows",
    "surefoot screenshot": "capture shot picture",
    "surefoot replay <file>": "run play rerun",
    "surefoot open <url> --save-script": "record codegen",
    "surefoot events": "log logs history",
    "surefoot daemon status": "status ps",
    "surefoot session list": "sessions ls",
}
MEANT: Mapping[str, str] = {word: line for line, words in _WORDS.items() for word in words.split()}

NO_SCRIPTS = frozenset({"eval", "evaluate", "exec", "execute", "script", "js", "javascript"})


def meant_by(word: str) -> str | None:
    """The command line of this tool that a word of other tools stands for, with placeholders."""
    return MEANT.get(word.lower())
