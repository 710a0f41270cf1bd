"""Entering text and keys. What the field holds afterwards is read back; nothing is typed twice blindly.

Row B037: a failure says whether anything was typed, and never shows a text that is to stay secret.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from surefoot.drivers import TextOutcome
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact.act import DEFAULT, baseline
from surefoot.interact.aftermath import watch
from surefoot.interact.capture import observe, refuse_pending_dialog
from surefoot.interact.dispatch import PRE_DISPATCH, send
from surefoot.interact.guards import TEXT
from surefoot.interact.locate import locate
from surefoot.interact.model import ActOptions, DispatchPath, ElementTarget, Interaction, Resolved
from surefoot.interact.response import respond
from surefoot.selectors import actionable_node
from surefoot.session import Session
from surefoot.text import ellipsize, quoted
from surefoot.wire import ExactResolution, TextData

NOTHING_TYPED = frozenset(
    {"not_editable", "readonly", "maxlength", "bad_value", "no_focus", "dialog_open"}
)
"""Reasons a driver gives before it types anything (drivers/protocol.py)."""
MISTYPED = frozenset({"text_mismatch", "focus_left"})
"""Reasons a driver gives when the field holds another text than was entered."""
MAX_ACTUAL_COLUMNS = 200


async def fill(
    session: Session,
    target: ElementTarget,
    text: str,
    options: ActOptions = DEFAULT,
    *,
    delay_ms: int = 0,
) -> Interaction:
    """Replace a field's content and answer with what it holds. Never takes a fast path.

    Raises what resolution and guards raise; ``COMMAND_FAILED`` ``text_mismatch``, ``not_editable``,
    ``readonly``, ``maxlength``, ``bad_value`` with ``details.typed`` true, false or ``None`` (unknown).
    """
    found = await locate(session, target, options, TEXT, for_fill=True)
    resolved = replace(found, node=found.actionable)
    act = partial(session.app.fill, resolved.node, text, delay_ms)
    outcome = await _typed(session, act, text, options, resolved)
    if options.shown_as is None:
        session.hidden.release(resolved.node.handle)
    after = await watch(session, options, outcome.delivery, resolved.observation, resolved)
    return respond(
        session,
        "fill",
        resolved.path,
        outcome.delivery,
        after,
        target=resolved,
        text=_text_data(outcome, options),
    )


async def type_text(
    session: Session, text: str, options: ActOptions = DEFAULT, *, delay_ms: int = 0
) -> Interaction:
    """Append to the focused field. ``COMMAND_FAILED`` ``no_focus`` when nothing has the focus."""
    focused = await _focused(session, options)
    before = focused.observation if focused else await baseline(session, options)
    act = partial(session.app.type_text, text, delay_ms)
    outcome = await _typed(session, act, text, options, focused)
    after = await watch(session, options, outcome.delivery, before)
    return respond(
        session,
        "type",
        None,
        outcome.delivery,
        after,
        focused=focused,
        text=_text_data(outcome, options),
    )


async def key(session: Session, chord: str, options: ActOptions = DEFAULT) -> Interaction:
    """One key or chord to whatever has the focus. ``INVALID_ARGS`` for an unknown name."""
    focused = await _focused(session, options)
    before = focused.observation if focused else await baseline(session, options)
    delivery = await send(session, lambda: session.app.key(chord), focused)
    after = await watch(session, options, delivery, before)
    return respond(session, "key", None, delivery, after, focused=focused)


async def _focused(session: Session, options: ActOptions) -> Resolved | None:
    """The focused node, looked for only where a recording keeps it or a guard asks for it
    (identity.md, 5). With a guard and no focus at all: ``COMMAND_FAILED`` ``no_focus``."""
    if not (session.recording_active or options.guard is not None):
        return None
    refuse_pending_dialog(session)
    observation = await observe(session)
    node = next((node for node in reversed(observation.tree.nodes) if node.focused), None)
    if node is None:
        if options.guard is None:
            return None
        raise SurefootError(
            ErrorCode.COMMAND_FAILED,
            "Nothing has the keyboard focus.",
            hint="Press or fill the field first.",
            details={"reason": "no_focus", "typed": False},
        )
    if options.guard is not None:
        options.guard(observation, node)
    return Resolved(
        observation=observation,
        node=node,
        actionable=actionable_node(observation.tree, node),
        resolution=ExactResolution(),
        path=DispatchPath.RUNTIME_SELECTOR,
    )


async def _typed(
    session: Session,
    act: Callable[[], Awaitable[TextOutcome]],
    text: str,
    options: ActOptions,
    target: Resolved | None,
) -> TextOutcome:
    """Enter the text. One that is to stay secret is hidden in every answer from now on, however this
    ends (row B037): one with a name, one of a password field."""
    name = _name(options)
    if name is not None or (target is not None and target.node.password):
        session.hidden.learn(text, name)
    if name is not None and target is not None:
        session.hidden.bind(target.node.handle, name)
    try:
        outcome = await send(session, act, target)
        if outcome.secret:
            session.hidden.learn(text, name)
        elif outcome.value is not None and name is not None:  # what the field made of it is as secret
            session.hidden.learn(outcome.value, name)
        return outcome
    except SurefootError as error:
        if error.reason in MISTYPED and "actual" not in error.details:
            session.hidden.learn(text, name)
        typed = _was_typed(error)
        error.details["typed"] = typed
        if options.shown_as is not None:  # neither details nor message may show what is there now
            error.details.pop("actual", None)
            error.message = f"{options.shown_as} could not be entered ({error.reason or error.code})"
        actual = error.details.get("actual")
        if error.reason in MISTYPED and isinstance(actual, str):  # never there for a secret
            shown = quoted(ellipsize(actual, MAX_ACTUAL_COLUMNS))
            error.message = f"{error.message.rstrip('.')}: {shown if actual else 'nothing'}"
        error.message = f"{error.message.rstrip('.')}. {_SAID[typed]}"
        error.args = (error.message,)
        raise


_SAID: dict[bool | None, str] = {
    True: "Text was typed.",
    False: "Nothing was typed.",
    None: "Whether text was typed is unknown; look before typing again.",
}


def _name(options: ActOptions) -> str | None:
    """The name in ``shown_as``, which is ``${NAME}``."""
    return None if options.shown_as is None else options.shown_as.removeprefix("${").removesuffix("}")


def _was_typed(error: SurefootError) -> bool | None:
    if error.reason in MISTYPED:
        return True
    if "typed" in error.details:  # the driver knows: a dialog opened in the midst of it
        known: bool | None = error.details["typed"]
        return known
    if error.reason in NOTHING_TYPED or error.code in PRE_DISPATCH:
        return False
    if error.code in {ErrorCode.INVALID_ARGS, ErrorCode.UNSUPPORTED_OPERATION}:
        return False
    return None


def _text_data(outcome: TextOutcome, options: ActOptions) -> TextData:
    if options.shown_as is not None:
        return TextData(value=options.shown_as, secret=outcome.secret, retried=outcome.retried)
    return TextData(value=outcome.value, secret=outcome.secret, retried=outcome.retried)
