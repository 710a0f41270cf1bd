"""What the right outcome of a replay is, judged from the screens themselves.

Shares no code with the rule it judges: it knows what each part *is* and which record it belongs to, and
compares what a person could read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
        self.spoken = [
            (at, part.label)
            for at, part in enumerate(screen.parts)
            if part.role in ("text", "heading", "img", "cell", "link") and part.label and lasts(part)
        ]

    def read(self, index: int) -> Reading:
        part = self.screen.parts[index]
        ancestors = self._ancestors(index)
        record = part.record
        texts = self.texts(record)
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

    def first_of(self, record: str) -> Part:
        """The first text of a record: what a press on the whole of it is recorded as."""
        return next(part for part in self.by_record[record] if part.label)

    def like(self, own: tuple[str, str]) -> list[Reading]:
        """Everything a person could mean that says the same and is of the same kind."""
        parts = self.screen.parts
        return [
            self.read(index)
            for index, part in enumerate(parts)
            if part.truth and (part.role, part.label) == own
        ]

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

    def texts(self, record: str) -> list[str]:
        """The lasting texts of a record, and what else lasts of it, in document order."""
        return [text for part in self.by_record.get(record, ()) for text in self._lasting(part)]

    def _lasting(self, part: Part) -> Iterator[str]:
        if not lasts(part):
            return
        if part.label and part.role in ("text", "heading", "cell", "link", "option", "menuitem"):
            yield part.label
        if part.value:
            yield f"value {part.value}"
        for what in (part.source, part.about, part.held_by):
            if what:
                yield what
        if part.id and not part.truth and "#" not in part.id and "~" not in part.id:
            yield f"id {part.id}"

    def _heading(self, index: int) -> str:
        """The nearest heading before the element that titles a container it stands in."""
        tree, parts = self.screen.tree, self.screen.parts
        for before in range(index - 1, -1, -1):
            if parts[before].role != "heading" or parts[before].record:
                continue
            holder = tree[tree[before].parent]
            while holder.role == "generic" and not tree.contains(holder, tree[index]):
                if any(part.truth for part in parts[holder.index : tree.subtree_ends[holder.index]]):
                    break
                holder = tree[holder.parent]
            if tree.contains(holder, tree[index]):
                return parts[before].label
        return ""

    def _around(self, index: int) -> tuple[str, ...]:
        """The lasting texts of the nearest container of the block that has any, from the heading before
        the element to the one after it."""
        for ancestor in self._ancestors(index):
            if self.screen.parts[ancestor].role in ("main", "document", "tabpanel"):
                break
            texts = list(self._standing_in(ancestor))
            if texts:
                heads = [at for at in texts if self.screen.parts[at].role == "heading"]
                start = max((at for at in heads if at < index), default=0)
                end = min((at for at in heads if at > index), default=len(self.screen.parts))
                return tuple(self.screen.parts[at].label for at in texts if start <= at < end)
        return ()

    def _standing_in(self, index: int) -> Iterator[int]:
        for child in self.screen.tree.children(self.screen.tree[index]):
            part = self.screen.parts[child.index]
            if part.role in ("text", "heading") and not part.record and lasts(part):
                yield child.index
            elif part.role == "generic" and not part.author:
                yield from self._standing_in(child.index)

    def _beside(self, index: int) -> tuple[str, str]:
        """The nearest lasting texts before and after, in document order."""
        before = next((label for at, label in reversed(self.spoken) if at < index), "")
        after = next((label for at, label in self.spoken if at > index), "")
        return before, after


def lasts(part: Part) -> bool:
    """Whether what the part says is its own and does not change by itself."""
    label = part.label
    return (
        part.kind not in ("number", "inserted")
        and not label.startswith(("May ", "$"))
        and not label.isdigit()
    )


def expected(before: Screen, after: Screen, truth: str, harmful: bool, layout: str) -> Expectation:
    """The right outcome for the target called ``truth``, recorded on ``before``."""
    first, second = Reader(before), Reader(after)
    at = before.index_of(truth)
    assert at is not None
    target = first.read(at)
    now = after.index_of(truth)
    if now is None:
        equal = any(
            _reads_alike(target, other) for other in second.like(target.own) if other.truth != truth
        )
        return "impostor" if equal else "refuse"
    if harmful:
        return "may" if target.id else "refuse"
    return "must" if _decidable(target, second.read(now), first, second, layout) else "may"


def _decidable(was: Reading, now: Reading, before: Reader, after: Reader, layout: str) -> bool:
    """Whether what evidence can hold of the target still tells it from everything else."""
    if was.own != now.own or was.path != now.path:
        return False
    if not was.own[1] and not was.id and not was.lasting:
        return False
    if layout in FLAT and was.beside != now.beside:
        return False
    if was.record:
        return _record_decidable(was, before, after)
    if was.id and was.id == now.id:
        return True
    rivals = [
        (other, reader)
        for reader in (before, after)
        for other in reader.like(was.own)
        if other.truth != was.truth and other.path == was.path
    ]
    had_rivals = any(reader is before for _, reader in rivals)
    for rival, _ in rivals:
        if rival.heading != was.heading and was.heading == now.heading:
            continue
        if not had_rivals or was.beside != now.beside or was.beside == rival.beside:
            return False
    return True


def _record_decidable(was: Reading, before: Reader, after: Reader) -> bool:
    """A record is known by the lasting texts that no other record of the collection holds as well."""
    pressed_whole = was.own[0] in ("listitem", "generic")
    if pressed_whole and not lasts(before.first_of(was.record)):
        return False
    if was.own[0] in ("link", "option", "menuitem"):
        names = [other for reader in (before, after) for other in reader.like(was.own)]
        if all(other.truth == was.truth for other in names):
            return True
    if not was.lasting:
        return False
    return not any(
        was.lasting <= frozenset(reader.texts(record))
        for reader in (before, after)
        for record in reader.by_record
        if record != was.record
    )


def reads_alike(before: Screen, truth: str, after: Screen, acted: int) -> bool:
    """Whether the element acted on, or the one it stands for, reads as the recorded one did."""
    at = before.index_of(truth)
    assert at is not None
    reader = Reader(after)
    while not after.parts[acted].truth:
        acted = after.tree[acted].parent
        if acted < 0:
            return False
    return _reads_alike(Reader(before).read(at), reader.read(acted))


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
