"""Late binding: variables are filled into a step when it runs, after all of them were proven to fit."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from surefoot.plan.model import BoundStep
from surefoot.plan.step import PlanStep
from surefoot.script import (
    CommandGrammar,
    FlagValue,
    GrammarIssue,
    Scope,
    ScriptIssue,
    Token,
    Unresolved,
    ValidStep,
    expand,
    expand_selector,
    place,
    references,
    script_error,
    validate,
)
from surefoot.text import Mask

_STAND_IN = re.compile(r"\$([A-Z_][A-Z0-9_]*)")


def bind_step(step: PlanStep, scope: Scope, grammar: CommandGrammar) -> BoundStep:
    """The step with its variables filled in from ``scope``, a scope ``within(plan.env)``.

    Raises ``INVALID_ARGS`` (reason ``variable_unresolved``, or the grammar's finding) naming path,
    line and column; never after :func:`~surefoot.plan.build_plan` was given the same scope.
    """
    bound = _bind(step, scope, grammar)
    if isinstance(bound, BoundStep):
        return bound
    raise script_error(step.source.path, bound)


def binding_issues(step: PlanStep, scope: Scope, grammar: CommandGrammar) -> tuple[ScriptIssue, ...]:
    """Why the step cannot be filled in from ``scope``; empty when it can."""
    if not _has_variables(step):
        return ()
    bound = _bind(step, scope, grammar)
    return () if isinstance(bound, BoundStep) else bound


def _has_variables(step: PlanStep) -> bool:
    return any("${" in text for text in (*step.positionals, *_flag_texts(step.flags)))


def _flag_texts(flags: Mapping[str, FlagValue]) -> list[str]:
    texts: list[str] = []
    for value in flags.values():
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, tuple):
            texts += value
    return texts


def _bind(step: PlanStep, scope: Scope, grammar: CommandGrammar) -> BoundStep | tuple[ScriptIssue, ...]:
    if not _has_variables(step):
        return BoundStep(step=step, positionals=step.positionals, flags=step.flags)
    used: dict[str, str] = {}
    for text in (*step.positionals, *_flag_texts(step.flags)):
        for reference in references(text):
            if reference.name in scope.values:
                used[reference.name] = scope.values[reference.name]
    try:
        tokens = _tokens(step, scope)
    except Unresolved as missing:
        return (_unresolved(step, missing.name),)
    result = validate(grammar, Token(step.command, step.column), tokens, step.text)
    if not isinstance(result, ValidStep):
        return tuple(_placed(issue, step) for issue in _untold(step, result, used, grammar))
    return BoundStep(step=step, positionals=result.positionals, flags=result.flags, used=used)


def _untold(
    step: PlanStep, found: tuple[GrammarIssue, ...], used: Mapping[str, str], grammar: CommandGrammar
) -> tuple[GrammarIssue, ...]:
    """The findings without the values that caused them (contracts.md, 0017: no report tells one).

    They are made again with ``$NAME`` for each value. Where that fits or is refused for something else
    they say only that the value does not fit.
    """
    scope = Scope(caller={name: f"${name}" for name in used})
    again = validate(grammar, Token(step.command, step.column), _tokens(step, scope), step.text)
    if not isinstance(again, ValidStep) and list(map(_kind, again)) == list(map(_kind, found)):
        return tuple(
            msgspec.structs.replace(issue, message=_STAND_IN.sub(r"${\1}", issue.message))
            for issue in again
        )
    mask = Mask({value: f"${{{name}}}" for name, value in used.items()}, inside_words=True)
    named = " and ".join(f"${{{name}}}" for name in used) or "a variable"
    return tuple(
        msgspec.structs.replace(
            issue,
            message=f"what {named} stands for does not fit here",
            expected=None if issue.expected is None else mask.hide(issue.expected),
            suggestion=None,
        )
        for issue in found
    )


def _kind(issue: GrammarIssue) -> tuple[object, ...]:
    return issue.rule, issue.reason, issue.column, issue.message.partition('"')[0]


def _tokens(step: PlanStep, scope: Scope) -> list[Token]:
    """The filled-in step as tokens: every value quoted, so that none can become a flag."""
    tokens: list[Token] = []
    for at, text in enumerate(step.positionals):
        column = step.columns[at] if at < len(step.columns) else step.column
        fill = expand_selector if at in step.targets else expand
        tokens.append(Token(fill(text, scope), column, True))
    for name, value in step.flags.items():
        if value is False:
            continue
        column = max(1, step.text.find(f"--{name}") + 1)
        fill = expand_selector if name in step.target_flags else expand
        for single in value if isinstance(value, tuple) else (value,):
            tokens.append(Token(f"--{name}", column))
            if single is not True:
                spelled = fill(single, scope) if isinstance(single, str) else str(single)
                tokens.append(Token(spelled, column, True))
    return tokens


def _unresolved(step: PlanStep, name: str) -> ScriptIssue:
    spelled = f"${{{name}"
    found = step.text.find(spelled)
    column = found + 1 if found >= 0 else step.column
    return ScriptIssue(
        line=step.source.line,
        column=column,
        rule="variable",
        message=f"unresolved variable ${{{name}}}",
        expected=f"-e {name}=…, AD_VAR_{name}, an env line, or ${{{name}:-default}}",
        reason="variable_unresolved",
        text=step.text,
        length=len(spelled) + 1,
    )


def _placed(issue: GrammarIssue, step: PlanStep) -> ScriptIssue:
    return place(issue, step.source.line, step.text)
