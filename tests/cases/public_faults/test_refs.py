"""Refs: bound to the element they were given for, or refused with a reason that says why."""

from __future__ import annotations

import json
import os
import signal
import time

from tests.support.faults import Hands, cases, ref_of

ALPHABET = "".join(
    f"<button onclick=\"say('{name}')\">{name}</button>" for name in ("Alpha", "Beta", "Gamma")
)
STALE = ("ref_target_gone", "ref_target_changed", "ref_frame_expired", "ref_generation_mismatch")


# B001: each script changes the page by itself, between the snapshot that gave the ref and the click.
@cases(
    "B001",
    a_button_is_prepended="document.body.prepend(Object.assign(document.createElement('button'), "
    "{textContent: 'New', onclick: () => say('New')}))",
    the_neighbour_before_goes="document.querySelector('button').remove()",
    the_order_is_reversed="document.body.prepend(document.querySelectorAll('button')[2])",
    the_list_is_drawn_anew="document.querySelectorAll('button')"
    ".forEach(b => b.replaceWith(b.cloneNode(true)))",
    the_element_takes_another_name="document.querySelectorAll('button')[1].textContent = 'Delete'",
    the_neighbour_takes_its_name="document.querySelectorAll('button')[0].textContent = 'Beta';"
    "document.querySelectorAll('button')[1].remove()",
    it_is_gone="document.querySelectorAll('button')[1].remove()",
)
def test_a_ref_stays_with_its_element_or_is_refused(hands: Hands, case: str) -> None:
    hands.show(ALPHABET + f"<script>function change() {{ {case} }}; setTimeout(change, 150)</script>")
    first = hands.do("snapshot", "-i")
    beta = ref_of(first, "Beta")
    hands.do("wait", "stable", "250", "3000")
    pressed = hands.ask("click", beta)
    if pressed.body["success"]:
        assert hands.said() == "Beta"
    else:
        assert pressed.code == "COMMAND_FAILED"
        assert pressed.reason in STALE
        assert beta.split("~")[0] in pressed.error["message"]
        assert "snapshot" in pressed.error["hint"]
        assert hands.said() == ""


@cases("B001", a_second_snapshot_in_between=None)
def test_a_ref_of_an_earlier_snapshot_never_means_a_new_element(hands: Hands, case: None) -> None:
    hands.show(
        ALPHABET + "<script>setTimeout(() => document.body.prepend(Object.assign("
        "document.createElement('button'), {textContent: 'New', onclick: () => say('New')})), 100)"
        "</script>"
    )
    first = ref_of(hands.do("snapshot", "-i"), "Beta")
    hands.do("wait", "label=New", "3000")
    second = hands.do("snapshot", "-i")
    pressed = hands.ask("click", first)
    assert pressed.refused == ("COMMAND_FAILED", "ref_generation_mismatch")
    assert pressed.error["details"]["currentGeneration"] == second["refsGeneration"]
    hands.do("click", ref_of(second, "Beta"))
    assert hands.said() == "Beta"


SAY = 'onclick="say(this.previousElementSibling.textContent)"'
RECORD = f"<li><span>{{0}}</span> <button {SAY}>Add</button>"
CARD = f"<div><span>{{0}}</span><button {SAY}>Add</button></div>"
REUSE = """<script>setTimeout(() => { const texts = {1};
document.querySelectorAll('span').forEach((span, n) => { span.textContent = texts[n] })
}, 150)</script>"""


# B001: a list that shows other records in the elements it has.
@cases(
    "B001",
    a_record_is_inserted=(RECORD, ["New", "Boots", "Socks"], False),
    the_order_changes=(RECORD, ["Hats", "Socks", "Boots"], True),
    the_others_change=(RECORD, ["Coats", "Socks", "Belts"], True),
    the_record_becomes_another=(RECORD, ["Boots", "Gloves", "Hats"], False),
    cards_without_roles=(CARD, ["New", "Boots", "Socks"], False),
)
def test_a_ref_does_not_follow_an_element_to_another_record(
    hands: Hands, case: tuple[str, list[str], bool]
) -> None:
    row, after, stays = case
    page = "".join(row.replace("{0}", label) for label in ("Boots", "Socks", "Hats"))
    hands.show(page + REUSE.replace("{1}", json.dumps(after)))
    nodes = hands.do("snapshot")
    at = next(n for n, node in enumerate(nodes["nodes"]) if node.get("label") == "Socks")
    button = next(node for node in nodes["nodes"][at:] if node["role"] == "button")
    hands.do("wait", "stable", "250", "3000")
    pressed = hands.ask("press", "@" + button["ref"])
    if stays:
        assert pressed.body["success"]
        assert hands.said() == "Socks"
    else:
        assert pressed.refused == ("COMMAND_FAILED", "ref_target_changed")
        assert '"Socks"' in pressed.error["message"]
        assert hands.said() == ""


# B003: what the first press does; the second uses a ref of the screen before it.
@cases(
    "B003",
    shows_another_screen={"go": "other"},
    shows_another_screen_with_the_same_elements={"go": "other", "keep": True},
    changes_nothing_that_is_seen={"set": {"said": "first"}},
)
def test_a_ref_of_the_screen_before_is_refused_before_anything_is_sent(
    hands: Hands, case: dict[str, object]
) -> None:
    tree = 'document "App"(button "First" =first, button "Second" =second, status "${said}" #said)'
    rules = [{"press": "first", "do": [case]}, {"press": "second", "do": [{"add": {"taps": 1}}]}]
    other = 'document "App"(button "Delete" =first, button "All" =second, status "${taps}" #said)'
    hands.app(
        tree,
        on=rules,
        variables={"said": "nothing", "taps": "0"},
        screens={"other": {"tree": other, "on": [rules[1]]}},
    )
    seen = hands.do("snapshot", "-i")
    first, second = ref_of(seen, "First"), ref_of(seen, "Second")
    hands.do("press", first)
    refused = hands.ask("press", second)
    assert refused.refused == ("COMMAND_FAILED", "ref_frame_expired")
    assert refused.error["details"]["scope"] == "all"
    assert "surefoot snapshot" in refused.error["hint"]
    assert hands.said() in ("0", "first")


# B006: the page object behind a ref is another one, though the address is the same.
@cases("B006", reload="reload", the_same_address_again="open", back_and_forward="history")
def test_a_ref_of_a_replaced_page_is_refused(hands: Hands, case: str) -> None:
    hands.show(ALPHABET)
    url = hands.page(ALPHABET)
    hands.do("open", url)
    ref = ref_of(hands.do("snapshot", "-i"), "Beta")
    if case == "history":
        hands.do("open", hands.page("<p>elsewhere</p>"))
        hands.do("back")
    else:
        hands.do(*(("reload",) if case == "reload" else ("open", url)))
    refused = hands.ask("click", ref)
    assert refused.code == "COMMAND_FAILED"
    assert refused.reason in STALE
    assert hands.said() == ""


@cases("B006", the_browser_was_killed=None)
def test_a_ref_does_not_outlive_its_browser(hands: Hands, case: None) -> None:
    hands.show(ALPHABET)
    url = hands.page(ALPHABET)
    hands.do("open", url)
    ref = ref_of(hands.do("snapshot", "-i"), "Beta")
    os.kill(hands.do("daemon", "status")["browserPid"], signal.SIGKILL)
    deadline = time.monotonic() + 5
    while hands.ask("snapshot").body["success"] and time.monotonic() < deadline:
        time.sleep(0.02)
    hands.do("open", url)
    refused = hands.ask("click", ref)
    assert refused.code == "COMMAND_FAILED"
    assert refused.reason in STALE
    assert hands.said() == ""


SEND = "<div id=box></div><script>{0} draw()</script>"
REMOUNT = """function draw() { box.innerHTML = '<button>Send</button>';
 box.firstChild.onclick = () => { say('sent'); draw() } };"""
REPAINT = """function draw() { box.innerHTML ||= '<button>Send</button>';
 box.firstChild.onclick = () => { say('sent'); box.firstChild.className += 'x' } };"""


@cases("B008", remounted_after_each=REMOUNT, repainted_in_place=REPAINT)
def test_the_same_ref_three_times_acts_or_says_why_not(hands: Hands, case: str) -> None:
    hands.show(SEND.format(case))
    ref = ref_of(hands.do("snapshot", "-i"), "Send")
    sent = 0
    for _ in range(3):
        pressed = hands.ask("click", ref)
        if pressed.body["success"]:
            sent += 1
        else:
            assert pressed.reason in STALE
            assert pressed.error["details"]["currentGeneration"]
    assert hands.said() == " ".join(["sent"] * sent)
    assert sent >= 1
