"""The rules of ``check``: one row each, with what it says and an example, and one loop over them.

What is weak about evidence is identity.md's: a role alone, a position alone, a number that will change,
a place that only coordinates name. Secrets are told by their shape or by the field they go into.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from surefoot.check.script import ReadScript, ReadStep, texts_of
from surefoot.identity import TargetEvidence
from surefoot.plan import FOCUS_COMMANDS
from surefoot.script import ScriptIssue, references
from surefoot.text import ellipsize, quoted

Severity = Literal["error", "warning"]


class Finding(Struct, frozen=True, kw_only=True):
    """One finding at its place; ``rule`` is the id of its row."""

    rule: str
    line: int
    column: int
    message: str
    expected: str | None = None
    suggestion: str | None = None


Find = Callable[[ReadScript], Iterator[Finding]]


class Rule(Struct, frozen=True, kw_only=True):
    """A row of the table. ``example`` is a line the rule speaks about."""

    id: str
    severity: Severity
    summary: str
    example: str
    find: Find


def findings(script: ReadScript, severity: Severity) -> tuple[Finding, ...]:
    """What the rules of this severity find, in the order of the lines."""
    found = [one for rule in RULES if rule.severity == severity for one in rule.find(script)]
    return tuple(sorted(found, key=lambda one: (one.line, one.column)))


# -- the whole script ---------------------------------------------------------------------------------


def _issues(script: ReadScript) -> Iterator[Finding]:
    for issue in script.issues:
        if issue.rule not in ("size", "encoding"):
            yield _of_issue("parse", issue)


def _bounds(script: ReadScript) -> Iterator[Finding]:
    for issue in script.issues:
        if issue.rule in ("size", "encoding"):
            yield _of_issue("bounds", issue)
    more = script.issue_count - len(script.issues)
    if more > 0:
        yield Finding(rule="bounds", line=1, column=1, message=f"{more} more faults are not listed")


def _remarks(script: ReadScript) -> Iterator[Finding]:
    for issue in script.remarks:
        yield _of_issue("remark", issue)


def _of_issue(rule: str, issue: ScriptIssue) -> Finding:
    return Finding(
        rule=rule,
        line=issue.line,
        column=issue.column,
        message=issue.message,
        expected=issue.expected,
        suggestion=issue.suggestion,
    )


def _empty(script: ReadScript) -> Iterator[Finding]:
    if not script.steps and not script.issues and not script.script.includes:
        yield Finding(rule="no-step", line=1, column=1, message="the script holds no step")


def _open_missing(script: ReadScript) -> Iterator[Finding]:
    if script.steps and script.script.guard is None and script.steps[0].step.command != "open":
        yield _at(
            script.steps[0],
            "open-missing",
            "the script does not begin with open: it acts on whatever is open, and cannot be repaired",
        )


def _guard_missing(script: ReadScript) -> Iterator[Finding]:
    last: ReadStep | None = None
    for one in script.steps:
        if one.step.command == "close":
            continue
        if one.traits.mutates:
            last = one
        elif last is not None and _is_guard(one):
            last = None
    includes = script.script.includes  # a fragment begins with a verified wait of its own
    if last is not None and not any(include.line > last.line for include in includes):
        yield _at(
            last,
            "guard-missing",
            f"nothing after this {last.step.command} proves that it worked: no wait for an element, "
            "and no check of one, with verified evidence follows",
        )


def _is_guard(one: ReadStep) -> bool:
    """A wait for an element or a check of one that a replay verifies."""
    looks = one.traits.phase != "none" and not one.traits.mutates
    return looks and any(held.verification == "verified" for held in one.evidence)


def _heal_incomplete(script: ReadScript) -> Iterator[Finding]:
    if script.path.endswith(".healed.ad") and not script.script.heal_complete:
        yield Finding(
            rule="heal-incomplete",
            line=1,
            column=1,
            message="it does not end with `# agent-device:heal-complete`: it was cut or edited",
        )


# -- steps --------------------------------------------------------------------------------------------


def _no_evidence(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        if one.evidence:
            continue
        verifiable = one.traits.phase == "pre_dispatch" and not one.traits.coordinates
        if verifiable and (one.step.targets or one.step.command in FOCUS_COMMANDS):
            yield _at(one, "no-evidence", "no evidence of which element was meant: nothing is verified")
        elif one.traits.finds and one.traits.mutates:
            yield _at(one, "no-evidence", "a find that acts is never verified; record it again")


def _unverifiable(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        if any(held.verification == "unverifiable" for held in one.evidence):
            yield _at(
                one,
                "unverifiable",
                "its evidence could not verify itself when it was recorded: every replay refuses here",
            )


def _role_only(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        for held in one.evidence:
            if held.id is None and held.label is None:
                yield _at(
                    one,
                    "role-only",
                    f"the element has no id and no label: it is known as a {held.role} only",
                )


def _positional(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        for held in one.evidence:
            if (held.peers or 1) > 1:
                yield _at(
                    one,
                    "positional",
                    f"only its place among {held.peers} equal elements tells it apart",
                )


def _foreign(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        acts = one.traits.phase == "pre_dispatch"
        if acts and any(
            held.peers is None and held.verification == "verified" for held in one.evidence
        ):
            yield _at(
                one,
                "plain-evidence",
                "its evidence holds nothing of the surroundings: an equal element can take its place",
            )


def _digits(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        for label in dict.fromkeys(_labels_relied_on(one)):
            if _will_drift(label):
                yield _at(
                    one,
                    "digits",
                    f"{quoted(ellipsize(label, 60))} holds a number that will change",
                    one.step.targets[0] if one.step.targets else None,
                )


def _labels_relied_on(one: ReadStep) -> Iterator[str]:
    for held in one.evidence:
        if held.id is None and held.label is not None:
            yield held.label
        yield from _context_labels(held)
    if not one.evidence and not any(one.terms("id")):
        yield from one.terms("label", "text")


def _context_labels(held: TargetEvidence) -> Iterator[str]:
    if held.item is not None:
        yield from (key.label for key in held.item.keys)
    yield from (label for label in held.between or () if label is not None)


def _will_drift(label: str) -> bool:
    """A blank-separated word with digits and no letter (identity.md 1): ``40 items``, ``(3)``."""
    return any(
        any(map(str.isdigit, word)) and not any(map(str.isalpha, word)) for word in label.split()
    )


def _coordinates(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        if one.traits.coordinates:
            yield _at(
                one, "coordinates", "a point on the screen names no element: nothing can be verified"
            )


def _refs(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        for at in one.step.targets:
            alone = at + 1 >= len(one.step.positionals)
            if one.step.positionals[at].startswith("@") and (alone or one.step.command != "press"):
                yield _at(one, "ref-target", "a ref belongs to one snapshot of one session", at)


# -- secrets ------------------------------------------------------------------------------------------

_PASSWORD = re.compile(
    r"pass[\s_-]?(?:word|wort|phrase|code|wd)|(?<![a-z])p(?:wd?|in)(?![a-z])|kennwort|mot de passe"
    r"|contraseña|senha|(?<![a-z])(?:cvv|cvc|otp)\d?(?![a-z])|security code"
    r"|пароль|密码|パスワード|비밀번호",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|sk-[A-Za-z0-9_-]{20,}"
    r"|xox[abeprs]-[A-Za-z0-9-]{10,}|AIza[0-9A-Za-z_-]{35}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----|://[^/\s:@]+:[^/\s:@$]+@"
)


def _password_literal(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        if one.text and not _is_variable(one.text) and any(map(_PASSWORD.search, _names(one))):
            yield password_literal(one)


def password_literal(one: ReadStep) -> Finding:
    """The finding for a step that types a literal into a password field; the text is never told."""
    return _at(
        one,
        "password-literal",
        "a password stands in the script",
        one.traits.text,
        expected='"${PASSWORD}" (record it with --record-as PASSWORD, replay it with -e PASSWORD=…)',
    )


def _names(one: ReadStep) -> Iterator[str]:
    yield from one.terms("label", "id", "text")
    if one.traits.finds:
        yield from (said for at, said in enumerate(one.step.positionals) if at != one.traits.text)
    for held in one.evidence:
        yield from (name for name in (held.label, held.id) if name is not None)


def _is_variable(text: str) -> bool:
    """Whether nothing of the text stands in the script: one variable, without a default."""
    found = references(text)
    return len(found) == 1 and found[0].default is None and found[0].end - found[0].offset == len(text)


def _secret_literal(script: ReadScript) -> Iterator[Finding]:
    for one in script.steps:
        for at, text in enumerate(texts_of(one.step)):
            if _SECRET.search(text):
                yield _at(one, "secret-literal", "this looks like a key, a token or a password", at)
    for node in script.script.nodes:
        value = getattr(node, "value", None)
        if isinstance(value, str) and _SECRET.search(value):
            yield Finding(
                rule="secret-literal",
                line=node.line,
                column=1,
                message="this looks like a key, a token or a password",
            )


def _at(
    one: ReadStep, rule: str, message: str, position: int | None = None, *, expected: str | None = None
) -> Finding:
    return Finding(
        rule=rule,
        line=one.line,
        column=one.column(position),
        message=message,
        expected=expected,
    )


def _row(id: str, severity: Severity, summary: str, example: str, find: Find) -> Rule:
    return Rule(id=id, severity=severity, summary=summary, example=example, find=find)


RULES: tuple[Rule, ...] = (
    _row("parse", "error", "The line is no command of a script.", "pres label=Save", _issues),
    _row("bounds", "error", "The script is too large or no UTF-8.", "a line of 70,000 bytes", _bounds),
    _row(
        "password-literal",
        "error",
        "A literal goes into a password field.",
        'fill label=Password "hunter2"',
        _password_literal,
    ),
    _row(
        "secret-literal",
        "error",
        "A text has the form of a key or a token.",
        'fill label=Key "AKIA…"',
        _secret_literal,
    ),
    _row(
        "unverifiable",
        "error",
        "Every replay refuses at this step.",
        '# … "verification":"unverifiable"',
        _unverifiable,
    ),
    _row("no-step", "warning", "There is nothing to replay.", "# only a comment", _empty),
    _row("remark", "warning", "The parser has something to say.", "context colour=red", _remarks),
    _row("open-missing", "warning", "The script has no open.", "press label=Save", _open_missing),
    _row(
        "guard-missing",
        "warning",
        "Nothing proves that the last action worked.",
        "press label=Save, then close",
        _guard_missing,
    ),
    _row(
        "no-evidence",
        "warning",
        "Nothing says which element was meant.",
        "press label=Save without an annotation",
        _no_evidence,
    ),
    _row("role-only", "warning", "Neither id nor label.", '# … "role":"button"', _role_only),
    _row(
        "positional", "warning", "Told apart by its place alone.", '# … "peers":3,"nth":1', _positional
    ),
    _row(
        "plain-evidence",
        "warning",
        "Evidence without its surroundings (another tool's).",
        '# … no "peers"',
        _foreign,
    ),
    _row("digits", "warning", "A label with a number that changes.", 'press label="Cart (3)"', _digits),
    _row("coordinates", "warning", "A point, not an element.", "press 120 340", _coordinates),
    _row("ref-target", "warning", "A ref without a label.", "press @e12", _refs),
    _row(
        "heal-incomplete",
        "warning",
        "A healed script without its last line.",
        "flow.healed.ad without the sentinel",
        _heal_incomplete,
    ),
)
"""Every rule, errors first."""
