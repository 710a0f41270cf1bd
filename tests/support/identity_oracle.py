"""What the right outcome of a replay is, judged from the screens themselves.

Shares no code with the rule it judges: it knows what each part *is* and which record it belongs to, and
compares what a person could read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from tests.support.identity_layouts import FLAT
from tests.support.identity_parts import Part, Screen

Expectation = Literal["must", "may", "refuse", "impostor"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What can be read of one element and of what surrounds it."""

    index: int
    truth: str
    own: tuple[str, str]
    id: str
    path: tuple[tuple[str, str], ...]
    record: str
    lasting: frozenset[str]
    words: tuple[str, ...]
    heading: str
    around: tuple[str, ...]
    beside: tuple[str, str]


class Reader:
    """Reads a screen. ``said`` is what a pressed container says: its first text (amendment 1280)."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.ids = Counter(node.id for node in screen.tree)
        self.by_record: dict[str, list[Part]] = {}
        for part in screen.parts:
            if part.record:
                self.by_record.setdefault(part.record, []).append(part)

    def read(self, index: int) -> Reading:
        part = self.screen.parts[index]
        ancestors = self._ancestors(index)
        record = part.record
        texts = self._texts(record)
        return Reading(
            index=index,
            truth=part.truth,
            own=(part.role, part.label),
            id=self._lasting_id(index),
            path=tuple(
                (self.screen.parts[a].role, self.screen.parts[a].author)
                for a in ancestors
                if self.screen.parts[a].role != "generic" or self.screen.parts[a].author
            ),
            record=record,
            lasting=frozenset(texts),
            words=tuple(texts),
            heading=self._heading(index),
            around=self._around(index) if not record else (),
            beside=self._beside(index),
        )

    def all(self) -> list[Reading]:
        return [self.read(i) for i, part in enumerate(self.screen.parts) if part.truth]

    def _ancestors(self, index: int) -> list[int]:
        found = []
        while (index := self.screen.tree[index].parent) >= 0:
            found.append(index)
        return found

    def _lasting_id(self, index: int) -> str:
        part = self.screen.parts[index]
        if not part.id or "#" in part.id or "~" in part.id:
            return ""
        return part.id if self.ids[part.id] == 1 else ""

    def _texts(self, record: str) -> list[str]:
        return [
            part.label
            for part in self.by_record.get(record, ())
            if part.label and part.role in ("text", "heading", "cell", "link", "option", "menuitem")
            and lasts(part)
        ]

    def _heading(self, index: int) -> str:
        for before in range(index - 1, -1, -1):
            part = self.screen.parts[before]
            if part.role == "heading" and part.record == "":
                return part.label
        return ""

    def _around(self, index: int) -> tuple[str, ...]:
        """The lasting texts of the nearest container that has any, within the target's block."""
        for ancestor in self._ancestors(index):
            if self.screen.parts[ancestor].role in ("main", "document", "tabpanel"):
                break
            end = self.screen.tree.subtree_ends[ancestor]
            texts = tuple(
                part.label
                for part in self.screen.parts[ancestor:end]
                if part.role in ("text", "heading") and not part.record and lasts(part)
            )
            if texts:
                return texts
        return ()

    def _beside(self, index: int) -> tuple[str, str]:
        """The nearest lasting texts before and after, in document order."""
        texts = [
            (at, part.label)
            for at, part in enumerate(self.screen.parts)
            if part.role in ("text", "heading", "img", "cell", "link") and part.label and lasts(part)
        ]
        before = next((label for at, label in reversed(texts) if at < index), "")
        after = next((label for at, label in texts if at > index), "")
        return before, after


def lasts(part: Part) -> bool:
    """Whether what the part says is its own and does not change by itself."""
    label = part.label
    return part.kind != "number" and not label.startswith(("May ", "$")) and not label.isdigit()


def expected(before: Screen, after: Screen, truth: str, harmful: bool, layout: str) -> Expectation:
    """The right outcome for the target called ``truth``, recorded on ``before``."""
    first, second = Reader(before), Reader(after)
    at = before.index_of(truth)
    assert at is not None
    target = first.read(at)
    rivals = [
        other
        for reader in (first, second)
        for other in reader.all()
        if other.own == target.own and other.truth != truth
    ]
    now = after.index_of(truth)
    if now is None:
        equal = any(_reads_alike(target, other) for other in second.all() if other.truth != truth)
        return "impostor" if equal else "refuse"
    if harmful:
        return "may" if target.id else "refuse"
    return "must" if _decidable(target, second.read(now), rivals, layout) else "may"


def _decidable(was: Reading, now: Reading, rivals: list[Reading], layout: str) -> bool:
    if was.own != now.own or was.path != now.path:
        return False
    if was.record and not was.lasting and was.own[0] not in ("link", "option", "menuitem"):
        return False
    if not was.own[1] and not was.id and not was.lasting:
        return False
    if was.id and was.id == now.id:
        return True
    for rival in rivals:
        if rival.path != was.path:
            continue
        if was.record:
            if rival.record == was.record:
                continue
            if was.lasting <= rival.lasting:
                return False
            if layout in FLAT and was.beside != now.beside:
                return False
        elif rival.heading == was.heading or was.heading != now.heading:
            if was.beside != now.beside or was.beside == rival.beside:
                return False
    return True


def _reads_alike(one: Reading, other: Reading) -> bool:
    """Whether nothing that lasts tells the two apart."""
    return (
        one.own == other.own
        and one.id == other.id
        and one.path == other.path
        and one.words == other.words
        and one.heading == other.heading
        and one.around == other.around
    )
