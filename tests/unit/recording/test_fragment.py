"""The capture aggregate by itself: its buffer, its states, its text, the guard it is armed with."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.stage import Stage, selector, stage

from surefoot.commands import GRAMMAR
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.errors import SurefootError
from surefoot.interact import ActOptions, resolve_mutation
from surefoot.recording import (
    FragmentCapture,
    FragmentState,
    abort_fragment,
    admit_fragment_save,
    arm_fragment,
    entry_guard,
    fragment_of,
    fragment_text,
    release_fragment,
)
from surefoot.recording import fragment as room
from surefoot.session import ActionRecord

SCREEN = """document "Shop"(main(heading "Sign in" level=1, textbox "Note" #note =note, generic))"""
SAFE = SCRIPT_GRAMMAR.is_fragment_safe


async def guard_of(made: Stage, text: str, timeout_ms: int = 10_000) -> ActionRecord:
    found = await resolve_mutation(made.session, selector(text), ActOptions())
    return entry_guard(made.session, text, (found.observation, found.node), timeout_ms)


async def armed(directory: Path, *, lease: str | None = None) -> tuple[Stage, FragmentCapture]:
    made = await stage(SCREEN, directory)
    guard = await guard_of(made, "role=heading")
    capture = FragmentCapture(directory / "f.ad", guard, force=False, lease=lease)
    return made, arm_fragment(made.session, capture, SCRIPT_GRAMMAR, SAFE)


async def test_the_guard_is_a_wait_with_verified_landmark_evidence(tmp_path: Path) -> None:
    guard = await guard_of(await stage(SCREEN, tmp_path), "id=note", 250)
    assert (guard.command, guard.positionals, guard.targets) == ("wait", ("id=note", "250"), ())
    assert guard.evidence is not None
    assert guard.evidence.verification == "verified"  # type: ignore[union-attr]
    assert (guard.evidence.id, guard.evidence.peers) == ("note", None)  # type: ignore[union-attr]


async def test_a_selector_that_looks_like_a_variable_is_escaped(tmp_path: Path) -> None:
    made = await stage('document "D"(heading "${HOME}" level=1)', tmp_path)
    guard = await guard_of(made, 'label="${HOME}"')
    assert guard.positionals[0] == 'label="\\${HOME}"'


async def test_an_element_without_identity_is_no_guard(tmp_path: Path) -> None:
    made = await stage(SCREEN, tmp_path)
    with pytest.raises(SurefootError) as refused:
        await guard_of(made, "role=generic")
    assert refused.value.details["problem"] == "no_identity"
    assert fragment_of(made.session) is None


async def test_a_guard_that_its_own_evidence_contradicts_is_not_armed(tmp_path: Path) -> None:
    made = await stage(SCREEN, tmp_path)
    guard = await guard_of(made, "role=heading")
    lying = ActionRecord(
        command="wait", positionals=("label=Elsewhere", "10000"), evidence=guard.evidence
    )
    capture = FragmentCapture(tmp_path / "f.ad", lying, force=False, lease=None)
    with pytest.raises(SurefootError) as refused:
        arm_fragment(made.session, capture, SCRIPT_GRAMMAR, SAFE)
    assert refused.value.reason == "fragment_entry_guard"
    assert made.session.recording is None


async def test_the_buffer_is_its_own_and_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, capture = await armed(tmp_path)
    monkeypatch.setattr(room, "MAX_ACTIONS", 2)
    for _ in range(3):
        capture.keep(ActionRecord(command="back"))
    assert ([one.command for one in capture.records], capture.dropped) == (["wait", "back"], 2)
    assert made.session.actions.records == []


async def test_states_are_terminal(tmp_path: Path) -> None:
    made, capture = await armed(tmp_path)
    assert abort_fragment(made.session, "aborted") is capture
    assert abort_fragment(made.session, "closed") is None
    assert (capture.state, capture.ended_by) == (FragmentState.ABORTED, "aborted")
    with pytest.raises(SurefootError):
        admit_fragment_save(made.session, SCRIPT_GRAMMAR, SAFE)


async def test_a_capture_that_ended_between_admission_and_writing_is_not_published(
    tmp_path: Path,
) -> None:
    made, _ = await armed(tmp_path, lease="mine")
    save = admit_fragment_save(made.session, SCRIPT_GRAMMAR, SAFE)
    release_fragment(made.session, "mine")
    with pytest.raises(SurefootError) as refused:
        save.write()
    assert refused.value.reason == "fragment_not_armed"
    assert not (tmp_path / "f.ad").exists()


async def test_the_same_capture_has_the_same_digest(tmp_path: Path) -> None:
    made, _ = await armed(tmp_path)
    digests = {admit_fragment_save(made.session, SCRIPT_GRAMMAR, SAFE).digest for _ in range(2)}
    assert len(digests) == 1
    assert digests.pop().startswith("sha256:")


def test_the_text_names_the_line_of_what_cannot_be_written() -> None:
    record = ActionRecord(command="press", positionals=("@e1",))
    with pytest.raises(SurefootError) as refused:
        fragment_text(Path("/f.ad"), "sim", [ActionRecord(command="back"), record], SCRIPT_GRAMMAR)
    assert refused.value.reason == "ref_not_portable"
    assert GRAMMAR.find("press").traits.fragment_safe
