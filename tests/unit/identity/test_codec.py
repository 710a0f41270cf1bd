"""Evidence payloads: what is read, what is refused, how it is written (seed 0012, decision 3)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from surefoot.errors import ErrorCode, SurefootError
from surefoot.identity import (
    MAX_TARGET_BYTES,
    Ancestor,
    ItemEvidence,
    ItemKey,
    RecordedRect,
    RecordEvidence,
    RegionKey,
    TargetEvidence,
    TargetsEvidence,
    bound_fields,
    parse_target,
    parse_targets,
    reduce_target,
    write_evidence,
)

FULL = TargetEvidence(
    id="save",
    role="button",
    label="Save",
    ancestry=(Ancestor(role="toolbar", label="Editor"), Ancestor(role="window")),
    sibling=0,
    viewport_order=2,
    scroll_region=RegionKey(role="scrollview", id="editor-scroll"),
    item=ItemEvidence(of="listitem", up=2, keys=(ItemKey(role="heading", label="Red shoes"),)),
    between=("Subtotal", None),
    section="Basket",
    record=RecordEvidence(of="listitem", signs=("state:0a",), beside=(("state:0b", "id:0c"), None)),
    peers=3,
    nth=1,
    screen="Shop",
    rect=RecordedRect(x=41, y=101.875, width=600, height=34),
    verification="verified",
)
FULL_TEXT = (
    '{"id":"save","role":"button","label":"Save",'
    '"ancestry":[{"role":"toolbar","label":"Editor"},{"role":"window"}],'
    '"sibling":0,"viewportOrder":2,"scrollRegion":{"role":"scrollview","id":"editor-scroll"},'
    '"item":{"of":"listitem","up":2,"keys":[{"role":"heading","label":"Red shoes"}]},'
    '"between":["Subtotal",null],"section":"Basket",'
    '"record":{"of":"listitem","signs":["state:0a"],"beside":[["state:0b","id:0c"],null]},'
    '"peers":3,"nth":1,"screen":"Shop",'
    '"rect":{"x":41,"y":101.875,"width":600,"height":34},"verification":"verified"}'
)
MINIMAL = '{"role":"button","verification":"verified"}'


def _with(**fields: Any) -> str:
    return json.dumps({"role": "button", "verification": "verified", **fields}, ensure_ascii=False)


def test_every_field_is_written_in_canonical_order() -> None:
    assert write_evidence(FULL) == FULL_TEXT


def test_every_field_is_read_back() -> None:
    assert parse_target(FULL_TEXT) == FULL


def test_fields_are_read_in_any_order() -> None:
    reversed_text = json.dumps(dict(reversed(json.loads(FULL_TEXT).items())))
    assert parse_target(reversed_text) == FULL


def test_minimal_payload_is_written_with_its_empty_ancestry() -> None:
    assert write_evidence(parse_target(MINIMAL)) == (
        '{"role":"button","ancestry":[],"verification":"verified"}'
    )


def test_unknown_fields_are_kept_behind_the_known_ones() -> None:
    text = (
        '{"zzz": {"b": 1.0, "a": [1, null, true]}, "role": "button",'
        ' "ancestry": [{"role": "x", "why": "y"}], "verification": "verified"}'
    )
    assert write_evidence(parse_target(text)) == (
        '{"role":"button","ancestry":[{"role":"x","why":"y"}],"verification":"verified",'
        '"zzz":{"b":1,"a":[1,null,true]}}'
    )


def test_strings_become_nfc() -> None:
    assert parse_target(_with(label="Cafe\u0301")).label == "Caf\u00e9"


def test_empty_string_means_absent() -> None:
    assert parse_target(_with(label="", id="")) == parse_target(MINIMAL)


def test_non_ascii_is_written_raw_and_controls_escaped() -> None:
    evidence = TargetEvidence(role="button", label='ü "q" \\ \n\x01', verification="verified")
    assert write_evidence(evidence) == (
        '{"role":"button","label":"ü \\"q\\" \\\\ \\n\\u0001","ancestry":[],"verification":"verified"}'
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (41.0, "41"),
        (52.390625, "52.390625"),
        (-0.0, "0"),
        (-3.5, "-3.5"),
        (1e21, "1e+21"),
        (1e16, "10000000000000000"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
    ],
)
def test_numbers_are_written_as_javascript_prints_them(value: float, text: str) -> None:
    rect = RecordedRect(x=value, y=0, width=1, height=1)
    written = write_evidence(TargetEvidence(role="b", rect=rect, verification="verified"))
    assert f'"rect":{{"x":{text},"y":0,"width":1,"height":1}}' in written


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        ("", "target-v1 annotation is not valid JSON."),
        ("{", "target-v1 annotation is not valid JSON."),
        ("NaN", "target-v1 annotation is not valid JSON."),
        ("[" * 2000, "target-v1 annotation is not valid JSON."),
        ('"x"', "target-v1 annotation must be a JSON object."),
        (r'{"role":"\ud800","verification":"verified"}', "target-v1 annotation is not valid JSON."),
        ('{"verification":"verified"}', 'target-v1 "role" is required.'),
        (
            '{"role":"b"}',
            'target-v1 "verification" must be "verified" or "unverifiable".',
        ),
        (_with(role=1), 'target-v1 "role" must be a string.'),
        (_with(id=None), 'target-v1 "id" must be a string.'),
        (_with(label=["x"]), 'target-v1 "label" must be a string.'),
        (_with(label="ü" * 129), 'target-v1 "label" exceeds the 256-byte field cap.'),
        (_with(ancestry=[{"label": "x"}]), 'target-v1 "ancestry[0].role" is required.'),
        (_with(ancestry=["x"]), 'target-v1 "ancestry[0]" must be an object.'),
        (_with(sibling=True), 'target-v1 "sibling" must be a non-negative integer.'),
        (_with(sibling="0"), 'target-v1 "sibling" must be a non-negative integer.'),
        (_with(viewportOrder=2**53), 'target-v1 "viewportOrder" must be a non-negative integer.'),
        (_with(scrollRegion="x"), 'target-v1 "scrollRegion" must be an object.'),
        (_with(scrollRegion={"id": "x"}), 'target-v1 "scrollRegion.role" is required.'),
        (_with(item={"keys": []}), 'target-v1 "item.of" is required.'),
        (_with(item={"of": "row"}), 'target-v1 "item.keys" is required.'),
        (_with(item={"of": "row", "keys": []}), 'target-v1 "item.keys" must hold 1 to 2 entries.'),
        (
            _with(item={"of": "row", "keys": [{"role": "x", "label": ""}]}),
            'target-v1 "item.keys[0].label" must not be empty.',
        ),
        (
            _with(item={"of": "row", "up": 0, "keys": [{"role": "x", "label": "y"}]}),
            'target-v1 "item.up" must be at least 1.',
        ),
        (_with(between=["a"]), 'target-v1 "between" must hold exactly two entries.'),
        (_with(between=["a", 1]), 'target-v1 "between[1]" must be a string.'),
        (_with(record={"of": "row"}), 'target-v1 "record.signs" is required.'),
        (_with(record={"signs": [1]}), 'target-v1 "record.signs[0]" must be a string.'),
        (_with(record={"signs": ["x"] * 13}), 'target-v1 "record.signs" exceeds the 12-entry cap.'),
        (
            _with(record={"signs": [], "up": -1}),
            'target-v1 "record.up" must be a non-negative integer.',
        ),
        (
            _with(record={"signs": [], "beside": [["x"]]}),
            'target-v1 "record.beside" must hold exactly two entries.',
        ),
        (
            _with(record={"signs": [], "beside": [1, None]}),
            'target-v1 "record.beside[0]" must be an array.',
        ),
        (_with(peers=0), 'target-v1 "peers" must be at least 1.'),
        (_with(nth=-1), 'target-v1 "nth" must be a non-negative integer.'),
        (_with(screen={}), 'target-v1 "screen" must be a string.'),
        (_with(rect={"x": 1, "y": 1, "width": 1}), 'target-v1 "rect.height" is required.'),
        (_with(rect={"x": True}), 'target-v1 "rect.x" must be a finite number.'),
        (_with(rect={"x": 10**400}), 'target-v1 "rect.x" must be a finite number.'),
        (_with(pad="x" * MAX_TARGET_BYTES), "target-v1 annotation exceeds the 4096-byte payload cap."),
    ],
)
def test_malformed_payload_is_refused(payload: str, says: str) -> None:
    with pytest.raises(SurefootError) as refusal:
        parse_target(payload)
    assert refusal.value.code is ErrorCode.INVALID_ARGS
    assert refusal.value.message == says
    assert refusal.value.details["annotation"] == "target-v1"


@pytest.mark.parametrize("depth", [66, 900, 2000])
def test_unknown_field_nested_too_deeply_is_refused(depth: int) -> None:
    with pytest.raises(SurefootError) as refusal:
        parse_target(f'{{"role":"b","verification":"verified","deep":{"[" * depth}{"]" * depth}}}')
    assert refusal.value.reason == "annotation_invalid"


def test_label_of_exactly_256_bytes_is_read() -> None:
    assert parse_target(_with(label="ü" * 128)).label == "ü" * 128


def test_two_targets_are_read_and_written() -> None:
    targets = TargetsEvidence(source=FULL, destination=parse_target(MINIMAL))
    text = f'{{"source":{FULL_TEXT},"destination":{write_evidence(parse_target(MINIMAL))}}}'
    assert write_evidence(targets) == text
    assert parse_targets(text) == targets


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        ("{}", "targets-v1 annotation requires source and destination evidence."),
        (
            f'{{"source":{MINIMAL},"destination":{{"role":"x"}}}}',
            'targets-v1 "destination.verification" must be "verified" or "unverifiable".',
        ),
        (
            f'{{"source":{_with(pad="x" * 4096)},"destination":{MINIMAL}}}',
            'targets-v1 "source" exceeds the 4096-byte payload cap.',
        ),
        (
            f'{{"source":{MINIMAL},"destination":{MINIMAL},"pad":"{"x" * 8320}"}}',
            "targets-v1 annotation exceeds the 8320-byte payload cap.",
        ),
    ],
)
def test_malformed_pair_is_refused(payload: str, says: str) -> None:
    with pytest.raises(SurefootError) as refusal:
        parse_targets(payload)
    assert refusal.value.message == says


def _heavy(**fields: Any) -> TargetEvidence:
    """Every ancestry entry about 530 bytes: eight of them alone pass 4 KiB."""
    ancestry = tuple(Ancestor(role="r" * 250, label=f"{at}" * 250) for at in range(8))
    return TargetEvidence(
        role="button", label="x", ancestry=ancestry, verification="verified", **fields
    )


def test_evidence_that_fits_is_not_reduced() -> None:
    assert reduce_target(FULL) is FULL


def test_reduction_drops_rect_first() -> None:
    target = TargetEvidence(
        role="b",
        screen="s" * 256,
        rect=RecordedRect(x=1, y=1, width=1, height=1),
        verification="verified",
        extra=(("pad", f'"{"p" * 3740}"'),),
    )
    reduced = reduce_target(target)
    assert (reduced.rect, reduced.screen, reduced.verification) == (None, "s" * 256, "verified")


def test_reduction_drops_screen_before_ancestry() -> None:
    target = TargetEvidence(
        role="b",
        ancestry=(Ancestor(role="main"), Ancestor(role="window")),
        screen="s" * 256,
        rect=RecordedRect(x=1, y=1, width=1, height=1),
        verification="verified",
        extra=(("pad", f'"{"p" * 3900}"'),),
    )
    reduced = reduce_target(target)
    assert (reduced.rect, reduced.screen, len(reduced.ancestry)) == (None, None, 2)


def test_reduction_drops_ancestry_from_the_root_side_and_keeps_context() -> None:
    item = ItemEvidence(of="row", keys=(ItemKey(role="cell", label="k" * 200),))
    reduced = reduce_target(_heavy(item=item, between=("a", "b"), section="s", peers=2, nth=0))
    assert [entry.label for entry in reduced.ancestry] == [f"{at}" * 250 for at in range(7)]
    assert (reduced.item, reduced.between, reduced.section) == (item, ("a", "b"), "s")
    assert (reduced.peers, reduced.nth, reduced.verification) == (2, 0, "verified")


def test_what_can_never_fit_is_downgraded_and_still_reads_back() -> None:
    escaped = "\x01" * 256
    target = TargetEvidence(
        role="button",
        id=escaped,
        label=escaped,
        ancestry=(Ancestor(role=escaped, label=escaped),),
        item=ItemEvidence(of=escaped, keys=(ItemKey(role=escaped, label=escaped),) * 2),
        verification="verified",
    )
    payload = write_evidence(target)
    assert len(payload.encode()) <= MAX_TARGET_BYTES
    assert parse_target(payload).verification == "unverifiable"


def test_digest_binds_every_known_field_but_rect_and_screen() -> None:
    assert bound_fields(FULL) == {
        "id": "save",
        "role": "button",
        "label": "Save",
        "ancestry": [{"role": "toolbar", "label": "Editor"}, {"role": "window"}],
        "sibling": 0,
        "viewportOrder": 2,
        "scrollRegion": {"role": "scrollview", "id": "editor-scroll"},
        "item": {"of": "listitem", "up": 2, "keys": [{"role": "heading", "label": "Red shoes"}]},
        "between": ["Subtotal", None],
        "section": "Basket",
        "record": {
            "of": "listitem",
            "signs": ["state:0a"],
            "beside": [["state:0b", "id:0c"], None],
        },
        "peers": 3,
        "nth": 1,
        "verification": "verified",
    }


def test_digest_binds_nothing_of_other_writers() -> None:
    assert bound_fields(parse_target(_with(zzz=1))) == bound_fields(parse_target(MINIMAL))
