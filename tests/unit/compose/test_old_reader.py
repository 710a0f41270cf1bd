"""A reader from before fragments stops at the guard, before any handler (seed 0020, rule 6)."""

from __future__ import annotations

import pytest
from tests.support.compositions import fragment, pinned, root
from tests.support.old_reader import InvalidArgs, OldReader


@pytest.mark.parametrize(
    ("name", "guard"), [("main.ad", "composition-v1"), ("login.ad", "fragment-v1")]
)
def test_guarded_artefact_stops_before_the_first_handler(name: str, guard: str) -> None:
    sources = pinned({"main.ad": root("@include login ./login.ad"), "login.ad": fragment("press id=a")})
    reader = OldReader()
    with pytest.raises(InvalidArgs, match=guard):
        reader.replay(sources[name].decode())
    assert reader.handled == []


def test_planted_artefact_without_its_guard_would_have_opened_the_app() -> None:
    """What the guard is for: the same composition without it runs a prefix on the old reader."""
    text = pinned({"main.ad": root("@include login ./login.ad"), "login.ad": fragment()})["main.ad"]
    reader = OldReader()
    with pytest.raises(InvalidArgs, match="include"):
        reader.replay(text.decode().removeprefix("composition-v1\n"))
    assert [action.command for action in reader.handled] == ["open"]


def test_unguarded_legacy_prefix_runs_on_the_old_reader_and_is_out_of_scope() -> None:
    """Kept as behaviour of old scripts; no evidence for guarded ones."""
    reader = OldReader()
    with pytest.raises(InvalidArgs, match="teleport"):
        reader.replay('open "shop"\npress "id=a"\nteleport "x"\n')
    assert [action.command for action in reader.handled] == ["open", "press"]


def test_flat_script_of_today_still_runs_on_the_old_reader() -> None:
    reader = OldReader()
    reader.replay('context platform=web target=desktop\nopen "shop"\nclick "id=a"\nclose\n')
    assert [action.command for action in reader.handled] == ["open", "click", "close"]
