"""The report of a divergence, within its bounds: built once whole, then as much as the level allows.

Seed 0012, decision 4. The bound holds for the whole serialised object. What does not fit is left out
from the end of its list, and written to a file of the session, redacted and bounded by field like the
report itself. Exactly the refs that are shown are authorised by a partial frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.compose import ComposedPlan
from surefoot.interact import places
from surefoot.plan import Plan
from surefoot.replay.artifact import new_path, write_artifact
from surefoot.replay.binding import counterpart, refused_nodes, screen_ref, target_binding
from surefoot.replay.composed import address_data, provenance_data
from surefoot.replay.failure import Failure
from surefoot.replay.redaction import Fields, Redactor, typed_text
from surefoot.replay.screen import Sight
from surefoot.script import FlagValue
from surefoot.selectors import build_chain
from surefoot.session import Session, ref_of
from surefoot.tree import Node
from surefoot.wire import (
    CEILINGS,
    MAX_BINDING_CANDIDATES,
    MAX_FIELD_BYTES,
    MAX_SCREEN_REFS,
    MAX_SUGGESTIONS,
    AvailableScreen,
    CauseData,
    Divergence,
    Level,
    OverflowData,
    RepairHint,
    ResumeData,
    Screen,
    SourceData,
    StepData,
    Suggestion,
    SuggestionBasis,
    TargetBindingData,
    UnavailableScreen,
)

ANY_GENERATION = 10**15 - 1
"""As long as a generation can get; a report is measured with it before its frame is published."""
MAX_ARTIFACT_NODES = 1_000


class Shape(Struct, frozen=True, kw_only=True):
    """How much a report holds: bytes a field, entries a list."""

    field_bytes: int = MAX_FIELD_BYTES
    refs: int
    suggestions: int
    candidates: int
    mismatches: int


WHOLE = Shape(
    refs=MAX_ARTIFACT_NODES,
    suggestions=MAX_SUGGESTIONS,
    candidates=MAX_BINDING_CANDIDATES,
    mismatches=16,
)
SHAPES: Sequence[Shape] = (
    Shape(refs=20, suggestions=5, candidates=5, mismatches=16),
    Shape(refs=16, suggestions=5, candidates=5, mismatches=16),
    Shape(refs=12, suggestions=5, candidates=3, mismatches=8),
    Shape(refs=8, suggestions=5, candidates=3, mismatches=8),
    Shape(refs=8, suggestions=3, candidates=2, mismatches=6),
    Shape(refs=6, suggestions=3, candidates=2, mismatches=4),
    Shape(refs=4, suggestions=2, candidates=1, mismatches=3),
    Shape(refs=4, suggestions=2, candidates=1, mismatches=3, field_bytes=128),
    Shape(refs=4, suggestions=2, candidates=1, mismatches=3, field_bytes=64),
    Shape(refs=2, suggestions=1, candidates=1, mismatches=2, field_bytes=32),
    Shape(refs=1, suggestions=1, candidates=0, mismatches=1, field_bytes=16),
)
"""From the most a report may hold to what always fits; the first one within the ceiling is taken."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """Everything a report is made of, unbounded."""

    plan: Plan
    failure: Failure
    sight: Sight
    suggested: Sequence[tuple[Node, SuggestionBasis]]
    hint: RepairHint
    resume: ResumeData
    values: Sequence[tuple[str, str]]
    level: Level = "default"
    composed: ComposedPlan | None = None

    # -- one report --------------------------------------------------------------------------------

    def build(
        self,
        shape: Shape,
        generation: int,
        *,
        overflow: OverflowData | None = None,
        artifact_unavailable: bool = False,
        omitted: bool = False,
    ) -> Divergence:
        """The report in this shape. ``omitted`` says that more was left out than is seen here."""
        redactor = Redactor(self.values)
        fields = Fields(redactor, shape.field_bytes)
        step = self.failure.step.step
        screen = self._screen(shape, fields, generation)
        suggestions = self._suggestions(shape, fields)
        binding = target_binding(
            self.failure,
            fields,
            self.sight.observation,
            candidates=shape.candidates,
            mismatches=shape.mismatches,
        )
        cause = self._cause(shape)
        report = Divergence(
            version=1,
            kind=self.failure.kind,
            step=StepData(
                index=step.ordinal if self.composed is None else None,
                source=SourceData(path=fields.plain(step.source.path), line=step.source.line),
                address=None if self.composed is None else address_data(self.composed, step.ordinal),
            ),
            action=fields.text(action_summary(step.command, step.positionals, step.flags)),
            cause=cause.data,
            screen=screen,
            suggestions=suggestions,
            suggestion_count=min(len(self.suggested), MAX_SUGGESTIONS),
            resume=self.resume,
            repair_hint=self.hint,
            provenance=None
            if self.composed is None
            else provenance_data(self.composed, step.ordinal, fields.plain),
            target_binding=binding,
            overflow=overflow,
            artifact_unavailable=artifact_unavailable,
        )
        left_out = (
            omitted
            or (isinstance(screen, AvailableScreen) and screen.truncated)
            or _has_more_candidates(binding)
        )
        return msgspec.structs.replace(
            report,
            truncated=left_out or fields.cut or cause.cut,
            redacted=redactor.hits or cause.hits,
        )

    def shown(self, shape: Shape) -> list[int]:
        """The nodes of the capture whose refs the report shows in this shape."""
        observation = self.sight.observation
        if observation is None:
            return []
        named = (
            counterpart(node, self.failure.judged, observation)
            for node in refused_nodes(self.failure.binding, shape.candidates)
        )
        nodes = [
            *self.sight.best(shape.refs),
            *(node for node, _ in self.suggested[: shape.suggestions]),
            *(node for node in named if node is not None),
        ]
        return sorted({node.index for node in nodes})

    def holds_all(self, shape: Shape) -> bool:
        """Whether this shape leaves nothing out."""
        refused = self.failure.binding
        return (
            shape.field_bytes == MAX_FIELD_BYTES
            and len(self.sight.nodes) <= shape.refs
            and min(len(self.suggested), MAX_SUGGESTIONS) <= shape.suggestions
            and (refused is None or len(refused.candidates) <= shape.candidates)
            and (refused is None or len(refused.mismatches) <= shape.mismatches)
        )

    def _screen(self, shape: Shape, fields: Fields, generation: int) -> Screen:
        sight = self.sight
        if sight.observation is None:
            assert sight.unavailable is not None
            return UnavailableScreen(
                reason=sight.unavailable.reason, hint=fields.text(sight.unavailable.hint)
            )
        observation = sight.observation
        shown = sight.best(shape.refs)
        place_of = places(observation.tree, sight.nodes, shown)
        return AvailableScreen(
            refs_generation=generation,
            refs=tuple(
                screen_ref(observation, node, fields, place_of.get(node.index)) for node in shown
            ),
            truncated=len(shown) < len(sight.nodes) or observation.truncated,
        )

    def _suggestions(self, shape: Shape, fields: Fields) -> tuple[Suggestion, ...]:
        observation = self.sight.observation
        if observation is None:
            return ()
        for_fill = self.failure.step.command == "fill"
        literals = [value for value, _ in self.values]
        found: list[Suggestion] = []
        alike = [node for node, _ in self.suggested]
        place_of = places(observation.tree, alike, alike[: shape.suggestions])
        for node, basis in self.suggested[: shape.suggestions]:
            chain = build_chain(observation.tree, node, for_fill=for_fill, avoid_literals=literals)
            found.append(
                Suggestion(
                    ref=ref_of(node),
                    selector=fields.text(chain.text),
                    basis=basis,
                    role=fields.plain(node.role),
                    label=fields.optional(observation.tree.labels[node.index]),
                    place=fields.optional(place_of.get(node.index)),
                )
            )
        return tuple(found)

    def _cause(self, shape: Shape) -> _Cause:
        """The error as it was, without the text it was entering and without refs that are void now."""
        step, cause = self.failure.step, self.failure.cause
        redactor = Redactor([*self.values, *typed_text(step.command, step.positionals)])
        fields = Fields(redactor, shape.field_bytes)
        data = CauseData(
            code=cause.code.value,
            message=fields.text(without_old_refs(cause.message, cause.details)),
            reason=self.failure.reason,
            hint=fields.optional(cause.hint),
        )
        return _Cause(data, fields.cut, redactor.hits)


def _has_more_candidates(binding: TargetBindingData | None) -> bool:
    """Whether there were more than the five that verification names."""
    if binding is None or binding.match_count is None:
        return False
    return binding.match_count > len(binding.candidates) >= MAX_BINDING_CANDIDATES


@dataclass(frozen=True, slots=True)
class _Cause:
    data: CauseData
    cut: bool
    hits: bool


def action_summary(
    command: str, positionals: Sequence[str], flags: Mapping[str, FlagValue] | None = None
) -> str:
    """The step in one line, variables by name, entered text left out."""
    entered = typed_text(command, positionals)
    shown = positionals[:-1] if entered else positionals
    words = [command, *shown, *(token for _, token in entered)]
    for name, value in (flags or {}).items():
        for one in value if isinstance(value, tuple) else (value,):
            if one is not False:
                words += (
                    [f"--{name}"]
                    if one is True
                    else [f"--{name}", f"{one:g}" if isinstance(one, float) else str(one)]
                )
    return " ".join(words)


def without_old_refs(message: str, details: dict[str, Any]) -> str:
    """A cause's message without the pinned refs of the frame that the report's own replaces."""
    lines = details.get("candidateLines")
    if isinstance(lines, list) and lines and isinstance(lines[0], str):
        message = message.partition(f": {lines[0]}")[0] + "."
    cover = details.get("coveredBy")
    if isinstance(cover, dict):
        message = message.replace(f" (@{cover.get('ref')}~s{cover.get('refsGeneration')})", "")
    return message


# -- bounds ------------------------------------------------------------------------------------------


def finish(draft: Draft, session: Session | None) -> Divergence:
    """The bounded report: its frame published, what it leaves out written to a file of the session."""
    path = None if session is None else new_path(session.directory, draft.failure.step.step.ordinal)
    whole = draft.build(WHOLE, ANY_GENERATION)
    size = len(msgspec.json.encode(whole))
    overflow = None if path is None else OverflowData(omitted_bytes=size, artifact_path=str(path))
    shape = _fitting(draft, draft.level, overflow)
    generation = _publish(draft, shape, session)
    if draft.holds_all(shape) or session is None or path is None:
        return draft.build(shape, generation)
    bounded = draft.build(shape, generation, omitted=True)
    omitted = max(1, size - len(msgspec.json.encode(bounded)))
    detail = draft.build(WHOLE, generation, omitted=len(draft.sight.nodes) > WHOLE.refs)
    if not write_artifact(path, detail, frozenset(draft.shown(shape))):
        return msgspec.structs.replace(bounded, artifact_unavailable=True)
    return msgspec.structs.replace(
        bounded, overflow=OverflowData(omitted_bytes=omitted, artifact_path=str(path))
    )


def _fitting(draft: Draft, level: Level, overflow: OverflowData | None) -> Shape:
    """The largest shape within the level's ceiling."""
    for most in SHAPES:
        shape = msgspec.structs.replace(
            most,
            refs=min(most.refs, MAX_SCREEN_REFS[level]),
            suggestions=0 if level == "digest" else most.suggestions,
        )
        report = draft.build(shape, ANY_GENERATION, overflow=overflow, omitted=True)
        if len(msgspec.json.encode(report)) <= CEILINGS[level]:
            return shape
    return shape


def _publish(draft: Draft, shape: Shape, session: Session | None) -> int:
    """Authorise exactly the refs shown; no frame changes where none are."""
    observation = draft.sight.observation
    shown = draft.shown(shape)
    if session is None or observation is None or not shown:
        return 0
    return session.refs.publish_partial(observation, shown).generation
