"""``wait``: for a selector, a ref, a text, an absence, a still screen, or just time.

contracts.md, "Errors"; seed 0012, decision 3 (amendment 1349, the landmark guard). All of it runs on
:func:`~surefoot.interact.polling.poll_until`.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from surefoot import selectors
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.interact.capture import refuse_absence, unseen_note, unseen_part
from surefoot.interact.describe import (
    as_json,
    describe_surface,
    name_of,
    surface_text,
    target_data,
)
from surefoot.interact.matching import matches_of
from surefoot.interact.model import (
    DispatchPath,
    MatchTarget,
    RefTarget,
    Resolved,
    SelectorTarget,
)
from surefoot.interact.polling import Polled, poll_until
from surefoot.session import Session
from surefoot.text import normalize
from surefoot.tree import DOCUMENT_ROLE, Node, Observation, reads, text_runs
from surefoot.wire import ExactResolution, Resolution, StalenessData, UniqueResolution, WaitData

DEFAULT_TIMEOUT_MS = 10_000.0
MAX_TIMEOUT_MS = 24 * 3_600_000.0
DEFAULT_QUIET_MS = 500.0


class LandmarkGuard(Protocol):
    """Replay's landmark evidence: which of the matches carry the recorded identity.

    ``refusal`` is asked at the deadline when the selector matched but no match ever carried it: the
    error to raise instead of the plain timeout (an identity mismatch, built from the last such look).
    """

    def carrying(self, observation: Observation, matches: Sequence[Node]) -> Sequence[Node]: ...

    def refusal(self, observation: Observation, matches: Sequence[Node]) -> SurefootError: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Waited:
    """A wait that succeeded. ``landmark`` is the match that ended it, for evidence and the recorder."""

    data: WaitData
    landmark: Resolved | None = None


async def wait_duration(session: Session, ms: float) -> Waited:
    """Just time; looks at nothing."""
    _check(ms)
    await session.clock.sleep(ms)
    return Waited(data=WaitData(waited_ms=round(ms), polls=0))


async def wait_selector(
    session: Session,
    target: MatchTarget,
    timeout_ms: float = DEFAULT_TIMEOUT_MS,
    *,
    landmark: LandmarkGuard | None = None,
) -> Waited:
    """Until something matches (and, with ``landmark``, until a match carries the recorded identity).

    To match is to be in the page, shown or not (seed 0012, amendment 1349: selector existence);
    ``visible=true`` in the selector asks for what shows; a match that does not is warned about.
    A look-alike never ends the wait early. Raises ``TIMEOUT`` ``wait_target_missing``, or what
    ``landmark.refusal`` says where only look-alikes were seen.
    """
    _check(timeout_ms)
    alike: tuple[Observation, Sequence[Node]] | None = None
    found: Sequence[Node] = ()
    matched: Sequence[Node] = ()

    def satisfied(observation: Observation) -> bool:
        nonlocal alike, found, matched
        matched = matches_of(target, observation).nodes
        found = landmark.carrying(observation, matched) if landmark and matched else matched
        if matched and not found:
            alike = (observation, matched)
        return bool(found)

    polled = await poll_until(session, satisfied, timeout_ms=timeout_ms)
    if not polled.satisfied:
        if alike is not None and landmark is not None:
            raise landmark.refusal(*alike)
        raise timed_out(session, polled, f"Nothing matched {target}", "wait_target_missing")
    assert polled.observation is not None
    shown = [node for node in found if node.visible]
    notes: tuple[str, ...] = ()
    if not shown and not _says_whether_shown(target):
        name = name_of(polled.observation, found[0])
        notes = (f"{name} is in the page and does not show (yet): visible=true waits until it does.",)
    return _met(polled, polled.observation, shown or found, len(matched), notes)


async def wait_text(session: Session, text: str, timeout_ms: float = DEFAULT_TIMEOUT_MS) -> Waited:
    """Until a visible element's text contains ``text`` (normalised, case-sensitive): see
    :func:`containing`.

    Raises ``TIMEOUT`` ``wait_text_missing``.
    """
    _check(timeout_ms)
    wanted = normalize(text)
    if not wanted:
        raise invalid_args("The text to wait for is empty.", reason="empty_text")
    found: list[Node] = []

    def satisfied(observation: Observation) -> bool:
        found[:] = containing(observation, wanted)
        return bool(found)

    polled = await poll_until(session, satisfied, timeout_ms=timeout_ms)
    if not polled.satisfied:
        late = timed_out(
            session, polled, f"The text {text[:200]!r} did not appear", "wait_text_missing"
        )
        if late.reason == "wait_text_missing" and selectors.looks_like_selector(text):  # row B071
            late.hint = (
                "`wait text` looks for these very characters. For the element: "
                f"`surefoot wait {shlex.quote(text[:200])}`."
            )
        raise late
    assert polled.observation is not None
    return _met(polled, polled.observation, found[:1], len(found))


def containing(observation: Observation, wanted: str) -> list[Node]:
    """The visible nodes whose own text contains ``wanted`` (already normalised), document order; where
    there is none, those whose phrases say it together (``<b>3</b> items left``)."""
    tree = observation.tree
    own = [
        node
        for node in tree.nodes
        if node.visible and node.role != DOCUMENT_ROLE and wanted in tree.texts[node.index]
    ]
    return own or [node for node, pieces in text_runs(tree) if reads(pieces, wanted)]


async def wait_absent(
    session: Session, target: MatchTarget, timeout_ms: float = DEFAULT_TIMEOUT_MS
) -> Waited:
    """Until nothing at all matches, shown or not. Raises ``TIMEOUT`` ``wait_target_present`` with
    ``matchCount``, whose hint says so where what is left does not show; what :func:`refuse_absence`
    does where a bound cut the capture."""
    _check(timeout_ms)
    left: Sequence[Node] = ()

    def satisfied(observation: Observation) -> bool:
        nonlocal left
        left = matches_of(target, observation).nodes
        return not left and unseen_part(observation) is None

    polled = await poll_until(session, satisfied, timeout_ms=timeout_ms)
    if not polled.satisfied:
        if polled.observation is not None and polled.observation.truncated and not left:
            refuse_absence(polled.observation, str(target))
        message = f"{target} is still there" if left else f"{target} could not be shown to be gone"
        late = timed_out(session, polled, message, "wait_target_present", matchCount=len(left))
        if left and not any(node.visible for node in left) and not _says_whether_shown(target):
            late.hint = (
                "It is in the page and does not show. To wait until nothing of it shows: "
                f"`surefoot wait absent {shlex.quote(_shown(target))}`."
            )
        raise late
    return Waited(data=_data(polled, match_count=0))


async def wait_ref(
    session: Session, target: RefTarget, timeout_ms: float = DEFAULT_TIMEOUT_MS
) -> Waited:
    """Until the ref's element is on the screen and visible. A read: stale refs warn, and fail only
    where the frame lost the evidence. Raises ``TIMEOUT`` ``wait_target_missing``."""
    _check(timeout_ms)
    _, node, staleness = session.refs.read(target.token)
    live: Node | None = None

    def satisfied(observation: Observation) -> bool:
        nonlocal live
        live = observation.tree.find_handle(node.handle)
        return live is not None and live.visible and live.role == node.role

    polled = await poll_until(session, satisfied, timeout_ms=timeout_ms)
    if not polled.satisfied or live is None or polled.observation is None:
        raise timed_out(session, polled, f"{target} did not show up", "wait_target_missing")
    resolved = _resolved(polled.observation, live, ExactResolution(), DispatchPath.RUNTIME_REF)
    data = _data(
        polled, match_count=1, resolved=resolved, resolution=ExactResolution(), staleness=staleness
    )
    return Waited(data=data, landmark=resolved)


async def wait_stable(
    session: Session,
    quiet_ms: float = DEFAULT_QUIET_MS,
    timeout_ms: float = DEFAULT_TIMEOUT_MS,
) -> Waited:
    """Until the screen did not change for ``quiet_ms``. Raises ``TIMEOUT`` ``wait_not_stable``."""
    _check(quiet_ms)
    _check(timeout_ms)
    clock = session.clock
    last: Observation | None = None
    since = clock.now_ms()

    def satisfied(observation: Observation) -> bool:
        nonlocal last, since
        if last is None or observation.epoch != last.epoch:
            last, since = observation, clock.now_ms()
        return clock.now_ms() - since >= quiet_ms

    polled = await poll_until(session, satisfied, timeout_ms=timeout_ms)
    if not polled.satisfied:
        raise timed_out(
            session, polled, f"The screen was never still for {quiet_ms:g} ms", "wait_not_stable"
        )
    return Waited(data=_data(polled))


def timed_out(
    session: Session, polled: Polled, what: str, reason: str, **details: object
) -> SurefootError:
    """The error of a wait that ran out: the last capture verdict where the screen never became
    readable, else ``TIMEOUT`` that says what is on the screen instead (row B073)."""
    if not polled.ever_readable and polled.unreadable is not None:
        polled.unreadable.details.update(waitedMs=polled.waited_ms, polls=polled.polls)
        return polled.unreadable
    surface = describe_surface(polled.observation, session.app.dialog())
    return SurefootError(
        ErrorCode.TIMEOUT,
        f"{what} within {polled.waited_ms} ms. On the screen: {surface_text(surface)}."
        f"{unseen_note(polled.observation)}",
        details={
            "reason": reason,
            "waitedMs": polled.waited_ms,
            "polls": polled.polls,
            "surface": as_json(surface),
            **details,
        },
    )


def _says_whether_shown(target: MatchTarget) -> bool:
    """Whether the selector itself says if it means what shows."""
    return isinstance(target, SelectorTarget) and any(
        isinstance(term, selectors.State) and term.key in ("visible", "hidden", "hittable")
        for alternative in target.selector.alternatives
        for term in alternative.terms
    )


def _shown(target: MatchTarget) -> str:
    """The same selector for what shows."""
    if not isinstance(target, SelectorTarget):
        return str(target)
    visible = selectors.State("visible", True)
    found = target.selector.alternatives
    return selectors.write_selector(
        selectors.Selector(tuple(selectors.Alternative((*one.terms, visible)) for one in found))
    )


def _check(ms: float) -> None:
    if not 0 <= ms <= MAX_TIMEOUT_MS:
        raise invalid_args("A time is 0 to 86400000 milliseconds.", reason="bad_duration")


def _met(
    polled: Polled,
    observation: Observation,
    nodes: Sequence[Node],
    match_count: int,
    notes: tuple[str, ...] = (),
) -> Waited:
    resolution = UniqueResolution() if match_count == 1 else None
    landmark = _resolved(observation, nodes[0], UniqueResolution(), DispatchPath.RUNTIME_SELECTOR)
    data = _data(
        polled, match_count=match_count, resolved=landmark, resolution=resolution, warnings=notes
    )
    return Waited(data=data, landmark=landmark)


def _resolved(
    observation: Observation,
    node: Node,
    resolution: UniqueResolution | ExactResolution,
    path: DispatchPath,
) -> Resolved:
    return Resolved(
        observation=observation,
        node=node,
        actionable=selectors.actionable_node(observation.tree, node),
        resolution=resolution,
        path=path,
    )


def _data(
    polled: Polled,
    *,
    match_count: int | None = None,
    resolved: Resolved | None = None,
    resolution: Resolution | None = None,
    staleness: StalenessData | None = None,
    warnings: tuple[str, ...] = (),
) -> WaitData:
    return WaitData(
        waited_ms=polled.waited_ms,
        polls=polled.polls,
        match_count=match_count,
        target=target_data(resolved.observation, resolved.node) if resolved else None,
        resolution=resolution,
        staleness=staleness,
        warnings=warnings,
    )
