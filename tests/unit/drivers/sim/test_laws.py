"""Laws of the virtual device: only typed errors, refusals do nothing, same inputs, same device."""

from __future__ import annotations

import asyncio
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.drivers import Gesture, OpenRequest, Point
from surefoot.drivers.sim import SimDriver, VirtualClock, bundled_apps, load_app, observe_screen
from surefoot.errors import SurefootError

PIECES = st.sampled_from(
    [
        *("button", "main", "text", '"a"', '"', "#id", "=k", "(", ")", ",", " ", "\n", "disabled"),
        *("value=x", "rect=1:2:3:4", "scroll=y", "repeat=3", "if=x", "\\", "#", "=", "\x00", "é"),
        *("\ud83d", "level=x", "virtual", "hidden"),
    ]
)
REFUSALS = ("bad_screen_notation", "bad_app_data")
WORDS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ("format", "name", "start", "screens", "variables", "viewport", "without", "dies", "flavour")


@given(st.lists(PIECES, max_size=25).map("".join))
def test_any_text_is_a_screen_or_a_typed_refusal(text: str) -> None:
    try:
        observation, _ = observe_screen(text)
    except SurefootError as refusal:
        reason = refusal.reason
    else:
        reason = None
        assert [node.index for node in observation.tree] == list(range(len(observation.tree)))
        assert len({node.handle for node in observation.tree}) == len(observation.tree)
    assert reason is None or reason in REFUSALS


@given(st.sampled_from(FIELDS), WORDS)
def test_any_data_is_an_app_or_a_typed_refusal(field: str, value: object) -> None:
    data = {"name": "a", "start": "m", "screens": {"m": {"tree": "main"}}, field: value}
    reason = None
    try:
        load_app(json.dumps(data))
    except SurefootError as refusal:
        reason = refusal.reason
    assert reason is None or reason in REFUSALS


INPUTS = st.lists(
    st.one_of(
        st.tuples(st.just("press"), st.integers(0, 60)),
        st.tuples(st.just("fill"), st.integers(0, 60)),
        st.tuples(st.just("point"), st.integers(0, 900)),
        st.tuples(st.just("key"), st.sampled_from(["Tab", "Enter", "Backspace", "x", "End"])),
        st.tuples(st.just("scroll"), st.integers(0, 60)),
        st.tuples(st.just("sleep"), st.integers(0, 900)),
        st.tuples(st.just("back"), st.just(0)),
        st.tuples(st.just("answer"), st.booleans()),
    ),
    max_size=12,
)


async def play(name: str, inputs: list[tuple[str, object]]) -> list[object]:
    """Do the inputs; every error must be typed, and a refused one must leave no input behind."""
    clock = VirtualClock()
    app = await SimDriver(clock).open(
        OpenRequest(target=name, session="s", state_dir=""), lambda _: None
    )
    seen: list[object] = []
    for kind, value in inputs:
        logged = len(app.device.performed)
        try:
            tree = (await app.observe()).tree
            node = tree[int(str(int(value))) % len(tree)] if isinstance(value, int) else tree[0]
            if kind == "press":
                await app.pointer(node, Gesture())
            elif kind == "fill":
                await app.fill(node, "open sesame")
            elif kind == "point":
                await app.pointer_at(Point(20, float(str(value))), Gesture())
            elif kind == "key":
                await app.key(str(value))
            elif kind == "scroll":
                await app.scroll(node, "down", 100)
            elif kind == "sleep":
                await clock.sleep(float(str(value)))
            elif kind == "back":
                await app.history("back")
            elif app.dialog() is not None:
                await app.answer_dialog(bool(value))
        except SurefootError as refusal:
            arrived = [done for done in app.device.performed[logged:] if done.delivered]
            if arrived and refusal.reason != "text_mismatch":
                raise AssertionError(f"refused after it was done: {arrived}") from refusal
            seen.append((refusal.code, refusal.reason))
            if app.dialog() is not None:
                await app.answer_dialog(True)
        else:
            seen.append((app.device.tab.screen, app.device.variables.copy(), len(app.device.performed)))
    seen.append([(done.kind, done.handle, done.at_ms) for done in app.device.performed])
    return seen


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(bundled_apps()), INPUTS)
def test_any_inputs_end_typed_and_the_same_inputs_end_the_same(
    name: str, inputs: list[tuple[str, object]]
) -> None:
    assert asyncio.run(play(name, inputs)) == asyncio.run(play(name, inputs))
