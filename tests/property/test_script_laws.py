"""Laws of scripts: parse∘write = id, values stay data, any input is read or refused typed."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.support.script_grammar import SmallGrammar

from surefoot.errors import SurefootError
from surefoot.identity import (
    Ancestor,
    Evidence,
    ItemEvidence,
    ItemKey,
    RecordedRect,
    RegionKey,
    TargetEvidence,
    TargetsEvidence,
    parse_target,
    parse_targets,
    write_evidence,
)
from surefoot.plan import bind_step, build_plan, load_plan
from surefoot.script import (
    Action,
    Comment,
    Context,
    ContextEntry,
    Env,
    HealComplete,
    LexFault,
    Node,
    Scope,
    Script,
    Token,
    action_node,
    expand,
    expand_selector,
    literal,
    parse_script,
    placeholder,
    references,
    scan_script,
    tokenize,
    write_script,
)
from surefoot.selectors import Equals, parse_selector, write_selector
from surefoot.text import normalize

GRAMMAR = SmallGrammar()

# Text of any kind a script can hold, with what the syntax is made of over-represented.
SPICE = st.sampled_from(
    [*"\"'\\#${}=|@- \t\n:,[]", "${A}", "\\${", "||", '\\"', "e\u0301", "\u00a0", "\u0958", "😀"]
)
PLAIN = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXT = st.lists(st.one_of(SPICE, PLAIN), max_size=12).map("".join)
LABEL = TEXT.filter(lambda text: normalize(text) != "" and len(text.encode()) <= 200)
NAME = st.from_regex(r"[A-Z_][A-Z0-9_]{0,6}", fullmatch=True).filter(lambda n: not n.startswith("AD_"))
ORDINAL = st.none() | st.integers(0, 2**53 - 1)
OPTIONAL = st.none() | LABEL

PIXELS = st.floats(allow_nan=False, allow_infinity=False)
KEYS = st.lists(st.builds(ItemKey, role=LABEL, label=LABEL), min_size=1, max_size=2).map(tuple)
TARGET = st.builds(
    TargetEvidence,
    role=LABEL,
    id=OPTIONAL,
    label=OPTIONAL,
    ancestry=st.lists(st.builds(Ancestor, role=TEXT, label=OPTIONAL), max_size=8).map(tuple),
    sibling=ORDINAL,
    viewport_order=ORDINAL,
    scroll_region=st.none() | st.builds(RegionKey, role=LABEL, id=OPTIONAL, label=OPTIONAL),
    item=st.none() | st.builds(ItemEvidence, of=LABEL, up=st.none() | st.integers(1, 9), keys=KEYS),
    between=st.none() | st.tuples(OPTIONAL, OPTIONAL),
    section=OPTIONAL,
    peers=st.none() | st.integers(1, 2**53 - 1),
    nth=ORDINAL,
    screen=OPTIONAL,
    rect=st.none() | st.builds(RecordedRect, x=PIXELS, y=PIXELS, width=PIXELS, height=PIXELS),
    verification=st.sampled_from(["verified", "unverifiable"]),
)
EVIDENCE: st.SearchStrategy[Evidence] = TARGET | st.builds(
    TargetsEvidence, source=TARGET, destination=TARGET
)
SELECTOR = LABEL.map(lambda label: write_selector(parse_selector(f"label={json.dumps(label)}")))
FLAGS = st.dictionaries(st.just("count"), st.integers(1, 9), max_size=1)
TEMPLATE = TEXT.map(literal) | NAME.map(placeholder)
ACTION: st.SearchStrategy[Action] = st.one_of(
    st.builds(
        lambda selector, flags, evidence: action_node("press", [literal(selector)], flags, evidence),
        SELECTOR,
        FLAGS,
        st.none() | EVIDENCE,
    ),
    st.builds(
        lambda selector, text, evidence: action_node("fill", [literal(selector), text], {}, evidence),
        SELECTOR,
        TEMPLATE,
        st.none() | EVIDENCE,
    ),
    TEMPLATE.map(lambda text: action_node("type", [text])),
    st.integers(0, 99_999).map(lambda ms: action_node("wait", [literal(str(ms))])),
)
COMMENT = TEXT.map(lambda text: Comment(text="#" + " ".join(text.split("\n")).rstrip()))
BODY: st.SearchStrategy[Node] = ACTION | COMMENT | st.just(Comment()) | st.just(HealComplete())
PAIRS = st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), TEXT.filter(bool), max_size=3)
HEADER = st.tuples(PAIRS, st.dictionaries(NAME, TEXT.filter(lambda t: "${" not in t), max_size=3))


def _script(header: tuple[dict[str, str], dict[str, str]], body: list[Node]) -> Script:
    context, env = header
    entries = tuple(ContextEntry(key=key, value=value) for key, value in context.items())
    nodes: list[Node] = [Context(entries=entries)] if entries else []
    nodes += [Env(key=key, value=value) for key, value in env.items()]
    return Script(path="x.ad", nodes=(*nodes, *body))


def _essence(script: Script) -> list[Any]:
    """What a script says, without where: lines, columns, the width and kind of quotes."""
    out: list[Any] = []
    for node in script.nodes:
        if isinstance(node, Action):
            words = [(token.text, token.flag) for token in node.args]
            written = node.evidence and write_evidence(node.evidence)
            out.append((node.command.text, words, written))
        else:
            out.append(msgspec.structs.replace(node, line=0))
    return out


@given(HEADER, st.lists(BODY, max_size=6))
def test_parse_of_write_is_identity(header: Any, body: list[Node]) -> None:
    script = _script(header, body)
    text = write_script(script, GRAMMAR)
    again = parse_script(text.encode(), "x.ad")
    assert _essence(again) == _essence(script)
    assert write_script(again, GRAMMAR) == text


@given(st.lists(ACTION, max_size=5))
def test_rewritten_script_makes_the_same_plan(actions: list[Action]) -> None:
    text = write_script(Script(path="x.ad", nodes=tuple(actions)), GRAMMAR)
    plan = load_plan(text.encode(), path="x.ad", grammar=GRAMMAR)
    rewritten = write_script(parse_script(text.encode(), "x.ad"), GRAMMAR)
    again = load_plan(rewritten.encode(), path="x.ad", grammar=GRAMMAR)
    assert (again.digest, again.steps) == (plan.digest, plan.steps)


@given(TEXT)
def test_B077_text_survives_write_and_read(text: str) -> None:
    written = write_script(Script(path="x.ad", nodes=(action_node("type", [literal(text)]),)), GRAMMAR)
    (step,) = load_plan(written.encode(), path="x.ad", grammar=GRAMMAR).steps
    assert bind_step(step, Scope.of(), GRAMMAR).positionals == (text,)


@given(LABEL)
def test_B076_label_survives_selector_write_and_read(label: str) -> None:
    selector = write_selector(parse_selector(f"label={json.dumps(label)}"))
    written = write_script(
        Script(path="x.ad", nodes=(action_node("press", [literal(selector)]),)), GRAMMAR
    )
    (step,) = load_plan(written.encode(), path="x.ad", grammar=GRAMMAR).steps
    (bound,) = bind_step(step, Scope.of(), GRAMMAR).positionals
    assert parse_selector(bound) == parse_selector(selector)


@given(LABEL, st.sampled_from(['label="${A}"', "label=${A}", "label='${A}'"]))
def test_value_fills_its_term_and_nothing_else(value: str, template: str) -> None:
    source = expand_selector(f"role=button {template} visible=true", Scope.of(cli={"A": value}))
    (alternative,) = parse_selector(source).alternatives
    assert [term.key for term in alternative.terms] == ["role", "label", "visible"]
    assert alternative.terms[1] == Equals("label", value)


@given(TEXT)
def test_literal_expands_to_itself_in_any_scope(text: str) -> None:
    assert expand(literal(text), Scope.of(cli={"A": "x"})) == text
    assert references(literal(text)) == ()


@given(TEXT, TEXT)
def test_values_are_never_expanded_again(before: str, value: str) -> None:
    assert expand(f"{literal(before)} ${{A}}", Scope.of(cli={"A": value})) == f"{before} {value}"


@given(TARGET)
def test_evidence_survives_write_and_read(target: TargetEvidence) -> None:
    payload = write_evidence(target)
    assert len(payload.encode()) <= 4096
    assert write_evidence(parse_target(payload)) == payload


@given(TARGET, TARGET)
def test_pair_survives_write_and_read(source: TargetEvidence, destination: TargetEvidence) -> None:
    payload = write_evidence(TargetsEvidence(source=source, destination=destination))
    assert len(payload.encode()) <= 8320
    assert write_evidence(parse_targets(payload)) == payload


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_typed(data: bytes) -> None:
    try:
        load_plan(data, path="x.ad", grammar=GRAMMAR, scope=Scope.of())
    except SurefootError as error:
        assert {"path", "line", "column"} <= set(error.details)  # noqa: PT017


LINE = st.lists(
    st.sampled_from(
        [
            *("press", "fill", "wait", "type", "context", "env", "include", "#", "A=1", "fragment-v1"),
            *("# agent-device:target-v1", '{"role":"b","verification":"verified"}', "label=x", "${A}"),
            *('"label=\\"x\\""', "'x'", '"', "'", "\\", "--count", "-i", "@e1", " ", "5", "text", "\r"),
        ]
    ),
    max_size=6,
).map(" ".join)


@given(st.lists(LINE, max_size=6).map("\n".join))
def test_any_words_are_read_or_refused_with_a_place_in_the_file(text: str) -> None:
    parsed = scan_script(text.encode(), "x.ad")
    lines = text.split("\n")
    for issue in parsed.issues:
        assert 1 <= issue.line <= len(lines)
        assert 1 <= issue.column <= len(lines[issue.line - 1]) + 1
    try:
        plan = build_plan(parsed, GRAMMAR, scope=Scope.of(cli={"A": "1"}))
    except SurefootError:
        return
    assert parsed.issues == ()
    assert [step.ordinal for step in plan.steps] == list(range(1, len(plan.steps) + 1))


@given(TEXT.map(lambda text: text.replace("\n", " ")))
def test_tokens_stand_where_they_say(line: str) -> None:
    try:
        tokens = tokenize(line)
    except LexFault as fault:
        assert 1 <= fault.column <= len(line) + 1  # noqa: PT017
        return
    for token in tokens:
        raw = line[token.column - 1 : token.column - 1 + token.width]
        assert tokenize(raw) == [Token(token.text, 1, token.quoted, token.width)]
