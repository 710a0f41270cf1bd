"""The format of fragments and compositions: every planted violation is refused for its own reason."""

from __future__ import annotations

import pytest
from tests.support.compositions import (
    NOWHERE,
    closure_of,
    digest_of,
    fragment,
    guard,
    include,
    load,
    pinned,
    refusal,
    root,
    target,
)

from surefoot.compose import Rule, preflight


def _with(child: str, *, env: dict[str, str] | None = None) -> tuple[str | None, str | None]:
    """Reason and problem of a root that pins ``child`` as it stands."""
    data = child.encode()
    sources = {"main.ad": root(include("login", "./login.ad", digest_of(data))).encode()}
    error = refusal({**sources, "login.ad": data}, env=env)
    return error.reason, error.details.get("problem")


def test_smallest_composition_is_admitted() -> None:
    plan = load(
        pinned({"main.ad": root("@include login ./login.ad"), "login.ad": fragment("press id=a")})
    )
    assert [step.step.command for step in plan.steps] == ["open", "wait", "press", "close"]


def test_missing_digest_is_refused() -> None:
    sources = pinned({"main.ad": root('include "./login.ad"'), "login.ad": fragment()})
    error = refusal(sources)
    assert (error.reason, error.details["problem"]) == ("fragment_call_site_invalid", "unpinned")
    assert (error.details["source"], error.details["line"]) == ("main.ad", 4)
    assert error.details["locator"] == "./login.ad"
    assert error.details["expectedDigest"] is None
    assert "callSiteId" not in error.details


def test_missing_call_site_id_is_refused() -> None:
    reference = f'# agent-device:fragment-ref-v1 {{"digest":"{NOWHERE}"}}\ninclude "./login.ad"'
    error = refusal(pinned({"main.ad": root(reference), "login.ad": fragment()}))
    assert (error.reason, error.details["problem"]) == (
        "fragment_call_site_invalid",
        "reference_malformed",
    )
    assert error.details["locator"] == "./login.ad"


def test_duplicate_call_site_id_is_refused() -> None:
    lines = ("@include login ./login.ad", "@include login ./login.ad")
    error = refusal(pinned({"main.ad": root(*lines), "login.ad": fragment()}))
    assert (error.reason, error.details["problem"]) == ("fragment_call_site_invalid", "duplicate")
    assert (error.details["callSiteId"], error.details["line"]) == ("login", 7)


def test_equal_call_site_ids_of_two_parents_are_no_duplicates() -> None:
    sources = {
        "main.ad": root("@include login ./a.ad", "@include other ./b.ad"),
        "a.ad": fragment("@include login ./b.ad"),
        "b.ad": fragment(),
    }
    assert len(load(pinned(sources)).steps) == 5


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('open "shop"', "open"),
        ("close", "close"),
        ("batch", "batch"),
        ("teleport id=a", "teleport"),
        ("snapshot", "snapshot"),
    ],
    ids=["admitted-open", "admitted-close", "batch", "undeclared-command", "safe-by-omission"],
)
def test_command_without_the_positive_trait_is_refused(line: str, problem: str) -> None:
    assert _with(fragment(line)) == ("fragment_lifecycle", problem)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("", "no_step"),
        ("press id=a", "no_wait"),
        ("wait 500", "no_wait"),
        ('wait text "Home" 500', "no_wait"),
        ('wait absent "label=\\"Home\\"" 500', "no_wait"),
        (guard(timeout=""), "no_timeout"),
        (guard(timeout=' "${MS}"'), "no_timeout"),
        ('wait "label=\\"Home\\"" 500', "no_evidence"),
        (guard().replace('"verified"', '"unverifiable"'), "unverifiable"),
        (guard().replace('"label":"Home",', ""), "no_identity"),
        (f'{target("Home")}\nwait "label=\\"Cart\\"" 500', "selector_differs"),
    ],
)
def test_guardless_fragment_is_refused(body: str, problem: str) -> None:
    child = f"fragment-v1\ncontext platform=sim target=desktop\n{body}\n"
    assert _with(child) == ("fragment_entry_guard", problem)


def test_include_before_the_entry_guard_is_refused() -> None:
    text = fragment().replace("desktop\n", "desktop\n@include inner ./inner.ad\n")
    sources = {"main.ad": root("@include a ./a.ad"), "a.ad": text, "inner.ad": fragment()}
    error = refusal(pinned(sources))
    assert (error.reason, error.details["problem"]) == ("fragment_entry_guard", "not_first")


def test_guard_selector_that_agrees_in_one_alternative_is_admitted() -> None:
    wait = f'{target("Home")}\nwait "id=\\"home\\" || label=\\"Cart\\"" 500'
    sources = {
        "main.ad": root("@include a ./a.ad"),
        "a.ad": f"fragment-v1\ncontext platform=sim target=desktop\n{wait}\n",
    }
    assert load(pinned(sources)).steps[1].is_entry_guard is True


@pytest.mark.parametrize(
    ("child", "problem"),
    [
        ("press id=a\n", "no_fragment_guard"),
        (root(), "composition_as_child"),
        (fragment().replace("fragment-v1", "fragment-v2"), None),
        (fragment().replace(" target=desktop", ""), "no_target"),
        (fragment().replace("platform=sim ", ""), "no_platform"),
        (fragment().replace("desktop\n", "desktop\nenv A=1\n"), "env"),
        (fragment("press"), "script_argument"),
        (fragment('press "x'), "script_quoting"),
        (f"# note\ncontext platform=sim target=desktop\n{fragment()}", None),
    ],
)
def test_child_that_is_no_fragment_of_this_version_is_refused(child: str, problem: str | None) -> None:
    assert _with(child) == ("fragment_unsupported", problem)


def test_line_no_command_reads_is_told_with_its_place() -> None:
    data = fragment("press").encode()
    sources = {"main.ad": root(include("a", "./a.ad", digest_of(data))).encode(), "a.ad": data}
    details = refusal(sources).details
    assert details["at"] == {"path": "a.ad", "line": 5, "column": 1}
    assert details["errors"][0]["message"] == "press needs <target>"


def test_include_without_a_guard_is_refused() -> None:
    sources = pinned({"main.ad": 'open "shop"\n@include a ./a.ad\n', "a.ad": fragment()})
    error = refusal(sources)
    assert (error.reason, error.details["problem"]) == ("fragment_unsupported", "no_guard")


def test_reference_of_another_version_is_refused() -> None:
    line = include("a", "./a.ad").replace("fragment-ref-v1", "fragment-ref-v2")
    error = refusal(pinned({"main.ad": root(line), "a.ad": fragment()}))
    assert (error.reason, error.details["problem"]) == ("fragment_unsupported", "reference_version")


def test_composition_guard_of_another_version_is_refused() -> None:
    sources = {"main.ad": root("@include a ./a.ad").replace("n-v1", "n-v2", 1), "a.ad": fragment()}
    assert refusal(pinned(sources)).reason == "fragment_unsupported"


def test_stray_reference_comment_is_refused() -> None:
    stray = include("a", "./a.ad").split("\n")[0]
    error = refusal(pinned({"main.ad": root(stray, "press id=a")}))
    assert error.reason == "fragment_call_site_invalid"
    assert (error.details["source"], error.details["at"]["line"]) == ("main.ad", 4)


def test_include_of_two_files_in_a_fragment_names_that_fragment() -> None:
    sources = {"main.ad": root("@include a ./a.ad"), "a.ad": fragment("include b.ad c.ad")}
    error = refusal(pinned(sources))
    assert error.reason == "fragment_call_site_invalid"
    assert error.details["source"] == "a.ad"


def test_fragment_given_as_a_flow_needs_a_composition() -> None:
    error = refusal({"login.ad": fragment().encode()}, "login.ad")
    assert error.details == {
        "reason": "fragment_composition_required",
        "artifactKind": "fragment",
        "source": "login.ad",
    }


def test_faults_of_the_root_as_a_script_come_first() -> None:
    error = refusal(pinned({"main.ad": root("press", 'include "./gone.ad"')}))
    assert error.reason == "script_argument"
    assert error.details["line"] == 4


def test_unresolved_variable_of_the_root_is_told_as_in_any_script() -> None:
    error = refusal(pinned({"main.ad": root('press "id=${WHERE}"')}))
    assert error.reason == "variable_unresolved"


def test_unbound_variables_of_a_fragment_are_named_without_values() -> None:
    sources = pinned(
        {
            "main.ad": root("@include a ./a.ad", header="env USER=ann"),
            "a.ad": fragment('fill id=u "${USER}"', 'fill id=p "${PASSWORD} ${OTHER:-x}"'),
        }
    )
    error = refusal(sources)
    assert (error.reason, error.details["variables"]) == ("fragment_variable_unbound", ["PASSWORD"])
    assert error.details["at"] == {"path": "a.ad", "line": 6, "column": 12}
    assert "ann" not in str(error.details)
    assert len(load(sources, env={"PASSWORD": "hunter2"}).steps) == 5


def test_fragment_of_another_target_is_a_context_mismatch() -> None:
    sources = pinned({"main.ad": root("@include a ./a.ad"), "a.ad": fragment(on="mobile")})
    error = refusal(sources)
    assert (error.reason, error.details["problem"]) == ("fragment_context_mismatch", "target")
    assert (error.details["expected"], error.details["actual"]) == ("desktop", "mobile")


def test_platform_asked_for_against_the_header_is_a_context_mismatch() -> None:
    found = preflight(
        closure_of(pinned({"main.ad": root()})), overridden={"platform": "web"}
    ).violations
    assert [violation.rule for violation in found] == [Rule.CONTEXT_MISMATCH]
    assert found[0].details["source"] == "main.ad"


def test_filled_in_step_that_does_not_fit_is_refused_before_step_one() -> None:
    sources = pinned(
        {"main.ad": root("@include a ./a.ad"), "a.ad": fragment('press id=a --count "${N}"')}
    )
    assert refusal(sources, env={"N": "many"}).details["path"] == "a.ad"
