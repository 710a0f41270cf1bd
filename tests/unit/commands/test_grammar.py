"""argv to call: common flags anywhere, both ways to give a value, what ends flags, what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from surefoot import __version__
from surefoot.commands import help_page, parse_argv
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import CallOptions


def call_of(*argv: str, **env: str) -> tuple[str, dict[str, Any], CallOptions]:
    call = parse_argv(argv, env).call
    return call.command, call.arguments, call.options


def refusal(*argv: str, **env: str) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        parse_argv(argv, env)
    assert caught.value.code is ErrorCode.INVALID_ARGS
    return caught.value


@pytest.mark.parametrize(
    "argv",
    [
        ("--json", "press", "@e1"),
        ("press", "--json", "@e1"),
        ("press", "@e1", "--json"),
    ],
)
def test_a_common_flag_may_stand_anywhere(argv: tuple[str, ...]) -> None:
    assert call_of(*argv) == ("press", {"target": "@e1"}, CallOptions(json=True))


def test_a_common_flag_may_stand_between_the_words_of_a_command() -> None:
    assert call_of("session", "--json", "list")[0] == "session list"


@pytest.mark.parametrize("given", [("--count", "3"), ("--count=3",)])
def test_a_value_follows_its_flag_with_a_blank_or_an_equals_sign(given: tuple[str, ...]) -> None:
    assert call_of("press", "@e1", *given)[1] == {"target": "@e1", "count": 3}


def test_two_dashes_end_the_flags() -> None:
    assert call_of("type", "--", "--not-a-flag")[1] == {"text": "--not-a-flag"}


def test_a_single_dash_is_text() -> None:
    assert call_of("type", "-")[1] == {"text": "-"}


@pytest.mark.parametrize("number", ["-5", "-5.5", "-.5"])
def test_a_negative_number_is_no_flag(number: str) -> None:
    if number == "-.5":
        assert "must be a number" in refusal("press", "10", number).message
        return
    assert call_of("press", "10", number)[1] == {"x": 10.0, "y": float(number)}


def test_a_flag_that_may_be_repeated_keeps_every_value() -> None:
    arguments = call_of("replay", "f.ad", "-e", "A=1", "--env", "B=2", "-e=C=3")[1]
    assert arguments == {"file": "f.ad", "env": ["A=1", "B=2", "C=3"]}


def test_any_other_flag_may_stand_only_once() -> None:
    assert "--count is given twice" in refusal("press", "@e1", "--count", "1", "--count=2").message
    assert "--json is given twice" in refusal("--json", "press", "@e1", "--json").message


def test_a_switch_takes_no_value() -> None:
    assert "--settle takes no value" in refusal("press", "@e1", "--settle=true").message


def test_the_next_flag_is_no_value() -> None:
    assert "--count needs a value" in refusal("press", "@e1", "--count", "--settle").message
    assert "--session needs a value" in refusal("press", "@e1", "--session").message


@pytest.mark.parametrize(
    ("argv", "value"),
    [
        (("open", "http://x/", "--save-script"), True),
        (("open", "http://x/", "--save-script=a b.ad"), "a b.ad"),
        (("open", "--save-script", "http://x/"), True),
    ],
)
def test_an_optional_value_follows_an_equals_sign_only(argv: tuple[str, ...], value: object) -> None:
    assert call_of(*argv)[1] == {"target": "http://x/", "saveScript": value}


def test_an_empty_optional_value_is_refused() -> None:
    assert "needs a path" in refusal("open", "http://x/", "--save-script=").message


def test_the_environment_fills_what_the_line_leaves_open() -> None:
    env = {"SUREFOOT_SESSION": "s", "SUREFOOT_PLATFORM": "sim"}
    assert call_of("back", **env)[2] == CallOptions(session="s", platform="sim")
    assert call_of("back", "--session", "t", **env)[2] == CallOptions(session="t", platform="sim")


def test_an_empty_variable_says_nothing() -> None:
    assert call_of("back", SUREFOOT_SESSION="")[2] == CallOptions()


@pytest.mark.parametrize(
    ("argv", "env"),
    [
        (("back", "--session", ".."), {}),
        (("back", "--session", "."), {}),
        (("back", "--session", ""), {}),
        (("back", "--session=a/../b"), {}),
        (("back",), {"SUREFOOT_SESSION": "../x"}),
    ],
    ids=["B121-parent", "B121-here", "B121-empty", "B121-slash", "B121-environment"],
)
def test_a_session_name_that_could_leave_its_directory_is_refused(
    argv: tuple[str, ...], env: dict[str, str]
) -> None:
    assert refusal(*argv, **env).reason == "invalid_session_name"


def test_state_dir_is_parsed_and_handed_back() -> None:
    assert parse_argv(["--state-dir", "/tmp/x", "back"], {}).state_dir == "/tmp/x"


@pytest.mark.parametrize(
    ("argv", "topic"),
    [
        ((), None),
        (("--help",), None),
        (("-h",), None),
        (("press", "--help"), "press"),
        (("press", "@e1", "-h"), "press"),
        (("tab", "--help"), "tab"),
        (("tab", "select", "1", "--help"), "tab select"),
        (("help", "press"), "press"),
        (("help", "tab", "select"), "tab select"),
        (("nonsense", "--help"), None),
    ],
)
def test_help_is_a_call_like_any_other(argv: tuple[str, ...], topic: str | None) -> None:
    command, arguments, _ = call_of(*argv)
    assert command == "help"
    assert arguments.get("topic") == topic


def test_the_version_is_asked_for_as_of_any_tool() -> None:
    command, arguments, options = call_of("--version", "--json")
    assert (command, arguments, options.json) == ("help", {"topic": "version"}, True)
    assert help_page("version") == f"surefoot {__version__}"


def test_help_after_two_dashes_is_text() -> None:
    assert call_of("type", "--", "--help")[1] == {"text": "--help"}


@pytest.mark.parametrize(
    ("argv", "message", "suggestion"),
    [
        (("snapsho",), 'unknown command "snapsho"; did you mean "snapshot"?', "snapshot"),
        (("session", "lst"), 'session has no "lst"; did you mean "list"?', "list"),
        (
            ("press", "@e1", "--setle"),
            'press has no flag "--setle"; did you mean "--settle"?',
            "--settle",
        ),
        (
            ("press", "@e1", "--tiemout", "3"),
            'no flag "--tiemout"; did you mean "--timeout"?',
            "--timeout",
        ),
        (("--jsn", "press", "@e1"), 'unknown flag "--jsn" before the command', "--json"),
        (("is", "visibel", "label=x"), 'no predicate "visibel"; did you mean "visible"?', "visible"),
        (("get", "txt", "label=x"), 'get has no "txt"; did you mean "text"?', "text"),
        (("find", "x", "clck"), 'no action "clck"; did you mean "click"?', "click"),
        (("scroll", "dwn"), 'scroll has no "dwn"; did you mean "down"?', "down"),
        (("press", "@e1", "--button", "rigth"), '"rigth"; did you mean "right"?', "right"),
        (("back", "--level", "ful"), '--level has no "ful"; did you mean "full"?', "full"),
        (("press", "lable=Save"), "lable", "label"),
        (("help", "pres"), 'no help on "pres"; did you mean "press"?', "press"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_nearest_valid_one(
    argv: tuple[str, ...], message: str, suggestion: str
) -> None:
    error = refusal(*argv)
    assert message in error.message
    assert suggestion in (error.details.get("suggestion"), error.details.get("nearest"))


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("press", "@e1", "--count", "0"), "--count must be from 1 to 20, not 0"),
        (("press", "@e1", "--count", "21"), "--count must be from 1 to 20, not 21"),
        (("press", "@e1", "--count", "two"), '--count must be a whole number, not "two"'),
        (("press", "@e1", "--hold-ms", "60001"), "--hold-ms must be from 0 to 60000, not 60001"),
        (("back", "--timeout", "0"), "--timeout must be from 1 to 86400000 milliseconds, not 0"),
        (("back", "--timeout", "5s"), '--timeout must be a whole number, not "5s"'),
        (("wait", "-5"), "<ms> must be from 0 to 3600000, not -5"),
        (("wait", "1.5"), 'ms must be a whole number, not "1.5"'),
        (("tab", "select", "0"), "<n> must be from 1 to 10000, not 0"),
        (("viewport", "0x10"), "<W> must be from 16 to 16384, not 0"),
        (("scroll", "down", "0"), "<amount> must be from 0.01 to 100, not 0"),
        (("open", "http://x/", "--viewport", "wide"), "--viewport must match"),
        (("fill", "@e1", "x", "--record-as", "pw"), "--record-as must match"),
        (("fill", "@e1", "x", "--record-as", "AD_X"), "--record-as must match"),
        (("replay", "f", "--from", "1", "--plan-digest", "SHA"), "--plan-digest must match"),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_range(argv: tuple[str, ...], said: str) -> None:
    assert said in refusal(*argv).message


def test_every_refusal_says_what_to_run_next() -> None:
    for argv in (
        ("press",),
        ("press", "@e1", "--nope"),
        ("nope",),
        ("tab",),
        ("wait",),
        ("fill", "@e1"),
    ):
        assert "surefoot help" in refusal(*argv).hint


def test_record_and_no_record_exclude_each_other() -> None:
    assert refusal("get", "text", "@e1", "--record", "--no-record").reason == "record_conflict"
    assert call_of("get", "text", "@e1", "--record")[1]["record"] is True


def test_record_is_no_flag_of_a_command_that_is_always_recorded() -> None:
    assert 'press has no flag "--record"' in refusal("press", "@e1", "--record").message


@pytest.mark.parametrize("action", ["click", "fill", "focus", "type"])
def test_record_on_a_find_that_acts_is_refused(action: str) -> None:
    value = ["x"] if action in ("fill", "type") else []
    error = refusal("find", "Save", action, *value, "--record")
    assert error.reason == "record_on_mutation"


@pytest.mark.parametrize("action", ["list", "exists", "wait", "get_text", "get_attrs"])
def test_record_on_a_find_that_reads_is_admitted(action: str) -> None:
    assert call_of("find", "Save", action, "--record")[1]["record"] is True
