"""A tool call's way: options apart, refs pinned, outcome as a result."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from surefoot.mcp import Answered, Follow, Outcome, Steps, Tool, Toolbox
from surefoot.mcp.tools import UNTRUSTED
from surefoot.wire import Call


def tool(
    name: str,
    *targets: str,
    publishes: bool = False,
    untrusted: bool = True,
    quotes_files: bool = False,
) -> Tool:
    return Tool(
        name=name,
        command=name.replace("_", " "),
        description="",
        input_schema={"type": "object"},
        targets=targets,
        publishes=publishes,
        read_only=False,
        untrusted=untrusted,
        quotes_files=quotes_files,
        options=frozenset({"session", "level", "timeoutMs", "noRecord"}),
    )


class Host:
    """Answers what it is told to, and keeps what it was asked."""

    tools = (
        tool("snapshot", publishes=True),
        tool("press", "target"),
        tool("drag", "source", "destination"),
        tool("fill", "target"),
        tool("batch"),
        tool("replay", quotes_files=True),
        tool("daemon_status", untrusted=False),
    )

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.answer: dict[str, Any] = {}
        self.error: dict[str, Any] | None = None
        self.text = "done"
        self.image: bytes | None = None

    async def session_of(self, call: Call) -> str | None:
        return call.options.session or "here"

    def batch_steps(self, steps: Steps) -> list[tuple[str, dict[str, Any]]] | None:
        try:
            read = json.loads(steps) if isinstance(steps, str) else steps
        except ValueError:
            return None
        return [
            (step["command"], step["arguments"])
            if isinstance(step, dict)
            else (step[0], {"target": step[1], "text": step[-1]} if len(step) > 1 else {})
            for step in read
        ]

    async def run_call(self, call: Call, follow: Follow | None) -> Answered:
        self.calls.append(call)
        return Answered(
            session=call.options.session or "here",
            text=self.text,
            image=self.image,
            data=None if self.error else self.answer,
            error=self.error,
        )


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def box(host: Host) -> Toolbox:
    return Toolbox(host)


async def run(box: Toolbox, name: str, **arguments: Any) -> Outcome:
    outcome = await box.call(name, arguments)
    assert outcome is not None
    return outcome


async def show(box: Toolbox, host: Host, generation: int, *refs: str, **options: Any) -> None:
    host.answer = {"nodes": [{"ref": ref} for ref in refs], "refsGeneration": generation}
    await run(box, "snapshot", **options)
    host.answer = {}


async def test_options_are_told_from_arguments(box: Toolbox, host: Host) -> None:
    await run(box, "press", target="id=a", session="mine", level="digest", timeoutMs=5, noRecord=True)
    assert host.calls[0].arguments == {"target": "id=a"}
    options = host.calls[0].options
    assert (options.session, options.level) == ("mine", "digest")
    assert (options.timeout_ms, options.no_record) == (5, True)


async def test_an_option_that_is_null_is_not_given(box: Toolbox, host: Host) -> None:
    await run(box, "press", target="id=a", level=None, timeoutMs=None)
    assert host.calls[0].options.level == "default"


async def test_an_option_of_the_wrong_type_runs_nothing(box: Toolbox, host: Host) -> None:
    outcome = await run(box, "press", target="id=a", timeoutMs="soon")
    assert outcome.is_error
    assert outcome.structured["code"] == "INVALID_ARGS"
    assert host.calls == []


async def test_every_target_is_pinned(box: Toolbox, host: Host) -> None:
    await show(box, host, 42, "e1", "e2")
    await run(box, "drag", source="@e1", destination="@e2")
    assert host.calls[-1].arguments == {"source": "@e1~s42", "destination": "@e2~s42"}


async def test_text_that_looks_like_a_ref_is_text(box: Toolbox, host: Host) -> None:
    await show(box, host, 42, "e1", "e2")
    await run(box, "fill", target="@e1", text="@e2")
    assert host.calls[-1].arguments == {"target": "@e1~s42", "text": "@e2"}


async def test_pins_belong_to_the_session_of_the_call(box: Toolbox, host: Host) -> None:
    await show(box, host, 42, "e1", session="mine")
    await run(box, "press", target="@e1")
    await run(box, "press", target="@e1", session="mine")
    assert [call.arguments["target"] for call in host.calls[1:]] == ["@e1", "@e1~s42"]


async def test_candidates_of_an_error_are_pinned(box: Toolbox, host: Host) -> None:
    host.error = {
        "code": "AMBIGUOUS_MATCH",
        "message": "m",
        "details": {"candidates": [{"ref": "e7"}], "refsGeneration": 43},
    }
    assert (await run(box, "press", target="label=x")).is_error
    await run(box, "press", target="@e7")
    assert host.calls[-1].arguments["target"] == "@e7~s43"


async def test_an_error_without_refs_leaves_the_pins_alone(box: Toolbox, host: Host) -> None:
    await show(box, host, 42, "e1")
    host.error = {"code": "ELEMENT_NOT_FOUND", "message": "m", "details": {"ref": "e1"}}
    await run(box, "press", target="label=x")
    await run(box, "press", target="@e1")
    assert host.calls[-1].arguments["target"] == "@e1~s42"


async def test_batch_steps_are_pinned_until_one_shows_a_screen(box: Toolbox, host: Host) -> None:
    await show(box, host, 42, "e1", "e2")
    steps = [
        ["fill", "@e1", "@e2"],
        {"command": "press", "arguments": {"target": "@e2"}},
        ["snapshot"],
        ["press", "@e1"],
    ]
    pinned = [
        ["fill", "@e1~s42", "@e2"],
        {"command": "press", "arguments": {"target": "@e2~s42"}},
        ["snapshot"],
        ["press", "@e1"],
    ]
    await run(box, "batch", steps=json.dumps(steps))
    assert json.loads(host.calls[-1].arguments["steps"]) == pinned
    await run(box, "batch", steps=steps)
    assert host.calls[-1].arguments["steps"] == pinned
    assert steps[0] == ["fill", "@e1", "@e2"]


async def test_steps_that_do_not_parse_go_through_unchanged(box: Toolbox, host: Host) -> None:
    await run(box, "batch", steps="[[")
    assert host.calls[-1].arguments == {"steps": "[["}


async def test_text_of_an_app_is_marked_and_our_own_is_not(box: Toolbox, host: Host) -> None:
    host.answer = {"target": {"role": "button", "label": "Save"}}
    page = await run(box, "press", target="id=a")
    own = await run(box, "daemon_status")
    assert (page.text, page.untrusted) == (("done", UNTRUSTED), True)
    assert (own.text, own.untrusted) == (("done",), False)


@pytest.mark.parametrize(
    ("answer", "untrusted"),
    [
        ({}, False),
        ({"waitedMs": 12, "session": "here", "kind": "exact"}, False),
        ({"warnings": ["The field holds more."]}, True),
        ({"steps": [{"command": "get", "data": {"text": "of the page"}}]}, True),
        ({"anythingNew": "is taken for text of the app"}, True),
    ],
    ids=str,
)
async def test_a_result_is_marked_where_it_holds_text_not_known_to_be_ours(
    box: Toolbox, host: Host, answer: dict[str, Any], untrusted: bool
) -> None:
    host.answer = answer
    assert (await run(box, "press", target="id=a")).untrusted is untrusted


@pytest.mark.parametrize(
    ("name", "code", "untrusted"),
    [
        ("press", "INVALID_ARGS", False),
        ("press", "SESSION_NOT_FOUND", False),
        ("press", "ELEMENT_NOT_FOUND", True),
        ("replay", "INVALID_ARGS", True),
    ],
)
async def test_a_refusal_is_marked_where_it_may_quote_an_app(
    box: Toolbox, host: Host, name: str, code: str, untrusted: bool
) -> None:
    host.error = {"code": code, "message": "m", "details": {}}
    assert (await run(box, name)).untrusted is untrusted


async def test_a_picture_is_handed_on_and_is_an_app_s(box: Toolbox, host: Host) -> None:
    host.image = b"\x89PNG"
    outcome = await run(box, "press", target="id=a")
    assert (outcome.image, outcome.untrusted) == (b"\x89PNG", True)


async def test_a_result_is_bounded(box: Toolbox, host: Host) -> None:
    host.text = "line\n" * 100_000
    host.answer = {"nodes": [{"label": "x" * 200}] * 20_000}
    outcome = await run(box, "snapshot")
    assert len(outcome.text[0].encode()) <= 64 * 1024
    assert len(msgspec.json.encode(outcome.structured)) <= 128 * 1024
    assert outcome.structured["truncated"] is True


async def test_an_unknown_tool_is_none_and_has_a_nearest(box: Toolbox) -> None:
    assert await box.call("pres", {}) is None
    assert box.nearest("pres") == "; did you mean press?"
    assert box.nearest("zzz") == ""


async def test_a_divergence_is_its_report_with_the_error_beside_it(box: Toolbox, host: Host) -> None:
    report = {
        "version": 1,
        "kind": "selector-miss",
        "repairHint": "manual",
        "screen": {"state": "available", "refsGeneration": 44, "refs": [{"ref": "e3"}]},
    }
    host.error = {
        "code": "REPLAY_DIVERGENCE",
        "message": "m",
        "diagnosticId": "d",
        "details": {"divergence": report, "readiness": {"waitedMs": 1}},
    }
    outcome = await run(box, "press", target="id=a")
    assert outcome.is_error
    assert outcome.structured == {
        **report,
        "code": "REPLAY_DIVERGENCE",
        "message": "m",
        "diagnosticId": "d",
        "details": {"readiness": {"waitedMs": 1}},
    }
    await run(box, "press", target="@e3")
    assert host.calls[-1].arguments["target"] == "@e3~s44"
