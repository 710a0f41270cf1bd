"""Rows of repair and heal: what enters a healed script, when it is written, what it may say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.faults import Hands, cases

NAMES = ("One", "Two", "Three")
HEALED = "flow.healed.ad"
_RECORDED: list[str] = []


def page(*labels: str) -> str:
    buttons = "".join(
        f"<button onclick=\"say('{name}')\">{label}</button>"
        for name, label in zip(NAMES, labels, strict=True)
    )
    return f'<form aria-label="Steps" onsubmit="return false">{buttons}</form>'


@pytest.fixture
def hands(hands: Hands, tmp_path: Path) -> Iterator[Hands]:
    """The module's hands in a session and a directory of this test's own."""
    before = hands.session, hands.cwd
    hands.session, hands.cwd = "repair", tmp_path
    yield hands
    hands.ask("close")
    hands.session, hands.cwd = before


def diverged(hands: Hands, *labels: str) -> Any:
    """Recorded on the page as it was, armed and replayed on a page with these labels."""
    script = hands.cwd / "flow.ad"
    if not _RECORDED:
        hands.do("open", hands.page(page(*NAMES)), "--save-script=flow.ad")
        for name in NAMES:
            hands.do("press", f'role=button label="{name}"')
        hands.do("close")
        _RECORDED.append(script.read_text("utf-8"))
    script.write_text(re.sub(r"http://[^\"]*", hands.page(page(*labels)), _RECORDED[0]))
    error = hands.ask("replay", "flow.ad", "--save-script").error
    assert error["code"] == "REPLAY_DIVERGENCE"
    report = error["details"]["divergence"]
    assert report["resume"]["repairSessionHeld"] is True
    return report


def resume(hands: Hands, report: Any, past: int = 1) -> Any:
    ordinal = report["step"]["index"] + past
    digest = report["resume"]["planDigest"]
    return hands.ask("replay", "flow.ad", "--from", str(ordinal), "--plan-digest", digest)


def lines(hands: Hands) -> list[str]:
    """The healed script's steps."""
    text = (hands.cwd / HEALED).read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith(("#", "context"))]


# B093: what an agent reads to find its way is no step; what it reads on purpose is.
@cases(
    "B093",
    snapshot_and_attrs=((("snapshot", "-i"), ("get", "attrs", "label=One")), 0),
    asserting=((("is", "visible", "label=Second"), ("find", "Second", "exists")), 0),
    asked_to_be_kept=((("get", "attrs", "label=One", "--record"), ("snapshot",)), 1),
)
def test_a_reading_enters_a_healed_script_only_on_request(
    hands: Hands, case: tuple[tuple[tuple[str, ...], ...], int]
) -> None:
    reads, kept = case
    report = diverged(hands, "One", "Second", "Three")
    for read in reads:
        hands.do(*read)
    hands.do("press", "label=Second")
    assert resume(hands, report).data["repair"]["state"] == "COMPLETE"
    hands.do("close")
    commands = [line.split()[0] for line in lines(hands)]
    assert commands == ["open", "press", *["get"] * kept, "press", "press", "close"]
    hands.do("replay", HEALED)


# B095: the last step was done by hand: the resume past it is legal, and the close writes the heal.
@cases("B095", before_a_close="close\n", at_the_very_end="")
def test_a_repair_of_the_last_step_ends_in_a_written_script(hands: Hands, case: str) -> None:
    report = diverged(hands, "One", "Two", "Third")
    assert report["resume"]["from"] == report["step"]["index"] + 1
    hands.do("press", "label=Third")
    if not case:  # the same plan without its close is another plan: it diverges anew
        hands.do("close")
        script = hands.cwd / "flow.ad"
        script.write_text(script.read_text("utf-8").removesuffix("close\n"))
        report = hands.ask("replay", "flow.ad", "--save-script").error["details"]["divergence"]
        hands.do("press", "label=Third")
    ended = resume(hands, report).data
    assert (ended["replayed"], ended["repair"]["state"]) == (0, "COMPLETE")
    assert hands.do("close")["saved"]["path"] == str(hands.cwd / HEALED)
    assert 'label=\\"Third\\"' in lines(hands)[3]


# B098: a divergence holds the session; nothing is at the target before the repair is whole.
@cases("B098", at_once=0, after_the_press=1)
def test_a_repair_that_is_closed_half_way_leaves_no_file(hands: Hands, case: int) -> None:
    diverged(hands, "One", "Second", "Three")
    assert hands.said() == "One"
    for _ in range(case):
        hands.do("press", "label=Second")
    closed = hands.do("close")
    assert closed.get("saved") is None
    assert "nothing was saved" in closed["warnings"][0]
    assert [path.name for path in hands.cwd.iterdir()] == ["flow.ad"]


@cases("B098", in_its_place=())
def test_a_whole_repair_appears_at_once(hands: Hands, case: object) -> None:
    report = diverged(hands, "One", "Second", "Three")
    hands.do("press", "label=Second")
    resume(hands, report)
    assert not (hands.cwd / HEALED).exists()
    hands.do("close")
    assert (hands.cwd / HEALED).read_text("utf-8").endswith("close\n# agent-device:heal-complete\n")
    assert sorted(path.name for path in hands.cwd.iterdir()) == ["flow.ad", HEALED]


# B106: whatever made the press work, the heal holds a selector of the element that was pressed.
@cases(
    "B106",
    a_dead_alternative_first=("press", 'id="gone-for-good" || label="Second"'),
    found_by_its_text=("find", "Second", "click"),
    by_a_ref_with_its_label=("press", "@ref", "Second"),
)
def test_a_heal_holds_only_selectors_that_resolve_to_the_pressed_element(
    hands: Hands, case: tuple[str, ...]
) -> None:
    report = diverged(hands, "One", "Second", "Three")
    screen = report["screen"]
    ref = next(item["ref"] for item in screen["refs"] if item.get("label") == "Second")
    hands.do(*(word.replace("@ref", f"@{ref}~s{screen['refsGeneration']}") for word in case))
    assert resume(hands, report).data["repair"]["state"] == "COMPLETE"
    hands.do("close")
    text = (hands.cwd / HEALED).read_text("utf-8")
    assert "gone-for-good" not in text
    written = text.splitlines()
    at = next(at for at, line in enumerate(written) if line[0] != "#" and "Second" in line)
    evidence, step = written[at - 1 : at + 1]
    assert evidence.startswith("# agent-device:target-v1 {")
    assert '"label":"Second"' in evidence
    assert step.startswith(("press ", "click "))
    hands.do("replay", HEALED, "--keep-session")
    assert hands.said() == "One Two Three"


# B106: a proposal that resolves to nothing is no correction, and nothing is stored.
@cases("B106", a_dead_selector=(), with_verify=("--verify",))
def test_a_dead_proposal_is_refused_and_heals_nothing(hands: Hands, case: tuple[str, ...]) -> None:
    report = diverged(hands, "One", "Second", "Three")
    assert hands.ask("press", 'id="gone-for-good"', *case).code == "ELEMENT_NOT_FOUND"
    assert resume(hands, report).reason == "corrective_action_missing"
    hands.do("close")
    assert not (hands.cwd / HEALED).exists()
