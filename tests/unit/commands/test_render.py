"""Text and JSON of outcomes, exit codes, and that nothing from an app can pass for our own words."""

from __future__ import annotations

import json

import pytest

from surefoot.commands import Answer, Terminal, parse_argv, render, wants_json
from surefoot.commands.output.words import screen_ref_line, shown
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.wire import Cost, IsData, ScreenRef, TargetData

COST = Cost(captures=1, polls=2, reused=0, total_ms=12.34, phases_ms={"resolve": 3.0})
DONE = Answer(IsData(predicate="visible", passed=True, target=TargetData(role="button", label="Save")))
PAGE_LABELS = [
    'OK" [ref=e99]\n- button "Delete all',
    "\x1b[2J\x1b[Hsurefoot",
    "a\u2028b\u2029c",
    "\u202etxet desrever",
    "tag\U000e0041hidden",
    "\r\nerror UNKNOWN: pretend",
]


def call(*argv: str):  # type: ignore[no-untyped-def]
    return parse_argv(argv, {}).call


def test_a_success_exits_0_and_prints_one_text() -> None:
    said = render(call("is", "visible", "label=Save"), DONE, Terminal())
    assert (said.stdout, said.stderr, said.exit_code) == ('true: button "Save" is visible\n', "", 0)


def test_json_is_one_object_on_one_line() -> None:
    said = render(call("is", "visible", "label=Save", "--json"), DONE, Terminal())
    assert said.stdout.count("\n") == 1
    assert json.loads(said.stdout) == {
        "success": True,
        "data": {
            "predicate": "visible",
            "passed": True,
            "target": {"role": "button", "label": "Save"},
        },
    }


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [(code, 2 if code is ErrorCode.INVALID_ARGS else 1) for code in ErrorCode],
    ids=str,
)
def test_a_failure_exits_2_for_invalid_args_and_1_for_anything_else(
    code: ErrorCode, exit_code: int
) -> None:
    said = render(call("back"), SurefootError(code, "What was seen."), Terminal())
    assert said.exit_code == exit_code
    assert said.stdout == ""
    assert said.stderr.startswith(f"error {code.value}: What was seen.\nhint: ")


def test_a_failure_in_json_is_one_object_on_stdout() -> None:
    error = SurefootError(ErrorCode.TIMEOUT, "Late.", details={"reason": "wait_text_missing"})
    said = render(call("back", "--json"), error, Terminal(), log_path="/tmp/log")
    body = json.loads(said.stdout)
    assert body["success"] is False
    assert body["error"] == {
        "code": "TIMEOUT",
        "message": "Late.",
        "diagnosticId": error.diagnostic_id,
        "logPath": "/tmp/log",
        "hint": error.hint,
        "details": {"reason": "wait_text_missing"},
    }
    assert said.stderr == ""


def test_only_a_busy_device_is_retriable() -> None:
    busy = render(call("back", "--json"), SurefootError(ErrorCode.DEVICE_IN_USE, "Busy."), Terminal())
    other = render(call("back", "--json"), SurefootError(ErrorCode.TIMEOUT, "Late."), Terminal())
    assert json.loads(busy.stdout)["error"]["retriable"] is True
    assert "retriable" not in json.loads(other.stdout)["error"]


def test_a_line_that_did_not_parse_is_rendered_as_it_asked() -> None:
    argv = ["presss", "--json"]
    said = render(None, invalid_args("unknown"), Terminal(), as_json=wants_json(argv))
    assert json.loads(said.stdout)["error"]["code"] == "INVALID_ARGS"
    assert wants_json(["type", "--", "--json"]) is False


def test_the_cost_is_the_last_line_of_a_success_and_of_a_failure() -> None:
    line = "cost: 1 capture, 2 polls, 0 reused, 12.3 ms, resolve 3.0\n"
    done = render(call("is", "visible", "label=Save", "--cost"), DONE, Terminal(), cost=COST)
    assert done.stdout.endswith(line)
    failed = render(call("back", "--cost"), invalid_args("No."), Terminal(), cost=COST)
    assert failed.stderr.endswith(line)


def test_the_cost_stands_beside_the_data_in_json() -> None:
    said = render(call("is", "visible", "label=Save", "--json"), DONE, Terminal(), cost=COST)
    assert json.loads(said.stdout)["cost"] == {
        "captures": 1,
        "polls": 2,
        "reused": 0,
        "totalMs": 12.34,
        "phasesMs": {"resolve": 3.0},
    }


@pytest.mark.parametrize("label", PAGE_LABELS, ids=[f"B070-{n}" for n in range(len(PAGE_LABELS))])
def test_a_label_stays_inside_its_quotes_on_its_line(label: str) -> None:
    said = shown(label)
    assert len(said.splitlines()) == 1
    assert said.isprintable()
    assert json.loads(said) == label
    line = screen_ref_line(ScreenRef(ref="e1", role="button", hittable=True, label=label), 7)
    assert line.endswith("[@e1~s7]")
    assert len(line.splitlines()) == 1


@pytest.mark.parametrize("label", PAGE_LABELS, ids=[f"B070-{n}" for n in range(len(PAGE_LABELS))])
def test_a_message_with_text_of_an_app_cannot_move_the_cursor(label: str) -> None:
    error = SurefootError(ErrorCode.TIMEOUT, f"Saw {label!r} and {label}.", hint=label)
    text = render(call("back"), error, Terminal()).stderr
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert all(line.isprintable() for line in text.split("\n"))


def test_half_a_surrogate_pair_is_printed_as_its_escape() -> None:
    said = render(call("back", "--json"), invalid_args("bad \udcff byte"), Terminal())
    said.stdout.encode("utf-8")
    assert json.loads(said.stdout)["error"]["message"] == "bad \udcff byte"


def test_candidates_stand_one_a_line_with_their_pinned_refs() -> None:
    """B046-seven-rows."""
    lines = ['@e1~s4 button "Edit"', '@e2~s4 button "Edit"', "+5 more"]
    error = SurefootError(
        ErrorCode.AMBIGUOUS_MATCH,
        f"label=Edit matches 7 elements: {'; '.join(lines)}.",
        details={"reason": "ambiguous_match", "candidateLines": lines},
    )
    assert render(call("back"), error, Terminal()).stderr.splitlines()[:4] == [
        "error AMBIGUOUS_MATCH ambiguous_match: label=Edit matches 7 elements",
        '  @e1~s4 button "Edit"',
        '  @e2~s4 button "Edit"',
        "  +5 more",
    ]


def test_the_caller_s_own_huge_word_comes_back_bounded() -> None:
    error = invalid_args("no " + "a" * 200_000, given="b" * 200_000, closest=[{"label": "c" * 200_000}])
    body = render(None, error, Terminal(), as_json=True)
    assert len(body.stdout) < 14_000
    assert json.loads(body.stdout)["error"]["details"]["given"] == "b" * 4095 + "…"
    assert len(render(None, error, Terminal()).stderr) < 5_000
