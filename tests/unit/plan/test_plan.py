"""Plans: checked whole before step 1, digest over what will run, values filled in late."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import pytest
from tests.support.script_grammar import SmallGrammar

from surefoot.errors import ErrorCode, SurefootError
from surefoot.plan import Plan, PlanSource, bind_step, build_plan, load_plan, source_path
from surefoot.script import GrammarIssue, Scope, Token, ValidStep, scan_script

GRAMMAR = SmallGrammar()
ANNOTATION = (
    '# agent-device:target-v1 {"role":"button","label":"Save","ancestry":[],"screen":"Shop",'
    '"rect":{"x":1,"y":1,"width":1,"height":1},"verification":"verified"}\n'
)
SCRIPT = f'context platform=web\nopen "x"\n{ANNOTATION}press "label=Save"\nfill id=q ${{NAME}}\n'


def _plan(text: str, scope: Scope | None = None, **options: str) -> Plan:
    return load_plan(text.encode(), path="a.ad", grammar=GRAMMAR, scope=scope, **options)


def _refusal(text: str, scope: Scope | None = None) -> SurefootError:
    with pytest.raises(SurefootError) as refusal:
        _plan(text, scope)
    assert refusal.value.code is ErrorCode.INVALID_ARGS
    return refusal.value


def test_steps_know_their_ordinal_and_their_source() -> None:
    plan = _plan(SCRIPT, provenance="flows/a.ad")
    assert [(step.ordinal, step.command, step.source) for step in plan.steps] == [
        (1, "open", PlanSource(path="flows/a.ad", line=2)),
        (2, "press", PlanSource(path="flows/a.ad", line=4)),
        (3, "fill", PlanSource(path="flows/a.ad", line=5)),
    ]


def test_steps_keep_placeholders_and_evidence() -> None:
    plan = _plan(SCRIPT)
    assert plan.steps[2].positionals == ("id=q", "${NAME}")
    assert plan.steps[1].evidence is not None
    assert (plan.platform, plan.steps[1].targets) == ("web", (0,))


def test_malformed_line_forty_leaves_nothing_executed() -> None:
    error = _refusal("wait 1\n" * 39 + "wait 1x\n")
    assert (error.details["line"], error.details["column"]) == (40, 6)


def test_parser_and_grammar_findings_are_told_in_one_error() -> None:
    error = _refusal('pres label=x\ntype "x\nwait 1 --zzz\npress "colour=red"\n')
    assert [(entry["line"], entry["column"], entry["rule"]) for entry in error.details["errors"]] == [
        (1, 1, "command"),
        (2, 6, "quoting"),
        (3, 8, "flag"),
        (4, 8, "selector"),
    ]
    assert error.details["suggestion"] == "press"
    assert error.message.startswith('a.ad:1:1: unknown command "pres"; did you mean "press"?\n')


@pytest.mark.parametrize(
    ("line", "column"),
    [
        pytest.param("press role=button colour=red", 19, id="bare-tokens"),
        pytest.param('press "role=button colour=red"', 20, id="quoted"),
        pytest.param('press "role=\\"button\\" colour=red"', 24, id="behind-escapes"),
        pytest.param('press "role=\\u0062 colour=red"', 20, id="behind-unicode-escape"),
        pytest.param("press 'role=button colour=red'", 20, id="single-quoted"),
        pytest.param('press role="b" colour=red', 16, id="quotes-inside-a-word"),
    ],
)
def test_caret_points_into_the_selector_as_it_was_written(line: str, column: int) -> None:
    error = _refusal(f"{line}\n")
    assert (error.details["column"], error.details["errors"][0]["message"]) == (
        column,
        'Unknown selector key "colour"',
    )


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        pytest.param(
            "wait visible 'label=\"General\"' 5000",
            6,
            '"visible" is no selector',
            id="B071-wait-visible",
        ),
        pytest.param('click "abc', 7, "unterminated quote", id="B078-unclosed-quote"),
    ],
)
def test_public_fault_is_refused_before_step_one(line: str, column: int, message: str) -> None:
    error = _refusal(f"{line}\n")
    assert error.details["column"] == column
    assert error.details["errors"][0]["message"] == message
    assert error.details["expected"]


@pytest.mark.parametrize(
    ("line", "details", "hint", "found"),
    [
        ("  run x", {"reason": "why"}, None, (3, "argument", None)),
        ("run x", {"reason": "unknown_command"}, None, (1, "command", None)),
        ("run x --y=1", {"given": "--y"}, "Use --z.", (7, "flag", "Use --z.")),
        ("run x yy", {"token": 1, "expected": "zz"}, "Use --z.", (7, "argument", "zz")),
        (
            "run a=b c=d",
            {"given": "a=b c=d", "column": 5, "reason": "selector_x"},
            None,
            (9, "selector", None),
        ),
        ('run "\\"q"', {"given": '"q', "column": 2}, None, (8, "argument", None)),
    ],
)
def test_raised_error_becomes_a_finding_with_its_place(
    line: str, details: dict[str, object], hint: str | None, found: tuple[int, str, str | None]
) -> None:
    class Raising(SmallGrammar):
        def validate(
            self, command: Token, args: Sequence[Token]
        ) -> ValidStep | tuple[GrammarIssue, ...]:
            raise SurefootError(ErrorCode.INVALID_ARGS, "no", hint=hint, details=details)

    with pytest.raises(SurefootError) as refusal:
        load_plan(f"{line}\n".encode(), path="a.ad", grammar=Raising())
    (entry,) = refusal.value.details["errors"]
    assert (entry["column"], entry["rule"], entry.get("expected")) == found


@pytest.mark.parametrize("message", ["no zap", 'no zap; did you mean "zip"?'])
def test_suggestion_is_told_once(message: str) -> None:
    class Suggesting(SmallGrammar):
        def validate(
            self, command: Token, args: Sequence[Token]
        ) -> ValidStep | tuple[GrammarIssue, ...]:
            return (GrammarIssue(message=message, column=1, suggestion="zip"),)

    with pytest.raises(SurefootError) as refusal:
        load_plan(b"zap\n", path="a.ad", grammar=Suggesting())
    assert refusal.value.message.startswith('a.ad:1:1: no zap; did you mean "zip"?\n')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("composition-v1\nopen x\n", "fragment_unsupported"),
        ("include a.ad\n", "fragment_unsupported"),
        ("fragment-v1\nwait 1\n", "fragment_composition_required"),
    ],
)
def test_composition_is_no_flat_plan(text: str, reason: str) -> None:
    assert _refusal(text).reason == reason


@pytest.mark.parametrize(
    ("line", "warnings"),
    [
        ("wait 1", ["the annotation above is not used: wait has no element target here"]),
        ("drag id=a id=b", ["the annotation above is not used: drag has 2 element targets here"]),
        ("press id=a", []),
    ],
)
def test_annotation_that_nothing_verifies_is_a_warning(line: str, warnings: list[str]) -> None:
    plan = _plan(f"{ANNOTATION}{line}\n")
    assert [found.message for found in plan.warnings] == warnings


def test_a_step_after_a_close_is_refused_before_step_one() -> None:
    error = _refusal("open x\nclose\npress id=a\nwait 1\n")
    assert error.message == (
        "a.ad:3:1: nothing is open here: the close on line 2 ended the session\n"
        "  press id=a\n"
        "  ^^^^^\n"
        "  expected: open, or close as the last step"
    )
    assert (error.reason, error.details["errorCount"]) == ("step_after_close", 1)
    assert len(_plan("open x\nclose\nopen y\npress id=a\nclose\n").steps) == 5


# Variables


def test_unresolved_variable_names_its_place() -> None:
    error = _refusal('wait 1\nfill id=q "a ${NAME} b"\n', Scope.of())
    assert error.message == (
        "a.ad:2:14: unresolved variable ${NAME}\n"
        '  fill id=q "a ${NAME} b"\n'
        "               ^^^^^^^\n"
        "  expected: -e NAME=…, AD_VAR_NAME, an env line, or ${NAME:-default}"
    )
    assert error.reason == "variable_unresolved"


def test_env_of_the_script_resolves_and_the_caller_wins() -> None:
    plan = _plan("env A=script\ntype ${A}\n", Scope.of())
    assert bind_step(plan.steps[0], Scope.of().within(plan.env), GRAMMAR).positionals == ("script",)
    caller = Scope.of(cli={"A": "cli"}).within(plan.env)
    assert bind_step(plan.steps[0], caller, GRAMMAR).positionals == ("cli",)


def test_value_is_checked_before_step_one() -> None:
    error = _refusal("wait ${MS}\n", Scope.of(cli={"MS": "soon"}))
    assert (error.details["line"], error.details["column"]) == (1, 6)
    assert _plan("wait ${MS}\n", Scope.of(cli={"MS": "5"})).steps[0].positionals == ("${MS}",)


@pytest.mark.parametrize("value", ["--settle", 'a" b', "a  b", "${A}", "@e12", "# x", "-5"])
def test_value_is_text_whatever_it_holds(value: str) -> None:
    plan = _plan("fill id=q ${A}\n")
    bound = bind_step(plan.steps[0], Scope.of(cli={"A": value}), GRAMMAR)
    assert (bound.positionals, bound.flags) == (("id=q", value), {})


def test_value_in_a_selector_stays_in_its_term() -> None:
    plan = _plan('press "label=\\"${A}\\""\n')
    bound = bind_step(plan.steps[0], Scope.of(cli={"A": 'x" || role="b'}), GRAMMAR)
    assert bound.positionals == ('label="x\\" || role=\\"b"',)


def test_bound_step_says_which_variables_went_in() -> None:
    plan = _plan("fill id=${A} ${B:-x}\n")
    bound = bind_step(plan.steps[0], Scope.of(cli={"A": "q", "C": "z"}), GRAMMAR)
    assert (bound.used, bound.step.positionals) == ({"A": "q"}, ("id=${A}", "${B:-x}"))


def test_variable_fills_a_flag() -> None:
    plan = _plan("press id=a --count ${N}\n")
    bound = bind_step(plan.steps[0], Scope.of(cli={"N": "3"}), GRAMMAR)
    assert bound.flags == {"count": 3}


def test_late_binding_refuses_what_was_never_checked() -> None:
    plan = _plan("type ${A}\n")
    with pytest.raises(SurefootError) as refusal:
        bind_step(plan.steps[0], Scope.of(), GRAMMAR)
    assert refusal.value.details["line"] == 1


def test_malformed_reference_is_refused_even_without_a_scope() -> None:
    error = _refusal("type ${a}\n")
    assert (error.reason, error.details["column"]) == ("variable_malformed", 6)


# Digest


CANONICAL = (
    '{"format":"ad","platform":"web","steps":['
    '{"command":"open","control":{"inControlFlow":false,"producesOutput":false},"evidence":null,'
    '"flags":{},"positionals":["x"],"source":{"line":2,"path":"a.ad"}},'
    '{"command":"press","control":{"inControlFlow":false,"producesOutput":false},'
    '"evidence":{"target-v1":{"ancestry":[],"label":"Save","role":"button","verification":"verified"}},'
    '"flags":{},"positionals":["label=Save"],"source":{"line":4,"path":"a.ad"}},'
    '{"command":"fill","control":{"inControlFlow":false,"producesOutput":false},"evidence":null,'
    '"flags":{},"positionals":["id=q","${NAME}"],"source":{"line":5,"path":"a.ad"}}'
    '],"target":null,"version":1}'
)


def test_digest_is_sha256_of_the_canonical_form_version_one() -> None:
    assert hashlib.sha256(CANONICAL.encode()).hexdigest() == (
        "52c4288618b4a48f19546a9dc8d0be31a9acbed35e099ac666f8b0e27f3fa57a"
    )
    assert _plan(SCRIPT).digest == "52c4288618b4a48f19546a9dc8d0be31a9acbed35e099ac666f8b0e27f3fa57a"


def test_digest_does_not_depend_on_values() -> None:
    digests = {_plan(SCRIPT, Scope.of(cli={"NAME": value})).digest for value in ("a", "b")} | {
        _plan(SCRIPT).digest
    }
    assert len(digests) == 1


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(("press", "click"), id="command"),
        pytest.param(('"label=Save"', '"label=Send"'), id="positional"),
        pytest.param(('"label=Save"', '"label=Save" --count 2'), id="flag"),
        pytest.param(("${NAME}", "${OTHER}"), id="placeholder"),
        pytest.param(("${NAME}", "${NAME:-x}"), id="default"),
        pytest.param(('"label":"Save"', '"label":"Send"'), id="evidence"),
        pytest.param(('"ancestry":[]', '"ancestry":[],"peers":2'), id="context-evidence"),
        pytest.param(('"verified"', '"unverifiable"'), id="verification"),
        pytest.param((ANNOTATION, ""), id="annotation-removed"),
        pytest.param(("platform=web", "platform=sim"), id="platform"),
        pytest.param(("platform=web", "platform=web target=desktop"), id="target"),
        pytest.param(("open", "# a comment above\nopen"), id="line-of-a-step"),
    ],
)
def test_digest_changes_with(edit: tuple[str, str]) -> None:
    assert edit[0] in SCRIPT
    assert _plan(SCRIPT.replace(*edit)).digest != _plan(SCRIPT).digest


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(('"screen":"Shop"', '"screen":"Other"'), id="screen"),
        pytest.param(('"x":1', '"x":99'), id="rect"),
        pytest.param(('"ancestry":[]', '"ancestry":[],"zzz":1'), id="unknown-field"),
        pytest.param(('"label=Save"', "label=Save"), id="quotes"),
        pytest.param(("press ", "  press   "), id="blanks"),
        pytest.param(("platform=web", 'platform=web device="vm"'), id="device"),
    ],
)
def test_digest_does_not_change_with(edit: tuple[str, str]) -> None:
    assert edit[0] in SCRIPT
    assert _plan(SCRIPT.replace(*edit)).digest == _plan(SCRIPT).digest


def test_digest_binds_the_effective_platform_not_the_header() -> None:
    assert _plan(SCRIPT, platform="sim").digest != _plan(SCRIPT).digest
    assert _plan(SCRIPT, platform="web").digest == _plan(SCRIPT).digest


def test_digest_binds_the_provenance_path() -> None:
    assert _plan(SCRIPT, provenance="b.ad").digest != _plan(SCRIPT).digest


def test_digest_is_sixty_four_bare_lower_case_hex_digits() -> None:
    digest = _plan(SCRIPT).digest
    assert len(digest) == 64
    assert set(digest) <= set("0123456789abcdef")


@pytest.mark.parametrize(
    ("path", "root", "relative"),
    [
        ("/repo/flows/a.ad", "/repo", "flows/a.ad"),
        ("/repo/a.ad", "/repo", "a.ad"),
        ("/repo/a.ad", "/", "repo/a.ad"),
        ("/other/a.ad", "/repo/x", "../../other/a.ad"),
        ("/repo-b/a.ad", "/repo", "../repo-b/a.ad"),
        ("/repo", "/repo", "../repo"),
    ],
)
def test_source_path_is_relative_to_the_root(path: str, root: str, relative: str) -> None:
    assert source_path(path, root) == relative


def test_seams_of_the_grammar_reach_the_step() -> None:
    class Producing(SmallGrammar):
        def validate(
            self, command: Token, args: Sequence[Token]
        ) -> ValidStep | tuple[GrammarIssue, ...]:
            flags: Mapping[str, str] = {"into": "X"}
            return ValidStep(
                command=command.text, flags=flags, produces_output=True, in_control_flow=True
            )

    (step,) = build_plan(scan_script(b"run x\n", "a.ad"), Producing()).steps
    assert (step.produces_output, step.in_control_flow, step.flags) == (True, True, {"into": "X"})
