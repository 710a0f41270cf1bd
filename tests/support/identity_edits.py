"""What happens to a random screen between recording and replay.

An edit changes the parts in place and returns whether it applied. Benign edits leave the target the
thing it was; harmful ones take it away, or put an equal thing beside it; ``unsure`` ones change what
other things say, which no promise covers: acting on the target or refusing are both right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from tests.support import identity_words as words
from tests.support.identity_layouts import FLAT
from tests.support.identity_parts import Collection, Part, Record, Style
from tests.support.identity_screens import Draw


@dataclass(slots=True)
class Scene:
    """A screen being edited, the target's truth and its record's uid ("" for none)."""

    root: Part
    style: Style
    draw: Draw
    truth: str
    record: str

    @property
    def random(self) -> Random:
        return self.draw.random

    def walk(self, part: Part | None = None) -> Iterator[Part]:
        """All written parts; what collections render is not among them."""
        part = part or self.root
        yield part
        for child in part.children:
            yield from self.walk(child)

    def collections(self) -> list[Collection]:
        return [part.collection for part in self.walk() if part.collection]

    def home(self) -> tuple[Collection, int] | None:
        """The target's collection and the position of its top-level record."""
        for of in self.collections():
            for position, record in enumerate(of.records):
                if self.record and self.record in uids(record):
                    return of, position
        return None

    def holder(self) -> tuple[Part, int] | None:
        """The written parent of a target that stands alone, and the target's position."""
        for part in self.walk():
            for position, child in enumerate(part.children):
                if child.truth == self.truth:
                    return part, position
        return None

    def main(self) -> Part:
        return next(part for part in self.walk() if part.role == "main")


def uids(record: Record) -> list[str]:
    """The record's uid and those of the records below it."""
    return [record.uid, *(uid for inner in record.below for uid in uids(inner))]


def map_records(record: Record, change: Callable[[Record], Record]) -> Record:
    """The record and those below it, changed."""
    changed = change(record)
    return replace(changed, below=tuple(map_records(inner, change) for inner in changed.below))


Edit = Callable[[Scene], bool]

# -- benign ----------------------------------------------------------------------------------------


def restyle(scene: Scene) -> bool:
    random = scene.random
    scene.style.left = random.choice((0.0, 20.0, 300.0))
    scene.style.top = random.choice((-400.0, 10.0, 80.0))
    scene.style.height = random.choice((20.0, 24.0, 60.0))
    scene.style.columns = random.choice((1, 2, 3))
    scene.style.rectless = random.random() < 0.2
    scene.style.overflow = random.choice((0.0, 900.0))
    return True


def regenerate_ids(scene: Scene) -> bool:
    scene.style.salt += scene.random.randint(1, 9)
    return True


def move_block(scene: Scene) -> bool:
    blocks = scene.main().children
    first = 1 if blocks and blocks[0].role == "heading" else 0
    if len(blocks) - first < 2:
        return False
    block = blocks.pop(scene.random.randrange(first, len(blocks)))
    blocks.insert(scene.random.randint(first, len(blocks)), block)
    return True


def change_numbers(scene: Scene) -> bool:
    random = scene.random

    def renumber(record: Record) -> Record:
        return replace(record, number=words.number(random)) if record.number else record

    for of in scene.collections():
        of.records = [map_records(record, renumber) for record in of.records]
    for part in scene.walk():
        if part.kind == "number" and part.role == "text":
            part.label = f"Step {random.randint(1, 4)} of 4"
    return True


def change_title_counter(scene: Scene) -> bool:
    scene.root.label = f"({scene.random.randint(1, 99)}) {scene.root.label}"
    return True


def insert_sibling(scene: Scene) -> bool:
    """A control, text or picture of another name, beside the target or anywhere."""
    random = scene.random
    label = random.choice(("Help", "What is new", "Print all", "Feedback"))
    made = Part(random.choice(("button", "text", "link", "img")), label, kind="inserted")
    if made.role in ("button", "link"):
        made.truth = f"new/{scene.draw.name()}"
    holder = scene.holder()
    if holder and random.random() < 0.5:
        place = holder[0]
    else:
        places = [
            part for part in scene.walk() if part.children and part.role not in ("row", "tablist")
        ]
        place = random.choice(places)
    place.children.insert(random.randint(0, len(place.children)), made)
    return True


def insert_block(scene: Scene) -> bool:
    blocks = scene.main().children
    blocks.insert(scene.random.randint(0, len(blocks)), scene.draw.block())
    return True


def insert_row(scene: Scene) -> bool:
    home = scene.home()
    choice = [home[0]] if home and scene.random.random() < 0.8 else scene.collections()
    if not choice:
        return False
    of = scene.random.choice(choice)
    model = scene.random.choice(of.records)
    if of.conditional:
        plain = [record for record in of.records if of.conditional not in record.controls]
        if not plain:
            return False
        model = scene.random.choice(plain)
    at = scene.random.randint(0, len(of.records))
    of.records.insert(at, scene.draw.record_like(of, model))
    _follow(scene, of)
    return True


def reorder_rows(scene: Scene) -> bool:
    home = scene.home()
    choice = [home[0]] if home and scene.random.random() < 0.8 else scene.collections()
    choice = [of for of in choice if len(of.records) > 1]
    if not choice:
        return False
    of = scene.random.choice(choice)
    scene.random.shuffle(of.records)
    _follow(scene, of)
    return True


def remove_other_row(scene: Scene) -> bool:
    found = [
        (of, record)
        for of in scene.collections()
        for record in of.records
        if scene.record not in uids(record) and len(of.records) > 1
    ]
    if not found:
        return False
    of, record = scene.random.choice(found)
    of.records.remove(record)
    _follow(scene, of)
    return True


def _follow(scene: Scene, of: Collection) -> None:
    """A virtualised window moves so that it still shows the target's record."""
    if of.window is None:
        return
    size = of.window[1] - of.window[0]
    at = next((i for i, record in enumerate(of.records) if scene.record in uids(record)), of.window[0])
    start = max(0, at - scene.random.randint(0, size - 1))
    of.window = (start, start + size)


def shift_window(scene: Scene) -> bool:
    home = scene.home()
    if home is None or home[0].window is None:
        return False
    _follow(scene, home[0])
    return True


def wrap(scene: Scene) -> bool:
    """A ``div`` around what is there: around items' insides, or a stretch of a container."""
    random = scene.random
    choice = [of for of in scene.collections() if not of.wrap and of.layout not in FLAT]
    if choice and random.random() < 0.5:
        random.choice(choice).wrap = random.choice(("all", "texts", "controls"))
        return True
    places = [part for part in scene.walk() if len(part.children) > 1 and part.role != "tablist"]
    if not places:
        return False
    place = random.choice(places)
    start = random.randint(0, len(place.children) - 1)
    end = random.randint(start + 1, len(place.children))
    place.children[start:end] = [Part("generic", children=place.children[start:end])]
    return True


BENIGN: dict[str, Edit] = {
    "restyled": restyle,
    "ids regenerated": regenerate_ids,
    "block moved": move_block,
    "numbers changed": change_numbers,
    "title counter": change_title_counter,
    "sibling inserted": insert_sibling,
    "block inserted": insert_block,
    "row inserted": insert_row,
    "rows reordered": reorder_rows,
    "other row removed": remove_other_row,
    "window shifted": shift_window,
    "wrapper added": wrap,
}

# -- unsure ----------------------------------------------------------------------------------------


def change_badges(scene: Scene) -> bool:
    """Badges come and go on all rows."""
    random, found = scene.random, False

    def rebadge(record: Record) -> Record:
        return replace(record, badge=random.choice(("", *words.BADGES)))

    for of in scene.collections():
        if any(record.badge for record in of.records):
            of.records = [map_records(record, rebadge) for record in of.records]
            found = True
    return found


def change_statuses(scene: Scene) -> bool:
    random, found = scene.random, False
    for of in scene.collections():
        for position, record in enumerate(of.records):
            if record.second and random.random() < 0.5:
                of.records[position] = replace(record, second=random.choice(words.SECONDS))
                found = True
    return found


UNSURE: dict[str, Edit] = {"badges changed": change_badges, "statuses changed": change_statuses}

# -- harmful ---------------------------------------------------------------------------------------


def remove_target(scene: Scene) -> bool:
    """The control goes; its record, if it has one, stays."""
    holder = scene.holder()
    if holder:
        del holder[0].children[holder[1]]
        return True
    return _change_target_controls(scene, lambda _: None)


def relabel_target(scene: Scene) -> bool:
    holder = scene.holder()
    if holder:
        target = holder[0].children[holder[1]]
        if not target.label or target.id:
            return False
        new = scene.random.choice([label for label in words.GO_ON if label != target.label])
        target.label, target.truth = new, f"{target.truth}/renamed"
        return True
    free = [label for label in words.ACTIONS if f"/{label}/" not in scene.truth]
    return _change_target_controls(scene, lambda _: scene.random.choice(free))


def _change_target_controls(scene: Scene, change: Callable[[str], str | None]) -> bool:
    home = scene.home()
    wanted = scene.truth.split("/")
    if home is None or len(wanted) != 3 or home[0].ids == "stable" or home[0].layout == "two cells":
        return False
    of, position = home
    done = False

    def without(record: Record) -> Record:
        nonlocal done
        at = int(wanted[2])
        if record.uid != scene.record or at >= len(record.controls):
            return record
        new = change(record.controls[at])
        done = True
        kept = [*record.controls[:at], *([new] if new else []), *record.controls[at + 1 :]]
        if not new and wanted[1] in kept:
            kept = [label for label in kept if label != wanted[1]]
        return replace(record, controls=tuple(kept))

    of.records[position] = map_records(of.records[position], without)
    return done


def remove_record(scene: Scene) -> bool:
    home = scene.home()
    if home is None:
        return False
    del home[0].records[home[1]]
    return True


def replace_record(scene: Scene) -> bool:
    home = scene.home()
    if home is None:
        return False
    of, position = home
    of.records[position] = scene.draw.record_like(of, of.records[position])
    return True


def replace_list(scene: Scene) -> bool:
    home = scene.home()
    if home is None:
        return False
    of = home[0]
    of.records = [scene.draw.record_like(of, record) for record in of.records]
    return True


def other_screen(scene: Scene) -> bool:
    """The same app's next screen of the same build: other titles, texts, fields and records."""
    random = scene.random
    for of in scene.collections():
        of.records = [scene.draw.record_like(of, record) for record in of.records]

    def rename(part: Part) -> None:
        if part.kind == "chrome":
            return
        if part.kind == "title" and random.random() < 0.7:
            part.label = random.choice([title for title in words.TITLES if title != part.label])
        elif part.kind == "text":
            pool = words.TEXTS if part.label in words.TEXTS else words.SUBJECTS
            part.label = random.choice([text for text in pool if text != part.label])
        elif part.role == "textbox":
            part.label, part.id = random.choice(words.FIELDS), ""
        if part.truth:
            part.truth += "/elsewhere"
        for child in part.children:
            rename(child)

    for child in scene.root.children:
        rename(child)
    return not any(part.truth == scene.truth for part in scene.walk())


def insert_twin(scene: Scene) -> bool:
    """An equal control beside the target, in the same container or the same record."""
    holder = scene.holder()
    if holder:
        place, at = holder
        target = place.children[at]
        twin = replace(target, truth=f"{target.truth}/twin", id="", children=[])
        place.children.insert(scene.random.choice((at, at + 1)), twin)
        return True
    home = scene.home()
    wanted = scene.truth.split("/")
    if home is None or len(wanted) != 3 or home[0].layout == "two cells":
        return False
    of, position = home

    def double(record: Record) -> Record:
        if record.uid != scene.record or wanted[1] not in record.controls:
            return record
        return replace(record, controls=(*record.controls, wanted[1]))

    of.records[position] = map_records(of.records[position], double)
    return True


def move_conditional(scene: Scene) -> bool:
    """The target's control moves to another record, as a button does that shows by state."""
    home = scene.home()
    wanted = scene.truth.split("/")
    if home is None or len(wanted) != 3:
        return False
    of, position = home
    others = [i for i, record in enumerate(of.records) if i != position and not record.below]
    if of.conditional != wanted[1] or not others or of.records[position].below:
        return False
    at = scene.random.choice(others)
    mine, other = of.records[position], of.records[at]
    of.records[position] = replace(mine, controls=tuple(c for c in mine.controls if c != wanted[1]))
    of.records[at] = replace(other, controls=(*other.controls, wanted[1]))
    return True


def scroll_away(scene: Scene) -> bool:
    """A virtualised list shows other rows."""
    home = scene.home()
    if home is None or home[0].window is None:
        return False
    of, position = home
    size = of.window[1] - of.window[0] if of.window else 0
    starts = [
        start
        for start in range(max(1, len(of.records) - size + 1))
        if not start <= position < start + size
    ]
    if not starts:
        return False
    start = scene.random.choice(starts)
    of.window = (start, start + size)
    return True


def remove_block(scene: Scene) -> bool:
    """All of the target's block goes; what is equal elsewhere stays."""
    blocks = scene.main().children
    for position, block in enumerate(blocks):
        held = [part.truth for part in scene.walk(block)]
        held += [
            uid
            for part in scene.walk(block)
            if part.collection
            for r in part.collection.records
            for uid in uids(r)
        ]
        if scene.truth in held or (scene.record and scene.record in held):
            del blocks[position]
            return True
    return False


HARMFUL: dict[str, Edit] = {
    "target removed": remove_target,
    "target relabelled": relabel_target,
    "record removed": remove_record,
    "record replaced": replace_record,
    "list replaced": replace_list,
    "other screen": other_screen,
    "twin inserted": insert_twin,
    "conditional moved": move_conditional,
    "scrolled away": scroll_away,
    "block removed": remove_block,
}
