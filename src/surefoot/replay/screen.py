"""The screen of a divergence: what a plain ``snapshot`` would show now, filtered and ranked.

Seed 0012, decision 4 with amendment 1264. One look, through the same path as ``snapshot``, with fixed
flags whatever the failed step's were: whole screen, any depth. Filters (the platform's chrome, nodes
that say nothing) lie on top of that capture. A screen that cannot be read shows no refs, and its
failure never takes the place of the step's own cause.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from surefoot.errors import CaptureUnreadable, SurefootError
from surefoot.identity import JOINT, TargetEvidence
from surefoot.interact import observe, open_dialog
from surefoot.session import Session
from surefoot.text import quoted
from surefoot.tree import (
    DIALOG_ROLES,
    Node,
    Observation,
    Placing,
    Tree,
    foreign_windows,
    is_interactive,
    layer_of,
    project,
)
from surefoot.wire import UnavailableScreen

READS = frozenset({"get", "is", "wait", "find"})
"""Steps that need no place on the screen: their report shows what they could have read, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What one look gave: the whole capture and what of it is worth showing, ranked; or why not.

    ``needed`` are the positions in ``nodes`` in the order in which a cap gives them up last.
    """

    observation: Observation | None = None
    nodes: tuple[Node, ...] = ()
    needed: tuple[int, ...] = ()
    unavailable: UnavailableScreen | None = None

    def best(self, count: int) -> tuple[Node, ...]:
        """At most ``count`` of the nodes, in their rank."""
        if count >= len(self.nodes):
            return self.nodes
        return tuple(self.nodes[at] for at in sorted(self.needed[:count]))


async def look(
    session: Session | None, *, reads: bool, recorded: Sequence[TargetEvidence] = ()
) -> Sight:
    """Look once. ``reads`` says that the step was a reading one (:data:`READS`), ``recorded`` what is
    known of its targets. Never raises."""
    if session is None:
        return _blind("no_session", "Nothing is open: run `surefoot open <url|app>` first.")
    try:
        dialog = open_dialog(session)
        if dialog is not None:
            return _blind(
                "dialog_open",
                f"Run `{dialog.next}`: a {dialog.kind} dialog is open: {quoted(dialog.message)}.",
            )
        observation = await observe(session)
    except CaptureUnreadable as verdict:
        return _blind("capture_failed", f"The screen is not readable now ({verdict.verdict}). {AGAIN}")
    except SurefootError as error:
        return _blind("capture_failed", f"{error.message} {error.hint}")
    except Exception as error:  # whatever the capture does, the step's own cause is told
        return _blind("capture_failed", f"The capture broke ({type(error).__name__}). {AGAIN}")
    if observation.quality != "ok":
        return _blind("capture_sparse", f"The platform showed too little to trust. {AGAIN}")
    return seen(observation, reads=reads, recorded=recorded)


AGAIN = "Run `surefoot snapshot -i` in a moment."


def _blind(reason: str, hint: str) -> Sight:
    return Sight(unavailable=UnavailableScreen(reason=reason, hint=hint))


def seen(observation: Observation, *, reads: bool, recorded: Sequence[TargetEvidence] = ()) -> Sight:
    """What has a label or an id or takes activation, chrome left out, ranked before it is capped.

    First what lies over the app in windows of others and takes activation, then what covers something
    in the app itself, then what is on the screen, then the rest; document order within each. Covered
    nodes are shown, never filtered. Where a cap has to leave out some of a tier, what takes activation
    stays (unless the step only ``reads``), and of that what stands nearest to where the target was
    recorded: by the labels of its record, else its neighbours, else its title.
    """
    tree = observation.tree
    view = project(observation, interactive=not reads, list_off_screen=True)
    nodes = [entry.node for entry in (*view.entries, *view.foreign)]
    meaningful = [
        node for node in nodes if tree.labels[node.index] or tree.ids[node.index] or node.hittable
    ]
    foreign = foreign_windows(observation)
    covering = _covering(observation)
    placing = Placing(tree, observation.viewport)

    def tier(node: Node) -> int:
        if layer_of(node, foreign) == "foreign" and node.hittable:
            return 0
        if node.index in covering:
            return 1
        return 2 if placing.offset(node) is None else 3

    if not meaningful:
        return _blind("empty_screen", f"Nothing on the screen has a name or takes input. {AGAIN}")
    ranked = sorted(((tier(node), node.index, node) for node in meaningful), key=lambda item: item[:2])
    marks = _marks(tree, recorded)

    def need(at: int) -> tuple[int, bool, int, int]:
        rank, index, node = ranked[at]
        return rank, not (reads or is_interactive(node)), _distance(marks, index), at

    needed = sorted(range(len(ranked)), key=need)
    return Sight(
        observation=observation, nodes=tuple(node for _, _, node in ranked), needed=tuple(needed)
    )


def _marks(tree: Tree, recorded: Sequence[TargetEvidence]) -> Sequence[int]:
    """Where the recorded surroundings of a target stand in this capture: the first of the record it
    stood in, its neighbours and its title that is still there."""
    for evidence in recorded:
        item, between = evidence.item, evidence.between or ()
        places = (
            [key.label for key in item.keys] if item is not None else [],
            [part for label in between if label for part in label.split(JOINT)],
            (evidence.section or "").split(JOINT)[:1],
        )
        for labels in places:
            found = sorted(index for label in labels for index in tree.by_label.get(label, ()))
            if found:
                return found
    return ()


def _distance(marks: Sequence[int], index: int) -> int:
    """How far, in document order, from the nearest mark; 0 where there is none."""
    at = bisect_left(marks, index)
    return min((abs(marks[near] - index) for near in (at - 1, at) if 0 <= near < len(marks)), default=0)


def _covering(observation: Observation) -> frozenset[int]:
    """Indexes of what lies over something else: the dialog it belongs to, with all that is in it, else
    the covering node itself with what is in it."""
    tree = observation.tree
    found: set[int] = set()
    for index in {node.covered_by for node in tree if node.covered_by is not None}:
        cover = tree[index]
        root = next((above for above in tree.ancestors(cover) if above.role in DIALOG_ROLES), cover)
        found.update(node.index for node in tree.subtree(root))
    return frozenset(found)
