"""Elements are asked for their style where a rule can make it unusual, and the answer is the same.

Past a number of rules every element is asked (styles.js). So whatever is read of a page with few rules
must be read of it again once rules that match nothing have been added.
"""

# ruff: noqa: E501 - a page is one string: broken up it cannot be read
from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from msgspec.structs import asdict
from tests.support.see_cdp import Page, a_page, serving

from surefoot.drivers.web.see import capture

pytestmark = pytest.mark.asyncio(loop_scope="module")

CORPUS = Path(__file__).parent / "corpus"

TAGS = """a abbr address area article aside audio b bdi bdo big blockquote button canvas caption center
cite code data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font
footer form h1 h2 h3 h4 h5 h6 header hgroup hr i iframe img input ins kbd label legend li main map mark
math menu meter nav nobr object ol optgroup option output p picture pre progress q rp rt ruby s
samp search section select selectedcontent slot small span strike strong sub summary sup svg table tbody
td textarea tfoot th thead time tr tt u ul var video x-custom xmp"""

ATTRIBUTES: list[dict[str, str]] = [
    {},
    {"href": "#"},
    {"disabled": ""},
    {"hidden": "until-found"},
    {"popover": "manual"},
    {"contenteditable": ""},
    {"controls": ""},
    {"open": ""},
    {"multiple": ""},
    {"type": "file"},
    {"type": "range"},
    {"type": "image"},
    {"type": "submit"},
    {"readonly": ""},
    {"draggable": "true"},
    {"size": "5"},
    {"tabindex": "0"},
    {"style": "opacity: 0"},
    {"style": "overflow: scroll; height: 9px"},
]

EVERY_TAG = """<!doctype html><p>x</p><main id=m></main><script>
for (const tag of %s) for (const attributes of %s) {
  const el = document.createElement(tag);
  for (const name in attributes) el.setAttribute(name, attributes[name]);
  el.setAttribute('aria-label', tag);
  el.append('text');
  m.append(el);
}
</script>"""

# Name of a style: the page, and what has to be so of the node labelled "it".
STYLES: dict[str, tuple[str, dict[str, Any]]] = {
    "a pointer": (
        "<style>.p{cursor:pointer}</style><div class=p aria-label=it>x</div>",
        {"hittable": True},
    ),
    "a pointer of its parent": (
        "<style>.p{cursor:pointer}</style><div class=p aria-label=around><div aria-label=it>x</div></div>",
        {"hittable": False},
    ),
    "a pointer of the whole page": (
        "<style>html{cursor:pointer}</style><div aria-label=it>x</div>",
        {"hittable": False},
    ),
    "a link that is none": ("<div><a aria-label=it>x</a></div>", {"hittable": False}),
    "a pointer in a label, which has none": (
        "<style>.p{cursor:pointer}</style><div class=p><label><span class=p aria-label=it>x</span></label></div>",
        {"hittable": True},
    ),
    "no opacity": (
        "<style>.t{opacity:0}</style><div class=t><button>it</button></div>",
        {"visible": False},
    ),
    "a page without opacity": ("<style>html{opacity:0}</style><button>it</button>", {"visible": False}),
    "a rule in a media query": (
        "<style>@media screen{.t{opacity:0}}</style><button class=t>it</button>",
        {"visible": False},
    ),
    "a rule of a layer": (
        "<style>@layer one{.t{opacity:0}}</style><button class=t>it</button>",
        {"visible": False},
    ),
    "a nested rule": (
        "<style>main{& button{opacity:0}}</style><main><button>it</button></main>",
        {"visible": False},
    ),
    "a declaration after a nested rule": (
        "<style>button{& b{color:red} opacity:0}</style><button>it</button>",
        {"visible": False},
    ),
    "a rule of a scope": (
        "<style>@scope (main){:scope{opacity:0}}</style><main><button>it</button></main>",
        {"visible": False},
    ),
    "an imported rule": (
        "<style>@import 'data:text/css,button{opacity:0}';</style><button>it</button>",
        {"visible": False},
    ),
    "a variable": (
        "<style>:root{--o:0} button{opacity:var(--o)}</style><button>it</button>",
        {"visible": False},
    ),
    "an attribute's style": ("<button style='opacity:0'>it</button>", {"visible": False}),
    "a style set by script": (
        "<button id=b>it</button><script>b.style.opacity = 0</script>",
        {"visible": False},
    ),
    "an adopted style sheet": (
        "<button>it</button><script>const s = new CSSStyleSheet(); s.replaceSync('button{opacity:0}'); document.adoptedStyleSheets = [s]</script>",
        {"visible": False},
    ),
    "a rule rewritten in place": (
        "<style id=s>button{color:red}</style><button>it</button><script>s.sheet.cssRules[0].style.opacity = 0</script>",
        {"visible": False},
    ),
    "a finished animation that holds": (
        "<button id=b>it</button><script>b.animate([{opacity:1},{opacity:0}], {duration:1, fill:'forwards'}).finish()</script>",
        {"visible": False},
    ),
    "everything reset": (
        "<style>div{cursor:pointer} .u{all:initial}</style><div><div class=u><div aria-label=it>x</div></div></div>",
        {"hittable": True},
    ),
    "a visible child of a hidden parent": (
        "<style>.h{visibility:hidden} .v{visibility:visible}</style><div class=h>no<button class=v>it</button></div>",
        {"visible": True},
    ),
    "a style in a shadow root": (
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML = '<style>button{opacity:0}</style><button>it</button>'</script>",
        {"visible": False},
    ),
    "a scroll container": (
        "<style>.s{overflow:auto;height:20px}</style><div class=s aria-label=it><p style='height:90px'>x</p></div>",
        {"scroll": True},
    ),
    "one direction of overflow": (
        "<style>.s{overflow-y:scroll;height:20px}</style><div class=s aria-label=it><p style='height:90px'>x</p></div>",
        {"scroll": True},
    ),
    "overflow of an inline box": (
        "<style>.s{overflow:auto}</style><p><span class=s aria-label=it>x</span></p>",
        {"scroll": False},
    ),
    "an owned child": (
        "<style>.p{cursor:pointer}</style><div aria-label=owner aria-owns=o></div><div class=p aria-label=p><div id=o aria-label=it>x</div></div>",
        {},
    ),
    "a popover": (
        "<div popover id=p style='height:20px' aria-label=it><p style='height:90px'>x</p></div><script>p.showPopover()</script>",
        {"scroll": True},
    ),
    "a modal dialog": (
        "<body style='cursor:pointer'><dialog id=d aria-label=it><p>x</p></dialog><script>d.showModal()</script>",
        {},
    ),
}

ADD_RULES = """new Promise(done => {
  const more = document.createElement('style');
  more.textContent = Array.from({length: 100}, (_, i) => `.none-${i}{color:red}`).join('');
  document.head.append(more);
  requestAnimationFrame(() => done(0));
})"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def page() -> AsyncIterator[Page]:
    async with a_page() as made:
        yield made


async def seen(page: Page) -> list[dict[str, Any]]:
    return [asdict(node) for node in (await capture(page)).tree]


async def both_ways(page: Page) -> list[dict[str, Any]]:
    """The nodes as read with few rules, which must be those read with many."""
    few = await seen(page)
    await page.run(ADD_RULES)
    many = await seen(page)
    assert few == many
    return few


@pytest.mark.parametrize("around", ["", "cursor: pointer", "visibility: hidden"])
async def test_no_tag_or_attribute_is_taken_for_another(around: str, page: Page) -> None:
    document = EVERY_TAG % (json.dumps(TAGS.split()), json.dumps(ATTRIBUTES))
    await page.show(document.replace("<main id=m>", f'<main id=m style="{around}">'))
    nodes = await both_ways(page)
    assert (len(nodes) > 1_000) == ("hidden" not in around)


@pytest.mark.parametrize("name", STYLES)
async def test_a_style_is_seen_wherever_it_comes_from(name: str, page: Page) -> None:
    html, wanted = STYLES[name]
    await page.show(html)
    it = next(node for node in await both_ways(page) if node["label"] == "it")
    assert {key: bool(it[key]) for key in wanted} == wanted


async def test_the_corpus_is_read_the_same_both_ways(page: Page) -> None:
    with serving(str(CORPUS)) as port:
        for path in sorted(CORPUS.glob("*.html")):
            await page.goto(f"http://127.0.0.1:{port}/{path.name}")
            await both_ways(page)
