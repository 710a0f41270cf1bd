"""Every rule of ``check``: a script it speaks about, the place it names, and one it is silent on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import surefoot
from surefoot.check import RULES, Finding, ReadScript, findings, read_for_check
from surefoot.commands import SCRIPT_GRAMMAR
from surefoot.commands.families.checking import traits_of

HEAD = "context platform=sim\nopen stage\n"
GUARD = (
    '# agent-device:target-v1 {"role":"text","label":"Done","verification":"verified"}\n'
    "wait label=Done\nclose\n"
)


def note(**fields: object) -> str:
    """An annotation; ``peers`` 1 and ``verified`` unless they are given."""
    body = {"role": "button", "label": "Save", "peers": 1, "verification": "verified", **fields}
    kept = {key: value for key, value in body.items() if value is not None}
    return f"# agent-device:target-v1 {json.dumps(kept, ensure_ascii=False)}\n"


SAVE = note() + "press label=Save\n"


def one(line: str, **fields: object) -> str:
    """A script of this one annotated step, guarded."""
    return HEAD + note(**fields) + line + "\n" + GUARD


def read(text: str | bytes, path: str = "flow.ad") -> ReadScript:
    data = text.encode() if isinstance(text, str) else text
    return read_for_check(data, path, SCRIPT_GRAMMAR, traits_of)


def found(text: str | bytes, path: str = "flow.ad") -> list[tuple[str, int, int]]:
    script = read(text, path)
    every = (*findings(script, "error"), *findings(script, "warning"))
    return [(one.rule, one.line, one.column) for one in every]


def test_a_sound_script_has_no_finding() -> None:
    assert found(HEAD + SAVE + GUARD) == []


SPOKEN: list[tuple[str, str, int, int]] = [
    ("parse", HEAD + SAVE + "pres label=Save\n" + GUARD, 5, 1),
    ("parse", HEAD + SAVE + "press rolle=button\n" + GUARD, 5, 7),
    ("parse", HEAD + SAVE + "press label=Save --cuont 2\n" + GUARD, 5, 18),
    ("parse", HEAD + SAVE + 'press label="Save\n' + GUARD, 5, 13),
    ("parse", HEAD + "# agent-device:target-v1 {\npress label=Save\n" + GUARD, 3, 26),
    ("bounds", HEAD + SAVE + "type " + "x" * 70_000 + "\n" + GUARD, 5, 1),
    (
        "password-literal",
        one('fill label=Password "hunter2"', role="textbox", label="Password"),
        4,
        21,
    ),
    (
        "password-literal",
        one('fill role=textbox "hunter2"', role="textbox", id="user-pw", label=None),
        4,
        19,
    ),
    (
        "password-literal",
        one('fill label=Kennwort "${PW:-hunter2}"', role="textbox", label="Kennwort"),
        4,
        21,
    ),
    ("password-literal", one('type "1234"', role="textbox", label="PIN"), 4, 6),
    ("password-literal", one('key "s"', role="textbox", label="Password"), 4, 5),
    ("password-literal", HEAD + 'find "Password" "type" "hunter2"\n' + GUARD, 3, 24),
    (
        "secret-literal",
        one('fill label=Key "ghp_0123456789abcdefghijABCDEFGHIJ0123"', role="textbox", label="Key"),
        4,
        16,
    ),
    (
        "secret-literal",
        'context platform=web\nopen "http://ada:hunter2@shop.test/"\n' + SAVE + GUARD,
        2,
        6,
    ),
    (
        "secret-literal",
        "context platform=sim\nenv KEY=AKIA0123456789ABCDEF\nopen stage\n" + SAVE + GUARD,
        2,
        1,
    ),
    ("unverifiable", one("press label=Save", verification="unverifiable"), 4, 1),
    ("no-step", "# only a comment\n", 1, 1),
    ("remark", "context platform=sim colour=red\nopen stage\n" + SAVE + GUARD, 1, 22),
    ("open-missing", "context platform=sim\n" + SAVE + GUARD, 3, 1),
    ("guard-missing", HEAD + SAVE + "close\n", 4, 1),
    ("guard-missing", HEAD + SAVE + "wait 500\nwait text Done\nclose\n", 4, 1),
    ("no-evidence", HEAD + "press label=Save\n" + GUARD, 3, 1),
    ("no-evidence", HEAD + "find Save click\n" + GUARD, 3, 1),
    ("no-evidence", HEAD + "key Enter\n" + GUARD, 3, 1),
    ("role-only", one("press role=button", label=None), 4, 1),
    ("positional", one("press label=Save", peers=3, nth=1), 4, 1),
    ("plain-evidence", one("press label=Save", peers=None), 4, 1),
    ("digits", one('press label="Cart (3)"', label="Cart (3)"), 4, 7),
    (
        "digits",
        one("press label=Save", item={"of": "row", "keys": [{"role": "cell", "label": "May 12"}]}),
        4,
        7,
    ),
    ("digits", one("press label=Save", between=["3 items", None]), 4, 7),
    ("coordinates", HEAD + "press 10 20\n" + GUARD, 3, 1),
    ("coordinates", HEAD + "swipe 1 2 3 4\n" + GUARD, 3, 1),
    ("ref-target", one("press @e12"), 4, 7),
]


@pytest.mark.parametrize(
    ("rule", "text", "line", "column"),
    SPOKEN,
    ids=[f"{row[0]}-{at}" for at, row in enumerate(SPOKEN)],
)
def test_a_rule_speaks_about_its_place(rule: str, text: str, line: int, column: int) -> None:
    assert (rule, line, column) in found(text)
    assert {name for name, _, _ in found(text)} <= {rule, "no-evidence"}


SILENT: list[tuple[str, str]] = [
    (
        "password-literal",
        one('fill label=Password "${PW}"', role="textbox", label="Password"),
    ),
    (
        "password-literal",
        one('fill label=Password ""', role="textbox", label="Password"),
    ),
    (
        "password-literal",
        one("fill label=Shipping Spinning", role="textbox", label="Shipping"),
    ),
    (
        "password-literal",
        one('press label="Forgot password?"', label="Forgot password?"),
    ),
    ("secret-literal", 'context platform=web\nopen "http://shop.test:8000/a@b"\n' + SAVE + GUARD),
    ("guard-missing", HEAD + SAVE + 'wait label=x\nis visible label="x"\n' + GUARD),
    ("guard-missing", HEAD + SAVE + note() + "is visible label=Save\nclose\n"),
    ("no-evidence", HEAD + SAVE + "wait label=Other\nscroll down\nback\n" + SAVE + GUARD),
    ("digits", one("press label=song.mp3", label="song.mp3")),
    (
        "digits",
        one('press "id=cart || label=\\"Cart (3)\\""', id="cart", label="Cart (3)"),
    ),
    ("ref-target", one('press @e12 "Save"')),
    ("password-literal", one("key Enter", role="textbox", label="Password")),
    ("password-literal", one("key ctrl+a", role="textbox", label="Password")),
    ("plain-evidence", HEAD + SAVE + GUARD),
]


@pytest.mark.parametrize(
    ("rule", "text"), SILENT, ids=[f"{row[0]}-{at}" for at, row in enumerate(SILENT)]
)
def test_a_rule_is_silent_where_nothing_is_wrong(rule: str, text: str) -> None:
    script = read(text)
    assert findings(script, "error") == ()
    assert rule not in {one.rule for one in findings(script, "warning")}


def test_a_healed_script_ends_with_its_sentinel() -> None:
    assert found(HEAD + SAVE + GUARD, "flow.healed.ad") == [("heal-incomplete", 1, 1)]
    whole = HEAD + SAVE + GUARD + "# agent-device:heal-complete\n"
    assert found(whole, "flow.healed.ad") == []


def test_every_rule_has_a_script_that_it_speaks_about() -> None:
    assert {rule.id for rule in RULES} - {row[0] for row in SPOKEN} == {"heal-incomplete"}


def test_the_table_says_of_every_rule_what_it_means() -> None:
    assert len({rule.id for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.summary.endswith(".")
        assert rule.example


def test_a_finding_never_tells_the_secret_it_found() -> None:
    for rule, text, _, _ in SPOKEN:
        if rule in ("password-literal", "secret-literal"):
            told = repr(findings(read(text), "error"))
            assert "hunter2" not in told
            assert "ghp_" not in told


def test_faults_beyond_the_listed_ones_are_counted() -> None:
    script = read(HEAD + "nonsense\n" * 50)
    errors = findings(script, "error")
    assert len(errors) == 21
    assert Finding(rule="bounds", line=1, column=1, message="30 more faults are not listed") in errors


def test_what_is_no_text_is_a_finding_not_a_crash() -> None:
    assert [rule for rule, _, _ in found(b"\xff\xfe\x00")][:1] == ["bounds"]
    assert found(b"") == [("no-step", 1, 1)]


def test_the_digest_is_the_plans_and_only_of_a_sound_script() -> None:
    script = read(HEAD + SAVE + GUARD)
    assert script.digest is not None
    assert len(script.digest) == 64
    assert read(HEAD + "nonsense\n").digest is None


def test_the_variables_a_caller_must_set() -> None:
    text = (
        "env OWN=x\nopen stage\n" + 'fill label="${FIELD}" "${PW}${OWN}${WITH:-default}${AD_DEVICE}"\n'
    )
    assert read(text).variables == ("FIELD", "PW")


def test_the_documentation_has_the_table() -> None:
    page = (Path(surefoot.__file__).parents[2] / "docs" / "recording.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `") and line.count("|") == 5]
    assert rows == [
        f"| `{rule.id}` | {rule.severity} | {rule.summary} | `{rule.example}` |" for rule in RULES
    ]
