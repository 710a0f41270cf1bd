"""Bytes of one `.ad` source to a :class:`Unit`: its body, and what is wrong with it in itself.

Nothing here reads a file, and nothing knows another source: the closure does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from surefoot.compose.guard import entry_guard_problem
from surefoot.compose.model import CompositionNode, Finding, IncludeNode, Kind, Rule, StepNode, Unit
from surefoot.plan import PlanSource, PlanStep, read_step
from surefoot.script import (
    Action,
    CommandGrammar,
    Comment,
    Env,
    Include,
    IssueList,
    Script,
    ScriptIssue,
    Template,
    scan_script,
    script_error,
)

FragmentSafe = Callable[[str, str], bool]
"""Whether a command may stand in a fragment, by the positive trait of its descriptor: the command word,
and the word behind it (empty when there is none: `tab list` is not `tab select`)."""

ISSUE_RULES: Final[Mapping[str, Rule]] = {
    "fragment_unsupported": Rule.UNSUPPORTED,
    "fragment_call_site_invalid": Rule.CALL_SITE,
    "script_too_large": Rule.SIZE_BOUND,
    "line_too_long": Rule.SIZE_BOUND,
    "too_many_steps": Rule.SIZE_BOUND,
}
"""Findings of the script's own reader that preflight ranks; every other one is a plain finding."""

UNREAD: Final = frozenset({"script_too_large", "not_utf8", "nul_byte"})
"""Reasons for which not one line of a source was read."""

_OTHER_REFERENCE: Final = re.compile(r"#[ \t]*agent-device:fragment-ref-v(\d+)\b")


def read_unit(data: bytes, key: str, grammar: CommandGrammar, is_fragment_safe: FragmentSafe) -> Unit:
    """The source named ``key``. Never raises for what is in ``data``: all of it becomes findings."""
    parsed = scan_script(data, key)
    reader = _Reader(parsed.script, key, grammar, is_fragment_safe)
    reader.script_issues(parsed.issues, parsed.issue_count)
    return reader.unit(data)


class _Reader:
    def __init__(
        self, script: Script, key: str, grammar: CommandGrammar, is_fragment_safe: FragmentSafe
    ) -> None:
        self.script, self.key = script, key
        self.grammar, self.is_fragment_safe = grammar, is_fragment_safe
        self.kind: Kind = "script" if script.guard is None else script.guard.kind
        self.findings: list[Finding] = []
        self.plain = IssueList()
        self.warnings = list(script.warnings)
        self.nodes: list[CompositionNode] = []
        self.ordinal = 0
        self.sites: dict[str, int] = {}
        self.include_count = 0
        self.is_unread = False
        self.references: dict[int, Finding] = {}

    def script_issues(self, issues: tuple[ScriptIssue, ...], count: int) -> None:
        include_lines = {node.line for node in self.script.includes}
        for issue in issues:
            rule = ISSUE_RULES.get(issue.reason or "")
            self.is_unread = self.is_unread or issue.reason in UNREAD
            if rule is None:
                self.plain.add(issue)
            elif rule is Rule.CALL_SITE and issue.line + 1 in include_lines:
                self.references[issue.line + 1] = _of_issue(issue, rule)
            else:
                self.findings.append(_of_issue(issue, rule))
        self.plain.count += count - len(issues)

    def unit(self, data: bytes) -> Unit:
        before: Comment | None = None
        for node in self.script.nodes:
            if isinstance(node, Action):
                self.action(node)
            elif isinstance(node, Include):
                self.include(node, before)
            elif isinstance(node, Env) and self.kind == "fragment":
                self.find(Rule.UNSUPPORTED, "a fragment has no env lines", node.line, problem="env")
            before = node if isinstance(node, Comment) else None
        self.body()
        context = self.script.context
        return Unit(
            key=self.key,
            kind=self.kind,
            platform=context.get("platform"),
            target=context.get("target"),
            nodes=tuple(self.nodes),
            findings=tuple(self.findings),
            refused=tuple(self.plain.kept),
            refused_count=self.plain.count,
            is_unread=self.is_unread,
            script=Script(path=self.key, nodes=self.script.nodes, warnings=tuple(self.warnings)),
            data=data,
        )

    def find(
        self,
        rule: Rule,
        message: str,
        line: int,
        *,
        include: int | None = None,
        problem: str | None = None,
    ) -> None:
        self.findings.append(
            Finding(rule=rule, message=message, line=line, include=include, problem=problem)
        )

    def action(self, node: Action) -> None:
        self.ordinal += 1
        if self.kind == "fragment" and not self.is_fragment_safe(
            node.command.text, node.args[0].text if node.args else ""
        ):
            self.find(
                Rule.LIFECYCLE,
                f"{node.command.text} may not stand in a fragment: its caller owns the session",
                node.line,
                problem=node.command.text,
            )
            step = read_step(node, self.grammar, IssueList(), self.ordinal, self.key, [])
            self.nodes.append(StepNode(step=step or self.raw(node)))
            return
        last = self.nodes[-1] if self.nodes else None
        before = last.step if isinstance(last, StepNode) else None
        step = read_step(node, self.grammar, self.plain, self.ordinal, self.key, self.warnings, before)
        if step is not None:
            self.nodes.append(StepNode(step=step))

    def raw(self, node: Action) -> PlanStep:
        """A line that no command reads, as it stands: a digest can still be taken of it."""
        return PlanStep(
            ordinal=self.ordinal,
            command=node.command.text,
            positionals=tuple(Template(token.text) for token in node.args),
            flags={},
            evidence=node.evidence,
            source=PlanSource(path=self.key, line=node.line),
            column=node.command.column,
            text=node.text,
        )

    def include(self, node: Include, before: Comment | None) -> None:
        at, self.include_count = self.include_count, self.include_count + 1
        site = node.reference.call_site_id if node.reference else None
        if self.kind == "script":
            self.find(
                Rule.UNSUPPORTED,
                "include without composition-v1 as the first line that is no comment",
                node.line,
                include=at,
                problem="no_guard",
            )
        if site is None:
            version = _OTHER_REFERENCE.match(before.text) if before is not None else None
            if version is not None and version[1] != "1":
                self.find(
                    Rule.UNSUPPORTED,
                    f"fragment-ref-v{version[1]} is a reference this version cannot read",
                    node.line,
                    include=at,
                    problem="reference_version",
                )
            malformed = self.references.get(node.line)
            self.find(
                Rule.CALL_SITE,
                "an include needs its pin (# agent-device:fragment-ref-v1) on the line before it"
                if malformed is None
                else malformed.message,
                node.line,
                include=at,
                problem="unpinned" if malformed is None else "reference_malformed",
            )
        elif site in self.sites:
            self.find(
                Rule.CALL_SITE,
                f'call site "{site}" stands on line {self.sites[site]} already',
                node.line,
                include=at,
                problem="duplicate",
            )
        else:
            self.sites[site] = node.line
        self.nodes.append(
            IncludeNode(
                locator=node.locator,
                call_site_id=site,
                expected=node.reference.digest if node.reference else None,
                line=node.line,
                text=node.text,
            )
        )

    def body(self) -> None:
        """What only the whole source shows."""
        if self.plain.kept and (self.kind == "fragment" or self.is_unread):
            self.unreadable()
        if self.kind != "fragment":
            return
        self.constraints()
        problem = entry_guard_problem(tuple(self.nodes))
        if problem is not None:
            line = problem.step.source.line if problem.step else 1
            self.find(problem.rule, problem.message, line, problem=problem.problem)

    def constraints(self) -> None:
        for name in ("platform", "target"):
            if name not in self.script.context:
                guard = self.script.guard
                self.find(
                    Rule.UNSUPPORTED,
                    f"a fragment names its {name} right behind the guard: context {name}=…",
                    guard.line if guard is not None else 1,
                    problem=f"no_{name}",
                )

    def unreadable(self) -> None:
        """What a plain script would be refused for makes a fragment one that cannot be read."""
        error = script_error(self.key, self.plain.kept, self.plain.count)
        first = min(self.plain.kept, key=lambda issue: (issue.line, issue.column))
        self.findings.append(
            Finding(
                rule=Rule.UNSUPPORTED,
                message=first.message,
                line=first.line,
                column=first.column,
                problem=first.reason or f"script_{first.rule}",
                excerpt=first.excerpt,
                errors=tuple(error.details["errors"]),
            )
        )


def _of_issue(issue: ScriptIssue, rule: Rule) -> Finding:
    return Finding(
        rule=rule,
        message=issue.message,
        line=issue.line,
        column=issue.column,
        problem=None if issue.reason is None or issue.reason.startswith("fragment_") else issue.reason,
        excerpt=issue.excerpt if issue.text else None,
    )
