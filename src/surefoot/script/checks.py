"""One action against the grammar of commands and the rules of variables, as findings with places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from surefoot.errors import DEFAULT_HINTS, SurefootError
from surefoot.script.grammar import CommandGrammar, GrammarIssue, ValidStep
from surefoot.script.issues import IssueList, Rule, ScriptIssue
from surefoot.script.lexer import Token
from surefoot.script.model import Action
from surefoot.script.variables import MalformedReference, references

_JSON_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)
_OWN_PLACE = re.compile(r"\s*\(column \d+\)\.?$")
"""A place inside the selector alone would contradict the place in the line."""
_LITERAL_ESCAPE = re.compile(r"\\'")


def check_action(
    action: Action, grammar: CommandGrammar, issues: IssueList, line: int
) -> ValidStep | None:
    """The action in its normal form, or None and its findings, at ``line``, in ``issues``.

    Checks the form of ``${…}`` and, through ``grammar``, the command, its arity, flags and values.
    """
    sound = True
    if "${" in action.text or not action.text:
        for token in action.args:
            try:
                references(token.text)
            except MalformedReference as fault:
                sound = False
                issues.add(_malformed(action, token, fault.offset, line))
    if not sound:
        return None
    result = validate(grammar, action.command, action.args, action.text)
    if isinstance(result, ValidStep):
        return result
    issues.extend(place(issue, line, action.text) for issue in result)
    return None


def validate(
    grammar: CommandGrammar, command: Token, args: Sequence[Token], text: str
) -> ValidStep | tuple[GrammarIssue, ...]:
    """The grammar's answer, with an error it raised turned into a finding; ``text`` is the line."""
    try:
        return grammar.validate(command, args)
    except SurefootError as error:
        return (from_error(error, command, args, text),)


def from_error(error: SurefootError, command: Token, args: Sequence[Token], text: str) -> GrammarIssue:
    """A raised error as a finding, placed as :class:`~surefoot.script.CommandGrammar` says."""
    details = error.details
    column, width, is_flag = command.column, command.width, False
    index, given, inner = details.get("token"), details.get("given"), details.get("column")
    first = index if isinstance(index, int) else None
    if first is None and isinstance(given, str):
        first = _first_of(given, args)
    if first is not None and 0 <= first < len(args):
        column, width, is_flag = args[first].column, args[first].width, args[first].flag
        if isinstance(inner, int):
            column, width = _inner_column(text, args[first:], inner - 1), 1
    expected, suggestion = details.get("expected"), details.get("suggestion", details.get("nearest"))
    return GrammarIssue(
        message=_OWN_PLACE.sub("", error.message),
        column=column,
        width=width,
        rule=_rule(error.reason or "", is_flag),
        expected=expected if isinstance(expected, str) else _own_hint(error),
        suggestion=suggestion if isinstance(suggestion, str) else None,
        reason=error.reason,
    )


def _own_hint(error: SurefootError) -> str | None:
    return None if error.hint == DEFAULT_HINTS[error.code] else error.hint


def _rule(reason: str, is_flag: bool) -> Rule:
    if reason.startswith("selector_"):
        return "selector"
    if reason in ("unknown_command", "not_scriptable"):
        return "command"
    return "flag" if is_flag else "argument"


def _first_of(given: str, args: Sequence[Token]) -> int | None:
    """Which token ``given`` is: the token itself, its flag part, or the first of those joined to it."""
    for at, token in enumerate(args):
        if token.text == given or (token.flag and token.text.partition("=")[0] == given):
            return at
    for at in range(len(args)):
        joined = ""
        for token in args[at:]:
            joined = f"{joined} {token.text}" if joined else token.text
            if joined == given:
                return at
            if not given.startswith(joined):
                break
    return None


def _inner_column(line: str, tokens: Sequence[Token], offset: int) -> int:
    """The column in ``line`` of a 0-based offset into the texts of ``tokens`` joined by blanks."""
    for token in tokens:
        if offset <= len(token.text):
            return token.column + _raw_offset(line[token.column - 1 :], token, offset)
        offset -= len(token.text) + 1
    return tokens[-1].column


def _raw_offset(raw: str, token: Token, offset: int) -> int:
    """How far into its spelling the ``offset``-th code point of a token's text stands."""
    if not token.quoted:
        return offset
    escape = _JSON_ESCAPE if raw.startswith('"') else _LITERAL_ESCAPE
    at = 1
    for _ in range(offset):
        match = escape.match(raw, at)
        at = match.end() if match else at + 1
    return min(at, max(0, token.width - 1))


def place(issue: GrammarIssue, line: int, text: str) -> ScriptIssue:
    """A grammar's finding at its line."""
    return ScriptIssue(
        line=line,
        column=issue.column,
        rule=issue.rule,
        message=issue.message,
        expected=issue.expected,
        suggestion=issue.suggestion,
        reason=issue.reason,
        text=text,
        length=issue.width,
    )


def _malformed(action: Action, token: Token, offset: int, line: int) -> ScriptIssue:
    start = token.column - 1
    found = action.text.find("${", start + (0 if token.quoted else offset))
    return ScriptIssue(
        line=line,
        column=found + 1 if found >= 0 else token.column,
        rule="variable",
        message="${ begins no variable",
        expected="${NAME} or ${NAME:-default} (upper-case), or \\${ for the two characters",
        reason="variable_malformed",
        text=action.text,
        length=2,
    )
