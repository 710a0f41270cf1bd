"""What a replay waits for and what it does not: launch races, absent targets, landmarks.

Seed 0012, amendments 1349 and 1385; contracts.md, "Waits in replay".
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.replays import Replays, replays, unavailable
from tests.support.stage import app

from surefoot.drivers.sim import AppSpec, ScreenSpec
from surefoot.drivers.sim.spec import Action, Rule, Unreadable
from surefoot.interact.patience import QUIET_MS
from surefoot.replay.launch import LAUNCH_BUDGET_MS, LAUNCH_DELAYS_MS

ONE = 'document "Shop"(main(heading "Basket" level=1, button "Pay" =pay))'
PRESS = "press 'role=button label=Pay'"
LANDMARK = "wait 'role=heading label=Basket' 3000"


def screen(**fields: object) -> AppSpec:
    described = ScreenSpec(tree=ONE, **fields)  # type: ignore[arg-type]
    return AppSpec(name="stage", start="start", screens={"start": described})


async def recorded(directory: Path, *commands: str, source: str = ONE) -> Replays:
    made = replays(directory, source)
    await made.record(*commands)
    return made


# -- launch races ------------------------------------------------------------------------------------


def test_the_delays_are_the_decided_ones_and_spend_the_budget() -> None:
    assert list(LAUNCH_DELAYS_MS) == [250, 500, 1000, 1500, 2250, 3000, 3500]
    assert sum(LAUNCH_DELAYS_MS) == LAUNCH_BUDGET_MS


@pytest.mark.parametrize("verdict", ["empty_document", "navigating", "crashed_recovering"])
async def test_a_content_verdict_is_ridden_out(tmp_path: Path, verdict: str) -> None:
    made = await recorded(tmp_path, PRESS)
    made.change(screen(unreadable=Unreadable(verdict=verdict, captures=4)))
    started = made.clock.now_ms()
    await made.replay("--keep-session")
    assert made.inputs() == ["press pay"]
    assert made.clock.now_ms() - started >= 250 + 500 + 1000 + 1500


async def test_a_sparse_capture_is_ridden_out(tmp_path: Path) -> None:
    made = await recorded(tmp_path, PRESS)
    made.change(screen(sparse=3))
    await made.replay("--keep-session")
    assert made.inputs() == ["press pay"]


async def test_a_screen_that_stays_unreadable_is_unverifiable_after_both_waits(tmp_path: Path) -> None:
    made = await recorded(tmp_path, PRESS)
    made.change(screen(unreadable=Unreadable(verdict="navigating", captures=10_000)))
    started = made.clock.now_ms()
    error, report = await made.divergence()
    assert (report.kind, report.repair_hint) == ("identity-unverifiable", "manual")
    assert report.target_binding is not None
    assert report.target_binding.match_count is None
    assert report.cause.reason == "capture_unreadable"
    assert unavailable(report).reason == "capture_failed"
    assert error.details["readiness"]["end"] == "unreadable"
    assert made.clock.now_ms() - started == pytest.approx(14_000, abs=100)


async def test_a_screen_that_stays_sparse_is_unverifiable(tmp_path: Path) -> None:
    made = await recorded(tmp_path, PRESS)
    made.change(screen(sparse=10_000))
    error, report = await made.divergence()
    assert report.kind == "identity-unverifiable"
    assert error.reason == "capture_sparse"
    assert error.details["readiness"]["end"] == "sparse"
    assert made.inputs() == []


async def test_a_sparse_screen_that_shows_the_target_is_still_not_trusted(tmp_path: Path) -> None:
    made = await recorded(tmp_path, "get text 'role=button label=Pay'")
    made.change(screen(sparse=10_000))
    report = await made.report()
    assert (report.kind, report.cause.reason) == ("identity-unverifiable", "capture_sparse")


async def test_a_mechanism_failure_ends_the_step_at_once(tmp_path: Path) -> None:
    made = await recorded(tmp_path, PRESS)
    made.change(screen(on=(Rule(after=0, do=(Action(crash=True),)),)))
    started = made.clock.now_ms()
    error, report = await made.divergence()
    assert error.reason == "app_crashed"
    assert report.kind == "action-failure"
    assert made.clock.now_ms() - started < 250


async def test_the_budget_is_anchored_at_the_first_look(tmp_path: Path) -> None:
    """Looks of five seconds each use it up after two pauses; none of them is cut short."""
    made = await recorded(tmp_path, "get text 'role=button label=Pay'")
    made.change(screen(unreadable=Unreadable(captures=10_000), slow={"observe": 5_000}))
    started = made.clock.now_ms()
    await made.report()
    pauses = 250 + 500
    launch_looks, own_look, report_look = 3, 1, 1
    spent = made.clock.now_ms() - started
    assert spent == pauses + 5_000 * (launch_looks + own_look + report_look)


async def test_an_unannotated_step_takes_no_part_in_it(tmp_path: Path) -> None:
    made = replays(tmp_path, screen(unreadable=Unreadable(captures=10_000)))
    made.write("get text label=Pay")
    started = made.clock.now_ms()
    await made.report()
    assert made.clock.now_ms() == started


async def test_looks_after_a_failure_are_single_shot(tmp_path: Path) -> None:
    """The press goes out, the screen turns unreadable, and the report looks once."""
    rule = Rule(press="pay", do=(Action(go="away"),))
    away = ScreenSpec(tree=ONE, unreadable=Unreadable(captures=10_000))
    made = await recorded(tmp_path, PRESS)
    made.change(
        AppSpec(
            name="stage",
            start="start",
            screens={"start": ScreenSpec(tree=ONE, on=(rule,)), "away": away},
        )
    )
    made.write("press label=Pay", "is visible label=Pay")
    started = made.clock.now_ms()
    report = await made.report()
    assert unavailable(report).reason == "capture_failed"
    assert made.clock.now_ms() - started < 250


# -- readiness ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [PRESS, "click label=Pay", "longpress label=Pay"])
async def test_an_absent_target_may_appear_within_two_seconds(tmp_path: Path, command: str) -> None:
    made = await recorded(tmp_path, command)
    made.change(ONE.replace("=pay", "late=1500 =pay"))
    await made.replay("--keep-session")
    assert len(made.inputs()) == 1


async def test_a_late_field_is_filled(tmp_path: Path) -> None:
    field = 'document(main(heading "H" level=1, textbox "Name" =name))'
    made = await recorded(tmp_path, "fill label=Name Ada", source=field)
    made.change(field.replace("=name", "late=1500 =name"))
    await made.replay("--keep-session")
    assert made.inputs() == ["fill name"]


async def test_after_two_seconds_it_is_a_miss_that_says_how_it_waited(tmp_path: Path) -> None:
    made = await recorded(tmp_path, PRESS)
    made.change(ONE.replace("=pay", "late=2500 =pay"))
    error, report = await made.divergence()
    assert report.kind == "selector-miss"
    readiness = error.details["readiness"]
    assert (readiness["waitedMs"], readiness["end"]) == (2_000, "timeout")
    assert readiness["polls"] > 10


@pytest.mark.parametrize(
    "half_loaded",
    [
        pytest.param('listitem(text "Rope", button "Buy" =rope late=900)', id="empty-identity-set"),
        pytest.param('listitem(text "Rope" late=900, button "Buy" =rope)', id="keys-not-there-yet"),
    ],
)
async def test_a_half_loaded_list_is_no_divergence(tmp_path: Path, half_loaded: str) -> None:
    lamp = 'listitem(text "Lamp", button "Buy" =lamp)'
    rope = 'listitem(text "Rope", button "Buy" =rope)'
    made = await recorded(
        tmp_path,
        "snapshot",
        "press @e10",
        source=f'document(main(heading "H" level=1, list "L"({lamp}, {rope})))',
    )
    made.change(f'document(main(heading "H" level=1, list "L"({lamp}, {half_loaded})))')
    await made.replay("--keep-session")
    assert made.inputs() == ["press rope"]


@pytest.mark.parametrize(
    ("tree", "code"),
    [
        (
            'document(main(heading "H" level=1, button "Pay" =pay), generic overlay #veil)',
            "ELEMENT_COVERED",
        ),
        ('document(main(heading "H" level=1, button "Pay" =pay offscreen))', "ELEMENT_OFFSCREEN"),
    ],
)
@pytest.mark.parametrize("annotated", [True, False])
async def test_covered_and_off_screen_targets_fail_at_once_on_a_screen_at_rest(
    tmp_path: Path, tree: str, code: str, annotated: bool
) -> None:
    made = await recorded(
        tmp_path, PRESS, source='document(main(heading "H" level=1, button "Pay" =pay))'
    )
    if not annotated:
        made.write(PRESS)
    made.change(tree)
    started = made.clock.now_ms()
    report = await made.report()
    assert (report.kind, report.cause.code) == ("action-failure", code)
    assert made.clock.now_ms() - started <= QUIET_MS
    assert made.inputs() == []


HEAD = 'document(main(heading "H" level=1, button "Pay" =pay'


@pytest.mark.parametrize(
    "unfit", ["enabledif=ready", "inertif=!ready", "zero gone=900", "transparent covered=h gone=900"]
)
@pytest.mark.parametrize("annotated", [True, False])
async def test_what_passes_by_itself_is_waited_for(tmp_path: Path, unfit: str, annotated: bool) -> None:
    """Disabled, inert, without area, not shown yet: nothing is done meanwhile, and then it is."""
    made = await recorded(tmp_path, PRESS, source=f"{HEAD}))")
    if not annotated:
        made.write(PRESS)
    tree = f"{HEAD} {unfit}))".replace('"H" level=1', '"H" level=1 =h')
    if "gone" in unfit:
        tree = tree[:-2] + ', button "Pay" =fit late=900))'
    ready = Rule(after=900, do=(Action(set={"ready": "1"}),))
    made.change(app(tree, *([] if "gone" in unfit else [ready])))
    started = made.clock.now_ms()
    await made.replay("--keep-session")
    assert made.inputs() == ["press fit" if "gone" in unfit else "press pay"]
    assert 900 <= made.clock.now_ms() - started < 1_100


async def test_what_covers_it_on_a_screen_on_the_move_is_waited_for(tmp_path: Path) -> None:
    made = await recorded(tmp_path, PRESS, source=f"{HEAD}))")
    made.change(f"{HEAD}), generic overlay #veil moving=700 gone=700)")
    await made.replay("--keep-session")
    assert made.inputs() == ["press pay"]


async def test_what_does_not_pass_in_two_seconds_is_refused(tmp_path: Path) -> None:
    made = await recorded(tmp_path, PRESS, source=f"{HEAD}))")
    made.change(f"{HEAD} disabled))")
    error, report = await made.divergence()
    assert (report.kind, report.cause.code) == ("action-failure", "ELEMENT_DISABLED")
    readiness = error.details["readiness"]
    assert (readiness["waitedMs"], readiness["end"]) == (2_000, "timeout")
    assert made.inputs() == []


async def test_an_unannotated_miss_says_selector_not_found(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write("press label=Nope")
    error, report = await made.divergence()
    assert (error.reason, report.kind) == ("selector_not_found", "action-failure")


async def test_an_empty_tree_during_the_wait_says_capture_sparse(tmp_path: Path) -> None:
    made = replays(tmp_path, screen(sparse=10_000))
    made.write("press label=Nope")
    error, _ = await made.divergence()
    assert error.reason == "capture_sparse"


async def test_evidence_of_another_tool_is_not_waited_for_in_vain(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write(
        '# agent-device:target-v1 {"role":"button","label":"Pay","ancestry":[{"role":"main"}],'
        '"sibling":1,"viewportOrder":0,"verification":"verified"}',
        PRESS,
    )
    started = made.clock.now_ms()
    await made.replay("--keep-session")
    assert made.inputs() == ["press pay"]
    assert made.clock.now_ms() == started


async def test_other_steps_do_not_wait(tmp_path: Path) -> None:
    made = await recorded(tmp_path, "get text 'role=button label=Pay'")
    made.change(ONE.replace("=pay", "late=1500 =pay"))
    started = made.clock.now_ms()
    assert (await made.report()).kind == "selector-miss"
    assert made.clock.now_ms() == started


# -- landmarks ---------------------------------------------------------------------------------------


async def test_a_landmark_may_come_late(tmp_path: Path) -> None:
    made = await recorded(tmp_path, LANDMARK)
    made.change(ONE.replace("level=1", "level=1 late=2500"))
    assert (await made.replay()).replayed == 3


async def test_a_look_alike_never_ends_a_landmark_wait_early(tmp_path: Path) -> None:
    """The impostor is in the banner at once; the landmark itself comes later."""
    made = await recorded(tmp_path, LANDMARK)
    made.change(
        'document "Shop"(banner(heading "Basket" level=1 gone=2000), '
        'main(heading "Basket" level=1 late=2000, button "Pay"))'
    )
    started = made.clock.now_ms()
    await made.replay()
    assert made.clock.now_ms() - started >= 2_000


async def test_only_look_alikes_until_the_deadline_are_an_identity_mismatch(tmp_path: Path) -> None:
    made = await recorded(tmp_path, LANDMARK)
    made.change('document "Shop"(banner(heading "Basket" level=1), main(button "Pay"))')
    started = made.clock.now_ms()
    report = await made.report()
    binding = report.target_binding
    assert binding is not None
    assert (report.kind, binding.match_count) == ("identity-mismatch", 1)
    assert [(i.field, i.recorded, i.observed) for i in binding.mismatches] == [
        ("ancestry[0]", "main", "banner")
    ]
    assert made.clock.now_ms() - started == 3_000


async def test_a_landmark_that_never_matched_is_a_timeout_of_the_action(tmp_path: Path) -> None:
    made = await recorded(tmp_path, LANDMARK)
    made.change(ONE.replace("Basket", "Sign in"))
    error, report = await made.divergence()
    assert (report.kind, report.cause.code) == ("action-failure", "TIMEOUT")
    assert error.reason == "wait_target_missing"
    assert report.target_binding is None


async def test_a_landmark_need_not_keep_its_position(tmp_path: Path) -> None:
    rows = 'document(main(list "L"(listitem(text "Rope"), listitem(text "Lamp"))))'
    made = await recorded(tmp_path, "wait 'role=text label=Lamp'", source=rows)
    made.change(
        'document(main(list "L"(listitem(text "Lamp"), listitem(text "Rope"), listitem(text "Lamp"))))'
    )
    assert (await made.replay()).replayed == 3


async def test_an_unverifiable_landmark_refuses_up_front(tmp_path: Path) -> None:
    made = await recorded(tmp_path, LANDMARK)
    path = tmp_path / "flow.ad"
    text = path.read_text("utf-8").replace('"verification":"verified"', '"verification":"unverifiable"')
    path.write_text(text, encoding="utf-8")
    started = made.clock.now_ms()
    report = await made.report()
    assert report.kind == "identity-unverifiable"
    assert made.clock.now_ms() == started


async def test_a_landmark_wait_rides_out_unreadable_looks(tmp_path: Path) -> None:
    made = await recorded(tmp_path, LANDMARK)
    made.change(screen(unreadable=Unreadable(verdict="navigating", ms=1_500)))
    assert (await made.replay()).replayed == 3


async def test_a_wait_that_never_saw_a_readable_screen_says_the_last_verdict(tmp_path: Path) -> None:
    made = await recorded(tmp_path, LANDMARK)
    made.change(screen(unreadable=Unreadable(verdict="navigating", captures=10_000)))
    error, report = await made.divergence()
    assert (report.kind, error.reason) == ("action-failure", "capture_unreadable")
    assert report.cause.code == "COMMAND_FAILED"


async def test_an_unannotated_wait_takes_any_match(tmp_path: Path) -> None:
    made = replays(tmp_path, app(ONE))
    made.write(LANDMARK)
    made.change('document "Shop"(banner(heading "Basket" level=1))')
    assert (await made.replay()).replayed == 2
