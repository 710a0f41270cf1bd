"""What an action left behind: settle, the refs of what changed, change evidence."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.stage import NO_FAST_PATHS, app, point, selector, sets, stage

from surefoot.drivers import SettlePolicy
from surefoot.drivers.sim import AppSpec, ScreenSpec
from surefoot.drivers.sim.spec import Action, DialogSpec, Rule, Unreadable
from surefoot.errors import SurefootError
from surefoot.interact import ActOptions, RefTarget, fill, press
from surefoot.session import parse_ref
from surefoot.wire import ChangeData

SETTLE = ActOptions(settle=SettlePolicy())
VERIFY = ActOptions(verify=True)
SHOP = (
    'document "Shop"(main(button "Add" =A, button "Quiet" =Q,'
    ' button "Old" =O if=!x, button "New" =N if=x))'
)


async def test_settle_shows_what_changed_and_authorises_exactly_that(tmp_path: Path) -> None:
    on = await stage(app(SHOP, sets("press", "A", "x"), without=NO_FAST_PATHS), tmp_path)
    done = await press(on.session, selector("label=Add"), options=SETTLE)
    settled = done.data.settled
    assert settled is not None
    assert settled.settled
    assert settled.diff is not None
    assert [item.label for item in settled.diff.added] == ["New"]
    assert [item.label for item in settled.diff.removed] == ["Old"]
    pin = settled.refs_generation
    shown = settled.diff.added[0].ref
    assert not settled.diff.changed
    again = await press(on.session, RefTarget(parse_ref(f"@{shown}~s{pin}")))
    assert again.targets[0].node.label == "New"


async def test_b011_settle_does_not_authorise_what_it_did_not_show(tmp_path: Path) -> None:
    on = await stage(app(SHOP, sets("press", "A", "x"), without=NO_FAST_PATHS), tmp_path)
    done = await press(on.session, selector("label=Add"), options=SETTLE)
    assert done.data.settled is not None
    for target, reason in (
        (on.pinned_ref("Q"), "ref_not_issued"),
        (on.ref("N"), "plain_ref_requires_complete_frame"),
    ):
        with pytest.raises(SurefootError) as caught:
            await press(on.session, target)
        assert caught.value.reason == reason


async def test_settle_without_a_change_publishes_nothing(tmp_path: Path) -> None:
    on = await stage('document "App"(main(heading "Still" =A))', tmp_path)
    done = await press(on.session, selector("label=Still"), options=SETTLE)
    assert done.data.settled is not None
    assert done.data.settled.refs_generation is None
    assert on.session.refs.frame is None


async def test_long_difference_is_cut_and_says_so(tmp_path: Path) -> None:
    tree = 'document "App"(main(button "Add" =A, button "Row ${i}" =r if=x repeat=60))'
    on = await stage(app(tree, sets("press", "A", "x"), without=NO_FAST_PATHS), tmp_path)
    done = await press(on.session, selector("label=Add"), options=SETTLE)
    assert done.data.settled is not None
    diff = done.data.settled.diff
    assert diff is not None
    assert (len(diff.added), diff.added_count, diff.truncated) == (40, 60, True)


async def test_app_that_never_rests_is_told_with_its_reason(tmp_path: Path) -> None:
    rule = Rule(every=20, do=(Action(add={"n": 1}),))
    spec = AppSpec(
        name="stage",
        start="start",
        screens={
            "start": ScreenSpec(tree='document "App"(main(text "${n}", button "Go" =A))', on=(rule,))
        },
        variables={"n": "0"},
        without=NO_FAST_PATHS,
    )
    on = await stage(spec, tmp_path)
    policy = SettlePolicy(quiet_ms=100, timeout_ms=500)
    done = await press(on.session, point(400, 500), options=ActOptions(settle=policy))
    settled = done.data.settled
    assert settled is not None
    assert (settled.settled, settled.waited_ms) == (False, 500)
    assert settled.why == "the screen keeps changing"


async def test_dialog_that_opens_while_settling_is_told(tmp_path: Path) -> None:
    late = Rule(after=50, do=(Action(dialog=DialogSpec(message="Late")),))
    on = await stage(app('document "App"(main(button "Go" =A))', late, without=NO_FAST_PATHS), tmp_path)
    done = await press(on.session, selector("label=Go"), options=SETTLE)
    assert done.data.dialog is not None
    assert done.data.dialog.message == "Late"
    assert done.data.settled is not None
    assert (done.data.settled.settled, done.data.settled.why) == (False, "dialog_open")


async def test_screen_that_cannot_be_read_afterwards_does_not_undo_the_action(tmp_path: Path) -> None:
    spec = AppSpec(
        name="stage",
        start="start",
        screens={
            "start": ScreenSpec(
                tree='document "One"(main(button "Go" =A))',
                on=(Rule(press="A", do=(Action(go="next"),)),),
            ),
            "next": ScreenSpec(tree='document "Two"', unreadable=Unreadable(captures=5)),
        },
        without=NO_FAST_PATHS,
    )
    on = await stage(spec, tmp_path)
    done = await press(on.session, selector("label=Go"), options=VERIFY)
    assert done.data.verified is not None
    assert done.data.verified.reason == "capture_unreadable: empty_document"
    assert done.data.warnings == (
        "The screen could not be read after the action; run `surefoot snapshot -i`.",
    )


async def test_verify_says_that_the_target_is_gone(tmp_path: Path) -> None:
    tree = 'document "App"(main(button "Close" =A if=!x))'
    on = await stage(app(tree, sets("press", "A", "x"), without=NO_FAST_PATHS), tmp_path)
    done = await press(on.session, selector("label=Close"), options=VERIFY)
    assert done.data.verified is not None
    assert done.data.verified.target_gone
    assert done.data.verified.removed_count == 1


async def test_focus_alone_is_no_change(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Dead" =A))', tmp_path)
    done = await press(on.session, selector("label=Dead"), options=VERIFY)
    assert done.data.verified is not None
    assert (done.data.verified.changed, done.data.verified.changed_count) == (False, 0)


async def test_nothing_is_looked_at_afterwards_unless_asked(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Go" =A))', tmp_path)
    done = await press(on.session, selector("label=Go"))
    assert (done.data.settled, done.data.verified) == (None, None)
    assert on.session.cost.captures == 1


async def test_a_changed_element_says_what_it_is_now(tmp_path: Path) -> None:
    on = await stage('document "App"(main(textbox "Email" =E value="old"))', tmp_path)
    done = await fill(on.session, selector("label=Email"), "new", SETTLE)
    assert done.data.settled is not None
    assert done.data.settled.diff is not None
    changed = done.data.settled.diff.changed
    assert [(item.label, item.changes) for item in changed] == [
        ("Email", (ChangeData(field="value", now="new"),))
    ]


async def test_a_replaced_document_is_not_told_element_by_element(tmp_path: Path) -> None:
    first = 'document "First"(main(button "Go" =G, text "Old" =O))'
    spec = app(
        first,
        Rule(press="G", do=(Action(go="second"),)),
        without=NO_FAST_PATHS,
        second='document "Second"(main(heading "New"))',
    )
    on = await stage(spec, tmp_path)
    done = await press(on.session, selector("label=Go"), options=SETTLE)
    assert done.data.settled is not None
    diff = done.data.settled.diff
    assert diff is not None
    assert [item.label for item in diff.added][-1] == "New"
    assert (diff.removed, diff.removed_count > 0, diff.more) == ((), True, 0)


async def test_of_what_is_gone_a_few_are_named_and_the_rest_counted(tmp_path: Path) -> None:
    tree = 'document "App"(main(button "Clear" =A, button "Row ${i}" =r if=!x repeat=20))'
    on = await stage(app(tree, sets("press", "A", "x"), without=NO_FAST_PATHS), tmp_path)
    done = await press(on.session, selector("label=Clear"), options=SETTLE)
    assert done.data.settled is not None
    diff = done.data.settled.diff
    assert diff is not None
    assert (len(diff.removed), diff.removed_count, diff.more) == (8, 20, 12)
