"""``fragment``: digest, graph, verify, pin over the caller's own files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support.commands_room import Room
from tests.support.compositions import NOWHERE, fragment, include, root

from surefoot.commands import SCRIPT_GRAMMAR
from surefoot.compose import fragment_identity, read_unit
from surefoot.errors import SurefootError


def digest_of(text: str) -> str:
    unit = read_unit(text.encode(), "a.ad", SCRIPT_GRAMMAR, SCRIPT_GRAMMAR.is_fragment_safe)
    return fragment_identity(unit).digest


@pytest.fixture
def room(tmp_path: Path) -> Room:
    (tmp_path / ".git").mkdir()
    return Room(tmp_path)


def write(room: Room, **texts: str) -> None:
    for name, text in texts.items():
        (room.directory / f"{name}.ad").write_text(text, encoding="utf-8")


def flow(room: Room, **texts: str) -> None:
    """A root over mid over leaf, every pin current, then the texts given."""
    leaf = fragment('press "id=a"')
    mid = fragment(include("leaf", "./leaf.ad", digest_of(leaf)))
    main = root(include("mid", "./mid.ad", digest_of(mid)))
    write(room, **{"main": main, "mid": mid, "leaf": leaf, **texts})


async def refusal(room: Room, *argv: str) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        await room.do(*argv)
    return caught.value


async def test_digest_of_a_fragment_is_its_own(room: Room) -> None:
    flow(room, leaf=fragment('press "id=other"'))
    data = await room.do("fragment", "digest", "mid.ad")
    assert (data.path, data.kind) == ("mid.ad", "fragment")
    assert data.digest == digest_of((room.directory / "mid.ad").read_text())
    assert [(one.call_site_id, one.locator) for one in data.children] == [("leaf", "./leaf.ad")]


async def test_digest_of_a_composition_needs_current_pins(room: Room) -> None:
    flow(room)
    data = await room.do("fragment", "digest", "main.ad")
    assert (data.kind, data.digest[:7]) == ("composition", "sha256:")
    flow(room, leaf=fragment('press "id=other"'))
    assert (await refusal(room, "fragment", "digest", "main.ad")).reason == "fragment_stale"


async def test_digest_of_what_is_no_sound_fragment_is_refused(room: Room) -> None:
    write(room, opens=fragment('open "shop"'))
    assert (await refusal(room, "fragment", "digest", "opens.ad")).reason == "fragment_lifecycle"


async def test_flat_script_has_no_fragments(room: Room) -> None:
    write(room, flat='open "shop"\nclose\n')
    for word in ("digest", "graph", "verify", "pin"):
        assert (await refusal(room, "fragment", word, "flat.ad")).reason == "not_composed"


async def test_verify_tells_what_a_replay_would_run(room: Room) -> None:
    leaf = fragment('fill "id=u" "${USER}"')
    flow(room, leaf=leaf, mid=fragment(include("leaf", "./leaf.ad", digest_of(leaf))))
    await room.do("fragment", "pin", "main.ad", "--write")
    data = await room.do("fragment", "verify", "main.ad")
    assert (data.kind, data.sources, data.steps, data.variables) == ("composition", 3, 5, ("USER",))


async def test_verify_names_every_violation_with_the_first(room: Room) -> None:
    flow(room, leaf=fragment('open "shop"'), mid=fragment(include("x", "./gone.ad")))
    error = await refusal(room, "fragment", "verify", "main.ad")
    assert error.reason == "fragment_missing"
    assert [one["reason"] for one in error.details["violations"]] == [
        "fragment_missing",
        "fragment_stale",
    ]


async def test_graph_shows_stale_pins_in_text_json_and_mermaid(room: Room) -> None:
    flow(room, leaf=fragment('press "id=other"'))
    data = await room.do("fragment", "graph", "main.ad")
    assert [(edge.source, edge.state) for edge in data.edges] == [
        ("main.ad", "current"),
        ("mid.ad", "stale"),
    ]
    assert data.stale == ("mid.ad", "main.ad")
    assert "! stale, pinned" in await room.text("fragment", "graph", "main.ad")
    assert "-.->" in await room.text("fragment", "graph", "main.ad", "--mermaid")


async def test_graph_of_a_broken_composition_is_drawn(room: Room) -> None:
    flow(room, main=root(include("x", "./gone.ad")))
    data = await room.do("fragment", "graph", "main.ad")
    assert [edge.state for edge in data.edges] == ["missing"]


async def test_pin_shows_the_edits_and_writes_nothing(room: Room) -> None:
    flow(room, leaf=fragment('press "id=other"'))
    before = {path.name: path.read_bytes() for path in room.directory.glob("*.ad")}
    data = await room.do("fragment", "pin", "main.ad")
    assert ([file.path for file in data.files], data.written) == (["mid.ad", "main.ad"], False)
    assert data.files[0].diff.startswith("--- a/mid.ad\n+++ b/mid.ad\n")
    assert {path.name: path.read_bytes() for path in room.directory.glob("*.ad")} == before


async def test_pin_write_makes_every_pin_current(room: Room) -> None:
    flow(room, leaf=fragment('press "id=other"'))
    data = await room.do("fragment", "pin", "main.ad", "--write")
    assert data.written is True
    assert (await room.do("fragment", "verify", "main.ad")).sources == 3
    assert (await room.do("fragment", "pin", "main.ad", "--write")).files == ()


async def test_pin_refuses_what_no_pin_repairs(room: Room) -> None:
    flow(room, leaf=fragment('open "shop"'))
    error = await refusal(room, "fragment", "pin", "main.ad", "--write")
    assert error.reason == "fragment_lifecycle"
    assert NOWHERE not in (room.directory / "main.ad").read_text()


async def test_include_outside_the_worktree_is_refused(room: Room, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.ad"
    outside.write_text(fragment())
    flow(room, main=root(include("x", f"../{outside.name}")))
    details = (await refusal(room, "fragment", "verify", "main.ad")).details
    assert (details["reason"], details["problem"]) == ("fragment_missing", "outside_root")


async def test_link_that_leads_out_of_the_worktree_is_refused(room: Room, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-linked"
    outside.mkdir()
    (outside / "a.ad").write_text(fragment())
    (tmp_path / "away").symlink_to(outside)
    flow(room, main=root(include("x", "./away/a.ad", digest_of(fragment()))))
    details = (await refusal(room, "fragment", "verify", "main.ad")).details
    assert (details["reason"], details["problem"]) == ("fragment_missing", "outside_root")


async def test_link_inside_the_worktree_is_the_file_it_leads_to(room: Room, tmp_path: Path) -> None:
    leaf = fragment()
    write(room, leaf=leaf)
    (tmp_path / "alias.ad").symlink_to("leaf.ad")
    pins = digest_of(leaf)
    write(room, main=root(include("a", "./leaf.ad", pins), include("b", "./alias.ad", pins)))
    assert (await room.do("fragment", "verify", "main.ad")).sources == 2


async def test_link_to_the_including_fragment_is_a_cycle(room: Room, tmp_path: Path) -> None:
    (tmp_path / "alias.ad").symlink_to("leaf.ad")
    leaf = fragment(include("me", "./alias.ad"))
    write(room, leaf=leaf, main=root(include("a", "./leaf.ad", digest_of(leaf))))
    assert (await refusal(room, "fragment", "verify", "main.ad")).reason == "fragment_cycle"


@pytest.mark.parametrize("locator", ["/etc/hostname", "./missing.ad", "./folder"])
async def test_locator_without_a_file_of_the_root_is_missing(room: Room, locator: str) -> None:
    os.mkdir(room.directory / "folder")
    flow(room, main=root(include("x", locator)))
    assert (await refusal(room, "fragment", "verify", "main.ad")).reason == "fragment_missing"


async def test_without_a_worktree_the_root_is_the_directory_of_the_flow(tmp_path: Path) -> None:
    folder = tmp_path / "flows"
    folder.mkdir()
    room = Room(folder)
    (tmp_path / "a.ad").write_text(fragment())
    flow(room, main=root(include("x", "../a.ad")))
    details = (await refusal(room, "fragment", "verify", "main.ad")).details
    assert details["problem"] == "outside_root"


@pytest.mark.parametrize(
    ("line", "safe"),
    [
        (("open", "x"), False),
        (("close", ""), False),
        (("replay", ""), False),
        (("nothing", ""), False),
        (("press", "id=a"), True),
        (("wait", "500"), True),
        (("dialog", "accept"), True),
    ],
)
def test_admission_is_the_positive_trait_of_the_descriptor(line: tuple[str, str], safe: bool) -> None:
    assert SCRIPT_GRAMMAR.is_fragment_safe(*line) is safe


async def test_check_reads_what_a_composition_includes(room: Room) -> None:
    flow(room)
    (file,) = (await room.do("check", "main.ad")).files
    assert (file.errors, file.digest) == (
        (),
        (await room.do("fragment", "digest", "main.ad")).digest,
    )


async def test_check_puts_a_fault_below_at_the_include_that_leads_to_it(room: Room) -> None:
    flow(room, leaf=fragment('open "shop"'))
    (file,) = (await room.do("check", "main.ad")).files
    assert [(entry.line, entry.rule) for entry in file.errors] == [
        (5, "fragment_stale"),
        (5, "fragment_lifecycle"),
    ]
    assert file.errors[1].message.startswith("leaf.ad:5: open may not stand in a fragment")
    assert file.digest is None


async def test_check_names_the_variables_of_fragments(room: Room) -> None:
    flow(room, leaf=fragment('fill "id=u" "${USER}"'))
    await room.do("fragment", "pin", "main.ad", "--write")
    (file,) = (await room.do("check", "main.ad")).files
    assert (file.errors, file.variables) == ((), ("USER",))


async def test_check_of_a_fragment_tells_what_keeps_it_from_being_one(room: Room) -> None:
    write(room, bold="fragment-v1\ncontext platform=sim target=desktop\npress id=a\n")
    (file,) = (await room.do("check", "bold.ad")).files
    assert [(entry.line, entry.rule) for entry in file.errors] == [(3, "fragment_entry_guard")]


async def test_check_of_an_include_without_a_pin_is_an_error(room: Room) -> None:
    flow(room, main=root('include "./leaf.ad"'))
    (file,) = (await room.do("check", "main.ad")).files
    assert [(entry.line, entry.rule) for entry in file.errors] == [(4, "fragment_call_site_invalid")]
    assert [entry.rule for entry in file.warnings] == []
