"""How a record looks: one function a layout, in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.support.identity_parts import Collection, Kind, Part, Record

from surefoot.tree import Checked

_LETTERS = str.maketrans("0123456789", "abcdefghij")

Layout = Callable[[Collection, Record, int], list[Part]]

IDS = {
    "none": "",
    "shared": "{slug}-btn",
    "position": "{slug}-#",
    "middle": "row-#-{slug}",
    "stable": "{slug}-{uid}",
    "generated": "~",
}


def _texts(of: Collection, record: Record, position: int) -> list[Part]:
    found = [Part("text", record.badge, record=record.uid)] if record.badge else []
    if of.indexed:
        found.append(Part("text", str(position), record=record.uid, kind="number"))
    for name in of.order:
        label = str(getattr(record, name))
        if label:
            kind: Kind = "number" if name == "number" else ""
            found.append(Part("text", label, record=record.uid, kind=kind))
    return found


def _controls(of: Collection, record: Record, role: str = "button") -> list[Part]:
    made = []
    for ordinal, label in enumerate(record.controls):
        slug = (label or "icon").lower().replace(" ", "-")
        uid = record.uid.translate(_LETTERS)
        id = IDS[of.ids].format(slug=slug, uid=uid)
        truth = f"{record.uid}/{label}/{ordinal}"
        made.append(Part(role, label, truth=truth, record=record.uid, id=id))
    return made


def _item(role: str, record: Record, children: list[Part], **more: str) -> Part:
    return Part(role, children=children, record=record.uid, **more)  # type: ignore[arg-type]


def listitem(of: Collection, record: Record, position: int) -> list[Part]:
    return [_item("listitem", record, _texts(of, record, position) + _controls(of, record))]


def listitem_control_first(of: Collection, record: Record, position: int) -> list[Part]:
    return [_item("listitem", record, _controls(of, record) + _texts(of, record, position))]


def row(of: Collection, record: Record, position: int) -> list[Part]:
    uid = record.uid
    cells = [Part("cell", children=[text], record=uid) for text in _texts(of, record, position)]
    controls = Part("cell", children=_controls(of, record), record=uid)
    return [_item("row", record, [*cells, controls])]


def row_cells_named(of: Collection, record: Record, position: int) -> list[Part]:
    """A table whose cells carry their text themselves."""
    cells = [
        Part("cell", text.label, record=record.uid, kind=text.kind)
        for text in _texts(of, record, position)
    ]
    return [_item("row", record, [*cells, Part("cell", children=_controls(of, record))])]


def card(of: Collection, record: Record, position: int) -> list[Part]:
    return [_item("generic", record, _texts(of, record, position) + _controls(of, record))]


def card_grouped(of: Collection, record: Record, position: int) -> list[Part]:
    """A card whose texts and controls have a container each."""
    groups = [
        _item("generic", record, inner)
        for inner in (_texts(of, record, position), _controls(of, record))
    ]
    flat = [
        group if len(group.children) > 1 else group.children[0] for group in groups if group.children
    ]
    return [_item("generic", record, flat)]


def flat_label_first(of: Collection, record: Record, position: int) -> list[Part]:
    return _texts(of, record, position) + _controls(of, record)


def flat_control_first(of: Collection, record: Record, position: int) -> list[Part]:
    return _controls(of, record) + _texts(of, record, position)


def article(of: Collection, record: Record, position: int) -> list[Part]:
    head, *rest = _texts(of, record, position)
    title = Part("heading", head.label, record=record.uid, kind=head.kind)
    return [_item("article", record, [title, *rest, *_controls(of, record)])]


def treeitem(of: Collection, record: Record, position: int) -> list[Part]:
    return [_nested(of, record, position, "treeitem", "group")]


def nested_list(of: Collection, record: Record, position: int) -> list[Part]:
    return [_nested(of, record, position, "listitem", "list")]


def _nested(of: Collection, record: Record, position: int, item: str, holder: str) -> Part:
    made = _item(item, record, _texts(of, record, position) + _controls(of, record))
    if record.below:
        below = [_nested(of, inner, at, item, holder) for at, inner in enumerate(record.below, 1)]
        made.children.append(Part(holder, children=below, record=record.uid))
    return made


def link(of: Collection, record: Record, position: int) -> list[Part]:
    """A row whose name is a link."""
    name = Part("link", record.name, truth=f"{record.uid}/open", record=record.uid)
    rest = [text for text in _texts(of, record, position) if text.label != record.name]
    return [_item("listitem", record, [name, *rest, *_controls(of, record)])]


def option(of: Collection, record: Record, position: int) -> list[Part]:
    return [Part("option", record.name, truth=f"{record.uid}/open", record=record.uid)]


def menuitem(of: Collection, record: Record, position: int) -> list[Part]:
    return [Part("menuitem", record.name, truth=f"{record.uid}/open", record=record.uid)]


def pressed_item(of: Collection, record: Record, position: int) -> list[Part]:
    """A row that is pressed as a whole (amendment 1280)."""
    made = _item("listitem", record, _texts(of, record, position), truth=f"{record.uid}/open")
    made.hittable = True
    return [made]


def pressed_card(of: Collection, record: Record, position: int) -> list[Part]:
    made = _item("generic", record, _texts(of, record, position), truth=f"{record.uid}/open")
    made.hittable = True
    return [made]


def switches(of: Collection, record: Record, position: int) -> list[Part]:
    return [_item("listitem", record, _texts(of, record, position) + _controls(of, record, "switch"))]


def two_cells(of: Collection, record: Record, position: int) -> list[Part]:
    """The same control in two cells of one row."""
    cells = [Part("cell", children=_texts(of, record, position), record=record.uid)]
    for ordinal in (1, 2):
        control = Part("button", "Edit", truth=f"{record.uid}/Edit/{ordinal}", record=record.uid)
        cells.append(Part("cell", children=[Part("text", "access", record=record.uid), control]))
    return [_item("row", record, cells)]


def quantity(of: Collection, record: Record, position: int) -> list[Part]:
    steps = [
        Part("button", sign, truth=f"{record.uid}/{sign}", record=record.uid) for sign in ("-", "+")
    ]
    count = Part("text", record.number or "1", record=record.uid, kind="number")
    texts = [text for text in _texts(of, record, position) if text.kind != "number"]
    return [_item("listitem", record, [*texts, steps[0], count, steps[1], *_controls(of, record)])]


def wrapped(part: Part, how: str) -> Part:
    """A rendered item with a ``div`` put around all of it, its texts or its controls."""
    texts = [child for child in part.children if not child.truth]
    controls = [child for child in part.children if child.truth]
    groups = {"all": [part.children], "texts": [texts, controls], "controls": [controls]}[how]
    if how == "texts":
        divs = [Part("generic", children=group, record=part.record) for group in groups if group]
    elif how == "controls" and part.children[-len(controls) :] == controls and controls:
        divs = [*texts, Part("generic", children=controls, record=part.record)]
    else:
        divs = [Part("generic", children=part.children, record=part.record)]
    return replace(part, children=divs)


# -- records that say nothing: something else tells them apart -----------------------------------------


def _named_id(record: Record) -> str:
    return f"rec-{record.uid.translate(_LETTERS)}"


def _field(record: Record) -> Part:
    return Part("textbox", value=record.name, record=record.uid)


def _amount(record: Record) -> Part:
    return Part("spinbutton", value=record.number or "1", record=record.uid, kind="number")


def by_item_id(of: Collection, record: Record, position: int) -> list[Part]:
    return [_item("listitem", record, _controls(of, record), id=_named_id(record))]


def by_row_id(of: Collection, record: Record, position: int) -> list[Part]:
    cells = [
        Part("cell", children=[Part("text", record.number, record=record.uid, kind="number")]),
        Part("cell", children=_controls(of, record), record=record.uid),
    ]
    return [_item("row", record, cells if record.number else cells[1:], id=_named_id(record))]


def by_card_id(of: Collection, record: Record, position: int) -> list[Part]:
    picture = Part("image", record=record.uid)
    return [_item("generic", record, [picture, *_controls(of, record)], id=_named_id(record))]


def by_holder_id(of: Collection, record: Record, position: int) -> list[Part]:
    """Bare controls, each alone in an element with the record's id, which is no node."""
    return [replace(control, held_by=_named_id(record)) for control in _controls(of, record)]


def by_value(of: Collection, record: Record, position: int) -> list[Part]:
    return [_item("listitem", record, [_field(record), *_controls(of, record)])]


def by_value_and_amount(of: Collection, record: Record, position: int) -> list[Part]:
    return [_item("listitem", record, [_amount(record), _field(record), *_controls(of, record)])]


def by_value_in_card(of: Collection, record: Record, position: int) -> list[Part]:
    return [_item("generic", record, [_field(record), *_controls(of, record)])]


def by_link(of: Collection, record: Record, position: int) -> list[Part]:
    link = Part("link", "Open", truth=f"{record.uid}/open", record=record.uid, source=f"/{record.uid}")
    return [_item("listitem", record, [link, *_controls(of, record)])]


def by_picture(of: Collection, record: Record, position: int) -> list[Part]:
    picture = Part("image", record=record.uid, source=f"/{record.uid}.png")
    return [_item("listitem", record, [picture, *_controls(of, record)])]


def by_description(of: Collection, record: Record, position: int) -> list[Part]:
    controls = [replace(control, about=f"of {record.name}") for control in _controls(of, record)]
    return [_item("listitem", record, controls)]


def by_amount(of: Collection, record: Record, position: int) -> list[Part]:
    return [_item("listitem", record, [_amount(record), *_controls(of, record)])]


def by_state(of: Collection, record: Record, position: int) -> list[Part]:
    on: Checked = "true" if sum(map(ord, record.number)) % 3 == 0 else "false"
    box = Part("checkbox", record=record.uid, checked=on, kind="number")
    return [_item("listitem", record, [box, *_controls(of, record)])]


WORDLESS: dict[str, Layout] = {
    "item by id": by_item_id,
    "row by id": by_row_id,
    "card by id": by_card_id,
    "holder by id": by_holder_id,
    "item by value": by_value,
    "item by value, amount": by_value_and_amount,
    "card by value": by_value_in_card,
    "item by link": by_link,
    "item by picture": by_picture,
    "item by description": by_description,
    "item by amount": by_amount,
    "item by state": by_state,
}
"""Rows that differ only by an id, a value, a link, a description or a state."""

LAYOUTS: dict[str, Layout] = {
    "listitem": listitem,
    "listitem, control first": listitem_control_first,
    "row": row,
    "row, named cells": row_cells_named,
    "generic card": card,
    "generic card, grouped": card_grouped,
    "flat, label first": flat_label_first,
    "flat, control first": flat_control_first,
    "article": article,
    "treeitem": treeitem,
    "nested list": nested_list,
    "link row": link,
    "option": option,
    "menuitem": menuitem,
    "pressed item": pressed_item,
    "pressed card": pressed_card,
    "switches": switches,
    "two cells": two_cells,
    "quantity": quantity,
}
HOLDERS: dict[str, tuple[str, ...]] = {
    "listitem": ("list",),
    "listitem, control first": ("list",),
    "row": ("table", "grid"),
    "row, named cells": ("table", "grid"),
    "generic card": ("generic", "region"),
    "generic card, grouped": ("generic", "region"),
    "flat, label first": ("generic", "region", "group"),
    "flat, control first": ("generic", "region"),
    "article": ("feed", "region", "generic"),
    "treeitem": ("tree",),
    "nested list": ("list",),
    "link row": ("list",),
    "option": ("listbox",),
    "menuitem": ("menu",),
    "pressed item": ("list",),
    "pressed card": ("generic",),
    "switches": ("list",),
    "two cells": ("table",),
    "quantity": ("list",),
    **dict.fromkeys(WORDLESS, ("list",)),
    "row by id": ("table",),
    "card by id": ("generic", "region"),
    "holder by id": ("generic", "region"),
    "card by value": ("generic", "region"),
}
FLAT = frozenset({"flat, label first", "flat, control first"})
