"""What does a refusal look like? One table from the acting script's reasons to typed errors."""

from __future__ import annotations

from typing import Any

from surefoot.errors import ErrorCode, SurefootError
from surefoot.tree import Node

TABLE: dict[str, tuple[ErrorCode, str]] = {
    "node_detached": (ErrorCode.ELEMENT_NOT_FOUND, "{target} is no longer in the page."),
    "covered": (ErrorCode.ELEMENT_COVERED, "{target} is covered by {cover}."),
    "no_pointer": (
        ErrorCode.ELEMENT_COVERED,
        "{target} takes no pointer; a press there goes to {around}.",
    ),
    "offscreen": (ErrorCode.ELEMENT_OFFSCREEN, "{target} cannot be brought into view{direction}."),
    "zero_size": (ErrorCode.ELEMENT_OFFSCREEN, "{target} has no area on the screen."),
    "disabled": (ErrorCode.ELEMENT_DISABLED, "{target} is disabled."),
    "inert": (ErrorCode.ELEMENT_DISABLED, "{target} is in an inert part of the page."),
    "moving": (ErrorCode.COMMAND_FAILED, "{target} did not come to rest."),
    "brought_into_view": (ErrorCode.COMMAND_FAILED, "{target} changed while it was brought into view."),
    "not_delivered": (
        ErrorCode.COMMAND_FAILED,
        "{target} did not get the input sent{because}.",
    ),
    "not_editable": (ErrorCode.COMMAND_FAILED, "{target} takes no text."),
    "no_file_field": (ErrorCode.COMMAND_FAILED, "{target} takes no files; it was not touched."),
    "no_file_chooser": (
        ErrorCode.COMMAND_FAILED,
        "{target} takes no files itself; it was pressed, and no file chooser opened.",
    ),
    "readonly": (ErrorCode.COMMAND_FAILED, "{target} is read-only."),
    "maxlength": (ErrorCode.COMMAND_FAILED, "{target} takes at most {max} characters, not {length}."),
    "bad_value": (ErrorCode.COMMAND_FAILED, "{target} cannot hold that value: {why}."),
    "text_mismatch": (ErrorCode.COMMAND_FAILED, "{target} holds another text than was entered."),
    "focus_left": (
        ErrorCode.COMMAND_FAILED,
        "{target} lost the focus to {focus} while text was typed: the rest was not sent, and it holds "
        "another text than was entered.",
    ),
}

HINTS = {
    "bad_value": "Give a value of the form the message names; details hold what the field takes.",
    "brought_into_view": "Look again: run `surefoot snapshot -i`; nothing was pressed.",
    "no_file_field": "Upload to the file field, or to the button that opens its file chooser.",
    "no_file_chooser": "See what the press did: run `surefoot snapshot -i`; upload to the file field.",
    "no_pointer": "Press what lies around it, or do first what makes it take the pointer.",
    "moving": "Wait for it: `surefoot wait stable`.",
    "zero_size": "It may be hidden or not rendered yet; run `surefoot snapshot -i`.",
    "readonly": "Fill another field, or find out what makes this one writable.",
    "text_mismatch": "The field filters or formats text; see details.actual and fill what it accepts.",
    "focus_left": "`surefoot type` goes on where the focus is now, if that is what is meant.",
    "not_delivered": "The page may have changed meanwhile; run `surefoot snapshot -i` and try again.",
}


def called(node: Node | str | None) -> str:
    """How a message names a node; a string is the name itself."""
    if node is None:
        return "The focused element"
    if isinstance(node, str):
        return node
    label = node.label if len(node.label) <= 80 else node.label[:79] + "…"
    return f'{node.role} "{label}"' if label else node.role


def shortly(shown: dict[str, Any] | None) -> str:
    """How a message names what the acting script has described."""
    if not shown:
        return "something that cannot be named"
    return f'{shown["role"]} "{shown["label"]}"' if shown["label"] else str(shown["role"])


def refusal(
    reason: str, node: Node | str | None, frame_id: str = "", *, hint: str | None = None, **facts: Any
) -> SurefootError:
    """The typed error for a reason of :data:`TABLE`; ``facts`` are what the acting script saw.

    ``hint`` stands in for the usual one of the reason.
    """
    code, template = TABLE[reason]
    details: dict[str, Any] = {"reason": reason}
    by = facts.pop("by", None)
    cover = shortly(by)
    if by:
        handle = f"{frame_id}:{by['handle']}" if by.get("handle") else ""
        details["coveredBy"] = {"role": by["role"], "label": by["label"], "handle": handle}
    around = f"{cover} around it" if by and by["role"] != "generic" else "what lies around it"
    direction = facts.get("direction")
    details.update({key: value for key, value in facts.items() if value is not None})
    message = template.format(
        target=called(node),
        cover=cover,
        around=around,
        direction=f"; it lies {WHERE[direction]}" if direction in WHERE else "",
        max=facts.get("max"),
        length=facts.get("length"),
        why=facts.get("why"),
        focus=shortly(facts.get("focusMovedTo")),
        because=f": {facts['why']}" if facts.get("why") else "",
    )
    hint = hint or HINTS.get(reason)
    if reason == "not_editable" and isinstance(node, Node):
        hint = INSTEAD.get("file" if facts.get("type") == "file" else node.role)
    if reason == "offscreen" and direction in WHERE:
        hint = f"Run `surefoot scroll {direction}` first."
    return SurefootError(code, message, hint=hint, details=details)


_SWITCH = "Switch it with `surefoot press <target>`; `surefoot is checked <target>` says how it is."
INSTEAD = {
    "checkbox": _SWITCH,
    "radio": _SWITCH,
    "switch": _SWITCH,
    "option": "Choose it with `surefoot fill <the select> <option>`.",
    "file": "Choose files with `surefoot upload <target> <file>`.",
}
"""What to do with what takes no text, by role."""

WHERE = {"up": "above", "down": "below", "left": "to the left", "right": "to the right"}
