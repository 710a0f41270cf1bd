"""Rows of fragments: what an included flow's failure names, and what an edited fragment stops."""

from __future__ import annotations

from tests.support.compositions import NOWHERE, fragment, include, root
from tests.support.faults import Hands, cases

from surefoot.commands import SCRIPT_GRAMMAR
from surefoot.compose import fragment_identity, read_unit

BODY = "<main><h1>Home</h1><button>One</button><button>Two</button></main>"


def child(*labels: str) -> str:
    """A fragment behind the page's heading, for the browser, that presses these buttons."""
    lines = [f'press "role=\\"button\\" label=\\"{label}\\""' for label in labels]
    return fragment(*lines, platform="web")


def pin(text: str) -> str:
    unit = read_unit(text.encode(), "any.ad", SCRIPT_GRAMMAR, SCRIPT_GRAMMAR.is_fragment_safe)
    return fragment_identity(unit).digest


def flow(hands: Hands, *includes: str) -> str:
    page = hands.page(BODY)
    text = root(*includes, header="context platform=web target=desktop")
    return text.replace('open "shop"', f'open "{page}"')


# B101: the second step of an include fails, with one include before it and with none.
@cases("B101", alone=(), behind_another=("first",))
def test_a_failure_in_an_include_names_the_include_s_own_line(
    hands: Hands, case: tuple[str, ...]
) -> None:
    hands.file("first.ad", child("One"))
    broken = child("One", "Gone")
    hands.file("broken.ad", broken)
    before = [include(name, f"./{name}.ad", pin(child("One"))) for name in case]
    hands.file("main.ad", flow(hands, *before, include("broken", "./broken.ad", pin(broken))))
    step = hands.ask("replay", "main.ad").error["details"]["divergence"]["step"]
    assert step["source"] == {"path": "broken.ad", "line": 6}
    assert step["address"]["localStep"] == 3
    assert "index" not in step
    hands.ask("close")


# B105: an edited fragment, then with a missing, a cyclic and a foreign one beside it.
@cases(
    "B105",
    edited=((), "fragment_stale"),
    edited_and_missing=(("gone",), "fragment_missing"),
    edited_and_cyclic=(("loop",), "fragment_cycle"),
    edited_and_for_another_target=(("phone",), "fragment_stale"),
    missing_and_cyclic=(("loop", "gone"), "fragment_missing"),
)
def test_an_edited_fragment_never_runs_and_the_first_reason_is_told(
    hands: Hands, case: tuple[tuple[str, ...], str]
) -> None:
    beside, reason = case
    phone = fragment(platform="web", on="mobile")
    loop = fragment(include("loop", "./loop.ad", NOWHERE), platform="web")
    hands.file("login.ad", child("Two"))
    hands.file("phone.ad", phone)
    hands.file("loop.ad", loop)
    pins = {"phone": pin(phone), "loop": pin(loop), "gone": NOWHERE}
    lines = [include(name, f"./{name}.ad", pins[name]) for name in beside]
    hands.file("main.ad", flow(hands, include("login", "./login.ad", pin(child("One"))), *lines))
    assert hands.ask("replay", "main.ad").refused == ("INVALID_ARGS", reason)
    open_sessions = hands.do("session", "list")["sessions"]
    assert hands.session not in [one["session"] for one in open_sessions]
