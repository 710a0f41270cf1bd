"""The commands a script may hold: what ``script`` and ``plan`` ask, answered by the descriptors.

A script line is the CLI spelling of one command (surface.md); the same grammar reads both. The table
is bound by ``table.py``, which knows every family.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.commands.descriptor import Descriptor
from surefoot.commands.language.forms import number_text
from surefoot.commands.language.grammar import Grammar, Token, looks_like_flag
from surefoot.commands.language.spelling import MISSPELT, Pending, refused, told
from surefoot.errors import SurefootError
from surefoot.script import FlagValue, GrammarIssue, Rule, ValidStep
from surefoot.script import Token as ScriptToken

_MARK = "\0target"


class ScriptGrammar:
    """``script.CommandGrammar`` over a table of descriptors."""

    def __init__(self) -> None:
        self._grammar: Grammar | None = None

    def bind(self, grammar: Grammar) -> None:
        """Give it the whole table, once."""
        self._grammar = grammar

    def validate(
        self, command: ScriptToken, args: Sequence[ScriptToken]
    ) -> ValidStep | tuple[GrammarIssue, ...]:
        """The step in its normal form, or the one finding that refuses it."""
        tokens = [_token(command), *map(_token, args)]
        try:
            descriptor, step = self.read(tokens)
        except SurefootError as error:
            return (_issue(error, command, args),)
        words = list(self._words(descriptor, step))
        return ValidStep(
            command=descriptor.name.partition(" ")[0],
            positionals=tuple(words),
            flags=flags_of(descriptor, step),
            columns=_columns(descriptor, words, command, args),
            targets=target_places(descriptor, step),
            target_flags=tuple(
                name.replace("_", "-")
                for name in descriptor.targets
                if getattr(step, name) is not None and _is_flag(descriptor, name)
            ),
        )

    def read(self, tokens: Sequence[Token]) -> tuple[Descriptor[Any, Any], Struct]:
        """The command and its args. ``INVALID_ARGS`` for anything a script may not hold."""
        assert self._grammar is not None
        line = self._grammar.split(tokens)
        descriptor = line.descriptor
        if not descriptor.scriptable:
            raise refused(
                f"a script cannot hold {told(descriptor.name)}",
                given=tokens[0].text,
                hint="Run it by itself; `surefoot help` marks what a script can hold.",
                reason="not_scriptable",
            )
        return descriptor, self._grammar.step(line)

    def is_fragment_safe(self, command: str, word: str) -> bool:
        """Whether a line of ``command`` (followed by ``word``) may stand in a fragment: only where its
        descriptor says so (seed 0020, rule of admission); what has no descriptor may not."""
        assert self._grammar is not None
        names = self._grammar.by_name
        found = names.get(f"{command} {word}") or names.get(command)
        return found is not None and found.traits.fragment_safe

    def args(
        self,
        command: str,
        positionals: Sequence[str],
        flags: Mapping[str, FlagValue],
        *,
        bound: bool = False,
    ) -> tuple[Descriptor[Any, Any], Struct]:
        """A step in its normal form back to a descriptor and args. A template (not ``bound``) keeps
        its variables pending."""
        tokens = [Token(command), *(_word(text, bound) for text in positionals)]
        for name, value in flags.items():
            for single in value if isinstance(value, tuple) else (value,):
                if single is True:
                    tokens.append(Token(f"--{name}"))
                elif single is not False:
                    text = single if isinstance(single, str) else number_text(single)
                    tokens += [Token(f"--{name}"), _word(text, bound)]
        descriptor, step = self.read(tokens)
        return descriptor, step

    def _words(self, descriptor: Descriptor[Any, Any], step: Struct) -> list[str]:
        second = descriptor.name.partition(" ")[2]
        return [*([second] if second else []), *descriptor.form.write(step)]


def _token(token: ScriptToken) -> Token:
    return Token(Pending(token.text) if token.open else token.text, token.quoted)


def _word(text: str, bound: bool) -> Token:
    return Token(Pending(text) if "${" in text and not bound else text, literal=True)


def flags_of(descriptor: Descriptor[Any, Any], step: Struct) -> dict[str, FlagValue]:
    """The flags that say something, by long name without dashes."""
    out: dict[str, FlagValue] = {}
    for argument in descriptor.flags:
        value = getattr(step, argument.name)
        if argument.flag is not None and value is not None and value != argument.default:
            out[argument.flag[2:]] = tuple(value) if isinstance(value, list) else value
    return out


def target_places(descriptor: Descriptor[Any, Any], step: Struct) -> tuple[int, ...]:
    """Which of the written positionals are element targets."""
    named = [name for name in descriptor.targets if not _is_flag(descriptor, name)]
    changes: dict[str, Any] = {name: _MARK for name in named if getattr(step, name) is not None}
    words = descriptor.form.write(msgspec.structs.replace(step, **changes))
    shift = 1 if " " in descriptor.name else 0
    return tuple(at + shift for at, word in enumerate(words) if word == _MARK)


def _is_flag(descriptor: Descriptor[Any, Any], name: str) -> bool:
    return any(argument.name == name for argument in descriptor.flags)


def _columns(
    descriptor: Descriptor[Any, Any],
    words: Sequence[str],
    command: ScriptToken,
    args: Sequence[ScriptToken],
) -> tuple[int, ...]:
    """Where each written positional begins; a selector of several tokens begins at its first."""
    flagged = set(map(id, _flag_tokens(descriptor, args)))
    plain = [token for token in args if id(token) not in flagged]
    out: list[int] = []
    at = 0
    for word in words:
        while at < len(plain) and not word.startswith(plain[at].text):
            at += 1
        out.append(plain[at].column if at < len(plain) else command.column)
        at += 1
    return tuple(out)


def _flag_tokens(descriptor: Descriptor[Any, Any], args: Sequence[ScriptToken]) -> list[ScriptToken]:
    """The tokens that are flags, and those that are the values of flags."""
    takes_value = {
        spelling
        for argument in descriptor.flags
        if argument.kind not in ("bool", "optional_text")
        for spelling in (argument.flag, argument.short)
    }
    out: list[ScriptToken] = []
    for at, token in enumerate(args):
        if looks_like_flag(_token(token)):
            out.append(token)
            if token.text in takes_value and at + 1 < len(args):
                out.append(args[at + 1])
    return out


def _issue(error: SurefootError, command: ScriptToken, args: Sequence[ScriptToken]) -> GrammarIssue:
    details = error.details
    given = details.get("given")
    place = command
    if isinstance(given, str):
        tokens = [token for token in (command, *args) if _names(token.text, given)]
        place = tokens[0] if tokens else command
    reason = None if error.reason == MISSPELT else error.reason
    rule: Rule = "argument"
    if reason in ("unknown_command", "not_scriptable"):
        rule = "command"
    elif looks_like_flag(_token(place)):
        rule = "flag"
    if reason is not None and reason.startswith("selector"):
        rule = "selector"
    expected, suggestion = details.get("expected"), details.get("suggestion")
    return GrammarIssue(
        message=error.message,
        column=place.column,
        width=place.width,
        rule=rule,
        expected=expected if isinstance(expected, str) else error.hint,
        suggestion=suggestion if isinstance(suggestion, str) else None,
        reason=reason,
    )


def _names(token: str, given: str) -> bool:
    return token == given or (bool(token) and given.startswith(token)) or token.startswith(f"{given}=")


SCRIPT_GRAMMAR = ScriptGrammar()
"""The one grammar of scripts; ``table.py`` binds it when it has built the table."""
