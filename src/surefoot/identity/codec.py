"""Evidence to and from its one-line JSON payload (seed 0012, decision 3; identity.md 1 and 7).

The shape of every object is a table of fields in canonical order; one loop reads by it, one loop
writes by it and one loop projects the digest-bound part. Known fields are read in any order, unknown
fields are kept, a known field of the wrong type or over its bound is ``INVALID_ARGS`` with
``details`` ``{reason, annotation, field}``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
import rfc8785

from surefoot.errors import SurefootError, invalid_args
from surefoot.identity.model import (
    Ancestor,
    Evidence,
    Extra,
    ItemEvidence,
    ItemKey,
    RecordedRect,
    RecordEvidence,
    RegionKey,
    Signs,
    TargetEvidence,
    TargetsEvidence,
)
from surefoot.text import normalize_id, truncate_utf8, utf8_length

MAX_STRING_BYTES: Final = 256
MAX_TARGET_BYTES: Final = 4096
MAX_TARGETS_BYTES: Final = 8320
MAX_ANCESTRY: Final = 8
MAX_ITEM_KEYS: Final = 2
MAX_SIGNS: Final = 12
"""At most so many signs of one record are written (signs.py)."""
MAX_NESTING: Final = 64
MAX_SAFE_INTEGER: Final = 2**53 - 1

INVALID: Final = "annotation_invalid"
TOO_LARGE: Final = "annotation_too_large"

Json = Any  # a decoded JSON value, inside this module only


def stringify(value: str) -> str:
    """A string as ``JSON.stringify`` spells it: non-ASCII raw, control characters escaped."""
    return json.dumps(value, ensure_ascii=False)


class EvidenceReader:
    """The checks of one annotation. ``annotation`` is its name, used in messages."""

    def __init__(self, annotation: str) -> None:
        self.annotation = annotation

    def fail(self, field: str | None, problem: str, reason: str = INVALID) -> SurefootError:
        """The error to raise; ``field`` None speaks of the annotation as a whole."""
        what = f'{self.annotation} "{field}" {problem}' if field else f"{self.annotation} {problem}"
        details = {"reason": reason, "annotation": self.annotation}
        return invalid_args(f"{what}.", **details, **({"field": field} if field else {}))

    def object(self, value: Json, field: str | None) -> dict[str, Json]:
        if not isinstance(value, dict):
            noun = "must be an object" if field else "annotation must be a JSON object"
            raise self.fail(field, noun)
        return value

    def array(self, value: Json, field: str) -> list[Json]:
        if not isinstance(value, list):
            raise self.fail(field, "must be an array")
        return value

    def text(self, value: Json, field: str) -> str:
        if not isinstance(value, str):
            raise self.fail(field, "must be a string")
        text = normalize_id(value)
        if utf8_length(text) > MAX_STRING_BYTES:
            raise self.fail(field, f"exceeds the {MAX_STRING_BYTES}-byte field cap")
        return text

    def label(self, value: Json, field: str) -> str | None:
        """A string whose empty form means absent."""
        return self.text(value, field) or None

    def required_label(self, value: Json, field: str) -> str:
        text = self.text(value, field)
        if not text:
            raise self.fail(field, "must not be empty")
        return text

    def ordinal(self, value: Json, field: str) -> int:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole or not 0 <= value <= MAX_SAFE_INTEGER:
            raise self.fail(field, "must be a non-negative integer")
        return int(value)

    def count(self, value: Json, field: str) -> int:
        number = self.ordinal(value, field)
        if number < 1:
            raise self.fail(field, "must be at least 1")
        return number

    def finite(self, value: Json, field: str) -> float:
        problem = "must be a finite number"
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fail(field, problem)
        try:
            return float(value)
        except OverflowError:
            raise self.fail(field, problem) from None

    def verification(self, value: Json, field: str) -> str:
        if value == "verified" or value == "unverifiable":
            return str(value)
        raise self.fail(field, 'must be "verified" or "unverifiable"')

    def ancestry(self, value: Json, field: str) -> tuple[Ancestor, ...]:
        entries = self.array(value, field)
        if len(entries) > MAX_ANCESTRY:
            raise self.fail(field, f"exceeds the {MAX_ANCESTRY}-entry cap")
        return tuple(
            Ancestor(**self.entry(ANCESTOR, entry, f"{field}[{at}]"))
            for at, entry in enumerate(entries)
        )

    def entry(self, shape: Shape, value: Json, field: str) -> dict[str, Any]:
        """A nested object by its table, as struct arguments."""
        return read_fields(self, shape, self.object(value, field), f"{field}.")

    def region(self, value: Json, field: str) -> RegionKey:
        return RegionKey(**self.entry(REGION, value, field))

    def rect(self, value: Json, field: str) -> RecordedRect:
        return RecordedRect(**self.entry(RECT, value, field))

    def item(self, value: Json, field: str) -> ItemEvidence:
        return ItemEvidence(**self.entry(ITEM, value, field))

    def keys(self, value: Json, field: str) -> tuple[ItemKey, ...]:
        entries = self.array(value, field)
        if not 1 <= len(entries) <= MAX_ITEM_KEYS:
            raise self.fail(field, f"must hold 1 to {MAX_ITEM_KEYS} entries")
        return tuple(
            ItemKey(**self.entry(KEY, entry, f"{field}[{at}]")) for at, entry in enumerate(entries)
        )

    def between(self, value: Json, field: str) -> tuple[str | None, str | None]:
        before, after = (
            None if label is None else self.label(label, f"{field}[{at}]")
            for at, label in enumerate(self.pair(value, field))
        )
        return before, after

    def record(self, value: Json, field: str) -> RecordEvidence:
        return RecordEvidence(**self.entry(RECORD, value, field))

    def signs(self, value: Json, field: str) -> Signs:
        entries = self.array(value, field)
        if len(entries) > MAX_SIGNS:
            raise self.fail(field, f"exceeds the {MAX_SIGNS}-entry cap")
        return tuple(self.required_label(entry, f"{field}[{at}]") for at, entry in enumerate(entries))

    def beside(self, value: Json, field: str) -> tuple[Signs | None, Signs | None]:
        before, after = (
            None if signs is None else self.signs(signs, f"{field}[{at}]")
            for at, signs in enumerate(self.pair(value, field))
        )
        return before, after

    def pair(self, value: Json, field: str) -> list[Json]:
        entries = self.array(value, field)
        if len(entries) != 2:
            raise self.fail(field, "must hold exactly two entries")
        return entries

    def target(self, value: Json, field: str | None = None) -> TargetEvidence:
        body = self.object(value, field)
        return TargetEvidence(**read_fields(self, TARGET, body, f"{field}." if field else ""))


class Field(NamedTuple):
    """One field of an evidence object: JSON name, struct attribute, reader, and what holds of it."""

    name: str
    attribute: str
    read: Callable[[EvidenceReader, Json, str], object]
    required: bool = False
    bound: bool = True


def _field(
    name: str,
    read: Callable[[EvidenceReader, Json, str], object],
    attribute: str | None = None,
    *,
    required: bool = False,
    bound: bool = True,
) -> Field:
    return Field(name, attribute or name, read, required, bound)


Shape = tuple[Field, ...]
_R = EvidenceReader

ANCESTOR: Final[Shape] = (_field("role", _R.text, required=True), _field("label", _R.label))
REGION: Final[Shape] = (
    _field("role", _R.text, required=True),
    _field("id", _R.label),
    _field("label", _R.label),
)
KEY: Final[Shape] = (
    _field("role", _R.text, required=True),
    _field("label", _R.required_label, required=True),
)
ITEM: Final[Shape] = (
    _field("of", _R.required_label, required=True),
    _field("up", _R.count),
    _field("keys", _R.keys, required=True),
)
RECORD: Final[Shape] = (
    _field("of", _R.label),
    _field("up", _R.ordinal),
    _field("shared", _R.count),
    _field("signs", _R.signs, required=True),
    _field("beside", _R.beside),
)
RECT: Final[Shape] = tuple(
    _field(side, _R.finite, required=True) for side in ("x", "y", "width", "height")
)
TARGET: Final[Shape] = (
    _field("id", _R.label),
    _field("role", _R.text, required=True),
    _field("label", _R.label),
    _field("ancestry", _R.ancestry),
    _field("sibling", _R.ordinal),
    _field("viewportOrder", _R.ordinal, "viewport_order"),
    _field("scrollRegion", _R.region, "scroll_region"),
    _field("item", _R.item),
    _field("between", _R.between),
    _field("section", _R.label),
    _field("record", _R.record),
    _field("peers", _R.count),
    _field("nth", _R.ordinal),
    _field("screen", _R.label, bound=False),
    _field("rect", _R.rect, bound=False),
    _field("verification", _R.verification, required=True),
)
SHAPES: Final[Mapping[type, Shape]] = {
    Ancestor: ANCESTOR,
    RegionKey: REGION,
    ItemKey: KEY,
    ItemEvidence: ITEM,
    RecordEvidence: RECORD,
    RecordedRect: RECT,
    TargetEvidence: TARGET,
    TargetsEvidence: (_field("source", _R.target), _field("destination", _R.target)),
}
_NAMES: Final = {id(shape): frozenset(field.name for field in shape) for shape in SHAPES.values()}


def read_fields(
    reader: EvidenceReader, shape: Shape, body: dict[str, Json], prefix: str
) -> dict[str, Any]:
    """The struct arguments for one object: known fields checked, the rest kept as ``extra``."""
    values: dict[str, Any] = {}
    for field in shape:
        if field.name in body:
            values[field.attribute] = field.read(reader, body[field.name], prefix + field.name)
        elif field.required:
            if field.name == "verification":
                raise reader.fail(prefix + field.name, 'must be "verified" or "unverifiable"')
            raise reader.fail(prefix + field.name, "is required")
    if len(values) != len(body):
        known = _NAMES[id(shape)]
        values["extra"] = tuple((name, _js(value)) for name, value in body.items() if name not in known)
    return values


def _decode(reader: EvidenceReader, payload: str, limit: int) -> Json:
    if utf8_length(payload) > limit:
        raise reader.fail(None, f"annotation exceeds the {limit}-byte payload cap", TOO_LARGE)
    try:
        return read_json(payload)
    except RepeatedKey as error:
        raise reader.fail(None, f'annotation says "{error}" twice') from None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise reader.fail(None, "annotation is not valid JSON") from None


class RepeatedKey(Exception):
    """An object names a key twice, so that its readers may disagree about it."""


def read_json(payload: str) -> Json:
    """A payload's JSON value; no object in it names a key twice.

    Raises ``msgspec.DecodeError``, ``RecursionError``, ``UnicodeError``, :class:`RepeatedKey`.
    """
    value = msgspec.json.decode(payload)
    json.loads(payload, object_pairs_hook=_refuse_repeated)
    return value


def _refuse_repeated(pairs: list[tuple[str, Json]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise RepeatedKey(key)
        seen.add(key)


def parse_target(payload: str) -> TargetEvidence:
    """The evidence in a ``target-v1`` payload; ``INVALID_ARGS`` when it is malformed or too large."""
    reader = EvidenceReader("target-v1")
    try:
        return reader.target(_decode(reader, payload, MAX_TARGET_BYTES))
    except RecursionError:
        raise reader.fail(None, "annotation is nested too deeply") from None


def parse_targets(payload: str) -> TargetsEvidence:
    """The evidence in a ``targets-v1`` payload (at most 8,320 bytes); ``INVALID_ARGS`` as above."""
    reader = EvidenceReader("targets-v1")
    try:
        body = reader.object(_decode(reader, payload, MAX_TARGETS_BYTES), None)
        if "source" not in body or "destination" not in body:
            raise reader.fail(None, "annotation requires source and destination evidence")
        for endpoint in ("source", "destination"):
            if utf8_length(_js(body[endpoint])) > MAX_TARGET_BYTES:
                raise reader.fail(
                    endpoint, f"exceeds the {MAX_TARGET_BYTES}-byte payload cap", TOO_LARGE
                )
        return TargetsEvidence(**read_fields(reader, SHAPES[TargetsEvidence], body, ""))
    except RecursionError:
        raise reader.fail(None, "annotation is nested too deeply") from None


def _number(value: float) -> str:
    """A number as JavaScript prints it; integers past its safe range keep their digits."""
    if isinstance(value, int):
        return str(value)
    return rfc8785.dumps(value).decode()


def _js(value: object, depth: int = 0) -> str:
    """Any decoded JSON value, or evidence struct, as ``JSON.stringify`` would print it."""
    if depth > MAX_NESTING:
        raise RecursionError
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return stringify(value)
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list | tuple):
        return f"[{','.join(_js(inner, depth + 1) for inner in value)}]"
    if isinstance(value, dict):
        inside = (f"{stringify(str(key))}:{_js(inner, depth + 1)}" for key, inner in value.items())
        return f"{{{','.join(inside)}}}"
    return _write(value)


def _write(value: object) -> str:
    parts = [
        f'"{field.name}":{_field_text(inner)}'
        for field in SHAPES[type(value)]
        if (inner := getattr(value, field.attribute)) is not None and (inner != "" or field.required)
    ]
    extra: Extra = getattr(value, "extra", ())
    parts += [f"{stringify(name)}:{text}" for name, text in extra]
    return f"{{{','.join(parts)}}}"


def _field_text(value: object) -> str:
    """A field as its reader will take it: strings NFC and within their bound, no empty neighbour."""
    if isinstance(value, str):
        return stringify(truncate_utf8(normalize_id(value), MAX_STRING_BYTES))
    if isinstance(value, tuple):
        return f"[{','.join('null' if inner in (None, '') else _field_text(inner) for inner in value)}]"
    return _js(value)


_WORTHLESS_UNVERIFIED: Final = (
    "ancestry",
    "scroll_region",
    "record",
    "item",
    "between",
    "section",
    "label",
    "id",
)
"""Dropped one by one from evidence that can no longer verify, until it fits."""


def reduce_target(target: TargetEvidence) -> TargetEvidence:
    """The evidence as it will be written: the same when it fits 4 KiB, else reduced in fixed order.

    Drops ``rect``, then ``screen``, then ancestry from the root side; the parent always stays, and
    so does all that is compared (identity.md 7). What does not fit even so is downgraded to
    ``unverifiable``: nothing of it is compared any more, so fields of other writers and then its own go
    until it fits. The self-check must run on what this returns.
    """
    if _fits(target):
        return target
    replace = msgspec.structs.replace
    for diagnostic in ("rect", "screen"):
        target = replace(target, **{diagnostic: None})
        if _fits(target):
            return target
    while len(target.ancestry) > 1:
        target = replace(target, ancestry=target.ancestry[:-1])
        if _fits(target):
            return target
    target = replace(target, extra=(), verification="unverifiable")
    for attribute in _WORTHLESS_UNVERIFIED:
        if _fits(target):
            break
        target = replace(target, **{attribute: () if attribute == "ancestry" else None})
    return target


def _fits(target: TargetEvidence) -> bool:
    return utf8_length(_write(target)) <= MAX_TARGET_BYTES


def write_evidence(evidence: Evidence) -> str:
    """The canonical one-line payload, reduced where it would pass its bound."""
    if isinstance(evidence, TargetEvidence):
        return _write(reduce_target(evidence))
    reduced = msgspec.structs.replace(
        evidence,
        source=reduce_target(evidence.source),
        destination=reduce_target(evidence.destination),
    )
    payload = _write(reduced)
    if utf8_length(payload) > MAX_TARGETS_BYTES:
        payload = _write(msgspec.structs.replace(reduced, extra=()))
    return payload


def bound_fields(evidence: Evidence) -> dict[str, object]:
    """The part of the evidence a digest binds, as JSON values: every known field that verification
    reads, so not ``rect``, not ``screen``, nothing of other writers (identity.md 7)."""
    fields: dict[str, object] = {}
    for field in SHAPES[type(evidence)]:
        value = getattr(evidence, field.attribute)
        if field.bound and value is not None:
            fields[field.name] = _bound(value)
    return fields


def _bound(value: Any) -> object:
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple):
        return [None if entry is None else _bound(entry) for entry in value]
    return bound_fields(value)
