"""The ref frame: the one namespace that authorises refs (contracts.md, "Ref frames").

A session has at most one frame: an epoch, the immutable observation it issued refs from, ``active``
or ``expired``, and what it issued. It is separate from the session's latest observation.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from surefoot.errors import ErrorCode, SurefootError
from surefoot.session.refs import RefToken
from surefoot.tree import Node, Observation
from surefoot.wire import Event, FrameActivated, FrameExpired, StalenessData

RefusalReason = Literal[
    "ref_frame_expired",
    "ref_generation_mismatch",
    "plain_ref_requires_complete_frame",
    "ref_not_issued",
]

_SEED_RANGE = 900_000
_MAX_SCOPE_SHOWN = 100

_MESSAGES: dict[RefusalReason, str] = {
    "ref_frame_expired": "{ref} is from a screen that an action may have changed since.",
    "ref_generation_mismatch": "{ref} was issued by another snapshot than the current one.",
    "plain_ref_requires_complete_frame": "{ref} needs its pin: the last refs shown were only a part.",
    "ref_not_issued": "{ref} was not among the refs that were shown.",
}
_HINTS: dict[RefusalReason, str] = {
    "ref_frame_expired": "Run `surefoot snapshot -i` and use a ref it prints.",
    "ref_generation_mismatch": "Run `surefoot snapshot -i` and use a ref it prints.",
    "plain_ref_requires_complete_frame": "Use its pinned form (@e12~s42) or `surefoot snapshot -i`.",
    "ref_not_issued": "Use one of the refs shown, or run `surefoot snapshot -i`.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RefFrame:
    """One publication. ``issued`` is ``None`` when every node of the tree was issued.

    ``complete`` frames admit plain refs; partial ones only pinned refs. ``lineage`` is the node a
    ``snapshot -s @ref`` was scoped to, kept so that the same scope may be asked for again.
    """

    generation: int
    observation: Observation
    complete: bool
    issued: frozenset[int] | None
    active: bool = True
    lineage: tuple[RefToken, Node] | None = None

    def issues(self, index: int) -> bool:
        """Whether this frame issued the ref of that node."""
        if not 0 <= index < len(self.observation.tree):
            return False
        return self.issued is None or index in self.issued

    def scope(self) -> str | list[str]:
        """For error details: ``"all"``, or the refs a partial frame shows (a hundred at most)."""
        if self.complete:
            return "all"
        return [f"e{index + 1}" for index in sorted(self.issued or ())[:_MAX_SCOPE_SHOWN]]

    def size(self) -> int:
        return len(self.observation.tree) if self.issued is None else len(self.issued)


def _ignore(_event: Event) -> None:
    """Nobody listens."""


class RefNamespace:
    """A session's ref frame and its epoch. Frames change only by the methods here."""

    def __init__(self, on_event: Callable[[Event], None] | None = None) -> None:
        self._emit: Callable[[Event], None] = on_event or _ignore
        self._frame: RefFrame | None = None
        self._epoch = secrets.randbelow(_SEED_RANGE) + 1_000

    @property
    def frame(self) -> RefFrame | None:
        """The frame, active or expired; ``None`` when nothing was published since the app opened."""
        return self._frame

    @property
    def generation(self) -> int:
        """The current ``refsGeneration``; 0 when there never was a frame."""
        return 0 if self._frame is None else self._frame.generation

    def publish_complete(
        self,
        observation: Observation,
        issued: Iterable[int] | None = None,
        *,
        lineage: tuple[RefToken, Node] | None = None,
    ) -> RefFrame:
        """Activate a complete frame. ``issued`` are the node indices whose refs were shown; ``None``
        issues every node. A capture without nodes changes nothing (``ValueError``)."""
        return self._activate(observation, issued, complete=True, lineage=lineage)

    def publish_partial(self, observation: Observation, issued: Iterable[int]) -> RefFrame:
        """Activate a partial frame with exactly the refs shown. ``ValueError`` for none at all."""
        return self._activate(observation, issued, complete=False, lineage=None)

    def show_also(self, index: int) -> RefFrame:
        """Issue one more ref of the active frame: what an error names was shown, too."""
        frame = self._frame
        if frame is None or not frame.active:
            raise ValueError("no active frame issues refs")
        if not frame.issues(index):
            self._frame = frame = replace(frame, issued=(frame.issued or frozenset()) | {index})
        return frame

    def _activate(
        self,
        observation: Observation,
        issued: Iterable[int] | None,
        *,
        complete: bool,
        lineage: tuple[RefToken, Node] | None,
    ) -> RefFrame:
        shown = None if issued is None else frozenset(issued)
        if not len(observation.tree) or (shown is not None and not shown and not complete):
            raise ValueError("an empty capture or an empty selection publishes no refs")
        if shown is not None and any(not 0 <= index < len(observation.tree) for index in shown):
            raise ValueError("refs can only be issued for nodes of the published tree")
        self._epoch += 1
        frame = RefFrame(
            generation=self._epoch,
            observation=observation,
            complete=complete,
            issued=shown,
            lineage=lineage,
        )
        self._frame = frame
        scope: Literal["all", "partial"] = "all" if complete else "partial"
        self._emit(FrameActivated(generation=frame.generation, scope=scope, refs=frame.size()))
        return frame

    def expire(self) -> None:
        """Withdraw the frame's authority: after all guards, immediately before the first possible
        side effect. What it showed stays readable as evidence."""
        frame = self._frame
        if frame is not None and frame.active:
            self._frame = replace(frame, active=False, lineage=None)
            self._emit(FrameExpired(generation=frame.generation))

    def reseed(self) -> None:
        """The app was opened anew: no frame, and an epoch no earlier pin can name."""
        self.expire()
        self._frame = None
        self._epoch += secrets.randbelow(_SEED_RANGE) + 1_000

    def admit(self, token: RefToken) -> tuple[RefFrame, Node]:
        """The frame and node a *mutation* by this ref may act on.

        Raises ``COMMAND_FAILED``; ``details.reason`` is the first that applies of
        ``ref_frame_expired``, ``ref_generation_mismatch``, ``plain_ref_requires_complete_frame``,
        ``ref_not_issued``; ``details`` also carry ``ref``, ``currentGeneration``, ``scope`` and, for
        a pinned ref, ``mintedGeneration``.
        """
        reason = self._refusal(token)
        frame = self._frame
        if reason is not None or frame is None:
            raise self._refuse(token, reason or "ref_frame_expired")
        return frame, frame.observation.tree[token.index]

    def admits(self, token: RefToken) -> bool:
        """Whether :meth:`admit` would admit the ref."""
        return self._refusal(token) is None

    def read(self, token: RefToken) -> tuple[RefFrame, Node, StalenessData | None]:
        """The frame and node a *read* by this ref means; fail-open with a staleness warning while
        the frame keeps the evidence, the refusal of :meth:`admit` when it does not."""
        reason = self._refusal(token)
        frame = self._frame
        if (
            frame is None
            or (token.generation is not None and token.generation != frame.generation)
            or token.index >= len(frame.observation.tree)
        ):
            raise self._refuse(token, reason or "ref_frame_expired")
        node = frame.observation.tree[token.index]
        if reason is None:
            return frame, node, None
        staleness = StalenessData(
            ref=token.ref,
            reason=reason,
            current_generation=frame.generation,
            minted_generation=token.generation,
        )
        return frame, node, staleness

    def scope_lineage(self, token: RefToken) -> tuple[RefFrame, Node] | None:
        """The retained semantic scope of ``snapshot -s @ref``: set while that snapshot is the last
        publication and nothing mutated since; ``None`` otherwise."""
        frame = self._frame
        if frame is None or not frame.active or frame.lineage is None:
            return None
        asked, node = frame.lineage
        return (frame, node) if asked.index == token.index else None

    def _refusal(self, token: RefToken) -> RefusalReason | None:
        """The order of refusal is the contract's; keep the two side by side."""
        frame = self._frame
        if frame is None or not frame.active:
            return "ref_frame_expired"
        if token.generation is not None and token.generation != frame.generation:
            return "ref_generation_mismatch"
        if token.generation is None and not frame.complete:
            return "plain_ref_requires_complete_frame"
        if not frame.issues(token.index):
            return "ref_not_issued"
        return None

    def _refuse(self, token: RefToken, reason: RefusalReason) -> SurefootError:
        details: dict[str, Any] = {
            "ref": token.ref,
            "reason": reason,
            "currentGeneration": self.generation,
            "scope": None if self._frame is None else self._frame.scope(),
        }
        if token.generation is not None:
            details["mintedGeneration"] = token.generation
        return SurefootError(
            ErrorCode.COMMAND_FAILED,
            _MESSAGES[reason].format(ref=str(token)),
            hint=_HINTS[reason],
            details=details,
        )
