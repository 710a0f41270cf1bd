"""The last step before the device: expire the frame, send, and say what went wrong in our words.

contracts.md, "Ref frames": every mutating leaf expires the frame after all guards and immediately
before the first possible side effect.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact.describe import name_of
from surefoot.interact.model import Resolved
from surefoot.session import Session, ref_of

T = TypeVar("T")

PRE_DISPATCH = frozenset(
    {
        ErrorCode.ELEMENT_NOT_FOUND,
        ErrorCode.ELEMENT_COVERED,
        ErrorCode.ELEMENT_OFFSCREEN,
        ErrorCode.ELEMENT_DISABLED,
        ErrorCode.AMBIGUOUS_MATCH,
    }
)
"""Codes a driver raises before anything is dispatched (drivers/protocol.py)."""


async def send(session: Session, act: Callable[[], Awaitable[T]], target: Resolved | None = None) -> T:
    """Expire the frame, then act. A driver's refusal comes back naming the target and what was seen."""
    session.refs.expire()
    try:
        return await act()
    except SurefootError as error:
        raise translate(session, error, target) from error


def translate(session: Session, error: SurefootError, target: Resolved | None) -> SurefootError:
    """The driver's error as a caller reads it: same code and reason, the target named, what covers it
    named with a ref, no handles."""
    details = dict(error.details)
    message = error.message
    cover = details.get("coveredBy")
    if isinstance(cover, dict):
        details["coveredBy"] = _cover(session, cover, target)
    if target is not None:
        name = name_of(target.observation, target.node)
        details.setdefault("target", {"role": target.node.role, "label": target.node.label})
        if name not in message:
            message = f"{name}: {message}"
    translated = SurefootError(
        error.code, message, hint=error.hint, details=details, retriable=error.retriable
    )
    translated.diagnostic_id = error.diagnostic_id
    return translated


def _cover(session: Session, cover: dict[str, object], target: Resolved | None) -> dict[str, object]:
    named = {key: value for key, value in cover.items() if key in {"role", "label"} and value}
    handle = cover.get("handle")
    if target is None or not isinstance(handle, str):
        return named
    node = target.observation.tree.find_handle(handle)
    if node is not None:
        frame = session.refs.publish_partial(target.observation, [node.index])
        named["ref"] = ref_of(node)
        named["refsGeneration"] = frame.generation
    return named
