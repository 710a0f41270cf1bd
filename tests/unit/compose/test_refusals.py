"""Requests refused for the state or kind of artefact: each with its own details."""

from __future__ import annotations

import pytest

from surefoot.compose import (
    Rerecording,
    SessionState,
    capture_conflict,
    composition_required,
    repair_unsupported,
)


def test_fragment_needs_a_composition() -> None:
    error = composition_required("f/login.ad")
    assert error.details == {
        "reason": "fragment_composition_required",
        "artifactKind": "fragment",
        "source": "f/login.ad",
    }


@pytest.mark.parametrize(
    ("state", "hint"),
    [
        (
            "fragment_armed",
            "Run `surefoot session fragment save`, or `surefoot session fragment abort`, first.",
        ),
        ("fragment_published", "Start a fresh session for it."),
        ("fragment_aborted", "Start a fresh session for it."),
        ("recording_armed", "Start a fresh session for it."),
        ("repair_armed", "Start a fresh session for it."),
    ],
)
def test_capture_conflict_names_state_and_operation(state: SessionState, hint: str) -> None:
    error = capture_conflict(state, "open --save-script")
    assert error.code == "INVALID_ARGS"
    assert error.hint == hint
    assert error.details == {
        "reason": "fragment_capture_conflict",
        "sessionState": state,
        "conflictingOperation": "open --save-script",
    }


def test_repair_refusal_names_the_commands_that_record_the_one_fragment_again() -> None:
    error = repair_unsupported("main.ad", [Rerecording(path="f/log in.ad", entry='label="Home"')])
    assert error.details == {
        "reason": "fragment_repair_unsupported",
        "command": "replay --save-script",
        "format": "ad",
        "source": "main.ad",
        "fragments": [
            {
                "path": "f/log in.ad",
                "commands": [
                    "surefoot session fragment start 'f/log in.ad' --entry 'label=\"Home\"' --force",
                    "surefoot session fragment save --force",
                    "surefoot fragment pin main.ad --write",
                ],
            }
        ],
        "fragmentCount": 1,
    }
    assert "surefoot session fragment start 'f/log in.ad'" in error.hint


def test_repair_refusal_of_many_fragments_is_bounded() -> None:
    many = [Rerecording(path=f"{at}.ad", entry=None) for at in range(500)]
    error = repair_unsupported("main.ad", many)
    assert (len(error.details["fragments"]), error.details["fragmentCount"]) == (8, 500)
