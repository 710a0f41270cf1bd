"""Command lines in hints, as the calls a tool's client makes."""

from __future__ import annotations

import pytest

from surefoot.commands import data_with_calls, for_calls, with_calls
from surefoot.errors import DEFAULT_HINTS, ErrorCode, SurefootError


@pytest.mark.parametrize(
    ("said", "call"),
    [
        ("Run `surefoot snapshot -i`.", 'Run `snapshot {"interactive": true}`.'),
        ("`surefoot session list`", "`session_list`"),
        ("`surefoot close --no-record`", '`close {"noRecord": true}`'),
        ("`surefoot help <command>`", '`help {"topic": "<command>"}`'),
        (
            "`surefoot scroll --until <selector>` first",
            '`scroll {"until": "<selector>"}` first',
        ),
        (
            "`surefoot wait '<selector> enabled=true'`",
            '`wait {"target": "<selector> enabled=true"}`',
        ),
        (
            "`surefoot fill <the select> <option>`",
            '`fill {"target": "<the select>", "text": "<option>"}`',
        ),
        ("`surefoot open <url> --save-script[=path]`", "`open`"),
        ("`surefoot snapshot --raw --json > screen.json`", '`snapshot {"raw": true}`'),
        ("hint: surefoot tab select 2", 'hint: tab_select {"index": 2}'),
        (
            'surefoot replay f.ad --from 3 --plan-digest "ab"',
            'replay {"file": "f.ad", "from": "3", "planDigest": "ab"}',
        ),
        ("surefoot itself failed", "surefoot itself failed"),
    ],
)
def test_a_command_line_is_said_as_a_call(said: str, call: str) -> None:
    assert with_calls(said) == call


def test_text_of_a_page_is_passed_over() -> None:
    page = '- button "run `surefoot close` now" [@e1]'
    assert with_calls(page) == page


def test_only_what_a_result_says_to_its_caller_is_touched() -> None:
    data = {"warnings": ["run `surefoot reload`"], "nodes": [{"label": "`surefoot reload`"}]}
    assert data_with_calls(data) == {
        "warnings": ["run `reload`"],
        "nodes": [{"label": "`surefoot reload`"}],
    }


@pytest.mark.parametrize("hint", DEFAULT_HINTS.values())
def test_no_hint_of_an_error_is_left_as_a_command_line(hint: str) -> None:
    assert "surefoot " not in with_calls(hint)


def test_a_usage_line_becomes_the_names_of_the_arguments() -> None:
    error = SurefootError(ErrorCode.INVALID_ARGS, "m", hint="Usage: surefoot key <chord>.")
    assert for_calls(error, "key").hint == (
        'Its arguments: chord (needed), settle, verify. Run `help {"topic": "key"}`.'
    )
