"""Pins to write: bottom-up, shown before they are applied, nothing else in the text touched."""

from __future__ import annotations

import pytest
from tests.support.compositions import (
    NOWHERE,
    closure_of,
    digest_of,
    fragment,
    include,
    load,
    pinned,
    refusal,
    root,
)

from surefoot.compose import SourceEdit, fresh_call_site, propose_pins, walk_closure


def _edits(sources: dict[str, bytes], key: str = "main.ad") -> tuple[SourceEdit, ...]:
    return propose_pins(walk_closure(closure_of(sources, key)))


def _stale() -> dict[str, bytes]:
    sources = pinned(
        {
            "main.ad": root("@include mid ./mid.ad", "@include other ./other.ad"),
            "mid.ad": fragment("@include leaf ./leaf.ad"),
            "leaf.ad": fragment("press id=a"),
            "other.ad": fragment("press id=o"),
        }
    )
    return {**sources, "leaf.ad": fragment("press id=b").encode()}


def test_edits_walk_from_the_changed_leaf_upwards() -> None:
    edits = _edits(_stale())
    assert [(edit.path, [pin.call_site_id for pin in edit.pins]) for edit in edits] == [
        ("mid.ad", ["leaf"]),
        ("main.ad", ["mid"]),
    ]


def test_edits_applied_make_the_composition_current() -> None:
    sources = _stale()
    assert refusal(sources).reason == "fragment_stale"
    after = {**sources, **{edit.path: edit.after for edit in _edits(sources)}}
    assert load(after).steps[3].step.positionals == ("id=b",)
    assert _edits(after) == ()


def test_proposing_writes_nothing() -> None:
    sources = _stale()
    before = dict(sources)
    _edits(sources)
    assert sources == before


def test_diff_shows_the_old_and_the_new_pin() -> None:
    sources = _stale()
    old, new = digest_of(fragment("press id=a").encode()), digest_of(sources["leaf.ad"])
    reference = '# agent-device:fragment-ref-v1 {"callSiteId":"leaf","digest":'
    assert _edits(sources)[0].diff() == (
        "--- a/mid.ad\n+++ b/mid.ad\n@@ -4,3 +4,3 @@\n"
        ' wait "label=\\"Home\\"" 5000\n'
        f'-{reference}"{old}"}}\n'
        f'+{reference}"{new}"}}\n'
        ' include "./leaf.ad"\n'
    )


def test_include_without_a_pin_gets_a_reference_and_a_fresh_call_site() -> None:
    sources = pinned(
        {"main.ad": root("@include login ./login.ad", '  include "./login.ad"'), "login.ad": fragment()}
    )
    (edit,) = _edits(sources)
    assert [(pin.call_site_id, pin.before) for pin in edit.pins] == [("login-2", None)]
    assert edit.after == sources["main.ad"].replace(
        b'  include "./login.ad"',
        b"  "
        + include("login-2", "./login.ad", digest_of(sources["login.ad"]))
        .replace("\n", "\n  ")
        .encode(),
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_byte_order_mark_stay(end: str) -> None:
    text = "\ufeff" + root(include("a", "./a.ad", NOWHERE), 'include "./a.ad"').replace("\n", end)
    sources = {"main.ad": text.encode(), "a.ad": fragment().encode()}
    (edit,) = _edits(sources)
    digest = digest_of(sources["a.ad"])
    wanted = "\ufeff" + root(include("a", "./a.ad", digest), include("a-2", "./a.ad", digest))
    assert edit.after == wanted.replace("\n", end).encode()


def test_pin_spelled_with_escapes_is_written_plainly() -> None:
    spelled = include("a", "./a.ad", NOWHERE).replace("sha256", "\\u0073ha256")
    sources = {"main.ad": root(spelled).encode(), "a.ad": fragment().encode()}
    (edit,) = _edits(sources)
    assert edit.after == root(include("a", "./a.ad", digest_of(sources["a.ad"]))).encode()


def test_call_site_ids_stay_when_pins_change() -> None:
    for edit in _edits(_stale()):
        assert b'"callSiteId":"mid"' in edit.after or b'"callSiteId":"leaf"' in edit.after


def test_fragment_can_be_the_root_of_the_walk() -> None:
    assert [edit.path for edit in _edits(_stale(), "mid.ad")] == ["mid.ad"]


def test_current_pins_propose_nothing() -> None:
    assert _edits(pinned({"main.ad": root("@include a ./a.ad"), "a.ad": fragment()})) == ()


@pytest.mark.parametrize(
    ("locator", "taken", "fresh"),
    [
        ("./fragments/login.ad", (), "login"),
        ("./login.ad", ("login",), "login-2"),
        ("./login.ad", ("login", "login-2"), "login-3"),
        ("./sign in (new).ad", (), "sign-in-new"),
        ("./.ad", (), "include"),
        ("./" + "x" * 300, (), "x" * 64),
    ],
)
def test_fresh_call_site_is_named_after_the_file(
    locator: str, taken: tuple[str, ...], fresh: str
) -> None:
    assert fresh_call_site(locator, taken) == fresh
