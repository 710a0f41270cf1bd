"""``fragment``: digest, graph, verify, pin. No device; nothing is written but by ``pin --write``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from surefoot.commands.context import Context, Terminal
from surefoot.commands.descriptor import Answer, Descriptor, TimeoutPolicy, Traits
from surefoot.commands.families.common import SESSIONS, absolute
from surefoot.commands.language.arguments import Args, flag, word
from surefoot.commands.language.forms import Word, words
from surefoot.commands.output.words import lines, plural
from surefoot.commands.running.composing import root_digest
from surefoot.commands.running.sources import CallerSources
from surefoot.compose import GraphView as View
from surefoot.compose import (
    Preflight,
    Rule,
    SourceEdit,
    Unit,
    graph_mermaid,
    graph_text,
    graph_view,
    preflight,
    propose_pins,
    stale_sources,
)
from surefoot.errors import ErrorCode, SurefootError, invalid_args
from surefoot.recording import publish
from surefoot.script import MAX_SOURCE_BYTES
from surefoot.text import single_line
from surefoot.wire import (
    FragmentChild,
    FragmentDigestData,
    FragmentEdgeData,
    FragmentGraphData,
    FragmentNodeData,
    FragmentPinData,
    FragmentVerifyData,
    PinData,
    PinnedFile,
)

MAX_TOLD = 20
REPAIRED_BY_PIN = frozenset({"stale", "unpinned"})


class FragmentFileArgs(Args, frozen=True, kw_only=True):
    """``fragment digest``, ``fragment verify``."""

    file: Annotated[str, word("A fragment or a composition.", value="file", path=True)]


class FragmentGraphArgs(Args, frozen=True, kw_only=True):
    """``fragment graph``."""

    file: Annotated[str, word("A fragment or a composition.", value="root", path=True)]
    mermaid: Annotated[bool, flag("Print it as a Mermaid flowchart.")] = False


class FragmentPinArgs(Args, frozen=True, kw_only=True):
    """``fragment pin``."""

    file: Annotated[str, word("A fragment or a composition.", value="file", path=True)]
    write: Annotated[bool, flag("Write the pins; without it they are only shown.")] = False


class Looked(Struct, frozen=True, kw_only=True):
    """A closure that was read and looked at, and where its files are."""

    sources: CallerSources
    found: Preflight

    @property
    def root(self) -> Unit:
        return self.found.graph.units[self.found.graph.root]


async def _look(context: Context, file: str) -> Looked:
    path = absolute(context, file)
    data = await context.caller.read_file(path, MAX_SOURCE_BYTES)
    sources = CallerSources(context.caller, path)
    closure = await sources.closure(data)
    looked = Looked(sources=sources, found=preflight(closure))
    if looked.root.kind == "script" and not looked.root.findings:
        if looked.found.refused is not None:
            raise looked.found.refused
        raise invalid_args(
            f"{looked.root.key} is a flat script: its first line is no fragment-v1 or composition-v1.",
            hint="`surefoot check <file>` says what a flat script holds.",
            reason="not_composed",
            path=looked.root.key,
        )
    return looked


def _refuse(looked: Looked) -> None:
    """Raise the first violation; its details count them all and name the first twenty."""
    try:
        looked.found.raise_first()
    except SurefootError as error:
        found = looked.found.violations
        if looked.found.refused is None:
            error.details["violationCount"] = len(found)
            error.details["violations"] = [
                {
                    "reason": one.reason,
                    "rule": one.rule.name.lower(),
                    "path": one.at.path,
                    "line": one.at.line,
                    "message": one.message,
                }
                for one in found[:MAX_TOLD]
            ]
        raise


def _refuse_own(looked: Looked) -> None:
    """What a fragment's own digest needs: that fragment alone, not its children."""
    graph = looked.found.graph
    own = [
        one
        for one in looked.found.violations
        if one.at.path == graph.root and one.rule not in (Rule.STALE_DIGEST, Rule.MISSING_SOURCE)
    ]
    if own:
        raise own[0].error()


async def _run_digest(context: Context, args: FragmentFileArgs) -> Answer[FragmentDigestData]:
    looked = await _look(context, args.file)
    if looked.root.kind == "fragment":
        _refuse_own(looked)
    else:
        _refuse(looked)
    return Answer(
        FragmentDigestData(
            path=looked.root.key,
            kind=looked.root.kind,
            digest=root_digest(looked.found),
            children=tuple(
                FragmentChild(
                    call_site_id=include.call_site_id or "",
                    locator=include.locator,
                    digest=include.expected or "",
                )
                for include in looked.root.includes
            ),
        )
    )


async def _run_graph(context: Context, args: FragmentGraphArgs) -> Answer[FragmentGraphData]:
    looked = await _look(context, args.file)
    graph = looked.found.graph
    view = graph_view(graph, stale_sources(graph))
    draw = graph_mermaid if args.mermaid else graph_text
    return Answer(_graph_data(view), worded=lambda: draw(view))


def _graph_data(view: View) -> FragmentGraphData:
    return FragmentGraphData(
        root=view.root,
        nodes=tuple(
            FragmentNodeData(path=node.path, kind=node.kind, steps=node.steps, digest=node.digest)
            for node in view.nodes
        ),
        edges=tuple(
            FragmentEdgeData(
                source=edge.source,
                line=edge.line,
                locator=edge.locator,
                state=edge.state,
                child=edge.child,
                call_site_id=edge.call_site_id,
                expected_digest=edge.expected,
            )
            for edge in view.edges
        ),
        stale=view.stale,
    )


async def _run_verify(context: Context, args: FragmentFileArgs) -> Answer[FragmentVerifyData]:
    looked = await _look(context, args.file)
    _refuse(looked)
    graph = looked.found.graph
    own = set(looked.root.script.env)
    variables = {name for unit in graph.units.values() for name in unit.variables} - own
    return Answer(
        FragmentVerifyData(
            path=looked.root.key,
            kind=looked.root.kind,
            digest=root_digest(looked.found),
            sources=len(graph.units),
            steps=graph.step_count,
            variables=tuple(sorted(name for name in variables if not name.startswith("AD_"))),
        )
    )


async def _run_pin(context: Context, args: FragmentPinArgs) -> Answer[FragmentPinData]:
    looked = await _look(context, args.file)
    left = [one for one in looked.found.violations if one.problem not in REPAIRED_BY_PIN]
    if looked.found.refused is not None:
        raise looked.found.refused
    if left:
        raise left[0].error()
    edits = propose_pins(looked.found.graph)
    if args.write:
        await _write(context, looked.sources, edits)
    files = tuple(
        PinnedFile(
            path=edit.path,
            pins=tuple(
                PinData(
                    line=pin.line,
                    locator=pin.locator,
                    call_site_id=pin.call_site_id,
                    after=pin.after,
                    before=pin.before,
                )
                for pin in edit.pins
            ),
            diff=edit.diff(),
        )
        for edit in edits
    )
    return Answer(FragmentPinData(path=looked.root.key, files=files, written=args.write))


async def _write(context: Context, sources: CallerSources, edits: tuple[SourceEdit, ...]) -> None:
    """All or, where a source changed since it was read, none; leaves first."""
    for edit in edits:
        path = sources.path_of(edit.path)
        if await context.caller.read_file(path, MAX_SOURCE_BYTES) != edit.before:
            raise SurefootError(
                ErrorCode.COMMAND_FAILED,
                f"{edit.path} changed while its pins were computed. Nothing was written.",
                hint="Run it again.",
                details={"reason": "source_changed", "path": edit.path},
            )
    for edit in edits:
        publish(Path(sources.path_of(edit.path)), edit.after.decode(), force=True)


def _digest_text(_args: FragmentFileArgs, data: FragmentDigestData, _terminal: Terminal) -> str:
    children = (
        f"  {single_line(child.call_site_id)}: {single_line(child.locator)} {child.digest}"
        for child in data.children
    )
    return lines(f"{data.digest} {data.kind} {single_line(data.path)}", *children)


def _graph_text(_args: FragmentGraphArgs, data: FragmentGraphData, _terminal: Terminal) -> str:
    return f"{single_line(data.root)}: {plural(len(data.nodes), 'source')}"


def _verify_text(_args: FragmentFileArgs, data: FragmentVerifyData, _terminal: Terminal) -> str:
    needs = f"; needs {', '.join(data.variables)}" if data.variables else ""
    counts = f"{plural(data.sources, 'source')}, {plural(data.steps, 'step')}"
    return f"{single_line(data.path)}: {data.kind} is sound: {counts}{needs}\n{data.digest}"


def _pin_text(args: FragmentPinArgs, data: FragmentPinData, _terminal: Terminal) -> str:
    if not data.files:
        return f"{single_line(data.path)}: every pin is current"
    shown = "".join(file.diff for file in data.files)
    pins = plural(sum(len(file.pins) for file in data.files), "pin")
    where = plural(len(data.files), "file")
    if data.written:
        return f"{shown}wrote {pins} in {where}"
    return (
        f"{shown}{pins} in {where} to write: `surefoot fragment pin {single_line(args.file)} --write`"
    )


TRAITS = Traits(
    ref_frame_effect="none",
    recording_effect="none",
    target_identity_verification="none",
    fragment_safe=False,
    timeout_policy=TimeoutPolicy(default_ms=120_000),
    observation_only=False,
    batchable=False,
    lane="free",
)

DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    Descriptor(
        name="fragment digest",
        group=SESSIONS,
        summary="Print the digest that pins a fragment.",
        args=FragmentFileArgs,
        result=FragmentDigestData,
        form=words(Word("file", "file")),
        examples=("surefoot fragment digest fragments/login.ad",),
        traits=TRAITS,
        run=_run_digest,
        text=_digest_text,
    ),
    Descriptor(
        name="fragment graph",
        group=SESSIONS,
        summary="Show who pins whom, and which pins are stale.",
        args=FragmentGraphArgs,
        result=FragmentGraphData,
        form=words(Word("file", "root")),
        examples=(
            "surefoot fragment graph checkout.ad",
            "surefoot fragment graph checkout.ad --mermaid",
        ),
        traits=TRAITS,
        run=_run_graph,
        text=_graph_text,
    ),
    Descriptor(
        name="fragment verify",
        group=SESSIONS,
        summary="Check a composition as a replay would; no device.",
        args=FragmentFileArgs,
        result=FragmentVerifyData,
        form=words(Word("file", "root")),
        examples=("surefoot fragment verify checkout.ad",),
        traits=TRAITS,
        run=_run_verify,
        text=_verify_text,
        notes=("Variables are listed, not judged: `replay` knows their values.",),
    ),
    Descriptor(
        name="fragment pin",
        group=SESSIONS,
        summary="Show the pins to write, leaves first.",
        args=FragmentPinArgs,
        result=FragmentPinData,
        form=words(Word("file", "file")),
        examples=("surefoot fragment pin checkout.ad", "surefoot fragment pin checkout.ad --write"),
        traits=TRAITS,
        run=_run_pin,
        text=_pin_text,
        notes=("Only --write changes a file; no other command ever writes a pin.",),
    ),
)
