"""One action against the grammar of commands and the rules of variables, as findings with places."""

from __future__ import annotations

from collections.abc import Sequence

from surefoot.errors import SurefootError
from surefoot.script.grammar import CommandGrammar, GrammarIssue, ValidStep
from surefoot.script.issues import IssueList, ScriptIssue
from surefoot.script.lexer import Token
from surefoot.script.model import Action
from surefoot.script.variables import MalformedReference, references


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
    result = validate(grammar, action.command, action.args)
    if isinstance(result, ValidStep):
        return result
    issues.extend(place(issue, line, action.text) for issue in result)
    return None


def validate(
    grammar: CommandGrammar, command: Token, args: Sequence[Token]
) -> ValidStep | tuple[GrammarIssue, ...]:
    """The grammar's answer, with an error it raised turned into a finding."""
    try:
        return grammar.validate(command, args)
    except SurefootError as error:
        return (from_error(error, command, args),)


def from_error(error: SurefootError, command: Token, args: Sequence[Token]) -> GrammarIssue:
    """A raised error as a finding; placed by its ``details.column`` or ``details.token``."""
    details = error.details
    column, width = command.column, command.width
    index = details.get("token")
    if isinstance(index, int) and 0 <= index < len(args):
        column, width = args[index].column, args[index].width
    given = details.get("column")
    if isinstance(given, int):
        column, width = given, 1
    expected, suggestion = details.get("expected"), details.get("suggestion")
    return GrammarIssue(
        message=error.message,
        column=column,
        width=width,
        expected=expected if isinstance(expected, str) else None,
        suggestion=suggestion if isinstance(suggestion, str) else None,
        reason=error.reason,
    )


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
