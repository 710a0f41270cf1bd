"""Scripts written: canonical tokens, no ref, nothing its own parser would refuse."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.support.script_grammar import SmallGrammar

from surefoot.errors import ErrorCode, SurefootError
from surefoot.identity import TargetEvidence, TargetsEvidence
from surefoot.script import (
    Action,
    Comment,
    Context,
    ContextEntry,
    Env,
    FragmentReference,
    Guard,
    HealComplete,
    Include,
    Node,
    Script,
    Template,
    action_node,
    literal,
    parse_script,
    placeholder,
    write_script,
)

SAVE_TEXT = '{"role":"button","label":"Save","ancestry":[],"verification":"verified"}'
SAVE = TargetEvidence(role="button", label="Save", verification="verified")


def _write(*nodes: Node) -> str:
    return write_script(Script(path="out.ad", nodes=nodes), SmallGrammar())


def _rewrite(text: str) -> str:
    return write_script(parse_script(text.encode(), "in.ad"), SmallGrammar())


def _action(command: str, *positionals: str, **flags: int | bool) -> Action:
    return action_node(command, [literal(text) for text in positionals], flags)


def test_recorded_session_is_written_line_by_line() -> None:
    text = _write(
        Context(
            entries=(ContextEntry(key="platform", value="web"), ContextEntry(key="device", value="vm"))
        ),
        Env(key="NAME", value="two words"),
        _action("open", "http://x/?a=1#b"),
        action_node("press", [literal('role="button" label="Save"')], {"count": 2}, SAVE),
        action_node("fill", [literal('id="q"'), placeholder("NAME")]),
        _action("wait", "text", "Cart: 1", "3000"),
        _action("close"),
        HealComplete(),
    )
    assert text == (
        'context platform=web device="vm"\n'
        'env NAME="two words"\n'
        'open "http://x/?a=1#b"\n'
        f"# agent-device:target-v1 {SAVE_TEXT}\n"
        'press "role=\\"button\\" label=\\"Save\\"" --count 2\n'
        'fill "id=\\"q\\"" "${NAME}"\n'
        'wait "text" "Cart: 1" 3000\n'
        "close\n"
        "# agent-device:heal-complete\n"
    )


@pytest.mark.parametrize(
    ("line", "written"),
    [
        pytest.param("press label=Save", 'press "label=Save"', id="tokens-get-double-quotes"),
        pytest.param(
            "get 'text' 'label=\"x\"'", 'get "text" "label=\\"x\\""', id="single-become-double"
        ),
        pytest.param(
            'press role=a label="b c"', 'press "role=a label=\\"b c\\""', id="selector-is-one-token"
        ),
        pytest.param("snapshot -i -d 3", "snapshot --interactive --depth 3", id="flags-are-long"),
        pytest.param(
            'press "id=x" --settle --verify', 'press "id=x"', id="settle-and-verify-are-left-out"
        ),
        pytest.param("press 10 20", "press 10 20", id="numbers-stay-bare"),
        pytest.param('fill "id=x" "--settle"', 'fill "id=x" "--settle"', id="quoted-dashes-are-text"),
        pytest.param('type "-5"', 'type "-5"', id="negative-number-is-quoted"),
        pytest.param('type "ünï \\t"', 'type "ünï \\t"', id="non-ascii-raw-controls-escaped"),
        pytest.param("type \\${A}", 'type "\\\\${A}"', id="escaped-variable-stays-escaped"),
        pytest.param(
            'fill id="q" "  two  spaces "',
            'fill "id=\\"q\\"" "  two  spaces "',
            id="B077-inner-and-leading-blanks",
        ),
        pytest.param(
            'click "label=\\"Say \\\\\\"hi\\\\\\"\\""',
            'click "label=\\"Say \\\\\\"hi\\\\\\"\\""',
            id="B076-escaped-quotes-same-form",
        ),
    ],
)
def test_line_is_written_as(line: str, written: str) -> None:
    assert _rewrite(f"{line}\n") == f"{written}\n"


def test_comments_and_blank_lines_stay_where_they_were() -> None:
    text = "# one\n\nwait 1\n# two\n#three\n"
    assert _rewrite(text) == text


def test_annotation_is_rewritten_in_canonical_form_and_keeps_unknown_fields() -> None:
    written = _rewrite(
        '#agent-device:target-v1 { "verification":"verified","zzz":1,"label":"Save","role":"button" }\n'
        "press label=Save\n"
    )
    assert written == (f'# agent-device:target-v1 {SAVE_TEXT[:-1]},"zzz":1}}\npress "label=Save"\n')


def test_two_targets_get_one_annotation() -> None:
    pair = TargetsEvidence(source=SAVE, destination=SAVE)
    text = _write(action_node("drag", [literal("id=a"), literal("id=b")], {}, pair))
    both = f'{{"source":{SAVE_TEXT},"destination":{SAVE_TEXT}}}'
    assert text == f'# agent-device:targets-v1 {both}\ndrag "id=a" "id=b"\n'


def test_pinned_include_is_written_behind_its_guard() -> None:
    digest = f"sha256:{'a' * 64}"
    reference = FragmentReference(call_site_id="login", digest=digest)
    text = _write(Guard(kind="composition"), Include(locator="./a b.ad", reference=reference))
    assert text == (
        "composition-v1\n"
        f'# agent-device:fragment-ref-v1 {{"callSiteId":"login","digest":"{digest}"}}\n'
        'include "./a b.ad"\n'
    )
    assert _rewrite(text) == text


@pytest.mark.parametrize(
    ("command", "positionals", "ref"),
    [
        pytest.param("press", ["@e12"], "@e12", id="B111-press"),
        pytest.param("press", ["@e12", "Save"], "@e12", id="B111-press-with-label"),
        pytest.param("fill", ["@e12~s42", "x"], "@e12~s42", id="B111-pinned"),
        pytest.param("get", ["text", "@e1"], "@e1", id="B111-get"),
        pytest.param("wait", ["@e1", "500"], "@e1", id="B111-wait"),
        pytest.param("wait", ["absent", "@e1"], "@e1", id="B111-wait-absent"),
        pytest.param("drag", ["id=a", "@e2"], "@e2", id="B111-second-target"),
    ],
)
def test_ref_is_never_written(command: str, positionals: Sequence[str], ref: str) -> None:
    with pytest.raises(SurefootError) as refusal:
        _write(_action("open", "x"), _action(command, *positionals))
    assert refusal.value.code is ErrorCode.COMMAND_FAILED
    assert refusal.value.details == {
        "reason": "ref_not_portable",
        "path": "out.ad",
        "line": 2,
        "step": 2,
        "command": command,
        "ref": ref,
    }


def test_ref_in_a_flag_is_never_written() -> None:
    with pytest.raises(SurefootError) as refusal:
        _write(action_node("snapshot", [], {"scope": "@e3"}))
    assert refusal.value.reason == "ref_not_portable"


def test_text_that_looks_like_a_ref_is_written() -> None:
    assert _write(_action("fill", "id=q", "@e12")) == 'fill "id=q" "@e12"\n'


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_text_no_script_can_hold_is_refused(text: str) -> None:
    with pytest.raises(SurefootError) as refusal:
        _action("type", text)
    assert refusal.value.reason == "text_unwritable"


@pytest.mark.parametrize(
    "node",
    [
        Comment(text="two\nlines"),
        Comment(text="no hash"),
        Env(key="A", value="${B}"),
    ],
)
def test_node_that_would_not_read_back_is_refused(node: Node) -> None:
    with pytest.raises(SurefootError) as refusal:
        _write(node)
    assert refusal.value.reason == "text_unwritable"


def test_action_the_grammar_refuses_is_not_written() -> None:
    with pytest.raises(SurefootError) as refusal:
        _write(_action("open", "x"), _action("frobnicate", "x"))
    assert (refusal.value.code, refusal.value.details["line"]) == (ErrorCode.INVALID_ARGS, 2)


@pytest.mark.parametrize(
    ("count", "width", "reason"),
    [(1, 70_000, "line_too_long"), (20, 60_000, "script_too_large"), (50_001, 1, "too_many_steps")],
)
def test_script_out_of_bounds_is_not_written(count: int, width: int, reason: str) -> None:
    action = action_node("type", [Template("x" * width)])
    with pytest.raises(SurefootError) as refusal:
        _write(*[action] * count)
    assert refusal.value.reason == reason
