"""Seed 0020: a composed flow replays through the real commands; failures and resume are by address."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.commands_room import FakeCaller, OnePlatform
from tests.support.compositions import NOWHERE, fragment, include, root, target
from tests.support.replays import Replays, replays
from tests.support.stage import app

from surefoot.commands import SCRIPT_GRAMMAR
from surefoot.compose import fragment_identity, parse_token, read_unit
from surefoot.drivers import DriverEvent, OpenRequest
from surefoot.drivers.sim import SimApp, SimDriver
from surefoot.errors import ErrorCode, SurefootError
from surefoot.wire import (
    CEILINGS,
    ActionRecorded,
    Divergence,
    FragmentOwnerData,
    Level,
    ReplayData,
    RootOwnerData,
)

SHOP = """document "Shop"(main(heading "Basket" level=1,
    button "One" =one, button "Two" =two, button "Three" =three, button "Last" =last))"""
ELSEWHERE = 'document "Shop"(main(heading "Sign in" level=1, button "One" =one, button "Last" =last))'


def press(label: str) -> str:
    return f'press "role=\\"button\\" label=\\"{label}\\""'


def digest_of(text: str) -> str:
    unit = read_unit(text.encode(), "any.ad", SCRIPT_GRAMMAR, SCRIPT_GRAMMAR.is_fragment_safe)
    return fragment_identity(unit).digest


INNER = fragment(press("Two"), label="Basket")
OUTER = fragment(
    press("One"), include("inner-call", "./inner.ad", digest_of(INNER)), press("Three"), label="Basket"
)
FLOW = root(include("outer-call", "./f/outer.ad", digest_of(OUTER)), press("Last")).replace(
    'open "shop"', "open stage"
)
PRESSES = ["press one", "press two", "press three", "press last"]


@pytest.fixture
def made(tmp_path: Path) -> Replays:
    """The flow, its fragments in ``f``, on the app it was written for."""
    made = replays(tmp_path, SHOP)
    (tmp_path / ".git").mkdir()
    (tmp_path / "f").mkdir()
    write(made, {"main.ad": FLOW, "f/outer.ad": OUTER, "f/inner.ad": INNER})
    return made


def write(made: Replays, texts: dict[str, str]) -> None:
    for key, text in texts.items():
        (made.directory / key).write_text(text, encoding="utf-8")


async def report_of(made: Replays, *flags: str) -> tuple[SurefootError, Divergence]:
    error = await made.refused("replay", "main.ad", *flags)
    assert error.code is ErrorCode.REPLAY_DIVERGENCE, error
    return error, msgspec.convert(error.details["divergence"], Divergence)


class CountingDriver(SimDriver):
    """Counts the apps it was asked to open."""

    opened = 0

    async def open(self, request: OpenRequest, on_event: Callable[[DriverEvent], None]) -> SimApp:
        self.opened += 1
        return await super().open(request, on_event)


def counting(made: Replays) -> CountingDriver:
    """The room's driver from here on: the shop, and a count."""
    driver = CountingDriver(made.clock, {"stage": app(SHOP)})
    made.platforms = OnePlatform(driver)
    return driver


async def refused_untouched(made: Replays, *flags: str, file: str = "main.ad") -> SurefootError:
    """A refusal before any device action: nothing was opened, no session is left."""
    driver = counting(made)
    error = await made.refused("replay", file, *flags)
    assert error.code is ErrorCode.INVALID_ARGS
    assert (driver.opened, len(made.store)) == (0, 0)
    return error


def by_address(report: Divergence) -> tuple[str, ...]:
    assert report.resume.token is not None
    assert report.resume.composition_digest is not None
    return ("--from", report.resume.token, "--composition-digest", report.resume.composition_digest)


# -- the run --------------------------------------------------------------------------------------


async def test_cold_replay_runs_nested_fragments_in_order_between_root_open_and_close(
    made: Replays,
) -> None:
    driver = counting(made)
    data = await made.do("replay", "main.ad")
    assert isinstance(data, ReplayData)
    assert driver.opened == 1
    assert (data.replayed, data.total, data.session_active) == (8, 8, False)


async def test_presses_happen_once_and_in_the_order_written(made: Replays) -> None:
    await made.do("replay", "main.ad", "--keep-session")
    assert made.inputs() == PRESSES


async def test_fragment_given_alone_needs_a_composition(made: Replays) -> None:
    error = await refused_untouched(made, file="f/outer.ad")
    assert error.reason == "fragment_composition_required"


async def test_variables_of_the_caller_reach_a_fragment(made: Replays) -> None:
    inner = fragment('press "role=button label=${WHICH}"', label="Basket")
    outer = fragment(include("inner-call", "./inner.ad", digest_of(inner)), label="Basket")
    main = root(include("outer-call", "./f/outer.ad", digest_of(outer))).replace('"shop"', "stage")
    write(made, {"main.ad": main, "f/outer.ad": outer, "f/inner.ad": inner})
    assert (await refused_untouched(made)).reason == "fragment_variable_unbound"
    await made.do("replay", "main.ad", "--keep-session", "-e", "WHICH=Three")
    assert made.inputs() == ["press three"]


async def test_progress_tells_each_step_by_its_address(made: Replays) -> None:
    class Following(FakeCaller):
        async def step_done(self, ordinal: int, command: str) -> None:
            told.append((ordinal, command))

    told: list[tuple[int, str]] = []
    made.caller = Following(made.directory, made.env)
    await made.do("replay", "main.ad")
    assert [ordinal for ordinal, _ in told] == list(range(1, 9))
    words, _, token = told[4][1].rpartition(" ")
    assert words == "press at f/inner.ad:5, address"
    assert parse_token(token).local_step == 2


# -- refused before step 1 ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({"f/inner.ad": fragment(press("Last"), label="Basket")}, "fragment_stale"),
        ({"main.ad": FLOW.replace("./f/outer.ad", "./f/gone.ad")}, "fragment_missing"),
        ({"main.ad": FLOW.replace("composition-v1\n", "")}, "fragment_unsupported"),
        ({"main.ad": FLOW.replace('"callSiteId":"outer-call",', "")}, "fragment_call_site_invalid"),
        ({"main.ad": root(include("me", "./main.ad"))}, "fragment_cycle"),
        ({"f/inner.ad": "x" * (1024 * 1024 + 1)}, "fragment_bounds"),
        (
            {
                "main.ad": FLOW.replace("platform=sim", "platform=sim", 1).replace(
                    "desktop", "mobile", 1
                )
            },
            "fragment_context_mismatch",
        ),
    ],
    ids=["stale", "missing", "no-guard", "no-call-site", "cycle", "huge", "context"],
)
async def test_closure_that_is_not_sound_touches_no_device(
    made: Replays, texts: dict[str, str], reason: str
) -> None:
    write(made, texts)
    assert (await refused_untouched(made)).reason == reason


def nested(made: Replays, locator: str) -> None:
    """A fragment whose one include names ``locator``, under a root that pins it."""
    outer = fragment(include("inner-call", locator), label="Basket")
    main = root(include("outer-call", "./f/outer.ad", digest_of(outer))).replace('"shop"', "stage")
    write(made, {"main.ad": main, "f/outer.ad": outer})


def link_out(made: Replays) -> None:
    away = made.directory.parent / f"{made.directory.name}-away"
    away.mkdir()
    (away / "inner.ad").write_text(INNER, encoding="utf-8")
    (made.directory / "f" / "away").symlink_to(away)
    nested(made, "./away/inner.ad")


def out_by_dots(made: Replays) -> None:
    (made.directory.parent / "inner.ad").write_text(INNER, encoding="utf-8")
    nested(made, "../../inner.ad")


def absolute(made: Replays) -> None:
    nested(made, str(made.directory / "f" / "inner.ad"))


def too_deep(made: Replays) -> None:
    child = fragment(label="Basket")
    for depth in range(17, 0, -1):
        write(made, {f"f/{depth}.ad": child})
        child = fragment(include("deeper", f"./{depth}.ad", digest_of(child)), label="Basket")
    nested(made, "./1.ad")


def cyclic(made: Replays) -> None:
    nested(made, "./outer.ad")


def huge(made: Replays) -> None:
    write(made, {"f/inner.ad": "#" * (1024 * 1024 + 1)})


def not_utf8(made: Replays) -> None:
    (made.directory / "f" / "inner.ad").write_bytes(b"fragment-v1\n# \xff\n")


def vanishing(made: Replays) -> None:
    """There when it is resolved, gone when it is read."""
    inner = made.directory / "f" / "inner.ad"

    class Forgetful(FakeCaller):
        async def read_file(self, path: str, max_bytes: int) -> bytes:
            if path == str(inner):
                os.unlink(path)
            return await super().read_file(path, max_bytes)

    made.caller = Forgetful(made.directory, made.env)


@pytest.mark.parametrize(
    ("plant", "reason"),
    [
        (link_out, "fragment_missing"),
        (out_by_dots, "fragment_missing"),
        (absolute, "fragment_missing"),
        (too_deep, "fragment_bounds"),
        (cyclic, "fragment_cycle"),
        (huge, "fragment_bounds"),
        (not_utf8, "fragment_unsupported"),
        (vanishing, "fragment_missing"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
async def test_hostile_include_is_refused_and_touches_no_device(
    made: Replays, plant: Callable[[Replays], None], reason: str
) -> None:
    plant(made)
    assert (await refused_untouched(made)).reason == reason


async def test_stale_leaf_names_its_ancestors_leaf_first(made: Replays) -> None:
    write(made, {"f/inner.ad": fragment(press("Last"), label="Basket")})
    details = (await refused_untouched(made)).details
    assert (details["source"], details["callSiteId"]) == ("f/outer.ad", "inner-call")
    assert details["chain"] == ["f/outer.ad", "main.ad"]


async def test_repair_of_a_composition_is_refused_and_names_what_to_run(made: Replays) -> None:
    error = await refused_untouched(made, "--save-script")
    assert error.reason == "fragment_repair_unsupported"
    assert [one["path"] for one in error.details["fragments"]] == ["f/inner.ad", "f/outer.ad"]
    assert error.details["fragments"][0]["commands"] == [
        "surefoot session fragment start f/inner.ad --entry 'label=\"Basket\"' --force",
        "surefoot session fragment save --force",
        "surefoot fragment pin main.ad --write",
    ]
    assert list(made.directory.glob("*.healed.ad")) == []


# -- divergence -----------------------------------------------------------------------------------


async def test_failure_in_a_nested_fragment_is_told_by_its_own_local_step(made: Replays) -> None:
    made.change(SHOP.replace('"Two"', '"Second"'))
    error, report = await report_of(made)
    address = report.step.address
    assert address is not None
    assert isinstance(address.owner, FragmentOwnerData)
    assert address.owner.fragment_digest == digest_of(INNER)
    assert [call.call_site_id for call in address.invocation_path] == ["outer-call", "inner-call"]
    assert (address.local_step, address.control_path) == (2, ())
    assert (report.step.source.path, report.step.source.line) == ("f/inner.ad", 5)
    assert error.message.startswith("step 2 of f/inner.ad (line 5, included at f/outer.ad:7) failed: ")


async def test_planted_global_index_is_nowhere_in_the_report(made: Replays) -> None:
    """Seed 0020, slice 4: a report that names only the place in the run must fail here."""
    made.change(SHOP.replace('"Two"', '"Second"'))
    error, _ = await report_of(made)
    body: dict[str, Any] = error.details["divergence"]
    assert "index" not in body["step"]
    assert not {"from", "alternateFrom", "planDigest"} & set(body["resume"])
    assert "address" in body["step"]
    assert " of 8" not in error.message
    assert "step 5" not in f"{error.message} {error.hint}"


async def test_provenance_stands_beside_the_address(made: Replays) -> None:
    made.change(SHOP.replace('"Two"', '"Second"'))
    error, _ = await report_of(made)
    assert msgspec.json.decode(msgspec.json.encode(error.details["divergence"]["provenance"])) == {
        "invocationSources": [{"path": "main.ad", "line": 5}, {"path": "f/outer.ad", "line": 7}],
        "stepSource": {"path": "f/inner.ad", "line": 5},
    }


async def test_root_step_has_a_root_address(made: Replays) -> None:
    made.change(SHOP.replace('"Last"', '"Latest"'))
    _, report = await report_of(made)
    assert report.step.address is not None
    owner = report.step.address.owner
    assert isinstance(owner, RootOwnerData)
    assert owner.composition_digest == report.resume.composition_digest
    assert (report.step.address.invocation_path, report.step.address.local_step) == ((), 2)


async def test_entry_guard_stops_a_fragment_on_another_screen(made: Replays) -> None:
    write_fast_guards(made)
    made.change(ELSEWHERE)
    _, report = await report_of(made)
    assert report.step.address is not None
    assert report.step.address.local_step == 1
    assert made.inputs() == []


async def test_entry_guard_does_not_take_a_look_alike_for_its_landmark(made: Replays) -> None:
    write_fast_guards(made, target("Basket").replace('"heading"', '"status"'))
    _, report = await report_of(made)
    assert (report.kind, report.step.address is not None) == ("identity-mismatch", True)
    assert made.inputs() == []


def write_fast_guards(made: Replays, evidence: str = target("Basket")) -> None:
    """The same flow over one fragment whose guard waits 200 ms."""
    only = fragment(press("One"), label="Basket").replace(" 5000", " 200")
    only = only.replace(target("Basket"), evidence)
    main = root(include("only", "./f/only.ad", digest_of(only))).replace('"shop"', "stage")
    write(made, {"f/only.ad": only, "main.ad": main})


async def test_event_of_a_divergence_carries_the_address(made: Replays) -> None:
    made.change(SHOP.replace('"Two"', '"Second"'))
    _, report = await report_of(made)
    events = await made.do("events")
    seen = [one.event for one in events.events if one.event.__class__.__name__ == "DivergenceSeen"]
    token = seen[-1].address
    data = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    assert data == msgspec.to_builtins(report.step.address, str_keys=True) | {
        "invocationPath": data["invocationPath"],
        "controlPath": [],
    }


# -- resume ---------------------------------------------------------------------------------------


async def test_corrected_step_goes_on_at_the_next_root_step(made: Replays) -> None:
    made.change(SHOP.replace('"Two"', '"Second"'))
    error, report = await report_of(made)
    assert report.resume.address is not None
    assert isinstance(report.resume.address.owner, RootOwnerData)
    assert report.resume.address.local_step == 2
    assert "Do step 2 and the step behind it yourself" in error.hint
    assert " ".join(by_address(report)) in error.hint
    for label in ("Second", "Three"):
        await made.do("press", f'label="{label}"')
    await made.do("replay", "main.ad", "--keep-session", *by_address(report))
    assert made.inputs() == ["press one", "press two", "press three", "press last"]


async def test_resume_past_a_step_needs_a_corrective_action(made: Replays) -> None:
    made.change(SHOP.replace('"Two"', '"Second"'))
    _, report = await report_of(made)
    error = await made.refused("replay", "main.ad", *by_address(report))
    assert error.reason == "corrective_action_missing"


async def test_boundary_resume_runs_the_guard_of_its_own_fragment_only(made: Replays) -> None:
    made.change(SHOP.replace('"Two"', '"Second"'))
    _, report = await report_of(made)
    address = msgspec.structs.replace(report.step.address, local_step=1)  # type: ignore[type-var]
    made.change(SHOP)
    await made.do("close")
    await made.do("open", "stage")
    await made.do(
        "replay",
        "main.ad",
        "--keep-session",
        "--from",
        token_of(address),
        "--composition-digest",
        report.resume.composition_digest or "",
    )
    assert made.inputs() == ["press two", "press three", "press last"]


def token_of(address: Any) -> str:
    data = json.dumps(msgspec.to_builtins(address), sort_keys=True, separators=(",", ":"))
    return base64.urlsafe_b64encode(data.encode()).decode().rstrip("=")


async def test_mid_body_resume_is_refused_with_its_reason(made: Replays) -> None:
    made.change(SHOP.replace('"Two"', '"Second"'))
    _, report = await report_of(made)
    flags = ("--from", token_of(report.step.address))
    error = await made.refused(
        "replay", "main.ad", *flags, "--composition-digest", report.resume.composition_digest or ""
    )
    assert (error.reason, error.details["problem"]) == ("fragment_resume_unsupported", "mid_body")


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (("--from", "3", "--plan-digest", "a" * 64), "fragment_resume_unsupported"),
        (("--from", "3", "--composition-digest", NOWHERE), "fragment_resume_mismatch"),
    ],
)
async def test_numeric_resume_of_a_composed_plan_is_refused(
    made: Replays, flags: tuple[str, ...], reason: str
) -> None:
    assert (await refused_untouched(made, *flags)).reason == reason


async def test_stale_child_wins_over_a_resume(made: Replays) -> None:
    write(made, {"f/inner.ad": fragment(press("Last"), label="Basket")})
    error = await refused_untouched(made, "--from", "x", "--composition-digest", NOWHERE)
    assert error.reason == "fragment_stale"


async def test_composition_digest_of_a_flat_script_is_refused(made: Replays) -> None:
    write(made, {"main.ad": "context platform=sim\nopen stage\nclose\n"})
    error = await refused_untouched(made, "--from", "x", "--composition-digest", NOWHERE)
    assert error.reason == "fragment_resume_mismatch"


async def test_event_of_each_recorded_action_names_the_step_that_performed_it(made: Replays) -> None:
    await made.do("replay", "main.ad", "--keep-session")
    events = [one.event for one in (await made.do("events")).events]
    tokens = [event.address for event in events if isinstance(event, ActionRecorded)]
    addresses = [parse_token(token) for token in tokens if token is not None]
    assert [(len(one.invocation_path), one.local_step) for one in addresses] == [
        (0, 1),
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (1, 3),
        (0, 2),
    ]


# -- bounds ---------------------------------------------------------------------------------------


def write_deepest(made: Replays, leaf: str) -> None:
    """A flow whose ``leaf`` stands sixteen includes deep, every name as long as it may be."""
    folder = "d" * 60
    (made.directory / folder).mkdir()
    texts = {f"{folder}/16{'f' * 60}.ad": leaf}
    child = leaf
    for depth in range(15, 0, -1):
        inner = f"{depth + 1:02}"
        call = include(inner + "c" * 62, f"./{inner}{'f' * 60}.ad", digest_of(child))
        child = fragment(call, label="Basket")
        texts[f"{folder}/{depth:02}{'f' * 60}.ad"] = child
    first = include("01" + "c" * 62, f"./{folder}/01{'f' * 60}.ad", digest_of(child))
    write(made, {**texts, "main.ad": root(first).replace('"shop"', "stage")})


@pytest.mark.parametrize("level", ["digest", "default", "full"])
@pytest.mark.parametrize(
    ("leaf", "resumed_at"),
    [
        (fragment(press("Nowhere"), label="Basket"), (0, 2)),
        (fragment(label="Elsewhere").replace(" 5000", " 100"), (16, 1)),
    ],
    ids=["in-the-body", "at-the-guard"],
)
async def test_deepest_report_with_the_longest_ids_keeps_its_ceiling(
    made: Replays, level: Level, leaf: str, resumed_at: tuple[int, int]
) -> None:
    write_deepest(made, leaf)
    error, report = await report_of(made, "--level", level)
    assert len(msgspec.json.encode(error.details["divergence"])) <= CEILINGS[level]
    assert report.step.address is not None
    assert len(report.step.address.invocation_path) == 16
    address = parse_token(report.resume.token or "")
    assert (len(address.invocation_path), address.local_step) == resumed_at
    await made.do("close")
    text = (await made.say("replay", "main.ad", "--level", level)).stderr
    assert len(text.encode()) <= 2048
