"""Acting: exactly the node, or a refusal with nothing dispatched; every way a device can misbehave."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from surefoot.drivers import DirectQuery, DriverEvent, Gesture, Point, SettlePolicy, within
from surefoot.drivers.sim import (
    Action,
    AppSpec,
    Death,
    DialogSpec,
    Rule,
    ScreenSpec,
    SimApp,
    TabSpec,
    VirtualClock,
    node_of,
    open_sim,
)
from surefoot.errors import ErrorCode, SurefootError

PRESS = Gesture()


def app_of(tree: str, *rules: Rule, variables: dict[str, str] | None = None, **rest: Any) -> AppSpec:
    screens = {"main": ScreenSpec(tree=tree, on=rules), "next": ScreenSpec(tree='document "Next"')}
    return AppSpec(name="one", start="main", variables=variables or {}, screens=screens, **rest)


def pressed(app: SimApp) -> list[str]:
    return [event.key for event in app.device.performed if event.kind == "press" and event.delivered]


REFUSED = [
    ("disabled", 'main(button "a" =a disabled)', ErrorCode.ELEMENT_DISABLED, "disabled"),
    ("disabled-above", 'group disabled(button "a" =a)', ErrorCode.ELEMENT_DISABLED, "disabled"),
    ("inert", 'group inert(button "a" =a)', ErrorCode.ELEMENT_DISABLED, "inert"),
    ("zero-size", 'main(button "a" =a zero)', ErrorCode.ELEMENT_OFFSCREEN, "zero_size"),
    ("hidden", 'main(button "a" =a hidden)', ErrorCode.ELEMENT_OFFSCREEN, "zero_size"),
    ("offscreen", 'main(button "a" =a offscreen)', ErrorCode.ELEMENT_OFFSCREEN, "offscreen"),
    ("covered", 'main(button "a" =a), group "Wall" overlay', ErrorCode.ELEMENT_COVERED, "covered"),
    (
        "covered-by-key",
        'main(button "a" =a covered=w, text "w" =w)',
        ErrorCode.ELEMENT_COVERED,
        "covered",
    ),
    ("moving", 'main(button "a" =a moving=999999)', ErrorCode.COMMAND_FAILED, "moving"),
    ("replaced", 'main(button "a" =a swaps=1)', ErrorCode.ELEMENT_NOT_FOUND, "node_detached"),
]


@pytest.mark.parametrize(
    ("tree", "code", "reason"),
    [row[1:] for row in REFUSED if row[2]],
    ids=[r[0] for r in REFUSED if r[2]],
)
async def test_a_press_is_refused_before_anything_is_dispatched(
    tree: str, code: ErrorCode, reason: str
) -> None:
    app = await open_sim(tree, VirtualClock())
    with pytest.raises(SurefootError) as caught:
        await app.pointer(node_of(app, "a"), PRESS)
    assert (caught.value.code, caught.value.reason) == (code, reason)
    assert app.device.performed == []


async def test_a_covered_element_is_told_what_covers_it() -> None:
    app = await open_sim('main(button "a" =a), group "Cookies" overlay =w')
    with pytest.raises(SurefootError) as caught:
        await app.pointer(node_of(app, "a"), PRESS)
    assert caught.value.details["coveredBy"] == {
        "role": "group",
        "label": "Cookies",
        "handle": node_of(app, "w").handle,
    }


async def test_a_press_reaches_exactly_the_node_among_equal_ones() -> None:
    app = await open_sim('main(button "Remove" =one, button "Remove" =two, button "Remove" =three)')
    delivery = await app.pointer(node_of(app, "two"), PRESS)
    assert pressed(app) == ["two"]
    assert delivery.point == Point(32, 45)


async def test_a_press_in_a_button_runs_the_buttons_rule() -> None:
    spec = app_of('button =b(text "Go" =t)', Rule(press="b", do=(Action(go="next"),)))
    app = await open_sim(spec)
    assert (await app.pointer(node_of(app, "t"), PRESS)).navigated


async def test_an_element_below_the_fold_is_scrolled_into_view() -> None:
    app = await open_sim('main(text "high" height=3000, button "a" =a)')
    await app.pointer(node_of(app, "a"), PRESS)
    assert pressed(app) == ["a"]
    assert app.device.tab.scroll_y == 2430


async def test_an_element_in_a_scroller_is_scrolled_into_view() -> None:
    app = await open_sim('main(list scroll=y height=60(text "high" height=500, button "a" =a))')
    await app.pointer(node_of(app, "a"), PRESS)
    assert pressed(app) == ["a"]


async def test_an_element_in_a_horizontal_scroller_is_scrolled_into_view() -> None:
    app = await open_sim('main(list scroll=x width=200(button "b${i}" =b-${i} repeat=8))')
    await app.pointer(node_of(app, "b-8"), PRESS)
    assert pressed(app) == ["b-8"]


@pytest.mark.parametrize(
    ("tree", "direction"),
    [
        ('main(text "high" height=3000, button "a" =a)', "down"),
        ('main(list scroll=x width=200(button "b${i}" repeat=8, button "a" =a))', "right"),
        ('main(button "a" =a rect=0:-50:30:30)', "up"),
        ('main(button "a" =a rect=-50:0:30:30)', "left"),
    ],
)
async def test_a_platform_that_does_not_scroll_by_itself_names_the_direction(
    tree: str, direction: str
) -> None:
    app = await open_sim(app_of(tree, bring_into_view=False))
    with pytest.raises(SurefootError) as caught:
        await app.pointer(node_of(app, "a"), PRESS)
    assert caught.value.details == {"reason": "offscreen", "direction": direction}


async def test_a_moving_element_is_pressed_once_it_rests() -> None:
    clock = VirtualClock()
    app = await open_sim('main(button "a" =a moving=300)', clock)
    await app.pointer(node_of(app, "a"), PRESS)
    assert clock.now_ms() == 304
    assert pressed(app) == ["a"]


async def test_a_replaced_element_is_refused_once_and_its_successor_is_not() -> None:
    app = await open_sim('main(button "a" =a swaps=1)')
    with pytest.raises(SurefootError):
        await app.pointer(node_of(app, "a"), PRESS)
    await app.pointer(node_of(app, "a"), PRESS)
    assert pressed(app) == ["a"]


async def test_a_race_of_any_kind_is_written_as_an_approach_rule() -> None:
    rule = Rule(approach="a", do=(Action(set={"wall": "1"}),))
    app = await open_sim(
        app_of('main(button "a" =a), group overlay if=wall', rule, variables={"wall": ""})
    )
    with pytest.raises(SurefootError) as caught:
        await app.pointer(node_of(app, "a"), PRESS)
    assert caught.value.code == ErrorCode.ELEMENT_COVERED
    assert app.device.performed == []


async def test_input_that_never_arrives_is_told_and_logged_as_sent() -> None:
    app = await open_sim('main(button "a" =a undelivered)')
    with pytest.raises(SurefootError) as caught:
        await app.pointer(node_of(app, "a"), PRESS)
    assert caught.value.reason == "not_delivered"
    assert [(event.key, event.delivered) for event in app.device.performed] == [("a", False)]


async def test_a_node_of_the_screen_before_is_refused() -> None:
    app = await open_sim(app_of('button "a" =a', Rule(press="a", do=(Action(go="next"),))))
    node = node_of(app, "a")
    await app.pointer(node, PRESS)
    with pytest.raises(SurefootError) as caught:
        await app.pointer(node, PRESS)
    assert caught.value.reason == "node_detached"
    assert pressed(app) == ["a"]


async def test_a_screen_may_keep_its_keyed_elements() -> None:
    screens = {
        "main": ScreenSpec(
            tree='button "a" =a', on=(Rule(press="a", do=(Action(go="more", keep=True),)),)
        ),
        "more": ScreenSpec(tree='text "more", button "a" =a'),
    }
    app = await open_sim(AppSpec(name="x", start="main", screens=screens))
    before = node_of(app, "a").handle
    delivery = await app.pointer(node_of(app, "a"), PRESS)
    assert (node_of(app, "a").handle, delivery.navigated) == (before, False)


async def test_gestures_have_rules_of_their_own() -> None:
    def note(trigger: str) -> Rule:
        return msgspec.convert({trigger: "a", "do": [{"add": {trigger: 1}}]}, Rule)

    kinds = ("press", "double", "long", "context", "hover")
    app = await open_sim(
        app_of('button "a" =a', *(note(k) for k in kinds), variables=dict.fromkeys(kinds, "0")),
        VirtualClock(),
    )
    for gesture in (
        PRESS,
        Gesture(count=2),
        Gesture(hold_ms=500),
        Gesture(button="right"),
        Gesture(kind="hover"),
    ):
        await app.pointer(node_of(app, "a"), gesture)
    assert app.device.variables == {
        "press": "3",
        "double": "1",
        "long": "1",
        "context": "1",
        "hover": "1",
    }


async def test_a_point_hits_what_lies_on_top_there() -> None:
    app = await open_sim('main(button "a" =a, button "b" =b), group overlay rect=0:0:800:30 =wall')
    await app.pointer_at(Point(5, 5), PRESS)
    await app.pointer_at(Point(5, 45), PRESS)
    await app.pointer_at(Point(790, 590), PRESS)
    assert [(event.key, event.point) for event in app.device.performed] == [
        ("wall", Point(5, 5)),
        ("b", Point(5, 45)),
        ("", Point(790, 590)),
    ]


async def test_a_drag_is_dropped_on_its_destination() -> None:
    app = await open_sim(
        app_of(
            'main(text "a" =a, group "b" =b)',
            Rule(drop="b", do=(Action(set={"d": "1"}),)),
            variables={"d": ""},
        )
    )
    await app.drag(node_of(app, "a"), node_of(app, "b"), 0)
    assert [(event.kind, event.key) for event in app.device.performed] == [("drag", "a")]
    assert app.device.variables["d"] == "1"


async def test_a_native_target_is_pressed_by_its_handle_alone() -> None:
    app = await open_sim('main(button "a" =a)')
    await app.press_native(node_of(app, "a").handle)
    assert (pressed(app), app.device.captures) == (["a"], 0)


async def test_a_native_target_that_is_gone_is_refused() -> None:
    app = await open_sim('main(button "a" =a)')
    with pytest.raises(SurefootError) as caught:
        await app.press_native("n999")
    assert caught.value.reason == "node_detached"


@pytest.mark.parametrize(
    "query",
    [
        DirectQuery(id="pay"),
        DirectQuery(label="Pay", role="button"),
        DirectQuery(text="Pay"),
    ],
)
async def test_a_direct_query_presses_the_one_raw_match(query: DirectQuery) -> None:
    app = await open_sim('main(text "Total", button "Pay" #pay =a)')
    delivery = await app.press_direct(query, allow_fallback=True)
    assert (pressed(app), delivery.fallback_taken, app.device.captures) == (["a"], False, 0)


async def test_a_direct_query_counts_raw_matches_before_hittability() -> None:
    app = await open_sim('main(text "Pay", button "Pay")')
    with pytest.raises(SurefootError) as caught:
        await app.press_direct(DirectQuery(label="Pay"), allow_fallback=True)
    assert (caught.value.code, caught.value.details["matchCount"]) == (ErrorCode.AMBIGUOUS_MATCH, 2)
    assert app.device.performed == []


async def test_a_direct_query_without_match_is_told() -> None:
    app = await open_sim("main")
    with pytest.raises(SurefootError) as caught:
        await app.press_direct(DirectQuery(label="Pay"), allow_fallback=True)
    assert (caught.value.code, caught.value.reason) == (
        ErrorCode.ELEMENT_NOT_FOUND,
        "selector_not_found",
    )


async def test_a_direct_match_that_is_not_hittable_is_refused_without_the_fallback() -> None:
    app = await open_sim('main(text "HQ" =hq)')
    with pytest.raises(SurefootError) as caught:
        await app.press_direct(DirectQuery(label="HQ"), allow_fallback=False)
    assert caught.value.reason == "not_hittable"
    assert app.device.performed == []


async def test_a_direct_match_that_is_not_hittable_is_pressed_at_its_coordinates() -> None:
    app = await open_sim('main(text "HQ" =hq)')
    delivery = await app.press_direct(DirectQuery(label="HQ"), allow_fallback=True)
    assert (delivery.fallback_taken, delivery.point, pressed(app)) == (True, Point(16, 10), ["hq"])


async def test_the_fallback_can_be_switched_off() -> None:
    app = await open_sim(app_of('main(text "HQ")', without=("coordinate_fallback",)))
    with pytest.raises(SurefootError) as caught:
        await app.press_direct(DirectQuery(label="HQ"), allow_fallback=True)
    assert caught.value.reason == "not_hittable"


async def test_a_capability_switched_off_is_unsupported() -> None:
    app = await open_sim(
        app_of("main", without=("native_target", "direct_selector", "tabs", "screenshot"))
    )
    calls = {
        "native_target": app.press_native("n1"),
        "direct_selector": app.press_direct(DirectQuery(id="a"), False),
        "tabs": app.tabs(),
        "screenshot": app.screenshot(),
    }
    for reason, call in calls.items():
        with pytest.raises(SurefootError) as caught:
            await call
        assert (caught.value.code, caught.value.reason) == (ErrorCode.UNSUPPORTED_OPERATION, reason)
        assert reason not in app.capabilities


async def test_a_dialog_is_disclosed_blocks_everything_and_waits_for_its_answer() -> None:
    asks = DialogSpec(kind="confirm", message="Sure?", accept=(Action(set={"sure": "yes"}),))
    events: list[DriverEvent] = []
    app = await open_sim(
        app_of('button "a" =a', Rule(press="a", do=(Action(dialog=asks),)), variables={"sure": ""}),
        events=events,
    )
    delivery = await app.pointer(node_of(app, "a"), PRESS)
    assert delivery.dialog is not None
    assert (delivery.dialog.kind, delivery.dialog.message) == ("confirm", "Sure?")
    assert app.dialog() == delivery.dialog
    with pytest.raises(SurefootError) as caught:
        await app.observe()
    assert caught.value.code == ErrorCode.DIALOG_PENDING
    assert app.device.variables["sure"] == ""
    await app.answer_dialog(accept=True)
    assert (app.dialog(), app.device.variables["sure"]) == (None, "yes")
    assert [event.kind for event in events] == ["dialog_opened", "dialog_closed"]


async def test_a_prompts_answer_goes_into_its_variable() -> None:
    asks = DialogSpec(kind="prompt", message="Name?", default="Bo", into="name")
    app = await open_sim(
        app_of('button "a" =a', Rule(press="a", do=(Action(dialog=asks),)), variables={"name": ""})
    )
    for answer, held in ((None, "Bo"), ("Al", "Al")):
        await app.pointer(node_of(app, "a"), PRESS)
        await app.answer_dialog(accept=True, text=answer)
        assert app.device.variables["name"] == held


async def test_a_press_that_opens_a_tab_says_so() -> None:
    rule = Rule(press="a", do=(Action(open_tab=TabSpec(screen="next")),))
    app = await open_sim(app_of('button "a" =a', rule))
    delivery = await app.pointer(node_of(app, "a"), PRESS)
    assert delivery.opened_tab is not None
    assert (delivery.opened_tab.index, delivery.opened_tab.active) == (2, False)
    await app.select_tab(2)
    assert (await app.observe()).tree[0].label == "Next"
    await app.close_tab(None)
    assert [(tab.index, tab.active) for tab in await app.tabs()] == [(1, True)]
    assert (await app.observe()).tree[0].label == "a"


async def test_history_goes_back_forward_and_afresh() -> None:
    app = await open_sim(app_of('textbox =t, button "a" =a', Rule(press="a", do=(Action(go="next"),))))
    await app.fill(node_of(app, "t"), "x")
    await app.history("reload")
    assert node_of(app, "t").value == ""
    await app.pointer(node_of(app, "a"), PRESS)
    assert (await app.history("back")).navigated
    assert app.device.tab.screen == "main"
    await app.history("forward")
    assert app.device.tab.screen == "next"
    with pytest.raises(SurefootError) as caught:
        await app.history("forward")
    assert caught.value.reason == "no_history"


@pytest.mark.parametrize("how", ["app_crashed", "driver_lost"])
async def test_a_dying_app_answers_so_often_and_then_never_again(how: Any) -> None:
    events: list[DriverEvent] = []
    app = await open_sim(app_of("main", dies=Death(after=2, how=how)), events=events)
    await app.observe()
    await app.observe()
    for _ in range(2):
        with pytest.raises(SurefootError) as caught:
            await app.observe()
        assert (caught.value.code, caught.value.reason) == (ErrorCode.COMMAND_FAILED, how)
    assert [event.kind for event in events] == ["crashed" if how == "app_crashed" else "lost"]


async def test_a_slow_operation_takes_its_time() -> None:
    clock = VirtualClock()
    spec = AppSpec(name="s", start="m", screens={"m": ScreenSpec(tree="main", slow={"observe": 700})})
    app = await open_sim(spec, clock)
    await app.observe()
    assert clock.now_ms() == 700


async def test_a_hanging_operation_ends_at_the_deadline() -> None:
    clock = VirtualClock()
    spec = AppSpec(
        name="h",
        start="m",
        deadline_ms=5000,
        screens={"m": ScreenSpec(tree="main", hangs=("observe",))},
    )
    app = await open_sim(spec, clock)
    with pytest.raises(SurefootError) as caught:
        await app.observe()
    assert (caught.value.code, caught.value.reason) == (ErrorCode.TIMEOUT, "driver_deadline")
    assert clock.now_ms() == 5000


async def test_a_hanging_operation_can_be_cancelled_and_leaves_the_app_usable() -> None:
    clock = VirtualClock()
    spec = AppSpec(
        name="h", start="m", screens={"m": ScreenSpec(tree='button "a" =a', hangs=("pointer",))}
    )
    app = await open_sim(spec, clock)
    with pytest.raises(TimeoutError):
        await within(clock, 100, app.pointer(node_of(app, "a"), PRESS))
    assert app.device.performed == []
    assert (await app.observe()).tree[0].label == "a"


async def test_a_cancelled_typing_stops_between_two_characters() -> None:
    clock = VirtualClock()
    app = await open_sim('textbox "t" =t', clock)
    with pytest.raises(TimeoutError):
        await within(clock, 25, app.fill(node_of(app, "t"), "abcdef", delay_ms=10))
    assert node_of(app, "t").value == "abc"


async def test_timed_rules_run_at_their_times() -> None:
    clock = VirtualClock()
    rules = (Rule(after=300, do=(Action(go="next"),)), Rule(every=100, do=(Action(add={"n": 1}),)))
    app = await open_sim(app_of('text "${n}"', *rules, variables={"n": "0"}), clock)
    await clock.sleep(250)
    assert [n.label for n in (await app.observe()).tree] == ["1"]
    await clock.sleep(50)
    assert (await app.observe()).tree[0].label == "Next"


async def test_settling_waits_for_the_last_change() -> None:
    clock = VirtualClock()
    app = await open_sim('main(text "late" late=350)', clock)
    outcome = await app.settle(SettlePolicy(quiet_ms=400, timeout_ms=5000))
    assert (outcome.settled, outcome.waited_ms, outcome.why) == (True, 750, None)


async def test_settling_counts_from_the_action_itself() -> None:
    clock = VirtualClock()
    app = await open_sim('button "a" =a', clock)
    await clock.sleep(1000)
    await app.pointer(node_of(app, "a"), PRESS)
    assert (await app.settle(SettlePolicy(quiet_ms=100))).waited_ms == 100


@pytest.mark.parametrize(
    ("tree", "rules", "why"),
    [
        ('text "${n}"', (Rule(every=50, do=(Action(add={"n": 1}),)),), "the screen keeps changing"),
        ('text "x" moving=99999', (), "something is moving"),
    ],
)
async def test_settling_gives_up_and_says_why(tree: str, rules: tuple[Rule, ...], why: str) -> None:
    app = await open_sim(app_of(tree, *rules, variables={"n": "0"}), VirtualClock())
    outcome = await app.settle(SettlePolicy(quiet_ms=100, timeout_ms=1000))
    assert (outcome.settled, outcome.waited_ms, outcome.why) == (False, 1000, why)


async def test_scrolling_says_how_far_and_whether_it_stands_at_the_edge() -> None:
    app = await open_sim('list scroll=y height=50 =list(text "r${i}" repeat=5)')
    outcomes = [
        await app.scroll(node_of(app, "list"), way, 30) for way in ("down", "down", "down", "top")
    ]
    assert [(o.moved_y, o.at_edge) for o in outcomes] == [
        (30, False),
        (20, True),
        (0, True),
        (-50, True),
    ]


async def test_the_page_scrolls_where_no_container_does() -> None:
    app = await open_sim('main(text "x" height=1000 =x)')
    outcome = await app.scroll(node_of(app, "x"), "bottom", 0)
    assert (outcome.moved_y, outcome.at_edge, app.device.tab.scroll_y) == (400, True, 400)
    sideways = await app.scroll(None, "right", 100)
    assert (sideways.moved_x, sideways.at_edge) == (0, True)


async def test_a_screenshot_is_a_png_of_the_viewport_or_the_page() -> None:
    app = await open_sim('main(text "x" height=1000)')
    for full, height in ((False, 600), (True, 1000)):
        png = await app.screenshot(full)
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (800, height)


async def test_the_viewport_can_be_set() -> None:
    app = await open_sim("main")
    await app.set_viewport(320, 480)
    assert (await app.observe()).viewport.width == 320


async def test_a_closed_app_answers_nothing_and_closes_again() -> None:
    app = await open_sim("main")
    await app.close()
    await app.close()
    with pytest.raises(SurefootError) as caught:
        await app.observe()
    assert caught.value.reason == "driver_lost"


async def test_concurrent_calls_do_not_disturb_each_other() -> None:
    app = await open_sim('main(button "a" =a moving=200, button "b" =b)', VirtualClock())
    a, b = node_of(app, "a"), node_of(app, "b")
    await asyncio.gather(app.pointer(a, PRESS), app.pointer(b, PRESS))
    assert sorted(pressed(app)) == ["a", "b"]
