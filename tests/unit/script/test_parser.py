"""Scripts read into nodes; everything wrong with them found at once, with its place."""

from __future__ import annotations

import pytest

from surefoot.errors import ErrorCode, SurefootError
from surefoot.identity import TargetEvidence
from surefoot.script import (
    MAX_SOURCE_BYTES,
    MAX_STEPS,
    Action,
    Comment,
    Context,
    ContextEntry,
    Env,
    FragmentReference,
    Guard,
    HealComplete,
    Include,
    Script,
    Token,
    parse_script,
    scan_script,
)

EVIDENCE = '{"role":"button","label":"Save","verification":"verified"}'
DIGEST = "sha256:" + "0123456789abcdef" * 4


def _read(text: str) -> Script:
    return parse_script(text.encode(), "flows/a.ad")


def _refusal(text: str | bytes) -> SurefootError:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(SurefootError) as refusal:
        parse_script(data, "flows/a.ad")
    assert refusal.value.code is ErrorCode.INVALID_ARGS
    return refusal.value


def test_every_kind_of_line_becomes_its_node() -> None:
    script = _read(
        "# a journey\n"
        "\n"
        'context platform=web device="Two words"\n'
        "env NAME=Ada\n"
        f"# agent-device:target-v1 {EVIDENCE}\n"
        'press "label=\\"Save\\""\n'
        "# agent-device:heal-complete\n"
    )
    assert script.nodes == (
        Comment(line=1, text="# a journey"),
        Comment(line=2, text=""),
        Context(
            line=3,
            entries=(
                ContextEntry(key="platform", value="web"),
                ContextEntry(key="device", value="Two words"),
            ),
        ),
        Env(line=4, key="NAME", value="Ada"),
        Action(
            line=6,
            command=Token("press", 1, False, 5),
            args=(Token('label="Save"', 7, True, 16),),
            evidence=TargetEvidence(role="button", label="Save", verification="verified"),
            text='press "label=\\"Save\\""',
        ),
        HealComplete(line=7),
    )


def test_header_is_handed_out_merged() -> None:
    script = _read("context platform=web\ncontext target=desktop\nenv A=1\nenv B=2\n")
    assert script.context == {"platform": "web", "target": "desktop"}
    assert script.env == {"A": "1", "B": "2"}


def test_quoted_env_value_is_decoded() -> None:
    assert _read('env A="two \\"words\\""\n').env == {"A": 'two "words"'}


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_ends_do_not_reach_the_nodes(ending: str) -> None:
    script = _read(f"wait 1{ending}wait 2")
    assert [action.text for action in script.actions] == ["wait 1", "wait 2"]


def test_byte_order_mark_does_not_shift_columns() -> None:
    assert parse_script(b"\xef\xbb\xbfwait 1\n", "a.ad").actions[0].command.column == 1


def test_error_shows_path_line_column_excerpt_caret_and_expectation() -> None:
    error = _refusal('wait 1\nenv A="1"\n')
    assert error.message == (
        "flows/a.ad:2:1: env must precede all actions\n"
        '  env A="1"\n'
        "  ^^^\n"
        "  expected: env lines before the first action"
    )
    assert error.hint == "Nothing was executed. Correct the marked place and run it again."


def test_error_details_name_the_place_for_machines() -> None:
    error = _refusal('press "label=\n')
    assert error.details == {
        "reason": "script_quoting",
        "path": "flows/a.ad",
        "line": 1,
        "column": 7,
        "expected": 'a closing "',
        "excerpt": 'press "label=\n      ^',
        "errors": [
            {
                "line": 1,
                "column": 7,
                "rule": "quoting",
                "message": "unterminated quote",
                "expected": 'a closing "',
            }
        ],
        "errorCount": 1,
    }


def test_all_errors_of_a_file_are_told_at_once() -> None:
    error = _refusal('env a=1\npress "x\nwait 1\ncontext x=1\n')
    assert [(entry["line"], entry["rule"]) for entry in error.details["errors"]] == [
        (1, "env"),
        (2, "quoting"),
        (4, "context"),
    ]
    assert error.message.endswith("(2 more in this file)")


def test_at_most_twenty_errors_are_told_and_all_are_counted() -> None:
    error = _refusal('press "x\n' * 30)
    assert (len(error.details["errors"]), error.details["errorCount"]) == (20, 30)


@pytest.mark.parametrize(
    ("comment", "kept"),
    [
        ("#agent-device:target-v2 {", "future version"),
        ("# agent-device:targets-v12 x", "future version"),
        ("# agent-device:target-v1.5 {}", "future version"),
        ("# agent-device:whatever", "unknown reserved comment"),
        ("# see agent-device:target-v1 {}", "prefix not at the start"),
    ],
)
def test_comment_of_no_known_form_stays_a_comment(comment: str, kept: str) -> None:
    assert _read(f"{comment}\nwait 1\n").nodes[0] == Comment(line=1, text=comment)


@pytest.mark.parametrize("name", ["target-v2", "targets-v12"])
def test_evidence_of_a_newer_version_is_warned_about(name: str) -> None:
    script = _read(f'  # agent-device:{name} {{"x":1}}\npress label=One\n')
    (found,) = script.warnings
    assert (found.line, found.column, found.rule) == (1, 3, "annotation")
    assert found.message == (
        f"{name} is evidence this version cannot read: the step below runs unverified"
    )
    assert script.actions[0].evidence is None
    assert _read("# agent-device:whatever-v2 x\nwait 1\n").warnings == ()


@pytest.mark.parametrize(
    ("annotation", "key"),
    [
        ('target-v1 {"role":"a","role":"b","verification":"verified"}', "role"),
        ('target-v1 {"role":"a","x":{"y":[{"z":1,"z":1}]},"verification":"verified"}', "z"),
        ('target-v1 {"ro\\u006ce":"a","role":"b","verification":"verified"}', "role"),
        ('fragment-ref-v1 {"callSiteId":"a","callSiteId":"b","digest":"x"}', "callSiteId"),
    ],
)
def test_a_key_named_twice_is_refused(annotation: str, key: str) -> None:
    line = 'include "./a.ad"' if annotation.startswith("fragment") else "press label=One"
    error = _refusal(f"# agent-device:{annotation}\n{line}\n")
    assert f'says "{key}" twice' in error.message


@pytest.mark.parametrize("prefix", ["# agent-device:", "#agent-device:", "   #  agent-device:"])
def test_annotation_is_read_with_and_without_the_space(prefix: str) -> None:
    assert _read(f"{prefix}target-v1 {EVIDENCE}\nwait 1\n").actions[0].evidence is not None


def test_malformed_annotation_still_binds_to_its_action() -> None:
    assert _refusal("# agent-device:target-v1 {}\nwait 1\n").details["errorCount"] == 1


@pytest.mark.parametrize(
    ("header", "warning"),
    [
        ("context colour=red", 'unknown context key "colour"'),
        ("context platfrom=web", 'unknown context key "platfrom"'),
        ("context timeout=soon", "context timeout is no whole number"),
    ],
)
def test_doubtful_context_is_a_warning(header: str, warning: str) -> None:
    script = _read(f"{header}\nwait 1\n")
    assert [found.message for found in script.warnings] == [warning]


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("context", 1, "context names no key"),
        ("context web", 9, '"web" is not key=value'),
        ("context platform=", 9, '"platform=" is not key=value'),
        ('context "platform=web"', 9, '"platform=web" is not key=value'),
        ("env A=1 B=2", 9, "an env directive is one KEY=VALUE"),
        ('env "A=1"', 1, "an env directive is one KEY=VALUE"),
        ("env A=two words", 11, "an env directive is one KEY=VALUE"),
        ("env A=${B}", 7, "the value of env A names a variable"),
        ("env A=1\\${B}", 7, "the value of env A names a variable"),
    ],
)
def test_malformed_header_is_refused(line: str, column: int, message: str) -> None:
    error = _refusal(f"{line}\n")
    assert (error.details["column"], error.details["errors"][0]["message"]) == (column, message)


@pytest.mark.parametrize(
    ("data", "line", "column", "reason"),
    [
        (b"wait 1\n# caf\xe9\n", 2, 6, "not_utf8"),
        (b"\xff\xfew\x00", 1, 1, "not_utf8"),
        (b"wait 1\nwait \x00\n", 2, 6, "nul_byte"),
        (b"# \xed\xa0\x80\n", 1, 3, "not_utf8"),
        (b"#" * (MAX_SOURCE_BYTES + 1), 1, 1, "script_too_large"),
        (b"wait 1\ntype " + b"x" * 65_532 + b"\n", 2, 1, "line_too_long"),
        (b"wait\n" * (MAX_STEPS + 1), MAX_STEPS + 1, 1, "too_many_steps"),
    ],
)
def test_bytes_out_of_bounds_are_refused(data: bytes, line: int, column: int, reason: str) -> None:
    error = _refusal(data)
    assert (error.details["line"], error.details["column"], error.reason) == (line, column, reason)


def test_line_and_source_at_their_bounds_are_read() -> None:
    line = b"type " + b"x" * 65_531
    assert len(line) == 64 * 1024
    assert len(parse_script(line + b"\r\n", "a.ad").actions) == 1
    filler = b"# 3456789\n" * (MAX_SOURCE_BYTES // 10)
    assert parse_script(filler.ljust(MAX_SOURCE_BYTES, b"\n"), "a.ad").actions == ()


def test_fragment_guard_pin_and_include_are_recognised() -> None:
    reference = f'{{"callSiteId":"login","digest":"{DIGEST}"}}'
    script = _read(
        "# root\ncomposition-v1\ncontext platform=web\n"
        f'# agent-device:fragment-ref-v1 {reference}\ninclude "./login.ad"\n'
    )
    assert script.guard == Guard(line=2, kind="composition")
    assert script.includes == (
        Include(
            line=5,
            locator="./login.ad",
            reference=FragmentReference(call_site_id="login", digest=DIGEST),
            text='include "./login.ad"',
        ),
    )
    assert _read("fragment-v1\n").guard == Guard(line=1, kind="fragment")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fragment-v2\n", "fragment_unsupported"),
        ("context platform=web\nfragment-v1\n", "fragment_unsupported"),
        ("fragment-v1 x\n", "fragment_unsupported"),
        ("composition-v1\ncomposition-v1\n", "fragment_unsupported"),
        ("include\n", "fragment_call_site_invalid"),
        ("include a b\n", "fragment_call_site_invalid"),
        ("include ${WHERE}\n", "fragment_call_site_invalid"),
        ("# agent-device:fragment-ref-v1\ninclude a\n", "fragment_call_site_invalid"),
        ("# agent-device:fragment-ref-v1 {}\ninclude a\n", "fragment_call_site_invalid"),
        (
            f'# agent-device:fragment-ref-v1 {{"callSiteId":"","digest":"{DIGEST}"}}\ninclude a\n',
            "fragment_call_site_invalid",
        ),
        (
            f'# agent-device:fragment-ref-v1 {{"callSiteId":"a","digest":"{DIGEST.upper()}"}}\n'
            "include a\n",
            "fragment_call_site_invalid",
        ),
        (
            f'# agent-device:fragment-ref-v1 {{"callSiteId":"a","digest":"{DIGEST}","x":1}}\n'
            "include a\n",
            "fragment_call_site_invalid",
        ),
        (
            f'# agent-device:fragment-ref-v1 {{"callSiteId":"a","digest":"{DIGEST}"}}\nwait 1\n',
            "fragment_call_site_invalid",
        ),
        (f"# agent-device:target-v1 {EVIDENCE}\ninclude a\n", "annotation_unbound"),
    ],
)
def test_malformed_composition_is_refused(text: str, reason: str) -> None:
    assert _refusal(text).reason == reason


def test_scan_hands_out_what_could_be_read_beside_the_findings() -> None:
    parsed = scan_script(b'wait 1\npress "x\nwait 2\n', "a.ad")
    assert [action.text for action in parsed.script.actions] == ["wait 1", "wait 2"]
    assert [(issue.line, issue.rule) for issue in parsed.issues] == [(2, "quoting")]


def test_heal_complete_counts_only_at_the_end() -> None:
    assert _read("wait 1\n# agent-device:heal-complete\n\n").heal_complete is True
    assert _read("# agent-device:heal-complete\nwait 1\n").heal_complete is False
    assert _read("").heal_complete is False
