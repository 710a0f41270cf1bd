"""Pins: the last publication that showed a ref is what a plain ref means."""

from __future__ import annotations

import pytest

from surefoot.mcp import Pins
from surefoot.mcp import pins as module
from surefoot.mcp.issued import Issued


def showed(generation: int, *refs: str) -> Issued:
    return Issued(generation=generation, refs=refs)


def test_a_plain_ref_is_pinned_to_the_last_publication_that_showed_it() -> None:
    pins = Pins()
    pins.remember("a", [showed(41, "e1", "e2"), showed(42, "e2")])
    assert pins.pinned("a", "@e1") == "@e1~s41"
    assert pins.pinned("a", "@e2") == "@e2~s42"


def test_publications_are_merged_and_no_publication_changes_nothing() -> None:
    pins = Pins()
    pins.remember("a", [showed(41, "e1")])
    pins.remember("a", [showed(42, "e2")])
    pins.remember("a", [])
    assert pins.pinned("a", "@e1") == "@e1~s41"


def test_sessions_do_not_share_pins() -> None:
    pins = Pins()
    pins.remember("a", [showed(41, "e1")])
    assert pins.pinned("b", "@e1") == "@e1"


@pytest.mark.parametrize("target", ["@e1~s40", "@e9", "id=e1", "@x", "e1", "@e1 ", ""])
def test_anything_but_a_plain_ref_that_was_shown_stays_as_it_is(target: str) -> None:
    pins = Pins()
    pins.remember("a", [showed(41, "e1")])
    assert pins.pinned("a", target) == target


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SESSIONS", 2)
    monkeypatch.setattr(module, "MAX_REFS", 2)
    pins = Pins()
    pins.remember("a", [showed(1, "e1")])
    pins.remember("b", [showed(2, "e1", "e2", "e3")])
    pins.remember("c", [showed(3, "e1")])
    assert pins.pinned("a", "@e1") == "@e1"
    assert pins.pinned("b", "@e1") == "@e1"
    assert pins.pinned("b", "@e3") == "@e3~s2"
    assert pins.pinned("c", "@e1") == "@e1~s3"
