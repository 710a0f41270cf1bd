"""Laws of the divergence report over random screens: bounds, refs, secrets, order (decision 4)."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.support.stage import Stage, stage
from tests.support.trees import el, tree

from surefoot.errors import ErrorCode, SurefootError
from surefoot.identity import IdentityView, record_target
from surefoot.plan import BoundStep, Plan, PlanSource, PlanStep
from surefoot.replay.failure import Failure
from surefoot.replay.report import SHAPES, Draft, finish
from surefoot.replay.screen import seen as seen_by
from surefoot.replay.suggestions import suggest
from surefoot.selectors import parse_selector
from surefoot.session import Session
from surefoot.tree import Observation, Rect
from surefoot.wire import CEILINGS, AvailableScreen, Divergence, Level, ResumeData

SECRET = "correct horse battery"
nasty = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["Save", "Save", SECRET, f"hello {SECRET} there", "x" * 10_000]),
    st.text(alphabet='"\\\x00\x01\x1b\x7f', min_size=200, max_size=600),
    st.text(alphabet="👩‍🚀é漢ש\u202e", min_size=100, max_size=400),
)
messages = st.one_of(nasty, st.text(alphabet="\ud800ab", min_size=1, max_size=300))
nodes = st.lists(
    st.tuples(st.sampled_from(["button", "textbox", "heading", "listitem"]), nasty, nasty), max_size=40
)


def seen(found: list[tuple[str, str, str]]) -> Observation:
    box = Rect(0, 0, 10, 10)
    elements = [
        el(role, label, id=id_, rect=box, hittable=role == "button", author_label=label)
        for role, label, id_ in found
    ]
    body = tree(el("document", el("main", *elements, el("button", "Last", rect=box, hittable=True))))
    return Observation(tree=body, viewport=Rect(0, 0, 800, 600), epoch="1")


def draft(observation: Observation, level: Level, message: str) -> Draft:
    step = PlanStep(
        ordinal=1,
        command="press",
        positionals=('label="Save"',),  # type: ignore[arg-type]
        flags={},
        evidence=record_target(IdentityView(observation.tree), observation.tree.nodes[-1]),
        source=PlanSource(path="p" * 400, line=1),
        targets=(0,),
    )
    plan = Plan(path="a.ad", platform="sim", target=None, steps=(step,))
    failure = Failure(
        step=BoundStep(step=step, positionals=('label="Save"',), flags={}),
        cause=SurefootError(ErrorCode.COMMAND_FAILED, message, details={"reason": "not_editable"}),
        reason="not_editable",
    )
    return Draft(
        plan=plan,
        failure=failure,
        sight=seen_by(observation, reads=True),
        suggested=suggest(observation, [parse_selector('label="Save"')], step.evidence),
        hint="manual",
        resume=ResumeData(allowed=True, from_=1, plan_digest=plan.digest, alternate_from=2),
        values=[(SECRET, "<var:PW>")],
        level=level,
    )


async def session(directory: Path) -> Session:
    made: Stage = await stage('document(button "Go")', directory)
    return made.session


levels: st.SearchStrategy[Any] = st.sampled_from(list(CEILINGS))


@given(nodes, levels, messages)
async def test_the_report_is_bounded_shows_only_what_it_authorises_and_no_secret(
    found: list[tuple[str, str, str]], level: Level, message: str
) -> None:
    observation = seen(found)
    with tempfile.TemporaryDirectory() as directory:
        opened = await session(Path(directory))
        report = finish(draft(observation, level, message), opened)
        data = msgspec.json.encode(report)
        assert len(data) <= CEILINGS[level]
        assert msgspec.json.decode(data, type=Divergence) == report
        frame = opened.refs.frame
        assert frame is not None
        assert isinstance(report.screen, AvailableScreen)
        shown = {item.ref for item in report.screen.refs} | {i.ref for i in report.suggestions}
        assert frame.issued == frozenset(int(ref[1:]) - 1 for ref in shown)
        for text in _texts(report):
            assert len(text.encode("utf-8", "surrogatepass")) <= 256
            assert SECRET not in text
        if report.overflow is not None:
            detail = _detail(report.overflow.artifact_path)
            labels = [item.get("label", "") for item in detail["screen"]["refs"]]
            assert not any(SECRET in label for label in labels)


def _detail(path: str) -> dict[str, Any]:
    body = msgspec.json.decode(Path(path).read_bytes())
    assert isinstance(body, dict)
    return body


def _texts(report: Divergence) -> list[str]:
    assert isinstance(report.screen, AvailableScreen)
    return [
        report.action,
        report.cause.message,
        report.step.source.path,
        *(item.label or "" for item in report.screen.refs),
        *(item.label or "" for item in report.suggestions),
        *(item.selector for item in report.suggestions),
    ]


def test_shapes_only_ever_shrink() -> None:
    for larger, smaller in pairwise(SHAPES):
        pairs = zip(msgspec.structs.astuple(larger), msgspec.structs.astuple(smaller), strict=True)
        assert all(one >= other for one, other in pairs)
        assert larger != smaller


@given(nodes)
def test_suggestions_are_a_total_order_without_duplicates(found: list[tuple[str, str, str]]) -> None:
    observation = seen(found)
    evidence = record_target(IdentityView(observation.tree), observation.tree.nodes[-1])
    chosen = [parse_selector('id="Save" || role=button label="Save"')]
    once, twice = suggest(observation, chosen, evidence), suggest(observation, chosen, evidence)
    assert once == twice
    indexes = [node.index for node, _ in once]
    assert len(set(indexes)) == len(indexes)
    ranks = [("id", "role+label", "label").index(basis) for _, basis in once]
    assert ranks == sorted(ranks)
    same = [node.index for node, basis in once if basis == "label"]
    assert same == sorted(same)
