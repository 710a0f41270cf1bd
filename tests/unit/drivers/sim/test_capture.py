"""What a capture shows: geometry, covering, scrolling, secrets, quality, epochs and handles."""

from __future__ import annotations

import pytest

from surefoot.drivers import Gesture
from surefoot.drivers.sim import (
    Action,
    AppSpec,
    Rule,
    ScreenSpec,
    Unreadable,
    VirtualClock,
    WindowSpec,
    node_of,
    observe_screen,
    open_sim,
)
from surefoot.errors import CaptureUnreadable
from surefoot.tree import Rect, ScrollExtent, Window


def app_of(screen: ScreenSpec, **variables: str) -> AppSpec:
    return AppSpec(name="one", start="main", variables=variables, screens={"main": screen})


def test_the_flow_is_vertical_and_rows_lie_side_by_side() -> None:
    observation, _ = observe_screen('main(heading "Hi", row(cell "a", cell "b"), button "Go")')
    assert [node.rect for node in observation.tree] == [
        Rect(0, 0, 800, 90),
        Rect(0, 0, 32, 40),
        Rect(0, 40, 800, 20),
        Rect(0, 40, 24, 20),
        Rect(400, 40, 24, 20),
        Rect(0, 60, 32, 30),
    ]


def test_hidden_elements_have_no_box_and_are_not_visible() -> None:
    observation, _ = observe_screen('main(group hidden(button "a"), button "b" transparent)')
    assert [(node.visible, node.rect is None) for node in observation.tree.nodes[1:]] == [
        (False, True),
        (False, True),
        (False, False),
    ]


def test_an_overlay_covers_what_it_lies_over_and_nothing_of_itself() -> None:
    observation, keys = observe_screen(
        'document(button "Pay" =pay, dialog "News" overlay =news(button "X" =x))'
    )
    covered = {key: observation.tree[index].covered_by for key, index in keys.items()}
    # The button X lies over Pay's centre; either way it is the dialog's content that takes the hit.
    assert covered == {"pay": keys["x"], "news": None, "x": None}


def test_a_passthrough_overlay_covers_nothing() -> None:
    observation, keys = observe_screen('document(button "Pay" =pay, group overlay passthrough)')
    assert observation.tree[keys["pay"]].covered_by is None


def test_an_overlay_with_a_rectangle_covers_only_what_is_under_it() -> None:
    observation, keys = observe_screen(
        'document(button "One" =one, button "Two" =two, group "Banner" overlay rect=0:0:800:30 =banner)'
    )
    assert observation.tree[keys["one"]].covered_by == keys["banner"]
    assert observation.tree[keys["two"]].covered_by is None


def test_what_comes_later_lies_over_what_came_before() -> None:
    observation, keys = observe_screen(
        'group rect=0:0:800:600 =back, button "a" =a, group rect=0:0:100:30 =front'
    )
    assert observation.tree[keys["a"]].covered_by == keys["front"]
    assert observation.tree[keys["back"]].covered_by is None
    behind, keys = observe_screen('group rect=0:0:800:600 =back, button "a" =a')
    assert behind.tree[keys["a"]].covered_by is None


async def test_a_swapped_element_is_new_with_everything_in_it() -> None:
    rule = Rule(press="b", do=(Action(swap="g"),))
    app = await open_sim(app_of(ScreenSpec(tree='group =g(text "t" =t), button "b" =b', on=(rule,))))
    before = {key: node_of(app, key).handle for key in "gtb"}
    await app.pointer(node_of(app, "b"), Gesture())
    after = {key: node_of(app, key).handle for key in "gtb"}
    assert [key for key in "gtb" if before[key] == after[key]] == ["b"]


async def test_a_foreign_window_covers_the_app_though_it_comes_first() -> None:
    screen = ScreenSpec(
        tree='alert "Battery low" =low window=sys rect=0:0:800:600(button "OK" =ok),'
        ' document "App"(button "Pay" =pay)',
        windows=(WindowSpec(id="sys", title="System", app="android", foreign=True),),
    )
    app = await open_sim(app_of(screen))
    observation = await app.observe()
    assert observation.windows == (Window("sys", "System", "android", True),)
    assert node_of(app, "ok").window == "sys"
    assert node_of(app, "pay").covered_by == node_of(app, "ok").index


def test_a_scroll_container_clips_nothing_out_of_the_tree() -> None:
    observation, keys = observe_screen(
        'list scroll=y height=40 =list(button "A", button "B", button "C" =c)'
    )
    assert observation.tree[keys["list"]].scroll == ScrollExtent(0, 0, 0, 50)
    assert observation.tree[keys["c"]].rect == Rect(0, 60, 24, 30)
    assert observation.tree[keys["c"]].visible


def test_a_virtual_list_renders_only_what_is_near_its_viewport() -> None:
    observation, keys = observe_screen(
        'list scroll=y height=40 virtual =list(text "Row ${i}" repeat=2000)'
    )
    assert observation.tree[keys["list"]].scroll == ScrollExtent(0, 0, 0, 39960)
    assert [n.label for n in observation.tree.nodes[1:]] == ["Row 1", "Row 2", "Row 3", "Row 4"]


def test_a_page_higher_than_the_viewport_scrolls() -> None:
    observation, _ = observe_screen('document(text "a" height=900)')
    assert observation.scroll == ScrollExtent(0, 0, 0, 300)


async def test_a_password_is_in_no_observation() -> None:
    app = await open_sim('document(textbox "Password" =pw password)')
    await app.fill(node_of(app, "pw"), "hunter2")
    node = node_of(app, "pw")
    assert (node.value, node.has_value, node.password, node.input_type) == (
        None,
        True,
        True,
        "password",
    )
    assert "hunter2" not in repr((await app.observe()).tree.nodes)


def test_author_labels_are_what_only_an_author_can_give() -> None:
    observation, _ = observe_screen(
        'document "Shop"(list "Mail"(row "Ann"(button "Go" author="Go on")))'
    )
    assert [n.author_label for n in observation.tree] == ["", "Mail", "", "Go on"]


def test_unpaired_surrogates_are_replaced_and_disclosed() -> None:
    observation, _ = observe_screen('document(text "\\ud83d x", text "\\ud83d\\ude00 \\ud842\\udfb7")')
    assert [n.label for n in observation.tree] == ["", "\ufffd x", "😀 𠮷"]
    assert observation.notes == ("unpaired surrogates replaced in 1 nodes",)


def test_the_page_is_named_by_its_screen() -> None:
    observation, _ = observe_screen("document")
    assert observation.page is not None
    assert (observation.page.url, observation.page.title) == ("sim://screen/main", "screen")


async def test_a_phone_has_no_page() -> None:
    spec = AppSpec(name="p", flavour="android", start="main", screens={"main": ScreenSpec(tree="main")})
    assert (await (await open_sim(spec)).observe()).page is None


async def test_captures_are_sparse_as_often_as_written() -> None:
    app = await open_sim(app_of(ScreenSpec(tree='document(button "a")', sparse=2)))
    seen = [await app.observe() for _ in range(3)]
    assert [(o.quality, len(o.tree)) for o in seen] == [("sparse", 1), ("sparse", 1), ("ok", 2)]


async def test_a_sparse_observation_is_never_called_unchanged() -> None:
    app = await open_sim(app_of(ScreenSpec(tree="document", sparse=5)))
    assert not await app.unchanged(await app.observe())


async def test_captures_are_unreadable_as_often_as_written_with_the_verdict() -> None:
    app = await open_sim(
        app_of(ScreenSpec(tree="document", unreadable=Unreadable(verdict="navigating", captures=1)))
    )
    with pytest.raises(CaptureUnreadable) as caught:
        await app.observe()
    assert caught.value.verdict == "navigating"
    assert (await app.observe()).quality == "ok"


async def test_a_screen_is_unreadable_for_a_while() -> None:
    clock = VirtualClock()
    app = await open_sim(app_of(ScreenSpec(tree="document", unreadable=Unreadable(ms=500))), clock)
    with pytest.raises(CaptureUnreadable):
        await app.observe()
    await clock.sleep(500)
    assert (await app.observe()).quality == "ok"


async def test_late_elements_appear_on_time() -> None:
    clock = VirtualClock()
    app = await open_sim('document(text "soon" gone=200, button "now" late=200)', clock)
    assert [n.label for n in (await app.observe()).tree] == ["", "soon"]
    await clock.sleep(200)
    assert [n.label for n in (await app.observe()).tree] == ["", "now"]


async def test_late_elements_appear_after_so_many_captures() -> None:
    app = await open_sim('document(button "a" latecaptures=2)')
    assert [len((await app.observe()).tree) for _ in range(3)] == [1, 1, 2]


async def test_unchanged_sees_what_the_next_capture_would_bring() -> None:
    app = await open_sim('document(button "a" latecaptures=2)')
    first = await app.observe()
    assert await app.unchanged(first)
    second = await app.observe()
    assert not await app.unchanged(second)
    assert app.device.captures == 2


async def test_captures_can_cause_things() -> None:
    rule = Rule(captures=2, do=(Action(set={"n": "2"}),))
    app = await open_sim(app_of(ScreenSpec(tree='text "${n}"', on=(rule,)), n="1"))
    assert [(await app.observe()).tree[0].label for _ in range(2)] == ["1", "2"]


async def test_epochs_tell_screens_apart_and_equal_screens_together() -> None:
    app = await open_sim('document(checkbox "a" =a)')
    first, second = await app.observe(), await app.observe()
    await app.pointer(node_of(app, "a"), Gesture())
    third = await app.observe()
    assert first.epoch == second.epoch != third.epoch


async def test_handles_survive_changes_around_an_element() -> None:
    rule = Rule(press="a", do=(Action(toggle="more"),))
    app = await open_sim(
        app_of(ScreenSpec(tree='main(text "new" if=more, button "a" =a)', on=(rule,)), more="")
    )
    before = node_of(app, "a")
    await app.pointer(before, Gesture())
    assert (node_of(app, "a").index, node_of(app, "a").handle) == (before.index + 1, before.handle)


async def test_an_element_that_comes_back_is_another_one() -> None:
    rule = Rule(press="a", do=(Action(toggle="shown"),))
    app = await open_sim(
        app_of(ScreenSpec(tree='main(button "a" =a, text "t" =t if=shown)', on=(rule,)), shown="1")
    )
    before = node_of(app, "t").handle
    await app.pointer(node_of(app, "a"), Gesture())
    await app.pointer(node_of(app, "a"), Gesture())
    assert node_of(app, "t").handle != before


async def test_the_same_inputs_give_the_same_trees_and_handles() -> None:
    async def journey() -> list[tuple[str, tuple[str, ...]]]:
        app = await open_sim(
            'document(checkbox "a" =a, list scroll=y(text "r${i}" repeat=20))', VirtualClock()
        )
        seen = [await app.observe()]
        await app.pointer(node_of(app, "a"), Gesture())
        seen.append(await app.observe())
        return [(o.epoch, tuple(n.handle for n in o.tree)) for o in seen]

    assert await journey() == await journey()
