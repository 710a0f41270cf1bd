"""The bundled apps do what they are there for, and the page about the format names everything in it."""

from __future__ import annotations

from importlib import resources

import pytest

from surefoot.drivers import Gesture, OpenRequest, SettlePolicy
from surefoot.drivers.sim import SimApp, SimDriver, VirtualClock, node_of, open_sim
from surefoot.drivers.sim.notation import ATTRIBUTES, FLAGS
from surefoot.drivers.sim.spec import EFFECTS, TRIGGERS, load_app
from surefoot.errors import CaptureUnreadable, SurefootError

PAGE = (resources.files("surefoot.drivers.sim") / "apps" / "README.md").read_text("utf-8")


async def opened(name: str) -> SimApp:
    request = OpenRequest(target=name, session="s", state_dir="")
    return await SimDriver(VirtualClock()).open(request, lambda _: None)


@pytest.mark.parametrize("name", [*FLAGS, *ATTRIBUTES, *TRIGGERS, *EFFECTS])
def test_the_page_names_every_word_of_the_format(name: str) -> None:
    words = set(PAGE.replace("`", " ").replace("=", " ").replace(",", " ").split())
    assert {"open_tab": "openTab"}.get(name, name) in words


async def test_the_example_of_the_page_runs() -> None:
    example = PAGE.split("```json\n")[1].split("```")[0]
    app = await open_sim(load_app(example).spec)
    await app.fill(node_of(app, "#name"), "Ann")
    await app.pointer(node_of(app, "more"), Gesture())
    assert [n.label for n in (await app.observe()).tree if n.role == "heading"] == ["1 times"]


async def test_settings_share_ids_as_android_does() -> None:
    app = await opened("settings")
    observation = await app.observe()
    titles = [n.label for n in observation.tree if n.id == "android:id/title"]
    assert (len(titles), titles[:3]) == (14, ["Settings", "Wi-Fi", "Bluetooth"])
    assert observation.page is None
    assert "viewport" not in app.capabilities
    await app.pointer(node_of(app, "about"), Gesture())
    assert node_of(app, "#android:id/title").label == "About"


async def test_contacts_are_interrupted_by_a_window_of_the_system() -> None:
    app = await opened("contacts")
    assert node_of(app, "bob").covered_by is None
    await app.observe()
    await app.observe()
    assert node_of(app, "deny").window == "springboard"
    assert "history" not in app.capabilities
    await app.pointer(node_of(app, "deny"), Gesture())
    await app.pointer(node_of(app, "bob"), Gesture())
    assert [n.label for n in (await app.observe()).tree if n.role == "heading"] == ["Bob Byrd"]


async def test_trouble_is_trouble() -> None:
    app = await opened("trouble")
    for key, reason in (("replaced", "node_detached"), ("raced", "covered")):
        with pytest.raises(SurefootError) as caught:
            await app.pointer(node_of(app, key), Gesture())
        assert caught.value.reason == reason
    await app.pointer(node_of(app, "unwall"), Gesture())
    await app.settle(SettlePolicy(quiet_ms=2000))
    await app.pointer(node_of(app, "late"), Gesture())
    await app.pointer(node_of(app, "unreadable"), Gesture())
    with pytest.raises(CaptureUnreadable):
        await app.observe()
    await app.history("back")
    await app.pointer(node_of(app, "crash"), Gesture())
    with pytest.raises(SurefootError) as caught:
        await app.observe()
    assert caught.value.reason == "app_crashed"
