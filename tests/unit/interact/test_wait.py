"""The one wait loop: what ends a wait, what it rides out, what its failure says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.stage import NO_FAST_PATHS, Stage, selector, stage

from surefoot.drivers.sim import AppSpec, ScreenSpec
from surefoot.drivers.sim.spec import Action, Death, DialogSpec, Rule, Unreadable
from surefoot.errors import CaptureUnreadable, ErrorCode, SurefootError
from surefoot.interact import (
    ActOptions,
    observe,
    press,
    wait_absent,
    wait_duration,
    wait_ref,
    wait_selector,
    wait_stable,
    wait_text,
)
from surefoot.interact.patience import QUIET_MS
from surefoot.tree import Node, Observation
from surefoot.wire import TargetData, UniqueResolution

LATE = 'document "App"(main(button "Now" =A, button "Later" =B late=300, text "Loading" gone=300))'


def one_screen(
    tree: str,
    *rules: Rule,
    unreadable: Unreadable | None = None,
    sparse: int = 0,
    dies: Death | None = None,
) -> AppSpec:
    screen = ScreenSpec(tree=tree, on=rules, unreadable=unreadable, sparse=sparse)
    return AppSpec(
        name="stage", start="start", screens={"start": screen}, without=NO_FAST_PATHS, dies=dies
    )


async def test_target_that_is_there_needs_one_look_and_no_time(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    waited = await wait_selector(on.session, selector("label=Now"))
    assert (waited.data.waited_ms, waited.data.polls, waited.data.match_count) == (0, 1, 1)
    assert waited.data.target == TargetData(role="button", label="Now")
    assert waited.data.resolution == UniqueResolution()


async def test_target_that_comes_late_is_waited_for(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    waited = await wait_selector(on.session, selector("label=Later"))
    assert 300 <= waited.data.waited_ms <= 400
    assert waited.landmark is not None
    assert waited.landmark.node.label == "Later"


async def test_selector_timeout_is_typed_and_says_what_is_there(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_selector(on.session, selector("label=Never"), 500)
    assert (caught.value.code, caught.value.reason) == ("TIMEOUT", "wait_target_missing")
    assert caught.value.details["waitedMs"] == 500
    assert caught.value.details["surface"] == {
        "kind": "page",
        "title": "stage",
        "buttons": ["Now", "Later"],
    }


async def test_b073_timeout_names_the_dialog_in_the_way_and_its_buttons(tmp_path: Path) -> None:
    on = await stage(
        'document "App"(main(button "Behind"),'
        ' dialog "Rate us" late=100(button "Later", button "Now"))',
        tmp_path,
    )
    with pytest.raises(SurefootError) as caught:
        await wait_text(on.session, "Welcome", 500)
    assert caught.value.reason == "wait_text_missing"
    assert caught.value.details["surface"] == {
        "kind": "dialog",
        "title": "Rate us",
        "buttons": ["Later", "Now"],
    }
    assert caught.value.message.endswith('On the screen: dialog "Rate us" with buttons "Later", "Now".')


async def test_native_dialog_ends_a_wait_at_once(tmp_path: Path) -> None:
    rule = Rule(after=100, do=(Action(dialog=DialogSpec(message="Stop")),))
    on = await stage(one_screen(LATE, rule), tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_selector(on.session, selector("label=Never"), 5_000)
    assert caught.value.code == "DIALOG_PENDING"
    assert on.clock.now_ms() < 300


async def test_default_timeout_is_ten_seconds(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_selector(on.session, selector("label=Never"))
    assert caught.value.details["waitedMs"] == 10_000


async def test_timeout_zero_looks_once(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_selector(on.session, selector("label=Never"), 0)
    assert caught.value.details["polls"] == 1


async def test_last_look_is_at_the_deadline(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Last" late=480))', tmp_path)
    waited = await wait_selector(on.session, selector("label=Last"), 480)
    assert waited.data.waited_ms == 480


async def test_text_is_found_inside_a_longer_one(tmp_path: Path) -> None:
    on = await stage('document "App"(main(heading "Welcome,  Ann" =H))', tmp_path)
    waited = await wait_text(on.session, "Welcome, A")
    assert waited.data.target == TargetData(role="heading", label="Welcome, Ann")


async def test_empty_text_is_refused(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_text(on.session, "  ")
    assert caught.value.code == "INVALID_ARGS"


async def test_absence_is_waited_for(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    waited = await wait_absent(on.session, selector("label=Loading"))
    assert 300 <= waited.data.waited_ms <= 400
    assert waited.landmark is None


async def test_absence_that_does_not_come_says_how_many_are_left(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "X", button "X"))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_absent(on.session, selector("label=X"), 200)
    assert (caught.value.code, caught.value.reason) == ("TIMEOUT", "wait_target_present")
    assert caught.value.details["matchCount"] == 2


async def test_sparse_capture_proves_no_absence(tmp_path: Path) -> None:
    on = await stage(one_screen('document "App"(main(button "X"))', sparse=1_000), tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_absent(on.session, selector("label=X"), 200)
    assert caught.value.reason == "wait_target_present"


async def test_ref_is_waited_for_until_it_is_visible(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "A" =A))', tmp_path)
    await on.snapshot()
    waited = await wait_ref(on.session, on.ref("A"))
    assert waited.data.staleness is None
    on.session.refs.expire()
    waited = await wait_ref(on.session, on.ref("A"))
    assert waited.data.staleness is not None
    assert waited.data.staleness.reason == "ref_frame_expired"


async def test_stable_screen_is_quiet_for_the_asked_time(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    waited = await wait_stable(on.session, quiet_ms=400)
    assert 700 <= waited.data.waited_ms <= 900


async def test_screen_that_never_rests_times_out(tmp_path: Path) -> None:
    spec = AppSpec(
        name="stage",
        start="start",
        screens={
            "start": ScreenSpec(
                tree='document "App"(text "${n}")', on=(Rule(every=50, do=(Action(add={"n": 1}),)),)
            )
        },
        variables={"n": "0"},
    )
    on = await stage(spec, tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_stable(on.session, quiet_ms=200, timeout_ms=1_000)
    assert (caught.value.code, caught.value.reason) == ("TIMEOUT", "wait_not_stable")


async def test_duration_looks_at_nothing(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    waited = await wait_duration(on.session, 1_500)
    assert (on.clock.now_ms(), waited.data.polls, on.session.cost.captures) == (1_500, 0, 0)


@pytest.mark.parametrize("ms", [-1, float("nan"), float("inf"), 86_400_001])
async def test_times_are_bounded(ms: float, tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_duration(on.session, ms)
    assert (caught.value.code, caught.value.reason) == ("INVALID_ARGS", "bad_duration")


async def test_unreadable_screen_is_ridden_out(tmp_path: Path) -> None:
    on = await stage(one_screen(LATE, unreadable=Unreadable(ms=200)), tmp_path)
    waited = await wait_selector(on.session, selector("label=Now"))
    assert waited.data.waited_ms >= 200


async def test_screen_that_never_becomes_readable_rethrows_its_last_verdict(tmp_path: Path) -> None:
    unreadable = Unreadable(verdict="navigating", ms=1_000_000)
    on = await stage(one_screen(LATE, unreadable=unreadable), tmp_path)
    with pytest.raises(CaptureUnreadable) as caught:
        await wait_selector(on.session, selector("label=Now"), 500)
    assert caught.value.verdict == "navigating"
    assert caught.value.details["waitedMs"] == 500


async def test_mechanism_failure_ends_a_wait_at_once(tmp_path: Path) -> None:
    on = await stage(one_screen(LATE, dies=Death(after=2, how="driver_lost")), tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_selector(on.session, selector("label=Never"), 5_000)
    assert caught.value.reason == "driver_lost"
    assert on.clock.now_ms() < 200


async def test_looks_on_an_unchanged_screen_are_polls(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "A"))', tmp_path)
    await observe(on.session)
    with pytest.raises(SurefootError):
        await wait_selector(on.session, selector("label=Never"), 500)
    assert on.session.cost.captures == 1
    assert on.session.cost.polls >= 5


class Landmark:
    """Only a heading carries the recorded identity."""

    def carrying(self, observation: Observation, matches: Sequence[Node]) -> Sequence[Node]:
        return [node for node in matches if node.role == "heading"]

    def refusal(self, observation: Observation, matches: Sequence[Node]) -> SurefootError:
        return SurefootError(
            ErrorCode.REPLAY_DIVERGENCE,
            "another one",
            details={"reason": "identity-mismatch", "matchCount": len(matches)},
        )


async def test_look_alike_never_ends_a_landmark_wait(tmp_path: Path) -> None:
    on = await stage('document "App"(main(text "Basket", heading "Basket" late=300))', tmp_path)
    waited = await wait_selector(on.session, selector("label=Basket"), landmark=Landmark())
    assert waited.data.waited_ms >= 300
    assert waited.landmark is not None
    assert waited.landmark.node.role == "heading"


async def test_only_look_alikes_until_the_deadline_is_the_landmarks_own_refusal(tmp_path: Path) -> None:
    on = await stage('document "App"(main(text "Basket", text "Basket"))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_selector(on.session, selector("label=Basket"), 300, landmark=Landmark())
    assert (caught.value.code, caught.value.details["matchCount"]) == ("REPLAY_DIVERGENCE", 2)


async def test_landmark_that_never_matched_at_all_is_the_plain_timeout(tmp_path: Path) -> None:
    on = await stage('document "App"', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_selector(on.session, selector("label=Basket"), 300, landmark=Landmark())
    assert caught.value.reason == "wait_target_missing"


# -- readiness: the patience of a replayed step (contracts.md, "Waits in replay") -------------------

PATIENT = ActOptions(readiness_ms=2_000)


async def test_replayed_press_waits_for_an_absent_target(tmp_path: Path) -> None:
    on = await stage(LATE, tmp_path)
    await press(on.session, selector("label=Later"), options=PATIENT)
    assert on.pressed() == ["B"]
    assert on.session.cost.captures == 1


async def missed(on: Stage, text: str, options: ActOptions = PATIENT) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        await press(on.session, selector(text), options=options)
    assert on.inputs() == []
    return caught.value


async def test_miss_after_the_wait_says_how_it_ended(tmp_path: Path) -> None:
    error = await missed(await stage(LATE, tmp_path), "label=Never")
    assert (error.code, error.reason) == ("ELEMENT_NOT_FOUND", "selector_not_found")
    readiness = error.details["readiness"]
    assert (readiness["waitedMs"], readiness["end"]) == (2_000, "timeout")
    assert readiness["polls"] > 5


async def test_empty_tree_during_the_wait_is_sparse(tmp_path: Path) -> None:
    on = await stage(one_screen(LATE, sparse=1_000), tmp_path)
    error = await missed(on, "label=Now")
    assert (error.reason, error.details["readiness"]["end"]) == ("capture_sparse", "sparse")


@pytest.mark.parametrize(
    ("tree", "code"),
    [
        ('button "X", button "X"', "AMBIGUOUS_MATCH"),
        ('button "X" offscreen', "ELEMENT_OFFSCREEN"),
        ('button "X" covered=c, text "C" =c', "ELEMENT_COVERED"),
    ],
)
async def test_what_is_there_but_unfit_fails_at_once(tree: str, code: str, tmp_path: Path) -> None:
    on = await stage(f'document "App"(main({tree}))', tmp_path)
    error = await missed(on, "label=X")
    assert error.code == code
    assert on.clock.now_ms() <= QUIET_MS
    assert error.details["readiness"]["end"] == "ready"


async def test_step_may_say_itself_what_is_worth_waiting_for(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "X" =A, button "X" =B late=300))', tmp_path)

    def two(observation: Observation) -> bool:
        return len(observation.tree.by_label.get("X", ())) == 2

    options = ActOptions(readiness_ms=2_000, ready=two, decide=lambda _, nodes: nodes[1])
    await press(on.session, selector("label=X"), options=options)
    assert on.pressed() == ["B"]


async def test_screen_unreadable_to_the_end_rethrows_with_readiness(tmp_path: Path) -> None:
    on = await stage(one_screen(LATE, unreadable=Unreadable(ms=1_000_000)), tmp_path)
    error = await missed(on, "label=Now")
    assert isinstance(error, CaptureUnreadable)
    assert error.details["readiness"]["end"] == "unreadable"


TITLED = 'document "Orders"(main(text "Loading" gone=300, heading "Orders" late=300))'


async def test_the_title_of_a_document_is_no_text_on_the_screen(tmp_path: Path) -> None:
    by_text, by_label = await stage(TITLED, tmp_path), await stage(TITLED, tmp_path)
    for waited in (
        await wait_text(by_text.session, "Orders"),
        await wait_selector(by_label.session, selector("label=Orders")),
    ):
        assert waited.data.waited_ms >= 300
        assert waited.data.target == TargetData(role="heading", label="Orders")


async def test_a_document_is_found_by_its_role(tmp_path: Path) -> None:
    on = await stage(TITLED, tmp_path)
    waited = await wait_selector(on.session, selector("role=document label=Orders"))
    assert waited.data.waited_ms == 0


HIDDEN = 'document "App"(main(dialog "Confirm" transparent, text "Idle"))'


async def test_an_element_that_does_not_show_ends_a_wait_and_is_warned_about(tmp_path: Path) -> None:
    on = await stage(HIDDEN, tmp_path)
    waited = await wait_selector(on.session, selector("label=Confirm"))
    assert waited.data.warnings == (
        'dialog "Confirm" is in the page and does not show (yet): visible=true waits until it does.',
    )
    asked = await wait_selector(on.session, selector("label=Confirm visible=false"))
    assert asked.data.warnings == ()


async def test_of_several_matches_the_one_that_shows_is_found(tmp_path: Path) -> None:
    tree = 'document(main(button "Yes" transparent #old, button "Yes" #new))'
    on = await stage(tree, tmp_path)
    waited = await wait_selector(on.session, selector("label=Yes"))
    assert waited.data.target == TargetData(role="button", label="Yes", id="new")
    assert waited.data.warnings == ()


async def test_what_is_left_and_does_not_show_is_told_by_an_absence(tmp_path: Path) -> None:
    on = await stage(HIDDEN, tmp_path)
    with pytest.raises(SurefootError) as caught:
        await wait_absent(on.session, selector("label=Confirm || role=dialog"), 100)
    assert caught.value.reason == "wait_target_present"
    asked = 'label="Confirm" visible=true || role="dialog" visible=true'
    assert caught.value.hint is not None
    assert f"surefoot wait absent '{asked}'" in caught.value.hint
    await wait_absent(on.session, selector(asked), 100)
