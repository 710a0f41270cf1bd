"""Scripts that agent-device 0.21.5 recorded: ours reads them and writes the same bytes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.commands import SCRIPT_GRAMMAR
from surefoot.errors import ErrorCode, SurefootError
from surefoot.plan import load_plan
from surefoot.script import Scope, parse_script, write_script

HERE = Path(__file__).parent
STEPS = {
    "linux-clean": 9,
    "linux-flow": 14,
    "linux-healed": 9,
    "web-clean": 11,
    "web-flow": 13,
    "web-press": 8,
}
PORTABLE = [name for name in STEPS if name != "web-flow"]
SCOPE = Scope.of(cli={"PASSWORD": "s3cret"})


def _read(name: str) -> bytes:
    return (HERE / f"{name}.ad").read_bytes()


@pytest.mark.parametrize("name", STEPS)
def test_peer_script_makes_a_plan(name: str) -> None:
    plan = load_plan(_read(name), path=f"{name}.ad", grammar=SCRIPT_GRAMMAR, scope=SCOPE)
    assert len(plan.steps) == STEPS[name]
    assert plan.platform == name.split("-")[0]
    assert plan.warnings == ()


@pytest.mark.parametrize("name", PORTABLE)
def test_peer_script_is_written_back_byte_for_byte(name: str) -> None:
    script = parse_script(_read(name), f"{name}.ad")
    assert write_script(script, SCRIPT_GRAMMAR).encode() == _read(name)


def test_peer_script_with_a_ref_is_refused_by_the_writer() -> None:
    script = parse_script(_read("web-flow"), "web-flow.ad")
    with pytest.raises(SurefootError) as refusal:
        write_script(script, SCRIPT_GRAMMAR)
    assert refusal.value.code is ErrorCode.COMMAND_FAILED
    assert refusal.value.details == {
        "reason": "ref_not_portable",
        "path": "web-flow.ad",
        "line": 3,
        "step": 2,
        "command": "fill",
        "ref": "@e6",
    }


def test_healed_peer_script_says_that_it_is_whole() -> None:
    assert parse_script(_read("linux-healed"), "h.ad").heal_complete is True
    assert parse_script(_read("linux-clean"), "c.ad").heal_complete is False


def test_missing_password_of_a_peer_script_is_named_before_step_one() -> None:
    with pytest.raises(SurefootError) as refusal:
        load_plan(_read("web-clean"), path="web-clean.ad", grammar=SCRIPT_GRAMMAR, scope=Scope.of())
    assert refusal.value.reason == "variable_unresolved"
    assert (refusal.value.details["line"], refusal.value.details["column"]) == (8, 95)
