"""A verified composition as what will run: every step with its address, nothing flattened (seed
0020)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec
from msgspec import Struct

from surefoot.compose.address import (
    Address,
    ControlEntry,
    FragmentOwner,
    Invocation,
    Owner,
    Provenance,
    RootOwner,
)
from surefoot.compose.closure import ClosureStats
from surefoot.compose.graph import CallSite, Graph
from surefoot.compose.model import CompositionNode, ControlNode, IncludeNode, StepNode, Unit
from surefoot.plan import Plan, PlanSource, PlanStep
from surefoot.script import ScriptIssue

_Placed = tuple[PlanStep, Address, Provenance]


class ComposedStep(Struct, frozen=True, kw_only=True):
    """One step of the run. ``step.ordinal`` is its local step; ``display_ordinal`` (1-based place in
    the run) is for progress only and authorises nothing. Variables are those of the root, whoever owns
    it.
    """

    step: PlanStep
    address: Address
    provenance: Provenance
    display_ordinal: int
    is_entry_guard: bool

    @property
    def is_root(self) -> bool:
        return isinstance(self.address.owner, RootOwner)

    @property
    def resumable(self) -> bool:
        """A root step, or the first of a fragment's invocation, in no repeated round."""
        return (self.is_root or self.address.local_step == 1) and not self.address.control_path

    @property
    def root_part(self) -> tuple[object, ...]:
        """Which node of the root it belongs to: its own step there, or the include it is reached by."""
        return self.address.invocation_path[:1] or (self.address.local_step,)


class ComposedPlan(Struct, frozen=True, kw_only=True, dict=True):
    """What one composed replay will do; every digest in it was checked against the bytes it holds.

    ``platform`` and ``target`` are the effective ones; ``context`` and ``env`` the root's own header (a
    fragment has no variables of its own). ``warnings`` refuse nothing; each with its source's key.
    """

    path: str
    platform: str
    target: str
    graph: Graph
    composition_digest: str
    stats: ClosureStats
    warnings: tuple[tuple[str, ScriptIssue], ...] = ()

    @property
    def root(self) -> Unit:
        return self.graph.units[self.graph.root]

    @property
    def context(self) -> Mapping[str, str]:
        return self.root.script.context

    @property
    def env(self) -> Mapping[str, str]:
        return self.root.script.env

    @property
    def fragments(self) -> tuple[Unit, ...]:
        """The fragments it uses, each once, leaves first."""
        return tuple(self.graph.units[key] for key in self.graph.bottom_up if key != self.graph.root)

    @cached_property
    def steps(self) -> tuple[ComposedStep, ...]:
        """All steps in the order they run. Bounded by preflight."""
        return tuple(self._expanded())

    @cached_property
    def course(self) -> Plan:
        """The same steps for a loop that runs plans: ordinals are places in the run, each step keeps
        its own source. What a run tells of itself is this plan's, never the course's flat digest."""
        return Plan(
            path=self.path,
            platform=self.platform,
            target=self.target,
            steps=tuple(
                msgspec.structs.replace(step.step, ordinal=step.display_ordinal) for step in self.steps
            ),
            context=self.context,
            env=self.env,
        )

    @cached_property
    def index(self) -> Mapping[Address, int]:
        """Where each address stands among :attr:`steps` (0-based)."""
        return {step.address: at for at, step in enumerate(self.steps)}

    def next_point(self, at: int) -> int | None:
        """Where a run goes on behind step ``at`` (0-based) once its intent was performed by hand: the
        very next step where a resume may start there, else the root's next (decisions.md, "composed
        resume"). None behind the last.
        """
        here = self.steps[at].root_part
        for later in range(at + 1, len(self.steps)):
            step = self.steps[later]
            if step.resumable and (later == at + 1 or step.root_part != here):
                return later
        return None

    def _expanded(self) -> Iterator[ComposedStep]:
        owner = RootOwner(format=self.root.format, composition_digest=self.composition_digest)
        body = self._body(self.graph.root, owner, (), (), ())
        for ordinal, (step, address, provenance) in enumerate(body, start=1):
            yield ComposedStep(
                step=step,
                address=address,
                provenance=provenance,
                display_ordinal=ordinal,
                is_entry_guard=address.local_step == 1 and isinstance(address.owner, FragmentOwner),
            )

    def _body(
        self,
        key: str,
        owner: Owner,
        path: tuple[Invocation, ...],
        sources: tuple[PlanSource, ...],
        controls: tuple[ControlEntry, ...],
    ) -> Iterator[_Placed]:
        sites = iter(self.graph.of[key])
        yield from self._nodes(self.graph.units[key].nodes, sites, owner, path, sources, controls)

    def _nodes(
        self,
        nodes: tuple[CompositionNode, ...],
        sites: Iterator[CallSite],
        owner: Owner,
        path: tuple[Invocation, ...],
        sources: tuple[PlanSource, ...],
        controls: tuple[ControlEntry, ...],
    ) -> Iterator[_Placed]:
        for node in nodes:
            if isinstance(node, StepNode):
                address = Address(
                    owner=owner,
                    invocation_path=path,
                    control_path=controls,
                    local_step=node.step.ordinal,
                )
                where = Provenance(invocation_sources=sources, step_source=node.step.source)
                yield node.step, address, where
            elif isinstance(node, IncludeNode):
                yield from self._invocation(next(sites), path, sources, controls)
            else:
                inner = (*controls, _entry(node))
                yield from self._nodes(node.nodes, sites, owner, path, sources, inner)

    def _invocation(
        self,
        site: CallSite,
        path: tuple[Invocation, ...],
        sources: tuple[PlanSource, ...],
        controls: tuple[ControlEntry, ...],
    ) -> Iterator[_Placed]:
        child, include = site.child, site.include
        assert child is not None  # preflight passed
        assert include.call_site_id is not None
        identity = self.graph.identities[child]
        yield from self._body(
            child,
            FragmentOwner(format=identity.format, fragment_digest=identity.digest),
            (*path, Invocation(call_site_id=include.call_site_id)),
            (*sources, PlanSource(path=site.source, line=include.line)),
            controls,
        )


def _entry(node: ControlNode) -> ControlEntry:
    assert node.control_id is not None  # preflight passed
    return ControlEntry(control_id=node.control_id)
