"""Finding an element to act on: no dialog in the way, a replayed step's patience, then the resolver."""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.errors import SurefootError
from surefoot.interact.capture import refuse_pending_dialog
from surefoot.interact.describe import as_json
from surefoot.interact.guards import Demands, guard_target
from surefoot.interact.matching import label_matches, matches_of
from surefoot.interact.model import ActOptions, ElementTarget, RefTarget, Resolved
from surefoot.interact.patience import Patience
from surefoot.interact.polling import Polled, poll_until
from surefoot.interact.resolve import resolve_mutation
from surefoot.session import Session
from surefoot.tree import Observation
from surefoot.wire import ReadinessData


@dataclass(frozen=True, slots=True)
class _Plain:
    """The readiness test of an unannotated step: something matches. A ref is decided at once, unless
    only its trailing label can still stand in for it."""

    session: Session
    target: ElementTarget

    def __call__(self, observation: Observation) -> bool:
        if isinstance(self.target, RefTarget):
            label = self.target.label
            if label is None or self.session.refs.admits(self.target.token):
                return True
            return bool(label_matches(observation, label, None).nodes)
        return bool(matches_of(self.target, observation).nodes)


async def locate(
    session: Session,
    target: ElementTarget,
    options: ActOptions,
    demands: Demands,
    *,
    for_fill: bool = False,
) -> Resolved:
    """Resolve and guard one element; nothing is dispatched and the frame still stands.

    With ``options.readiness_ms`` an absent target may appear, and what passes by itself may pass
    (:mod:`surefoot.interact.patience`); the verdict then comes from the last look, and a refusal
    carries ``details.readiness`` (contracts.md, "Waits in replay").
    """
    refuse_pending_dialog(session)
    if options.readiness_ms <= 0:
        resolved = await resolve_mutation(session, target, options, for_fill=for_fill)
        guard_target(resolved, session.refs, demands)
        return resolved
    patience = Patience(session, options.readiness_ms)
    while True:
        polled = await poll_until(
            session,
            options.ready or _Plain(session, target),
            timeout_ms=patience.left_ms,
            first="poll" if patience.polls else "capture",
        )
        patience.polls += polled.polls
        found: Resolved | None = None
        try:
            if polled.unreadable is not None:
                raise polled.unreadable
            found = await resolve_mutation(
                session, target, options, polled.observation, for_fill=for_fill
            )
            guard_target(found, session.refs, demands)
            return found
        except SurefootError as error:
            if found is not None and await patience.passes(error, found):
                continue
            error.details["readiness"] = as_json(_readiness(patience, polled))
            if error.reason == "selector_not_found" and _sparse(polled.observation):
                error.details["reason"] = "capture_sparse"
            raise


def _readiness(patience: Patience, polled: Polled) -> ReadinessData:
    """How the wait ended: ``ready``, ``timeout``, ``unreadable`` or ``sparse``. A target that was there
    and kept from the action until the end of the patience is a ``timeout``, too."""
    if polled.unreadable is not None:
        end = "unreadable"
    elif polled.satisfied:
        end = "ready" if patience.left_ms > 0 else "timeout"
    else:
        end = "sparse" if _sparse(polled.observation) else "timeout"
    return ReadinessData(waited_ms=patience.waited_ms, polls=patience.polls, end=end)


def _sparse(observation: Observation | None) -> bool:
    return observation is not None and (observation.quality == "sparse" or not len(observation.tree))
