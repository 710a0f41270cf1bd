"""Variables: found, refused, filled in as data (decisions.md, variables)."""

from __future__ import annotations

import pytest

from surefoot.errors import SurefootError
from surefoot.script import (
    MalformedReference,
    Reference,
    Scope,
    Unresolved,
    expand,
    expand_selector,
    literal,
    parse_assignments,
    placeholder,
    references,
    shell_variables,
)
from surefoot.selectors import Equals, State, parse_selector

SCOPE = Scope.of(cli={"A": "one", "Q": 'say "hi" \\', "TERM": 'x" || role="button', "S": "label=x y"})


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("${A}", "one"),
        ("<${A}-${A}>", "<one-one>"),
        ("${A:-two}", "one"),
        ("${B:-two words}", "two words"),
        ("${B:-}", ""),
        ("${B:-a\\}b}", "a}b"),
        ("\\${A}", "${A}"),
        ("\\\\${A}", "\\${A}"),
        ("$A {A} $", "$A {A} $"),
    ],
)
def test_template_expands(template: str, text: str) -> None:
    assert expand(template, SCOPE) == text


@pytest.mark.parametrize("template", ["${", "${A", "${a}", "${}", "${A-b}", "${1A}", "${A:-${B}}"])
def test_malformed_reference_is_refused(template: str) -> None:
    with pytest.raises(MalformedReference) as fault:
        references(f"x{template}")
    assert fault.value.offset == 1


def test_references_are_listed_in_order() -> None:
    assert references("${A} \\${B} ${C:-d}") == (
        Reference("A", None, 0, 4),
        Reference("C", "d", 11, 18),
    )


def test_variable_without_value_or_default_is_unresolved() -> None:
    with pytest.raises(Unresolved) as missing:
        expand("${B}", SCOPE)
    assert missing.value.name == "B"


def test_set_but_empty_variable_is_bound() -> None:
    assert expand("${A:-x}", Scope.of(cli={"A": ""})) == ""


def test_precedence_is_cli_shell_script_built_in() -> None:
    layers = Scope.of(
        cli={"A": "cli"},
        shell={"A": "shell", "B": "shell"},
        built_ins={"AD_PLATFORM": "web", "C": "built-in"},
    ).within({"A": "env", "B": "env", "C": "env", "D": "env"})
    assert layers.values == {"A": "cli", "B": "shell", "C": "env", "D": "env", "AD_PLATFORM": "web"}


def test_values_are_not_expanded_again() -> None:
    assert expand("${A}", Scope.of(cli={"A": "${A}"})) == "${A}"


def test_shell_variables_lose_their_prefix() -> None:
    environment = {"AD_VAR_USER": "ada", "AD_VAR_lower": "x", "USER": "root", "AD_VAR_": "x"}
    assert shell_variables(environment) == {"USER": "ada"}


@pytest.mark.parametrize("entry", ["A", "a=1", "AD_X=1", "=1", "1A=1"])
def test_assignment_that_cannot_be_set_is_refused(entry: str) -> None:
    with pytest.raises(SurefootError) as refusal:
        parse_assignments([entry])
    assert refusal.value.reason == "env_invalid"


def test_assignments_split_at_their_first_equals_sign() -> None:
    assert parse_assignments(["A=b=c", "B="]) == {"A": "b=c", "B": ""}


def test_placeholder_of_a_reserved_name_is_refused() -> None:
    with pytest.raises(SurefootError):
        placeholder("AD_SESSION")
    assert placeholder("PASSWORD") == "${PASSWORD}"


@pytest.mark.parametrize(
    ("template", "source"),
    [
        ('label="${A}"', 'label="one"'),
        ('label="${Q}"', 'label="say \\"hi\\" \\\\"'),
        ("label=${A}", 'label="one"'),
        ("label=pre-${A}", 'label="pre-one"'),
        ("label=${B:-two} visible", "label=two visible"),
        ('label="${B:-say \\"hi\\"}"', 'label="say \\"hi\\""'),
        ("label='${A} it\\'s'", 'label="one it\'s"'),
        ("label='plain' text='${A}'", "label='plain' text=\"one\""),
        ('label="\\${A}"', 'label="${A}"'),
        ("label=\\${A}", "label=${A}"),
        ("${S} role=button", "label=x y role=button"),
        ('id="a" || label="${A}"', 'id="a" || label="one"'),
        ("label='never ${A}", "label='never one"),
    ],
)
def test_selector_template_expands(template: str, source: str) -> None:
    assert expand_selector(template, SCOPE) == source


@pytest.mark.parametrize("template", ['label="${TERM}"', "label=${TERM}", "label='${TERM}'"])
def test_value_cannot_leave_its_term(template: str) -> None:
    selector = parse_selector(expand_selector(f"{template} visible=true", SCOPE))
    (alternative,) = selector.alternatives
    assert alternative.terms == (Equals("label", 'x" || role="button'), State("visible", True))


def test_literal_text_expands_to_itself() -> None:
    assert expand(literal("${A} \\${A} $"), SCOPE) == "${A} \\${A} $"
