"""What is left to tell the target from its peers: signs of its record, and how many have them as well.

docs/identity.md, "Signs". Words come first: where ``item``, ``between`` or ``section`` single the
target out, nothing is added. Where they do not, what lasts of the record identifies it; where nothing
does, all that can be read of it and of the records beside it must hold before a position counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from surefoot.identity.codec import MAX_SIGNS
from surefoot.identity.context import (
    Between,
    between,
    is_usable_key,
    locate_item,
    names_its_item,
    qualifying,
    rivals_of,
    sibling_items,
    stands_among_texts,
)
from surefoot.identity.model import ItemEvidence, RecordEvidence, Signs, TargetEvidence
from surefoot.identity.section import section
from surefoot.identity.signs import (
    Sayable,
    Sign,
    beside_of,
    find_record,
    holders,
    identifying,
    is_cut,
    locate_record,
    signs_of,
    telling,
    text_sign,
)
from surefoot.identity.view import IdentityView
from surefoot.tree import Node


def with_record(
    view: IdentityView,
    evidence: TargetEvidence,
    node: Node,
    members: Sequence[Node],
    sayable: Sayable,
) -> TargetEvidence:
    """The evidence with the signs it needs, and with ``peers`` and ``nth`` counted. ``members`` is
    *I₀*."""
    found = _Search(view, evidence, node, members, sayable).run()
    left = qualifying(view, members, found)
    at = next((at for at, other in enumerate(left) if other is node), None)
    return replace(found, peers=len(left) or None, nth=at if len(left) > 1 else None)


class _Search:
    """One target's signs, from the best to the last resort."""

    def __init__(
        self,
        view: IdentityView,
        evidence: TargetEvidence,
        node: Node,
        members: Sequence[Node],
        sayable: Sayable,
    ) -> None:
        self._view = view
        self._evidence = evidence
        self._node = node
        self._members = members
        self._sayable = sayable

    def run(self) -> TargetEvidence:
        evidence = self._evidence
        if self._is_weak(evidence.item):
            title = section(self._view, self._node)
            known = self._known(replace(evidence, item=None, between=None, section=title))
            if known is not None:
                return known
        known = self._known(evidence)
        if known is not None:
            return known
        if len(self._rivals) > 1 and not self._worded_around():
            return self._all_that_shows()
        return replace(evidence, record=self._cut_texts())

    def _is_weak(self, recorded: ItemEvidence | None) -> bool:
        """Whether the item's words are those of controls and numbers, or a sibling's as well: what
        lasts knows it better."""
        if recorded is None:
            return False
        if not any(map(is_usable_key, recorded.keys)):
            return True
        item = locate_item(self._view, self._node, recorded)
        wanted = {(key.role, key.label) for key in recorded.keys}
        return item is not None and any(
            wanted <= {(one.role, self._view.label(one)) for one in self._view.inside_item(other, None)}
            for other in sibling_items(self._view, item)
        )

    def _known(self, evidence: TargetEvidence) -> TargetEvidence | None:
        """The evidence with what lasts and identifies the target's record; ``None`` where nothing does,
        or words have."""
        rivals = rivals_of(self._view, replace(evidence, between=None), self._members)
        self._compare_with(rivals)
        if len(rivals) > 1 and (keys := self._identifying()):
            return replace(evidence, between=self._own_words(), record=self._with(keys))
        if evidence.item is None and (evidence.between is None or len(rivals) > 1):
            record = self._alone()
            return None if record is None else replace(evidence, record=record)
        return None

    def _compare_with(self, rivals: Sequence[Node]) -> None:
        """From here on the target is to be told from these, itself among them."""
        self._rivals = rivals
        self._found = find_record(self._view, self._node, rivals, self._members)
        self._record = self._record_of(self._node)

    def _record_of(self, node: Node) -> Node:
        return locate_record(self._view, node, self._members, self._found) or node

    def _with(self, signs: Signs) -> RecordEvidence:
        return replace(self._found, signs=signs)

    def _signs(self, node: Node, sayable: Sayable) -> dict[str, Sign]:
        return signs_of(
            self._view, node, self._record_of(node), apart_from=self._rivals, sayable=sayable
        )

    def _holding(self, rivals: Sequence[Node]) -> Callable[[Signs], Sequence[Node]]:
        """Which of the rivals, without the target, hold given signs."""
        others = [one for one in rivals if one is not self._node]

        def holding(signs: Signs) -> Sequence[Node]:
            return holders(self._view, others, self._members, self._found, signs)

        return holding

    def _identifying(self) -> Signs:
        """What lasts and tells the target from all rivals, else its record from theirs."""
        own = self._signs(self._node, self._sayable).values()
        found = identifying(own, self._holding(self._rivals))
        if found or self._record is self._node:
            return found
        apart = [one for one in self._rivals if not self._view.tree.contains(self._record, one)]
        return identifying(own, self._holding(apart)) if 0 < len(apart) < len(self._rivals) - 1 else ()

    def _own_words(self) -> Between | None:
        """What stands around the target where that is its own, as in a list without items; what stands
        around a record that is known is its neighbours'."""
        return self._evidence.between if self._stands_bare() else None

    def _worded_around(self) -> bool:
        """Whether the target stands among labels of its own, as in a list without items, and these tell
        it from its rivals."""
        if self._evidence.between is None or not self._stands_bare():
            return False
        around = [between(self._view, one, self._members, None, passing=0) for one in self._rivals]
        own = around[self._rivals.index(self._node)]
        return own != (None, None) and around.count(own) == 1

    def _stands_bare(self) -> bool:
        """Whether no container is the target's alone, and plain texts stand beside it."""
        bare = self._record is self._node or self._found.shared is not None
        return bare and stands_among_texts(self._view, self._node, self._members)

    def _all_that_shows(self) -> TargetEvidence:
        """All signs, and where several records have them, those of the records beside it."""
        view, members = self._view, self._members
        own = self._signs(self._node, self._sayable).values()
        record = self._with(telling(own, self._holding(self._rivals)))
        evidence = replace(self._evidence, record=record)
        left = len(qualifying(view, members, evidence))
        if record.signs and self._record is not self._node and evidence.between is not None:
            # What stands around a record is its neighbours', where it tells no more than its signs.
            alone = replace(evidence, between=None)
            known = len(qualifying(view, members, alone))
            evidence = alone if known in (1, left) else evidence
        beside: tuple[Signs | None, Signs | None] | None = None
        if left > 1:
            near = beside_of(view, self._node, rivals_of(view, evidence, members), members, record)
            before, after = (None if one is None else self._told(one) for one in near)
            beside = before, after
        if not (record.signs or (beside and any(beside))):
            return self._evidence
        return replace(evidence, record=replace(record, beside=beside))

    def _told(self, node: Node) -> Signs:
        return tuple(self._signs(node, self._sayable))[:MAX_SIGNS]

    def _alone(self) -> RecordEvidence | None:
        """What tells the item from its siblings where it alone has the target, or all its equals.

        Where the target itself leads, and its id that is none, are no sign of its item.
        """
        view, node = self._view, self._node
        item = next((one for one in view.tree.ancestors(node) if view.is_item_role(one)), None)
        if item is None or item.role == node.role or names_its_item(view, node, item):
            return None  # (an item in an item of its role is its own record)
        if not all(view.tree.contains(item, rival) for rival in self._rivals):
            return None

        def beside(of: Node, kind: str, text: str) -> bool:
            own = of is node and (kind == "link" or text == view.tree.ids[node.index])
            return not own and self._sayable(of, kind, text)

        inside = signs_of(view, node, item, apart_from=(item,), sayable=beside)
        others = [
            signs_of(view, other, other, apart_from=(other,)) for other in sibling_items(view, item)
        ]

        def holding(signs: Signs) -> Sequence[Node]:
            return [item for held in others if held.keys() >= set(signs)]

        keys = identifying(inside.values(), holding)
        return RecordEvidence(of=item.role, signs=keys) if keys else None

    def _cut_texts(self) -> RecordEvidence | None:
        """The whole of the texts that are written cut: the target's name and the keys of its item."""
        view, node, recorded = self._view, self._node, self._evidence.item
        if self._evidence.id is not None:
            return None
        item = None if recorded is None else locate_item(view, node, recorded)
        texts = [node]
        if item is not None and recorded is not None:
            keys = {(key.role, key.label) for key in recorded.keys}
            texts += [
                inner
                for inner in view.inside_item(item, node)
                if (inner.role, view.label(inner)) in keys
            ]
        signs = tuple(text_sign(view, one) for one in texts if is_cut(view.tree.labels[one.index]))
        if not signs:
            return None
        if item is not None and recorded is not None and recorded.up is None:
            return RecordEvidence(of=item.role, signs=signs)
        return RecordEvidence(up=0, signs=signs)
