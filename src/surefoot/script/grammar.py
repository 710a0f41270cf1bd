"""What a script asks of the grammar of commands: the seam that ``commands`` fills.

The room of commands stands above this one; it implements :class:`CommandGrammar` from its descriptors
and hands it to whoever makes plans or writes scripts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from surefoot.script.issues import Rule
from surefoot.script.lexer import Token

FlagValue = bool | int | float | str | tuple[str, ...]


class GrammarIssue(Struct, frozen=True, kw_only=True):
    """Why a command line is refused. ``column`` is that of the token at fault, ``width`` its extent."""

    message: str
    column: int
    width: int = 1
    rule: Rule = "argument"
    expected: str | None = None
    suggestion: str | None = None
    reason: str | None = None


class ValidStep(Struct, frozen=True, kw_only=True):
    """A command line in its normal form.

    ``positionals`` in the order in which the writer spells them; a selector of several tokens is one,
    joined by blanks. ``flags`` by long name without dashes (``count``), defaults left out; ``False``
    is not written. ``columns`` says where each positional begins (may be shorter; then the
    command's column stands in). ``targets`` are the positionals that are element targets
    (selector or ``@ref``), ``target_flags`` the flags that are. Applied to its own normal form, the
    grammar gives the same step.
    """

    command: str
    positionals: tuple[str, ...] = ()
    flags: Mapping[str, FlagValue] = {}
    columns: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    target_flags: tuple[str, ...] = ()
    produces_output: bool = False
    in_control_flow: bool = False


class CommandGrammar(Protocol):
    """The commands a script may hold, with their arity, flags and value checks."""

    def validate(self, command: Token, args: Sequence[Token]) -> ValidStep | tuple[GrammarIssue, ...]:
        """The step, or why it is none (at least one finding).

        A token that is ``quoted`` is never a flag. A token that is ``open`` still holds ``${…}``:
        its place and number are checked, its value is taken as valid and kept as it stands.

        A :class:`~surefoot.errors.SurefootError` raised here counts as one finding. Its details place
        it: ``token`` (index into ``args``) or ``given`` (the text of the token, or of several joined by
        blanks) names the token, ``column`` the 1-based place inside that text; ``expected`` (else a
        hint of its own) and ``suggestion`` (or ``nearest``) are shown. Without a place it stands at
        the command. Its rule follows from its reason (``selector_…``, ``unknown_command``, …).
        """
        ...
