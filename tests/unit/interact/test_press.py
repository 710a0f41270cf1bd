"""Presses: the frame expires once and at the right moment, refusals leave everything as it was."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.support.stage import NO_FAST_PATHS, Stage, app, point, selector, stage

from surefoot.drivers import Delivery, Gesture
from surefoot.drivers.sim import AppSpec, ScreenSpec
from surefoot.drivers.sim.spec import Action, DialogSpec, Rule, TabSpec
from surefoot.errors import ErrorCode, SurefootError
from surefoot.interact import (
    ActOptions,
    FoundTarget,
    drag,
    focus,
    matches_of,
    observe,
    perform,
    press,
)
from surefoot.recording import recorded_targets
from surefoot.tree import Node, Observation
from surefoot.wire import (
    DialogData,
    DisambiguatedResolution,
    EvidenceResolution,
    FrameExpired,
    TabData,
    UniqueResolution,
)


def going(tree: str, to: str, *, key: str = "A") -> AppSpec:
    rule = Rule(press=key, do=(Action(go="next"),))
    return app(tree, rule, without=NO_FAST_PATHS, next=to)


async def refused(on: Stage, *args: object, **kwargs: object) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        await press(on.session, *args, **kwargs)  # type: ignore[arg-type]
    return caught.value


async def test_b003_second_press_by_a_ref_of_the_old_screen_is_refused(tmp_path: Path) -> None:
    on = await stage(
        going(
            'document "One"(main(button "Open" =A, button "Save" =B))',
            'document "Two"(main(button "Wipe"))',
        ),
        tmp_path,
    )
    await on.snapshot()
    save = on.ref("B")
    await press(on.session, on.ref("A"))
    error = await refused(on, save)
    assert (error.code, error.reason) == ("COMMAND_FAILED", "ref_frame_expired")
    assert on.pressed() == ["A"]


async def test_b006_ref_of_a_screen_that_was_opened_again_is_refused(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Go" =A))', tmp_path)
    await on.snapshot()
    target = on.pinned_ref("A")
    on.session.reopened()
    await on.snapshot()
    error = await refused(on, target)
    assert error.reason == "ref_generation_mismatch"
    assert on.inputs() == []


async def test_refusal_before_dispatch_keeps_the_frame(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Off" =A disabled, button "On" =B))', tmp_path)
    frame = await on.snapshot()
    error = await refused(on, on.ref("A"))
    assert (error.code, error.reason) == ("ELEMENT_DISABLED", "disabled")
    assert on.session.refs.frame is frame
    assert frame.active


@pytest.mark.parametrize("flag", ["undelivered", ""], ids=["failed", "succeeded"])
async def test_dispatch_expires_the_frame_however_it_ends(flag: str, tmp_path: Path) -> None:
    on = await stage(f'document "App"(main(button "Go" =A {flag}))', tmp_path)
    await on.snapshot()
    if flag:
        await refused(on, selector("label=Go"))
    else:
        await press(on.session, selector("label=Go"))
    assert on.session.refs.frame is not None
    assert not on.session.refs.frame.active


async def test_lost_device_leaves_the_frame_expired(tmp_path: Path) -> None:
    spec = AppSpec(
        name="stage",
        start="start",
        screens={
            "start": ScreenSpec(
                tree='document "App"(main(button "Go" =A))',
                on=(Rule(press="A", do=(Action(lose=True),)),),
            )
        },
        without=NO_FAST_PATHS,
    )
    on = await stage(spec, tmp_path)
    await on.snapshot()
    options = ActOptions(verify=True)
    error = await refused(on, on.ref("A"), options=options)
    assert error.reason == "driver_lost"
    assert error.details["performed"] is True
    assert on.session.refs.frame is not None
    assert not on.session.refs.frame.active


async def test_repeated_press_resolves_once_and_expires_once(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "More" =A))', tmp_path)
    frame = await on.snapshot()
    captures = on.session.cost.captures
    done = await press(on.session, on.ref("A"), times=3)
    assert on.pressed() == ["A", "A", "A"]
    assert done.data.times == 3
    assert on.session.cost.captures == captures
    told = [entry.event for entry in on.session.events.read().events]
    expiries = [event for event in told if isinstance(event, FrameExpired)]
    assert expiries == [FrameExpired(generation=frame.generation)]


async def test_two_presses_in_a_row_are_a_double_press(tmp_path: Path) -> None:
    rule = Rule(double="A", do=(Action(add={"twice": 1}),))
    spec = app('document "App"(main(button "More" =A))', rule)
    on = await stage(msgspec.structs.replace(spec, variables={"twice": "0"}), tmp_path)
    for times in (1, 2, 3):
        await press(on.session, selector("label=More"), times=times)
    (button,) = [node for node in (await observe(on.session)).tree if node.role == "button"]
    assert button.rect is not None
    await press(on.session, point(*button.rect.center), times=2)
    assert on.app.device.variables == {"twice": "3"}


async def test_series_stops_where_the_screen_is_left(tmp_path: Path) -> None:
    on = await stage(going('document "One"(main(button "Go" =A))', 'document "Two"'), tmp_path)
    done = await press(on.session, selector("label=Go"), times=5)
    assert on.pressed() == ["A"]
    assert done.data.times is None
    assert done.data.warnings == ("Stopped after 1 of 5: the screen was left.",)


async def test_series_that_fails_midway_says_how_many_arrived(tmp_path: Path) -> None:
    spec = AppSpec(
        name="stage",
        start="start",
        screens={
            "start": ScreenSpec(
                tree='document "App"(main(button "Go" =A if=!off))',
                on=(Rule(press="A", do=(Action(set={"off": "1"}),)),),
            )
        },
        variables={"off": ""},
        without=NO_FAST_PATHS,
    )
    on = await stage(spec, tmp_path)
    error = await refused(on, selector("label=Go"), times=3)
    assert (error.reason, error.details["delivered"]) == ("node_detached", 1)
    assert error.message.endswith("It was acted on 1 of 3 times before.")


async def test_what_is_worth_saying_of_one_press_is_said_of_the_series(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on = await stage('document "App"(main(button "Go" =A))', tmp_path)
    said = iter([("it changed before its release",), (), ("it changed before its release",)])
    pointer = on.session.app.pointer

    async def telling(node: Node, gesture: Gesture) -> Delivery:
        return msgspec.structs.replace(await pointer(node, gesture), warnings=next(said))

    monkeypatch.setattr(on.session.app, "pointer", telling)
    done = await press(on.session, selector("label=Go"), times=3)
    assert done.data.warnings == ("it changed before its release",)


@pytest.mark.parametrize("times", [0, 101, -1])
async def test_count_is_bounded(times: int, tmp_path: Path) -> None:
    on = await stage('document "App"', tmp_path)
    error = await refused(on, point(1, 1), times=times)
    assert (error.code, error.reason) == ("INVALID_ARGS", "bad_count")


async def test_b131_press_that_opens_a_dialog_returns_at_once_with_its_text(tmp_path: Path) -> None:
    rule = Rule(press="A", do=(Action(dialog=DialogSpec(kind="confirm", message="Delete all?")),))
    on = await stage(
        app('document "App"(main(button "Wipe" =A))', rule, without=NO_FAST_PATHS), tmp_path
    )
    options = ActOptions(verify=True)
    done = await press(on.session, selector("label=Wipe"), options=options)
    assert done.data.dialog == DialogData(
        kind="confirm",
        message="Delete all?",
        next="surefoot dialog accept|dismiss",
        url="sim://stage/start",
    )
    assert on.clock.now_ms() == 0
    assert done.data.verified is not None
    assert (done.data.verified.changed, done.data.verified.reason) == (None, "dialog_open")


async def test_open_dialog_refuses_the_next_press_before_anything_else(tmp_path: Path) -> None:
    rule = Rule(press="A", do=(Action(dialog=DialogSpec(message="Hello")),))
    on = await stage(app('document "App"(main(button "Hi" =A))', rule, without=NO_FAST_PATHS), tmp_path)
    await press(on.session, selector("label=Hi"))
    for target in (selector("label=Hi"), point(1, 1)):
        error = await refused(on, target)
        assert error.code == "DIALOG_PENDING"
        assert error.details["dialog"] == {"kind": "alert", "message": "Hello"}
    assert on.pressed() == ["A"]


async def test_opened_tab_is_disclosed(tmp_path: Path) -> None:
    rule = Rule(press="A", do=(Action(open_tab=TabSpec(screen="next")),))
    spec = app(
        'document "One"(main(link "Help" =A))', rule, without=NO_FAST_PATHS, next='document "Help"'
    )
    on = await stage(spec, tmp_path)
    done = await press(on.session, selector("label=Help"))
    assert isinstance(done.data.opened_tab, TabData)
    assert (done.data.opened_tab.index, done.data.opened_tab.active) == (2, False)


async def test_guard_refuses_before_any_other_guard_and_before_dispatch(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Off" =A disabled))', tmp_path)
    seen: list[str] = []

    def guard(observation: Observation, node: Node) -> None:
        seen.append(observation.tree.labels[node.index])
        raise SurefootError("REPLAY_DIVERGENCE", "not the recorded one")  # type: ignore[arg-type]

    error = await refused(on, selector("label=Off"), options=ActOptions(guard=guard))
    assert error.code == "REPLAY_DIVERGENCE"
    assert seen == ["Off"]
    assert on.inputs() == []


async def test_evidence_decides_between_distinct_matches_and_is_disclosed(tmp_path: Path) -> None:
    on = await stage(
        'document "App"(main(button "Add" =A, button "Add" =B, button "Add" =C))', tmp_path
    )
    options = ActOptions(decide=lambda _, nodes: nodes[1])
    done = await press(on.session, selector("label=Add"), options=options)
    resolution = done.data.resolution
    assert isinstance(resolution, EvidenceResolution)
    assert (resolution.match_count, len(resolution.alternatives)) == (3, 2)
    assert on.pressed() == ["B"]


async def test_evidence_that_denotes_none_leaves_it_ambiguous(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Add" =A, button "Add" =B))', tmp_path)
    error = await refused(on, selector("label=Add"), options=ActOptions(decide=lambda *_: None))
    assert error.code == "AMBIGUOUS_MATCH"


async def test_found_target_obeys_the_same_rule(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Dictionary" =A, button "Diction" =B))', tmp_path)
    target = FoundTarget("find Dict", lambda seen: [n for n in seen.tree if n.label.startswith("Dict")])
    assert len(matches_of(target, await observe(on.session)).nodes) == 2
    error = await refused(on, target)
    assert error.code == "AMBIGUOUS_MATCH"
    one = FoundTarget("find Dictionary", lambda seen: [n for n in seen.tree if n.label == "Dictionary"])
    assert (await press(on.session, one)).data.resolution == UniqueResolution()


async def test_ref_of_a_recycled_element_is_refused(tmp_path: Path) -> None:
    """The element is the same one, what it stands for is not: a virtual list reuses its rows."""
    on = await stage('document "App"(main(button "Row ${n}" =A))', tmp_path)
    await on.snapshot()
    target = on.ref("A")
    on.set("n", "23")
    error = await refused(on, target)
    assert (error.code, error.reason) == ("COMMAND_FAILED", "ref_target_changed")
    assert on.inputs() == []


async def test_disabled_control_around_a_text_refuses_the_text(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "" =A disabled(text "Pay" =T)))', tmp_path)
    error = await refused(on, selector("role=text label=Pay"))
    assert error.code == "ELEMENT_DISABLED"


async def test_text_inside_a_control_is_hittable(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "" =A(text "Pay" =T)))', tmp_path)
    done = await press(on.session, selector("role=text label=Pay"))
    assert done.data.target_hittable is None


async def test_zero_size_is_told_apart(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Gone" =A zero))', tmp_path)
    error = await refused(on, selector("label=Gone"))
    assert (error.code, error.reason) == ("ELEMENT_OFFSCREEN", "zero_size")


async def test_an_option_of_a_closed_list_says_how_it_is_chosen(tmp_path: Path) -> None:
    page = 'document "App"(main(combobox "Rows per page" =R collapsed(option "10" =A hidden)))'
    on = await stage(page, tmp_path)
    error = await refused(on, selector("role=option label=10"))
    assert error.reason == "zero_size"
    assert '`surefoot fill \'role="combobox" label="Rows per page"\' 10`' in error.hint


async def test_target_that_scrolling_reaches_is_left_to_the_driver(tmp_path: Path) -> None:
    on = await stage('document "App"(main(text "Tall" height=3000, button "Pay" =A))', tmp_path)
    done = await press(on.session, selector("label=Pay"))
    assert on.pressed() == ["A"]
    assert done.data.point is not None
    assert 0 <= done.data.point.y < 600


async def test_diagnostic_ids_are_no_targets(tmp_path: Path) -> None:
    on = await stage('document "App"(main(group "Save" =o(button "Save" =i)))', tmp_path)
    done = await press(on.session, selector("label=Save"))
    resolution = done.data.resolution
    assert isinstance(resolution, DisambiguatedResolution)
    opaque = resolution.winner_diagnostic.diagnostic
    for text in (opaque, f"@{opaque}"):
        with pytest.raises(SurefootError) as caught:
            selector(text)
        assert caught.value.code == "INVALID_ARGS"


async def test_pressed_node_becomes_a_selector_for_the_recording(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Pay" =A))', tmp_path)
    await on.snapshot()
    done = await press(on.session, on.ref("A"))
    target = done.targets[0]
    (recorded,), _ = recorded_targets("press", [(target.observation, target.node)], "none")
    assert recorded.chain.is_exact
    assert recorded.chain.text == 'role="button" label="Pay" || label="Pay"'
    assert recorded.label == "Pay"


async def test_gesture_reaches_the_device(tmp_path: Path) -> None:
    on = await stage('document "App"(main(button "Menu" =A))', tmp_path)
    gesture = Gesture(button="right", hold_ms=800, as_seen=3)
    done = await press(on.session, selector("label=Menu"), gesture, action="longpress")
    assert on.app.device.performed[0].gesture == gesture
    assert done.data.action == "longpress"


async def test_focus_needs_no_place_on_the_screen(tmp_path: Path) -> None:
    on = await stage('document "App"(main(textbox "Name" =A offscreen))', tmp_path)
    done = await focus(on.session, selector("label=Name"))
    assert done.data.action == "focus"
    assert on.inputs() == ["focus"]


async def test_history_is_a_mutation_without_a_target(tmp_path: Path) -> None:
    on = await stage(going('document "One"(main(button "Go" =A))', 'document "Two"'), tmp_path)
    await press(on.session, selector("label=Go"))
    await on.snapshot()
    done = await perform(on.session, "back", lambda: on.app.history("back"))
    assert (done.data.resolution, done.path) == (None, None)
    assert on.session.refs.frame is not None
    assert not on.session.refs.frame.active


async def test_driver_cover_is_named_with_a_ref(tmp_path: Path) -> None:
    """What the observation could not know yet: the cover appears when the driver is about to press."""
    rule = Rule(approach="A", do=(Action(set={"banner": "1"}),))
    spec = app(
        'document "App"(main(button "Buy" =A, text "Banner" =b overlay if=banner))',
        rule,
        without=NO_FAST_PATHS,
    )
    on = await stage(spec, tmp_path)
    error = await refused(on, selector("label=Buy"))
    assert error.code == "ELEMENT_COVERED"
    assert 'button "Buy"' in error.message
    assert error.details["coveredBy"] == {"role": "text", "label": "Banner"}
    assert on.inputs() == []


BROUGHT = SurefootError(
    ErrorCode.COMMAND_FAILED, "It had to be scrolled.", details={"reason": "brought_into_view"}
)


async def test_an_element_that_was_brought_into_view_is_looked_at_again_and_pressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on = await stage('document "App"(main(button "Go" =A))', tmp_path)
    asked: list[int] = []
    pointer = on.session.app.pointer

    async def scrolling(node: Node, gesture: Gesture) -> Delivery:
        asked.append(gesture.as_seen)
        if len(asked) < 3:
            raise BROUGHT
        return await pointer(node, gesture)

    monkeypatch.setattr(on.session.app, "pointer", scrolling)
    await press(on.session, selector("label=Go"))
    assert on.pressed() == ["A"]
    assert asked == [3, 2, 2]


async def test_an_element_that_never_stays_is_given_up_with_nothing_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on = await stage('document "App"(main(button "Go" =A))', tmp_path)

    async def scrolling(_node: Node, _gesture: Gesture) -> Delivery:
        raise BROUGHT

    monkeypatch.setattr(on.session.app, "pointer", scrolling)
    error = await refused(on, selector("label=Go"))
    assert (error.code, error.reason) == ("COMMAND_FAILED", "moving")
    assert on.pressed() == []


async def test_a_ref_whose_element_became_another_row_when_scrolled_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on = await stage(
        'document "App"(main(button "Row 1" =A if=!moved, button "Row 9" =A if=moved))', tmp_path
    )
    await on.snapshot()
    ref = on.ref("A")
    sent: list[str] = []

    async def scrolling(node: Node, _gesture: Gesture) -> Delivery:
        sent.append(node.label)
        on.set("moved", "1")
        raise BROUGHT

    monkeypatch.setattr(on.session.app, "pointer", scrolling)
    error = await refused(on, ref)
    assert error.reason == "ref_target_changed"
    assert sent == ["Row 1"]


async def test_a_series_never_goes_on_at_a_look_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on = await stage(
        'document "App"(main(button "Go" =A if=!moved, button "Go" =B if=moved))', tmp_path
    )
    pointer = on.session.app.pointer

    async def moving(node: Node, gesture: Gesture) -> Delivery:
        if on.pressed():
            on.set("moved", "1")
            raise BROUGHT
        return await pointer(node, gesture)

    monkeypatch.setattr(on.session.app, "pointer", moving)
    error = await refused(on, selector("label=Go"), times=2)
    assert (error.reason, error.details["delivered"]) == ("target_changed", 1)
    assert on.pressed() == ["A"]


# -- swipes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ends", [((-5, -5), (6, 6)), ((5, 5), (5, -1)), ((9000, 10), (10, 10))])
async def test_a_swipe_outside_the_screen_is_refused(
    tmp_path: Path, ends: tuple[tuple[float, float], tuple[float, float]]
) -> None:
    on = await stage('document "App"(main(button "Go" =A))', tmp_path)
    with pytest.raises(SurefootError) as caught:
        await drag(on.session, point(*ends[0]), point(*ends[1]), action="swipe")
    assert caught.value.reason == "point_outside_viewport"
    assert on.inputs() == []


async def test_a_swipe_says_where_it_had_no_effect(tmp_path: Path) -> None:
    rule = Rule(drop="B", do=(Action(set={"dropped": "1"}),))
    spec = app('document "App"(main(button "A" =A, button "B" =B), text "Dropped" if=dropped)', rule)
    on = await stage(spec, tmp_path)
    tree = (await on.app.observe()).tree
    (ax, ay), (bx, by) = (node.rect.center for node in tree if node.role == "button" and node.rect)
    idle = await drag(on.session, point(bx, by), point(ax, ay), action="swipe")
    assert (idle.data.hint or "").startswith("Nothing has changed so far. `surefoot scroll")
    done = await drag(on.session, point(ax, ay), point(bx, by), action="swipe")
    assert done.data.hint is None
