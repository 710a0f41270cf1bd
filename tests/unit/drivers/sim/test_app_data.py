"""Apps as data: what is read, what is refused and how, the bundled apps, the driver around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from surefoot.drivers import Driver, Gesture, OpenRequest, SettlePolicy
from surefoot.drivers.sim import SimApp, SimDriver, VirtualClock, bundled_apps, load_app, node_of
from surefoot.errors import ErrorCode, SurefootError

GOOD: dict[str, Any] = {
    "format": "surefoot-sim-1",
    "name": "tiny",
    "start": "a",
    "variables": {"n": "0"},
    "screens": {
        "a": {
            "tree": ['document "Tiny"(', '  button "Go" #go =go)'],
            "on": [{"press": "go", "do": [{"add": {"n": 1}}, {"go": "b"}]}],
        },
        "b": {"tree": 'text "Done ${n}"'},
    },
}


def request(target: str) -> OpenRequest:
    return OpenRequest(target=target, session="s", state_dir="")


async def opened(driver: SimDriver, target: str) -> SimApp:
    return await driver.open(request(target), lambda _: None)


def with_screen(**changes: Any) -> str:
    data = json.loads(json.dumps(GOOD))
    data["screens"]["a"].update(changes)
    return json.dumps(data)


async def test_an_app_file_is_opened_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(GOOD))
    app = await opened(SimDriver(), str(path))
    await app.pointer(node_of(app, "#go"), Gesture())
    assert [n.label for n in (await app.observe()).tree] == ["Done 1"]
    assert app.name == "tiny"


WRONG = [
    ("not-json", "{", "truncated"),
    ("no-format-known", json.dumps({**GOOD, "format": "other"}), "format"),
    ("unknown-field", json.dumps({**GOOD, "screen": {}}), "unknown field `screen`"),
    ("no-start", json.dumps({**GOOD, "start": "z"}), "start screen 'z'"),
    ("bad-tree", with_screen(tree="button ("), "screen 'a': screen notation 1:9"),
    ("two-triggers", with_screen(on=[{"press": "go", "hover": "go", "do": []}]), "exactly one trigger"),
    ("no-trigger", with_screen(on=[{"do": []}]), "exactly one trigger"),
    (
        "two-effects",
        with_screen(on=[{"press": "go", "do": [{"go": "b", "back": True}]}]),
        "exactly one effect",
    ),
    ("no-effect", with_screen(on=[{"press": "go", "do": [{}]}]), "exactly one effect"),
    ("no-element", with_screen(on=[{"press": "gone", "do": []}]), "no element 'gone'"),
    ("no-screen", with_screen(on=[{"press": "go", "do": [{"go": "z"}]}]), "no screen 'z'"),
    (
        "no-tab-screen",
        with_screen(on=[{"press": "go", "do": [{"openTab": {"screen": "z"}}]}]),
        "no screen 'z'",
    ),
    ("no-variable", with_screen(on=[{"press": "go", "do": [{"set": {"z": "1"}}]}]), "no variable 'z'"),
    ("no-condition", with_screen(on=[{"press": "go", "when": "z!=1", "do": []}]), "no variable 'z'"),
    ("no-if", with_screen(tree='button "Go" =go if=!z'), "no variable 'z'"),
    ("no-bind", with_screen(tree='textbox "Go" =go bind=z'), "no variable 'z'"),
    ("no-window", with_screen(tree='button "Go" =go window=z'), "no window 'z'"),
    ("no-cover", with_screen(tree='button "Go" =go covered=z'), "no element 'z'"),
    (
        "nested-action",
        with_screen(on=[{"press": "go", "do": [{"after": {"ms": 1, "do": [{"go": "z"}]}}]}]),
        "no screen 'z'",
    ),
    (
        "dialog-action",
        with_screen(
            on=[{"press": "go", "do": [{"dialog": {"message": "m", "accept": [{"swap": "z"}]}}]}]
        ),
        "no element 'z'",
    ),
    ("bad-operation", with_screen(hangs=["sing"]), "Invalid enum value 'sing'"),
    ("bad-number", with_screen(sparse=-1), "Expected `int` >= 0"),
]


@pytest.mark.parametrize(("data", "says"), [r[1:] for r in WRONG], ids=[r[0] for r in WRONG])
def test_wrong_data_is_refused_as_a_whole_and_names_what_is_wrong(data: str, says: str) -> None:
    with pytest.raises(SurefootError) as caught:
        load_app(data)
    assert caught.value.code == ErrorCode.INVALID_ARGS
    assert caught.value.reason in ("bad_app_data", "bad_screen_notation")
    assert says in caught.value.message


def test_a_rule_may_name_one_copy_of_a_repeated_element() -> None:
    tree = 'list(button "Add" =add-${i} repeat=3)'
    load_app(with_screen(tree=tree, on=[{"press": "add-2", "do": [{"go": "b"}]}]))


async def test_an_unknown_app_names_the_nearest_one() -> None:
    with pytest.raises(SurefootError) as caught:
        await opened(SimDriver(), "dmeo")
    assert (caught.value.code, caught.value.hint) == (ErrorCode.APP_NOT_FOUND, "Did you mean `demo`?")


async def test_a_missing_app_file_is_told() -> None:
    with pytest.raises(SurefootError) as caught:
        await opened(SimDriver(), "/nowhere/app.json")
    assert caught.value.code == ErrorCode.APP_NOT_FOUND


async def test_rules_that_cause_each_other_without_end_are_stopped() -> None:
    rules = [{"focus": "go", "do": [{"focus": "#x"}]}, {"focus": "#x", "do": [{"focus": "go"}]}]
    data = with_screen(tree='button "Go" =go, button "X" #x', on=rules)
    app = await opened(SimDriver(apps={"loop": data}), "loop")
    with pytest.raises(SurefootError) as caught:
        await app.focus(node_of(app, "go"))
    assert caught.value.reason == "app_loops"


@pytest.mark.parametrize("name", bundled_apps())
async def test_every_bundled_app_opens_and_can_be_read(name: str) -> None:
    app = await opened(SimDriver(VirtualClock()), name)
    await app.settle(SettlePolicy())
    assert len((await app.observe()).tree) > 3
    assert app.name == name


async def test_the_demo_can_be_walked_to_its_end() -> None:
    app = await opened(SimDriver(VirtualClock()), "demo")
    assert not node_of(app, "#signin").enabled
    await app.fill(node_of(app, "#name"), "Ann")
    await app.fill(node_of(app, "#password"), "wrong")
    await app.pointer(node_of(app, "#signin"), Gesture())
    assert [n.label for n in (await app.observe()).tree if n.role == "alert"] == [
        "Wrong name or password"
    ]
    await app.fill(node_of(app, "#password"), "open sesame")
    await app.key("Enter")
    for key in ("closenews", "sencha", "basket", "#order"):
        await app.pointer(node_of(app, key), Gesture())
    assert [n.label for n in (await app.observe()).tree if n.role == "heading"] == ["Thank you, Ann"]


async def test_the_driver_satisfies_the_protocol_and_closes_twice() -> None:
    driver: Driver = SimDriver()
    app = await driver.open(request("demo"), lambda _: None)
    await driver.close()
    await driver.close()
    with pytest.raises(SurefootError):
        await app.observe()


async def test_reopening_gives_a_fresh_app_and_never_an_old_handle() -> None:
    driver = SimDriver()
    app = await opened(driver, "demo")
    before = node_of(app, "#name")
    await driver.reopen(app, request("demo"))
    with pytest.raises(SurefootError) as caught:
        await app.fill(before, "Ann")
    assert caught.value.reason == "node_detached"


async def test_reopening_revives_a_crashed_app() -> None:
    driver = SimDriver()
    app = await opened(driver, "demo")
    app.device.die("app_crashed")
    await driver.reopen(app, request("demo"))
    assert len((await app.observe()).tree) > 3


async def test_two_apps_do_not_share_anything() -> None:
    driver = SimDriver()
    one, two = await opened(driver, "demo"), await opened(driver, "demo")
    await one.fill(node_of(one, "#name"), "Ann")
    assert node_of(two, "#name").value == ""


async def test_the_driver_says_what_it_has() -> None:
    driver = SimDriver()
    assert [(d.id, d.platform, d.available) for d in await driver.devices()] == [("sim", "sim", True)]
    assert [f.ok for f in await driver.doctor()] == [True]
