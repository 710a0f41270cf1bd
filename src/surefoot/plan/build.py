"""A parsed script to a plan: the whole of it is checked before its first step runs (surface.md)."""

from __future__ import annotations

from pathlib import PurePosixPath

from surefoot.identity import TargetsEvidence
from surefoot.plan.bind import binding_issues
from surefoot.plan.model import Plan
from surefoot.plan.step import FOCUS_COMMANDS, PlanSource, PlanStep
from surefoot.script import (
    Action,
    CommandGrammar,
    Guard,
    Include,
    IssueList,
    Parsed,
    Scope,
    Script,
    ScriptIssue,
    Template,
    ValidStep,
    check_action,
    scan_script,
)


def source_path(path: str, root: str) -> str:
    """``path`` relative to the caller's root, both absolute POSIX paths; outside it, ``../`` leads."""
    parts, base = PurePosixPath(path).parts, PurePosixPath(root).parts
    shared = 0
    while shared < min(len(parts) - 1, len(base)) and parts[shared] == base[shared]:
        shared += 1
    return "/".join([*[".."] * (len(base) - shared), *parts[shared:]])


def load_plan(
    data: bytes,
    *,
    path: str,
    grammar: CommandGrammar,
    provenance: str | None = None,
    platform: str | None = None,
    target: str | None = None,
    scope: Scope | None = None,
) -> Plan:
    """:func:`scan_script` and :func:`build_plan` in one: every finding of both in one error.

    For a caller that needs the header first (the platform it names, its ``env``) the two are apart.
    """
    return build_plan(
        scan_script(data, path),
        grammar,
        provenance=provenance,
        platform=platform,
        target=target,
        scope=scope,
    )


def build_plan(
    parsed: Parsed,
    grammar: CommandGrammar,
    *,
    provenance: str | None = None,
    platform: str | None = None,
    target: str | None = None,
    scope: Scope | None = None,
) -> Plan:
    """The plan of a scanned script, or ``INVALID_ARGS`` with every finding (at most twenty).

    ``provenance`` is the script's path as its steps' source names it (:func:`source_path`); default
    the script's own. ``platform`` and ``target`` are the effective ones; default the header's.
    With ``scope`` (what the caller brings; the script's ``env`` is added here) every variable must
    resolve and every filled-in step must be valid; without it only the form of variables is checked.
    """
    script = parsed.script
    inner = scope.within(script.env) if scope is not None else None
    issues = IssueList()
    issues.extend(parsed.issues)
    issues.count = max(issues.count, parsed.issue_count)
    warnings = list(script.warnings)
    where = provenance if provenance is not None else script.path
    steps: list[PlanStep] = []
    for node in script.nodes:
        if isinstance(node, Action):
            before = steps[-1] if steps else None
            step = read_step(node, grammar, issues, len(steps) + 1, where, warnings, before)
            if step is None:
                continue
            steps.append(step)
            if inner is not None:
                issues.extend(binding_issues(step, inner, grammar))
        elif isinstance(node, Guard | Include):
            issues.add(_composition(node))
    error = issues.error(script.path)
    if error:
        raise error
    return _plan(script, steps, warnings, platform, target)


def read_step(
    action: Action,
    grammar: CommandGrammar,
    issues: IssueList,
    ordinal: int,
    where: str,
    warnings: list[ScriptIssue],
    before: PlanStep | None = None,
) -> PlanStep | None:
    """One action as the plan's step ``ordinal``, or None and its findings in ``issues``.

    ``where`` is the script's path as the step's source names it; remarks go to ``warnings``. ``before``
    is the step that runs right before it: after a ``close`` only an ``open`` can.
    """
    valid = check_action(action, grammar, issues, action.line)
    if valid is None:
        return None
    _warn(action, valid, warnings)
    if before is not None and before.command == "close" and valid.command != "open":
        issues.add(_after_close(action, before.source.line))
    return _step(ordinal, action, valid, where)


def _plan(
    script: Script,
    steps: list[PlanStep],
    warnings: list[ScriptIssue],
    platform: str | None,
    target: str | None,
) -> Plan:
    return Plan(
        path=script.path,
        platform=platform if platform is not None else script.context.get("platform"),
        target=target if target is not None else script.context.get("target"),
        steps=tuple(steps),
        context=script.context,
        env=script.env,
        heal_complete=script.heal_complete,
        warnings=tuple(warnings),
    )


def _step(ordinal: int, action: Action, valid: ValidStep, where: str) -> PlanStep:
    return PlanStep(
        ordinal=ordinal,
        command=valid.command,
        positionals=tuple(map(Template, valid.positionals)),
        flags=valid.flags,
        evidence=action.evidence,
        source=PlanSource(path=where, line=action.line),
        column=action.command.column,
        targets=valid.targets,
        target_flags=valid.target_flags,
        columns=valid.columns,
        text=action.text,
        produces_output=valid.produces_output,
        in_control_flow=valid.in_control_flow,
    )


def _warn(action: Action, valid: ValidStep, warnings: list[ScriptIssue]) -> None:
    """An annotation that nothing will verify is worth a word, not a refusal (old writers do it)."""
    if action.evidence is None:
        return
    if valid.command in FOCUS_COMMANDS and not isinstance(action.evidence, TargetsEvidence):
        return
    needed = 2 if isinstance(action.evidence, TargetsEvidence) else 1
    if len(valid.targets) == needed:
        return
    warnings.append(
        ScriptIssue(
            line=action.line,
            column=action.command.column,
            rule="annotation",
            message=f"the annotation above is not used: {action.command.text} has"
            f" {len(valid.targets) or 'no'} element target{'s' if len(valid.targets) > 1 else ''} here",
            text=action.text,
            length=action.command.width,
        )
    )


def _after_close(action: Action, closed: int) -> ScriptIssue:
    return ScriptIssue(
        line=action.line,
        column=action.command.column,
        rule="command",
        message=f"nothing is open here: the close on line {closed} ended the session",
        expected="open, or close as the last step",
        reason="step_after_close",
        text=action.text,
        length=action.command.width,
    )


def _composition(node: Guard | Include) -> ScriptIssue:
    if isinstance(node, Include):
        text, reason = node.text, "fragment_unsupported"
        message = "an include needs composition-v1 as the first line that is no comment"
    elif node.kind == "fragment":
        text, reason = "fragment-v1", "fragment_composition_required"
        message = "a fragment replays only through a composition that includes it"
    else:
        text, reason = "composition-v1", "fragment_unsupported"
        message = "a composition is no flat script: it is read together with what it includes"
    return ScriptIssue(
        line=node.line,
        column=1,
        rule="composition",
        message=message,
        expected="a flat script: its own open, steps and close",
        reason=reason,
        text=text,
        length=max(1, len(text)),
    )
