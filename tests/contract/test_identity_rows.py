"""Rows that differ in something other than a text of their own: never another row's control is pressed.

Recorded on one page of a real browser, replayed on another: the same, one with a row put before, one
whose rows changed places, one whose row was replaced.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

import pytest
import pytest_asyncio
from tests.support.pages import Pages

from surefoot.drivers import DriverEvent, OpenRequest
from surefoot.drivers.web import WebApp, WebDriver
from surefoot.identity import (
    IdentityView,
    TargetEvidence,
    Verified,
    parse_target,
    verify,
    write_evidence,
)
from surefoot.recording import Echoes, recorded_targets
from surefoot.selectors import Disambiguated, Selector, Unique, match, resolve_for_action
from surefoot.session import HiddenText
from surefoot.tree import Node, Observation

pytestmark = pytest.mark.asyncio(loop_scope="module")

RED, BLUE, GREEN, GOLD, NEW = "Red", "Blue", "Green", "Gold", "Slate"
COLOURS = (RED, BLUE, GREEN)
DATES = {name: f"2024-0{at + 1}-15" for at, name in enumerate((RED, BLUE, GREEN, GOLD, NEW))}
DIGITS = {name: str(at + 3) for at, name in enumerate((RED, BLUE, GREEN, GOLD, NEW))}
SHADES = (RED, BLUE, GREEN, GOLD, NEW, "Rose", "Teal", "Plum", "Lime", "Sand", "Rust", "Navy")
LONG = "the same words at the beginning of every row of this list, " * 5
DELETE = "<button>Delete</button>"
Row = Callable[[str], str]


def items(row: Row) -> Callable[[Sequence[str]], str]:
    def page(names: Sequence[str]) -> str:
        return f"<main><ul>{''.join(f'<li>{row(name)}</li>' for name in names)}</ul></main>"

    return page


def bare(row: Row) -> Callable[[Sequence[str]], str]:
    def page(names: Sequence[str]) -> str:
        return f"<main>{''.join(map(row, names))}</main>"

    return page


def options(chosen: str) -> str:
    return "".join(f"<option{' selected' * (name == chosen)}>{name}" for name in SHADES)


LASTING: dict[str, Callable[[Sequence[str]], str]] = {
    "test id of the item": bare(lambda name: f"<li data-testid=row-{name}>{DELETE}</li>"),
    "id of the item": bare(lambda name: f"<li id=row-{name}>{DELETE}</li>"),
    "id of a row": lambda names: (
        f"<table>{''.join(f'<tr id=row-{name}><td>3<td>{DELETE}</tr>' for name in names)}</table>"
    ),
    "id of a container that is no node": bare(
        lambda name: f"<div data-testid=row-{name}>{DELETE}</div>"
    ),
    "id of a card": bare(lambda name: f"<div id=row-{name}><button>Edit</button>{DELETE}</div>"),
    "id of a section around two": bare(
        lambda name: f"<section data-testid=part-{name}><p><img src=x alt=''>{DELETE}</p></section>"
    ),
    "value of a field": items(lambda name: f"<input value={name}>{DELETE}"),
    "value of a readonly field": items(lambda name: f"<input readonly value={name}>{DELETE}"),
    "value beside a quantity": items(
        lambda name: f"<input type=number value=1><input value={name}>{DELETE}"
    ),
    "value of a text area": items(lambda name: f"<textarea>{name}</textarea>{DELETE}"),
    "value of a drop-down": items(lambda name: f"<select>{options(name)}</select>{DELETE}"),
    "value in a bare row": bare(lambda name: f"<div><input value={name}>{DELETE}</div>"),
    "title of the button": items(lambda name: f"<button title='The {name} one'>Delete</button>"),
    "description of the button": items(
        lambda name: (
            f"<span hidden id=d{name}>{name} row</span><button aria-describedby=d{name}>Delete</button>"
        )
    ),
    "target of a link": items(lambda name: f"<a href=/rows/{name}>Delete</a>"),
    "target of a bare link": bare(lambda name: f"<a href=/rows/{name}>Delete</a>"),
    "a picture": items(lambda name: f"<img src={name}.png>{DELETE}"),
    "a picture in a button": items(
        lambda name: f"<button aria-label=Delete><img src={name}.png></button>"
    ),
    "a picture without meaning": items(lambda name: f"<img src={name}.png alt=''>{DELETE}"),
    "the end of a long text": items(lambda name: f"<span>{LONG}{name}</span>{DELETE}"),
    "the end of a long name": items(lambda name: f"<button>Delete {LONG}{name}</button>"),
    "id beside a number": items(lambda name: f"<span id=row-{name}>3</span>{DELETE}"),
}
ONCE: dict[str, Callable[[Sequence[str]], str]] = {
    "a quantity": items(lambda name: f"<input type=number value={DIGITS[name]}>{DELETE}"),
    "a date": items(lambda name: f"<input type=date value={DATES[name]}>{DELETE}"),
    "a pressed neighbour": items(
        lambda name: f"<button aria-pressed={str(name == BLUE).lower()}>Star</button>{DELETE}"
    ),
    "a checked neighbour": items(
        lambda name: f"<input type=checkbox{' checked' * (name == BLUE)}>{DELETE}"
    ),
    "its own state": items(
        lambda name: f"<button aria-pressed={str(name == BLUE).lower()}>Delete</button>"
    ),
}
"""Told apart by what changes by itself: it has to hold, and then it does tell them apart."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WebApp]:
    def ignore(_event: DriverEvent) -> None:
        return

    driver = WebDriver()
    request = OpenRequest(
        target="about:blank", session="s", state_dir=str(tmp_path_factory.mktemp("state"))
    )
    try:
        yield await driver.open(request, ignore)
    finally:
        await driver.close()


class Replay:
    """Records on one page, and says on which control of another the replay would act."""

    def __init__(self, app: WebApp, serve: Pages) -> None:
        self._app = app
        self._serve = serve
        self.evidence: TargetEvidence | None = None
        self._selector: Selector | None = None

    async def record(self, html: str, at: int, **more: object) -> TargetEvidence:
        """Record a press on the control number ``at``."""
        seen = await self.see(html)
        node = controls(seen)[at]
        (target,), evidence = recorded_targets("press", [(seen, node)], "pre_dispatch", **more)  # type: ignore[arg-type]
        assert isinstance(evidence, TargetEvidence)
        assert evidence.verification == "verified"
        self.evidence = parse_target(write_evidence(evidence))
        self._selector = target.chain.selector
        return evidence

    async def see(self, html: str) -> Observation:
        await self._app.goto(self._serve.page(f"<!doctype html><title>t</title>{html}"), 10_000)
        return await self._app.observe()

    async def acts_on(self, html: str) -> int | None:
        """The number of the control the replay acts on; ``None`` where it refuses."""
        assert self.evidence is not None
        assert self._selector is not None
        seen = await self.see(html)
        matches = match(seen.tree, self._selector)
        found = resolve_for_action(seen.tree, matches)
        winner = found.node if isinstance(found, Unique | Disambiguated) else None
        verdict = verify(IdentityView(seen.tree), self.evidence, matches.nodes, winner)
        if not isinstance(verdict, Verified):
            return None
        return controls(seen).index(verdict.node)


def controls(seen: Observation) -> list[Node]:
    """The controls that are equal in every row, in document order."""
    return [
        node
        for node in seen.tree
        if node.role in ("button", "link") and node.label.startswith("Delete")
    ]


@pytest.fixture
def replay(app: WebApp, serve: Pages) -> Replay:
    return Replay(app, serve)


@pytest.mark.parametrize("kind", [*LASTING, *ONCE])
async def test_a_record_is_known_by_whatever_tells_it_apart(replay: Replay, kind: str) -> None:
    page = (LASTING | ONCE)[kind]
    await replay.record(page(COLOURS), 1)
    assert await replay.acts_on(page(COLOURS)) == 1
    assert await replay.acts_on(page((NEW, *COLOURS))) == 2
    assert await replay.acts_on(page((BLUE, RED, GREEN))) == 0
    assert await replay.acts_on(page((RED, GREEN, BLUE))) == 2
    assert await replay.acts_on(page((BLUE, GREEN))) == 0
    assert await replay.acts_on(page((RED, GOLD, GREEN))) is None
    assert await replay.acts_on(page((RED, GREEN))) is None
    assert await replay.acts_on(page((GOLD,))) is None


@pytest.mark.parametrize("which", [0, 1])
async def test_a_record_with_two_equal_controls_is_known_by_its_id(replay: Replay, which: int) -> None:
    def page(names: Sequence[str]) -> str:
        cells = f"<td>{DELETE}<td><input aria-label=n value=1>{DELETE}"
        return f"<table>{''.join(f'<tr id=row-{name}>{cells}</tr>' for name in names)}</table>"

    await replay.record(page(COLOURS), 2 + which)
    assert await replay.acts_on(page(COLOURS)) == 2 + which
    assert await replay.acts_on(page((NEW, GREEN, BLUE, RED))) == 4 + which
    assert await replay.acts_on(page((RED, GOLD, GREEN))) is None


async def test_a_recycled_list_shows_other_records_in_the_same_rows(replay: Replay) -> None:
    """A virtual list of ten rows whose names stand in readonly fields: recorded row 9, scrolled."""
    page = items(lambda name: f"<input readonly value='File {name}'>{DELETE}")
    names = [chr(ord("A") + at) for at in range(20)]
    await replay.record(page(names[:10]), 9)
    assert await replay.acts_on(page(names[:10])) == 9
    assert await replay.acts_on(page(names[7:17])) == 2
    assert await replay.acts_on(page(names[10:])) is None


async def test_a_place_in_ids_is_no_identity(replay: Replay) -> None:
    """Ids that count positions stay where they are when a row is put before; the row does not."""

    def page(names: Sequence[str]) -> str:
        rows = (f"<div id=row-{at}-box>{DELETE}</div>" for at, _ in enumerate(names))
        return f"<main>{''.join(rows)}</main>"

    evidence = await replay.record(page(COLOURS), 1)
    assert evidence.record is None
    assert await replay.acts_on(page(COLOURS)) == 1
    assert await replay.acts_on(page((NEW, *COLOURS))) is None


async def test_equal_rows_are_told_by_position_only_while_those_beside_are_the_same(
    replay: Replay,
) -> None:
    def page(states: str) -> str:
        rows = (f"<li><input type=checkbox{' checked' * (s == 'x')}>{DELETE}</li>" for s in states)
        return f"<main><ul>{''.join(rows)}</ul></main>"

    evidence = await replay.record(page("x--"), 1)
    assert evidence.peers == 2
    assert await replay.acts_on(page("x--")) == 1
    assert await replay.acts_on(page("-x-")) is None
    assert await replay.acts_on(page("--x")) is None
    assert await replay.acts_on(page("---")) is None
    assert await replay.acts_on(page("-x--")) is None


async def test_a_quantity_may_change_where_something_else_identifies_the_row(replay: Replay) -> None:
    def page(*rows: tuple[str, int]) -> str:
        inside = (f"<li><input value={n}><input type=number value={q}>{DELETE}</li>" for n, q in rows)
        return f"<main><ul>{''.join(inside)}</ul></main>"

    await replay.record(page((RED, 1), (BLUE, 2)), 1)
    assert await replay.acts_on(page((BLUE, 7), (RED, 2))) == 0
    assert await replay.acts_on(page((RED, 1), (GOLD, 2))) is None


async def test_a_password_is_no_sign(replay: Replay) -> None:
    def page(*texts: str) -> str:
        rows = (f"<li><input type=password value={text}>{DELETE}</li>" for text in texts)
        return f"<main><ul>{''.join(rows)}</ul></main>"

    evidence = await replay.record(page("tulip", "walrus"), 1)
    assert evidence.record is None


async def test_a_field_the_session_filled_is_no_sign(replay: Replay) -> None:
    page = items(lambda name: f"<input value={name}>{DELETE}")
    seen = await replay.see(page(COLOURS))
    fields = [node for node in seen.tree if node.role == "textbox"]
    (_,), known = recorded_targets("press", [(seen, controls(seen)[1])], "pre_dispatch")
    (_,), evidence = recorded_targets(
        "press", [(seen, controls(seen)[1])], "pre_dispatch", None, {fields[1].handle}
    )
    assert isinstance(known, TargetEvidence)
    assert isinstance(evidence, TargetEvidence)
    assert known.record is not None
    assert known.peers == 1
    assert evidence.record is not None
    assert not set(known.record.signs) & set(evidence.record.signs)
    assert evidence.peers == 3


async def test_a_hidden_text_is_no_sign(replay: Replay) -> None:
    echoes = Echoes([HiddenText("Blue-secret", "COLOUR")])
    for row in (
        lambda name: f"<input value={name}-secret>{DELETE}",
        lambda name: f"<a href=/rows/{name}-secret>Delete</a>",
        lambda name: f"<button title={name}-secret>Delete</button>",
    ):
        page = items(row)
        seen = await replay.see(page(COLOURS))
        node = controls(seen)[1]
        (_,), known = recorded_targets("press", [(seen, node)], "pre_dispatch")
        (_,), evidence = recorded_targets("press", [(seen, node)], "pre_dispatch", echoes)
        assert isinstance(known, TargetEvidence)
        assert isinstance(evidence, TargetEvidence)
        assert known.record is not None
        kept = evidence.record.signs if evidence.record else ()
        assert not set(known.record.signs) & set(kept)


async def test_an_item_that_alone_has_the_control_is_known_as_well(replay: Replay) -> None:
    def page(*rows: tuple[str, str]) -> str:
        inside = (f"<li data-testid=row-{name}><i>x</i>{control}</li>" for name, control in rows)
        return f"<main><ul>{''.join(inside)}</ul></main>"

    await replay.record(page((RED, ""), (BLUE, DELETE), (GREEN, "")), 0)
    assert await replay.acts_on(page((RED, ""), (BLUE, DELETE))) == 0
    assert await replay.acts_on(page((RED, DELETE), (BLUE, ""), (GREEN, ""))) is None
    assert await replay.acts_on(page((GOLD, DELETE))) is None
