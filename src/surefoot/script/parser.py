"""Bytes to a :class:`Script`, or to every finding in them (surface.md, `.ad` lines).

Nothing here knows a command: the grammar of commands is asked when a plan is made.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from surefoot.errors import SurefootError
from surefoot.identity import Evidence
from surefoot.script.issues import IssueList, Rule, ScriptIssue
from surefoot.script.lexer import LexFault, Token, split_assignment, tokenize
from surefoot.script.model import (
    Action,
    Comment,
    Context,
    ContextEntry,
    Env,
    FragmentReference,
    Guard,
    HealComplete,
    Include,
    Node,
    Script,
)
from surefoot.script.reserved import (
    EVIDENCE_READERS,
    FRAGMENT_REF,
    HEAL_COMPLETE,
    NEWER_EVIDENCE,
    parse_reference,
    reserved,
)
from surefoot.script.source import split_source
from surefoot.script.variables import name_problem
from surefoot.text import nearest

MAX_LINE_BYTES: Final = 64 * 1024
MAX_STEPS: Final = 50_000
RESERVED_WORDS: Final = ("context", "env", "include", "fragment-v1", "composition-v1")
KNOWN_CONTEXT: Final = ("platform", "target", "device", "kind", "theme", "timeout", "retries")
NUMERIC_CONTEXT: Final = ("timeout", "retries")

_GUARD = re.compile(r"(fragment|composition)-v(\d+)")
_CONTEXT_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class Parsed(Struct, frozen=True, kw_only=True):
    """What could be read, and what could not. ``issue_count`` counts those past the kept ones too."""

    script: Script
    issues: tuple[ScriptIssue, ...]
    issue_count: int


class _Pending(Struct, frozen=True, kw_only=True):
    """An annotation that waits for the next physical line. No value: it was malformed."""

    name: str
    line: int
    text: str
    evidence: Evidence | None = None
    reference: FragmentReference | None = None


def parse_script(data: bytes, path: str) -> Script:
    """The script in ``data``. ``path`` is how the caller names it.

    Raises ``INVALID_ARGS`` (see :mod:`surefoot.script.issues`) with every finding, at most twenty.
    """
    parsed = scan_script(data, path)
    issues = IssueList()
    issues.kept, issues.count = list(parsed.issues), parsed.issue_count
    error = issues.error(path)
    if error:
        raise error
    return parsed.script


def scan_script(data: bytes, path: str) -> Parsed:
    """As :func:`parse_script`, but hands out the findings beside whatever could be read."""
    parser = _Parser(path)
    lines = split_source(data, parser.issues)
    for number, text in enumerate(lines, start=1):
        parser.read_line(number, text)
        if parser.step_count > MAX_STEPS:
            parser.issue(1, "size", f"more than {MAX_STEPS:,} steps", reason="too_many_steps")
            break
    else:
        parser.finish(len(lines) + 1)
    script = Script(path=path, nodes=tuple(parser.nodes), warnings=tuple(parser.warnings.kept))
    return Parsed(script=script, issues=tuple(parser.issues.kept), issue_count=parser.issues.count)


class _Parser:
    def __init__(self, path: str) -> None:
        self.path = path
        self.nodes: list[Node] = []
        self.issues = IssueList()
        self.warnings = IssueList()
        self.pending: _Pending | None = None
        self.context: dict[str, str] = {}
        self.env: set[str] = set()
        self.step_count = 0
        self.guard_allowed = True
        self.number = 0
        self.text = ""

    # Findings

    def issue(
        self,
        column: int,
        rule: Rule,
        message: str,
        *,
        expected: str | None = None,
        suggestion: str | None = None,
        reason: str | None = None,
        length: int = 1,
        at: tuple[int, str] | None = None,
        warn: bool = False,
    ) -> None:
        line, text = at or (self.number, self.text)
        found = ScriptIssue(
            line=line,
            column=column,
            rule=rule,
            message=message,
            expected=expected,
            suggestion=suggestion,
            reason=reason,
            text=text,
            length=length,
        )
        (self.warnings if warn else self.issues).add(found)

    def fault(self, fault: LexFault) -> None:
        self.issue(fault.column, fault.rule, fault.message, expected=fault.expected)

    # Lines to nodes

    def read_line(self, number: int, text: str) -> None:
        self.number, self.text = number, text
        if len(text) * 4 > MAX_LINE_BYTES and len(text.encode()) > MAX_LINE_BYTES:
            self.pending = None
            self.issue(
                1, "size", f"the line is longer than {MAX_LINE_BYTES:,} bytes", reason="line_too_long"
            )
            return
        stripped = text.strip()
        if not stripped:
            self._unbind("is blank")
            self.nodes.append(Comment(line=number))
        elif stripped[0] == "#":
            self._comment(stripped, len(text) - len(text.lstrip()))
        else:
            self._tokens()

    def finish(self, line: int) -> None:
        """End of file: an annotation may not be left over."""
        self.number, self.text = line, ""
        self._unbind("is the end of the script")

    def _unbind(self, what: str) -> None:
        """The line just read cannot carry the annotation that waits for it."""
        pending, self.pending = self.pending, None
        if pending is None:
            return
        carrier = "include" if pending.name == FRAGMENT_REF else "action"
        self.issue(
            1,
            "annotation",
            f"{pending.name} annotation on line {pending.line} must be immediately followed by its"
            f" {carrier} line (line {self.number} {what})",
            expected=f"the annotated {carrier} on line {pending.line + 1}",
            reason=(
                "fragment_call_site_invalid" if pending.name == FRAGMENT_REF else "annotation_unbound"
            ),
            length=len(pending.text),
            at=(pending.line, pending.text),
        )

    def _comment(self, comment: str, indent: int) -> None:
        found = reserved(comment)
        name, payload, offset = found or ("", "", 0)
        if name in EVIDENCE_READERS or name == FRAGMENT_REF:
            self._unbind("is another target annotation")
            self._annotation(name, payload, indent + offset + 1)
            return
        self._unbind("is a comment")
        if NEWER_EVIDENCE.fullmatch(name):  # a comment like any other (seed 0012, decision 3)
            self.issue(
                indent + 1,
                "annotation",
                f"{name} is evidence this version cannot read: the step below runs unverified",
                expected=" or ".join(EVIDENCE_READERS),
                length=len(comment),
                warn=True,
            )
        if name == HEAL_COMPLETE and not payload:
            self.nodes.append(HealComplete(line=self.number))
        else:
            self.nodes.append(Comment(line=self.number, text=comment))

    def _annotation(self, name: str, payload: str, column: int) -> None:
        evidence: Evidence | None = None
        reference: FragmentReference | None = None
        try:
            if name == FRAGMENT_REF:
                reference = parse_reference(payload)
            else:
                evidence = EVIDENCE_READERS[name](payload)
        except SurefootError as error:
            self.issue(
                column,
                "annotation",
                error.message.removesuffix("."),
                expected=f"a valid {name} payload on one line",
                reason=error.reason,
                length=max(1, len(payload)),
            )
        self.pending = _Pending(
            name=name, line=self.number, text=self.text, evidence=evidence, reference=reference
        )

    def _tokens(self) -> None:
        try:
            tokens = tokenize(self.text)
        except LexFault as fault:
            self.pending = None
            self.guard_allowed = False
            self.fault(fault)
            return
        command, args = tokens[0], tuple(tokens[1:])
        guard = None if command.quoted else _GUARD.fullmatch(command.text)
        if guard is None and command.text in RESERVED_WORDS and not command.quoted:
            reader = {"context": self._context, "env": self._env, "include": self._include}[
                command.text
            ]
            reader(command, args)
        elif guard is not None:
            self._guard(command, args, guard)
        else:
            self._action(command, args)
        self.guard_allowed = False

    def _action(self, command: Token, args: tuple[Token, ...]) -> None:
        if self.pending is not None and self.pending.name == FRAGMENT_REF:
            self._unbind("is not an include")
        evidence = self.pending.evidence if self.pending else None
        self.pending = None
        self.step_count += 1
        self.nodes.append(
            Action(line=self.number, command=command, args=args, evidence=evidence, text=self.text)
        )

    def _header(self, word: str, command: Token) -> bool:
        """Whether a header line may stand here; a finding when it may not."""
        self._unbind(f"is {'a context header' if word == 'context' else 'an env directive'}")
        if self.step_count == 0:
            return True
        self.issue(
            command.column,
            "context" if word == "context" else "env",
            f"{word} must precede all actions",
            expected=f"{word} lines before the first action",
            reason=f"{word}_after_action",
            length=command.width,
        )
        return False

    def _context(self, command: Token, args: tuple[Token, ...]) -> None:
        if not self._header("context", command):
            return
        if not args:
            self._context_issue(command, "context names no key", "context platform=web")
        entries = [entry for token in args if (entry := self._context_entry(token)) is not None]
        self.nodes.append(Context(line=self.number, entries=tuple(entries)))

    def _context_entry(self, token: Token) -> ContextEntry | None:
        try:
            key, value = split_assignment(token)
        except LexFault as fault:
            self.fault(fault)
            return None
        if token.quoted or not value or not _CONTEXT_KEY.fullmatch(key):
            self._context_issue(
                token, f'"{token.text}" is not key=value', 'key=value or key="two words"'
            )
            return None
        if key in self.context:
            known = self.context[key]
            self._context_issue(
                token,
                f'duplicate "{key}" in the context header'
                if known == value
                else f'conflicting "{key}" in the context header: {known} vs {value}',
                f"{key} once",
            )
            return None
        self.context[key] = value
        if key not in KNOWN_CONTEXT:
            self._context_issue(
                token, f'unknown context key "{key}"', None, nearest(key, KNOWN_CONTEXT)
            )
        elif key in NUMERIC_CONTEXT and not (value.isascii() and value.isdigit()):
            self._context_issue(token, f"context {key} is no whole number", None, warn=True)
        return ContextEntry(key=key, value=value)

    def _context_issue(
        self,
        token: Token,
        message: str,
        expected: str | None,
        suggestion: str | None = None,
        *,
        warn: bool = False,
    ) -> None:
        self.issue(
            token.column,
            "context",
            message,
            expected=expected,
            suggestion=suggestion,
            length=token.width,
            warn=warn or expected is None,
        )

    def _env(self, command: Token, args: tuple[Token, ...]) -> None:
        if not self._header("env", command):
            return
        expected = 'env KEY=VALUE, or env KEY="two words"'
        try:
            if len(args) != 1 or args[0].quoted or "=" not in args[0].text:
                column = args[1].column if len(args) > 1 else command.column
                raise LexFault(column, "an env directive is one KEY=VALUE", expected, "env")
            token = args[0]
            key, value = split_assignment(token)
            problem = name_problem(key)
            if problem:
                raise LexFault(token.column, f'invalid env key "{key}": {problem}', expected, "env")
            if key in self.env:
                raise LexFault(token.column, f'duplicate env directive "{key}"', f"{key} once", "env")
            if value is not None and "${" in value:
                raise LexFault(
                    token.column + len(key) + 1,
                    f"the value of env {key} names a variable",
                    "a literal value: env values are not expanded",
                    "env",
                )
        except LexFault as fault:
            self.fault(fault)
            return
        self.env.add(key)
        self.nodes.append(Env(line=self.number, key=key, value=value or ""))

    def _guard(self, command: Token, args: tuple[Token, ...], match: re.Match[str]) -> None:
        self._unbind("is a format guard")
        kind: Final = "fragment" if match[1] == "fragment" else "composition"
        problem, expected = None, None
        if match[2] != "1":
            problem, expected = f"{command.text} is a format this version cannot read", f"{kind}-v1"
        elif args:
            problem, expected = (
                f"{command.text} takes no arguments",
                f"{command.text} alone on its line",
            )
        elif not self.guard_allowed:
            problem = f"{command.text} must be the first line that is no comment"
            expected = f"{command.text} before everything else"
        if problem:
            self.issue(
                command.column,
                "composition",
                problem,
                expected=expected,
                reason="fragment_unsupported",
                length=command.width,
            )
            return
        self.nodes.append(Guard(line=self.number, kind=kind))

    def _include(self, command: Token, args: tuple[Token, ...]) -> None:
        reference = None
        if self.pending is not None and self.pending.name == FRAGMENT_REF:
            reference, self.pending = self.pending.reference, None
        else:
            self._unbind("is an include")
        self.step_count += 1
        if len(args) != 1 or args[0].flag or args[0].open or not args[0].text:
            self.issue(
                args[1].column if len(args) > 1 else command.column,
                "composition",
                "an include names exactly one file",
                expected='include "./path.ad"',
                reason="fragment_call_site_invalid",
            )
            return
        self.nodes.append(
            Include(line=self.number, locator=args[0].text, reference=reference, text=self.text)
        )
