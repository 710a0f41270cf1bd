"""Scrolling: what moved is told, what is in view is judged by the whole element, every search ends."""

from __future__ import annotations

from tests.support.faults import Hands, cases

ROWS = "".join(f"<li style='height:40px'>Row {n}</li>" for n in range(1, 61))
BOX = "<ul id=list style='height:300px;overflow:auto;margin:0'>{0}</ul>"


# B049: the page, the way it is scrolled, and whether it could move at first.
@cases(
    "B049",
    a_page_without_a_scroll_bar=("<p>Short</p>", "down", False),
    the_top_of_a_page=(f"<ul>{ROWS}</ul>", "up", False),
    the_bottom_of_a_page=(f"<ul>{ROWS}</ul>", "down", True),
    the_bottom_of_a_list=(BOX.format(ROWS), "down", True),
    sideways_where_nothing_is=(f"<ul>{ROWS}</ul>", "right", False),
    content_that_never_scrolls="<div style='height:5000px;overflow:hidden'>x</div>",
)
def test_a_scroll_without_effect_says_so_and_the_third_hints_another_way(
    hands: Hands, case: tuple[str, str, bool] | str
) -> None:
    page, way, moves = case if isinstance(case, tuple) else (case, "left", False)
    hands.show(page)
    if moves:
        assert hands.do("scroll", "bottom")["scroll"]["effect"] is True
    answers = [hands.do("scroll", way) for _ in range(3)]
    for answer in answers:
        assert answer["scroll"]["effect"] is False
        assert answer["scroll"]["movedX"] == answer["scroll"]["movedY"] == 0
        assert "Nothing moved" in answer["hint"] or "moved nothing" in answer["hint"]
    assert answers[2]["hint"] != answers[1]["hint"]
    assert "surefoot s" in answers[2]["hint"]
    text = hands.text("scroll", way)
    assert "moved nothing" in text
    assert not text.lower().startswith("scrolled")


@cases("B049", a_scroll_with_effect=f"<ul>{ROWS}</ul>")
def test_a_scroll_with_effect_says_how_far(hands: Hands, case: str) -> None:
    hands.show(case)
    scrolled = hands.do("scroll", "down", "--pixels", "200")["scroll"]
    assert (scrolled["movedY"], scrolled["effect"]) == (200, True)


# B052: the last row shows ten pixels of itself; what "in view" then means.
@cases(
    "B052",
    in_a_list="<ul style='height:210px;overflow:auto;margin:0;padding:0'>"
    + "".join(f"<li style='height:40px'>Row {n}</li>" for n in range(1, 31))
    + "</ul>",
    in_the_page="<ul style='margin:0;padding:0'>"
    + "".join(f"<li style='height:40px'>Row {n}</li>" for n in range(1, 61))
    + "</ul>",
)
def test_a_row_of_which_a_strip_shows_is_scrolled_to(hands: Hands, case: str) -> None:
    hands.show("<style>body {margin:0}</style>" + case)
    hands.do("viewport", "800x610")
    row = "Row 6" if "overflow" in case else "Row 16"
    before = next(node["rect"] for node in hands.nodes() if node.get("label") == row)
    assert before["height"] >= 15
    done = hands.do("scroll", "down", "--until", f'label="{row}"')
    assert done["scroll"]["scrolls"] >= 1
    after = next(node["rect"] for node in hands.nodes() if node.get("label") == row)
    assert after["y"] < before["y"]
    assert after["height"] == before["height"]


# B053: the eighth item of a sideways list; it takes hits nowhere until it is brought into view.
ITEMS = "".join(
    f"<button style='flex:0 0 300px' onclick=\"say('{n}')\">Item {n}</button>" for n in range(1, 12)
)


@cases(
    "B053",
    a_sideways_list=f"<div style='display:flex;overflow:auto;width:700px'>{ITEMS}</div>",
    a_list_that_hides_its_bar=f"<div style='display:flex;overflow-x:hidden;width:700px'>{ITEMS}</div>",
    a_list_in_a_list="<div style='height:120px;overflow:auto'><div style='height:400px'></div>"
    f"<div style='display:flex;overflow:auto;width:700px'>{ITEMS}</div></div>",
    snapping="<div style='display:flex;overflow:auto;width:700px;scroll-snap-type:x mandatory'>"
    + ITEMS.replace("flex:0", "scroll-snap-align:start;flex:0")
    + "</div>",
)
def test_what_lies_outside_its_scroll_container_is_never_pressed_blindly(
    hands: Hands, case: str
) -> None:
    hands.show(case)
    shown = [node["label"] for node in hands.nodes("-i") if node.get("label", "").startswith("Item")]
    assert "Item 8" not in shown
    pressed = hands.ask("press", 'label="Item 8"')
    if pressed.body["success"]:
        assert hands.said() == "8"
    else:
        assert pressed.code in ("ELEMENT_OFFSCREEN", "ELEMENT_COVERED")
        assert hands.said() == ""


@cases(
    "B053", clipped_and_unreachable=f"<div style='display:flex;overflow:clip;width:700px'>{ITEMS}</div>"
)
def test_what_is_clipped_away_for_good_is_refused(hands: Hands, case: str) -> None:
    hands.show(case)
    refused = hands.ask("press", 'label="Item 8"')
    assert refused.code in ("ELEMENT_OFFSCREEN", "ELEMENT_COVERED")
    assert hands.said() == ""


VIRTUAL = """<div id=v style="height:560px;overflow:auto;position:relative">
<div id=pad></div></div><script>
const total = %d, h = 20, window_ = 40;
pad.style.height = total * h + 'px';
function draw() {
  v.querySelectorAll('p').forEach(p => p.remove());
  const first = Math.max(0, Math.min(total - window_, Math.floor(v.scrollTop / h) - 3));
  for (let i = first; i < Math.min(total, first + window_); i++) {
    const p = document.createElement('p');
    p.style.cssText = `position:absolute;margin:0;height:${h}px;top:${i * h}px`;
    p.textContent = 'Row ' + (i + 1);
    v.append(p);
  }
}
v.onscroll = draw; draw();
</script>"""
ENDLESS = """<ul id=l></ul><script>
let n = 0;
function more() { for (let i = 0; i < 30; i++) { const li = document.createElement('li');
  li.style.height = '30px'; li.textContent = 'Row ' + ++n; l.append(li) } }
onscroll = () => { if (innerHeight + scrollY > document.body.scrollHeight - 400) more() }; more();
</script>"""


@cases("B054", a_virtual_list_of_2000=(VIRTUAL % 2000, "Row 1500"), growing=(ENDLESS, "Row 200"))
def test_a_far_row_is_found(hands: Hands, case: tuple[str, str]) -> None:
    page, row = case
    hands.show(page)
    done = hands.do("scroll", "down", "--until", f'label="{row}"')
    assert done["scroll"]["found"] is True
    assert done["target"]["label"] == row
    assert any(node.get("label") == row and "offscreen" not in node for node in hands.nodes())


@cases("B054", a_row_that_is_nowhere=VIRTUAL % 300)
def test_a_row_that_does_not_exist_ends_at_a_proven_end(hands: Hands, case: str) -> None:
    hands.show(case)
    missed = hands.ask("scroll", "down", "--until", 'label="Row 9999"')
    assert missed.refused == ("ELEMENT_NOT_FOUND", "scroll_end_reached")
    details = missed.error["details"]
    assert details["scrolls"] > 10
    assert details["movedPixels"] >= 300 * 20 - 560
    assert "Row 300" in details["lastVisible"]
    assert 'label="Row 9999"' in missed.error["message"]


@cases("B054", a_list_without_end=ENDLESS)
def test_a_search_without_end_stops_in_time_and_says_how_far_it_came(hands: Hands, case: str) -> None:
    hands.show(case)
    missed = hands.ask("scroll", "down", "--until", "label=Nowhere", "--timeout", "1200")
    assert missed.refused == ("TIMEOUT", "scroll_budget_spent")
    details = missed.error["details"]
    assert details["scrolls"] >= 1
    assert details["lastVisible"]
    assert "--timeout" in missed.error["hint"]


@cases(
    "B054",
    on_another_platform='list virtual scroll=y height=500(listitem "Row ${i}" height=10 repeat=400)',
)
def test_a_virtual_list_of_another_platform_is_searched_too(hands: Hands, case: str) -> None:
    hands.app(f'document "App"({case})', flavour="android")
    assert hands.do("scroll", "down", "--until", 'label="Row 300"')["scroll"]["found"] is True
    missed = hands.ask("scroll", "down", "--until", 'label="Row 401"')
    assert missed.refused == ("ELEMENT_NOT_FOUND", "scroll_end_reached")
    assert "Row 400" in missed.error["details"]["lastVisible"]
