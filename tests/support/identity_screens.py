"""Random screens: what stands on them, drawn block by block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.support import identity_words as words
from tests.support.identity_layouts import HOLDERS, WORDLESS
from tests.support.identity_parts import Collection, Part, Record

LAYOUT_WEIGHTS: dict[str, int] = {
    "listitem": 8,
    "listitem, control first": 2,
    "row": 6,
    "row, named cells": 3,
    "generic card": 6,
    "generic card, grouped": 3,
    "flat, label first": 3,
    "flat, control first": 2,
    "article": 3,
    "treeitem": 3,
    "nested list": 2,
    "link row": 3,
    "option": 1,
    "menuitem": 1,
    "pressed item": 3,
    "pressed card": 2,
    "switches": 2,
    "two cells": 1,
    "quantity": 2,
}
TEST_IDS = {
    "all": ("stable", "stable", "shared", "position", "middle"),
    "some": ("none", "none", "stable", "shared", "position", "middle", "generated"),
    "none": ("none", "none", "none", "generated"),
}


class Draw:
    """Draws one screen and, later, what edits put on it."""

    def __init__(self, random: Random, *, wordless: bool = False) -> None:
        self.random = random
        self.weights = dict.fromkeys(WORDLESS, 1) if wordless else LAYOUT_WEIGHTS
        self.maker = words.Maker(random)
        self.test_ids = random.choice(("all", "some", "none", "none"))
        self.blocks_made = 0

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def screen(self) -> Part:
        """A document with its chrome, one to four blocks, and sometimes a dialog over it."""
        random = self.random
        children: list[Part] = []
        if self.chance(0.5):
            children.append(self.banner())
        blocks = [self.block() for _ in range(random.choice((1, 1, 2, 2, 3, 4)))]
        if self.chance(0.5):
            level = Part("heading", random.choice(words.TITLES), kind="title")
            blocks.insert(0, level)
        main_author = random.choice(words.TITLES) if self.chance(0.15) else ""
        children.append(Part("main", children=blocks, author=main_author, scroll=self.chance(0.2)))
        if self.chance(0.15):
            children.append(self.dialog())
        title = random.choice(("App", "(3) App", "Shop", "Mail"))
        return Part("document", title, children=children, kind="number")

    def block(self) -> Part:
        """One block of the page."""
        if self.chance(0.62):
            return self.collection()
        make = self.random.choice(SINGLES)
        return make(self)

    def name(self) -> str:
        """A name that no other block of this screen has."""
        self.blocks_made += 1
        return f"b{self.blocks_made}"

    def id(self, label: str) -> str:
        """The test id of a control that stands alone."""
        share = {"all": 0.9, "some": 0.35, "none": 0.0}[self.test_ids]
        slug = label.lower().replace(" ", "-")
        return f"{slug}-btn" if self.chance(share) else ("~" if self.chance(0.1) else "")

    # -- collections -----------------------------------------------------------------------------

    def collection(self) -> Part:
        random = self.random
        layout = random.choices(list(self.weights), list(self.weights.values()))[0]
        of = Collection(
            layout=layout,
            noun=random.choices(words.NOUNS, words.WEIGHTS)[0],
            records=[],
            controls=self.record_controls(layout),
            ids=random.choice(TEST_IDS[self.test_ids]),
            order=tuple(random.sample(("name", "second", "number"), 3))
            if self.chance(0.25)
            else ("name", "second", "number"),
            indexed=layout.startswith("row") and self.chance(0.3),
        )
        has_second, has_number = self.chance(0.55), self.chance(0.6) or layout in WORDLESS
        badge = random.choice((0.0, 0.0, 0.3))
        size = random.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 10))
        for _ in range(size):
            of.records.append(self.record(of, has_second, has_number, badge))
        if layout in ("treeitem", "nested list"):
            of.records = [
                replace(
                    record,
                    below=tuple(
                        self.record(of, has_second, has_number, badge)
                        for _ in range(random.randint(0, 3))
                    ),
                )
                for record in of.records
            ]
        if of.controls and self.chance(0.2):
            of.conditional = random.choice([a for a in words.ACTIONS if a not in of.controls])
            at = random.randrange(len(of.records))
            holder = of.records[at]
            of.records[at] = replace(holder, controls=(*holder.controls, of.conditional))
            if self.chance(0.5):
                of.controls = ()
                of.records = [
                    replace(record, controls=tuple(c for c in record.controls if c == of.conditional))
                    for record in of.records
                ]
        return self.holder(of)

    def holder(self, of: Collection) -> Part:
        random = self.random
        role = random.choice(HOLDERS[of.layout])
        titled = random.choice(("", "", "author", "heading", "heading", "text"))
        title = random.choice(words.TITLES)
        scrolls = role in ("list", "table", "tree") and self.chance(0.2)
        if scrolls and len(of.records) >= 4:
            start = random.randint(0, len(of.records) - 3)
            of.window = (start, start + 3)
        held = Part(role, collection=of, scroll=scrolls, author=title if titled == "author" else "")
        if titled in ("heading", "text"):
            head = Part(titled, title, kind="title")
            if role == "generic" and self.chance(0.5):
                held.children.append(head)
            else:
                return Part(random.choice(("generic", "region", "generic")), children=[head, held])
        return held

    def record_controls(self, layout: str) -> tuple[str, ...]:
        random = self.random
        if layout in ("option", "menuitem", "pressed item", "pressed card", "two cells"):
            return ()
        if layout == "switches":
            return (random.choice(("", "Enabled", "On")),)
        if layout in ("link row", "quantity"):
            return (random.choice(words.ACTIONS),) if self.chance(0.5) else ()
        if self.chance(0.08):
            return ("",)
        if self.chance(0.08):
            label = random.choice(words.ACTIONS)
            return (label, label)
        return tuple(random.sample(words.ACTIONS, random.choice((1, 1, 2))))

    def record(self, of: Collection, second: bool, number: bool, badge: float) -> Record:
        return self.maker.record(of.noun, of.controls, second=second, number_=number, badge=badge)

    def record_like(self, of: Collection, model: Record) -> Record:
        """A new record of the shape of ``model``: another thing, with the same controls."""
        made = self.maker.record(
            of.noun,
            model.controls,
            second=bool(model.second),
            number_=bool(model.number),
            badge=0.3 if model.badge else 0.0,
        )
        return replace(made, below=tuple(self.record_like(of, inner) for inner in model.below))

    # -- what stands alone -----------------------------------------------------------------------

    def control(self, name: str, label: str, role: str = "button") -> Part:
        return Part(role, label, truth=f"{name}/{label}", id=self.id(label))

    def banner(self) -> Part:
        """The app's chrome: the same on every screen."""
        name, random = self.name(), self.random
        links = [
            Part("link", label, truth=f"{name}/{label}", kind="chrome")
            for label in random.sample(words.TITLES, 3)
        ]
        nav = Part("navigation", author="Main" if self.chance(0.5) else "", children=links)
        brand = Part("link", "Home", truth=f"{name}/Home")
        parts = [brand, nav]
        if self.chance(0.4):
            parts.append(Part("button", "Search", truth=f"{name}/Search"))
        return Part("banner", children=parts, kind="chrome")

    def toolbar(self) -> Part:
        name, random = self.name(), self.random
        labels = random.sample(words.ICONS, random.randint(2, 4))
        icons = [self.control(name, label) for label in labels]
        if self.chance(0.3):
            for ordinal, icon in enumerate(icons):
                icon.label, icon.truth = "", f"{name}/icon/{ordinal}"
                icon.id = f"{labels[ordinal].lower()}-tool" if self.test_ids == "all" else ""
        return Part("toolbar", children=icons, author="Tools" if self.chance(0.4) else "")

    def wizard(self) -> Part:
        name, random = self.name(), self.random
        fields = [
            self.control(name, label, "textbox")
            for label in random.sample(words.FIELDS, random.randint(1, 3))
        ]
        title = Part(
            random.choice(("heading", "heading", "text")), random.choice(words.TITLES), kind="title"
        )
        step = (
            [Part("text", f"Step {random.randint(1, 4)} of 4", kind="number")]
            if self.chance(0.3)
            else []
        )
        go_on = [
            self.control(name, label) for label in random.sample(words.GO_ON, random.randint(1, 2))
        ]
        role = random.choice(("form", "generic", "group"))
        author = random.choice(words.TITLES) if role == "form" and self.chance(0.4) else ""
        return Part(role, children=[title, *step, *fields, *go_on], author=author)

    def dialog(self) -> Part:
        name, random = self.name(), self.random
        author = random.choice(("Confirm", "Message", "", random.choice(words.TITLES)))
        inside = [Part("text", random.choice(words.TEXTS), kind="text")]
        if self.chance(0.4):
            inside.insert(0, Part("heading", random.choice(words.TITLES), kind="title"))
        buttons = [self.control(name, label) for label in random.sample(words.GO_ON, 2)]
        return Part(
            random.choice(("dialog", "alertdialog")), children=[*inside, *buttons], author=author
        )

    def message(self) -> Part:
        """A card that stands alone."""
        name, random = self.name(), self.random
        head = Part(random.choice(("heading", "text")), random.choice(words.SUBJECTS), kind="text")
        button = self.control(name, random.choice(("Dismiss", "Open", "OK", "Retry")))
        return Part(random.choice(("generic", "region", "status")), children=[head, button])

    def tabs(self) -> Part:
        name, random = self.name(), self.random
        titles = random.sample(words.TITLES, 3)
        row = [Part("tab", title, truth=f"{name}/{title}") for title in titles]
        panel = Part("tabpanel", author=titles[0], children=[self.collection(), self.message()])
        return Part("generic", children=[Part("tablist", children=row), panel])

    def settings(self) -> Part:
        """Labelled switches, and buttons under their own headings."""
        name, random = self.name(), self.random
        parts: list[Part] = []
        for ordinal, title in enumerate(random.sample(words.TITLES, 2)):
            label = random.choice(("Change", "Change", "Manage"))
            parts.append(Part("heading", title, kind="title"))
            parts.append(Part("button", label, truth=f"{name}/{ordinal}/{label}", id=""))
        return Part(random.choice(("generic", "group")), children=parts)

    def pages(self) -> Part:
        name = self.name()
        labels = ("Previous", "1", "2", "3", "Next")
        return Part("navigation", children=[self.control(name, label, "link") for label in labels])

    def calendar(self) -> Part:
        name, random = self.name(), self.random
        start = random.randint(1, 7)

        def day(week: int, number: int) -> Part:
            return Part("gridcell", children=[self.control(f"{name}/{week}", str(number))])

        weeks = [
            Part(
                "row",
                children=[
                    Part(
                        "gridcell",
                        children=[self.control(f"{name}/{week}", str(start + week * 7 + day))],
                    )
                    for day in range(4)
                ],
            )
            for week in range(2)
        ]
        return Part("grid", author="Calendar", children=weeks)


SINGLES: tuple[Callable[[Draw], Part], ...] = (
    Draw.toolbar,
    Draw.wizard,
    Draw.wizard,
    Draw.message,
    Draw.tabs,
    Draw.settings,
    Draw.pages,
    Draw.calendar,
    Draw.dialog,
)
