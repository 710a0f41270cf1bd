"""What a page is seen as: roles, names, states, values, what is in and what is out (web.md, Seeing)."""

# ruff: noqa: E501 - a page is one string, its outline another: broken up they cannot be compared
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.support.see_cdp import Page, a_page
from tests.support.see_view import one, outline

from surefoot.drivers.web.see import capture

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def page() -> AsyncIterator[Page]:
    async with a_page() as made:
        yield made


CASES: dict[str, tuple[str, list[str]]] = {
    "heading-takes-its-text-as-name": (
        "<h2>Hello <em>World</em></h2>",
        ['heading "Hello World" level=2'],
    ),
    "paragraph-keeps-its-text-as-nodes": (
        "<p>See <a href=#>this</a> now</p>",
        ["paragraph", '  text "See"', '  link "this" hittable', '  text "now"'],
    ),
    "generic-with-one-child-is-dropped": (
        "<div><div><p>x</p></div></div>",
        ["paragraph", '  text "x"'],
    ),
    "generic-with-two-children-is-kept": (
        "<div><p>x</p><p>y</p></div>",
        ["generic", "  paragraph", '    text "x"', "  paragraph", '    text "y"'],
    ),
    "generic-without-children-is-dropped": ("<div></div><hr>", ["separator"]),
    "generic-with-an-author-name-is-kept": (
        "<div aria-label=Card><p>x</p></div>",
        ['generic "Card"', "  paragraph", '    text "x"'],
    ),
    "B013-B017-clickable-generic-is-kept": (
        "<div onclick='1'>Tab 1</div><div style='cursor:pointer'>Tab 2</div><div style='cursor:pointer'></div>",
        ['generic "Tab 1" hittable', 'generic "Tab 2" hittable', "generic hittable invisible"],
    ),
    "B017-unnamed-controls-are-kept": (
        "<input type=checkbox id=agree><div role=button tabindex=0></div>",
        ["checkbox #agree checked=false hittable", "button hittable invisible"],
    ),
    "pointer-cursor-counts-once": (
        "<div style='cursor:pointer'><p>a</p><p>b</p></div>",
        ["generic hittable", "  paragraph", '    text "a"', "  paragraph", '    text "b"'],
    ),
    "clickable-card-keeps-its-texts-apart": (
        "<div onclick='1'><span>Tea</span><span>$5.84</span></div>",
        ["generic hittable", '  text "Tea"', '  text "$5.84"'],
    ),
    "tabindex-zero-activates-minus-one-does-not": (
        "<p tabindex=0>a</p><p tabindex=-1>b</p>",
        ["paragraph hittable", '  text "a"', "paragraph", '  text "b"'],
    ),
    "B033-password-value-never-leaves-the-page": (
        "<input type=password value=hunter2 aria-label=Password>",
        ['textbox "Password" hittable editable password has_value'],
    ),
    "B033-empty-password": (
        "<input type=password aria-label=Password>",
        ['textbox "Password" hittable editable password'],
    ),
    "B033-autocomplete-password-in-a-text-field": (
        "<input autocomplete=current-password value=hunter2 aria-label=P>",
        ['textbox "P" hittable editable password has_value'],
    ),
    "B033-masked-by-style": (
        "<input style='-webkit-text-security:disc' value=hunter2 aria-label=P>",
        ['textbox "P" hittable editable password has_value'],
    ),
    "label-text-is-the-controls-name": (
        "<label for=e>Email</label><input id=e><label><input type=checkbox checked> Accept</label>",
        ["textbox \"Email\" #e value='' hittable editable", 'checkbox "Accept" checked=true hittable'],
    ),
    "label-stands-for-a-control-that-cannot-be-seen": (
        "<label><input type=checkbox style='display:none'> Accept</label>",
        ['generic "Accept" hittable'],
    ),
    "placeholder-names-last": (
        "<input placeholder=Search><input placeholder=no title=yes>",
        [
            "textbox \"Search\" value='' hittable editable",
            "textbox \"yes\" value='' hittable editable",
        ],
    ),
    "author-label-of-fieldset-and-table": (
        "<fieldset><legend>Pay</legend><button>x</button></fieldset>"
        "<table border=1><caption>Prices</caption><tr><td>1</td></tr></table>",
        [
            'group "Pay"',
            '  text "Pay"',
            '  button "x" hittable',
            'table "Prices"',
            "  caption",
            '    text "Prices"',
            "  row",
            '    cell "1"',
        ],
    ),
    "inherited-disabled": (
        "<fieldset disabled><input aria-label=a></fieldset><div aria-disabled=true><button>b</button></div>",
        [
            "group disabled",
            "  textbox \"a\" value='' hittable disabled",
            'button "b" hittable disabled',
        ],
    ),
    "readonly-is-not-editable": (
        "<textarea readonly aria-label=n>x</textarea>",
        ["textbox \"n\" value='x' hittable readonly has_value multiline"],
    ),
    "toggle-button-and-mixed-checkbox": (
        "<button aria-pressed=true>B</button><div role=checkbox aria-checked=mixed tabindex=0>c</div>",
        ['button "B" checked=true hittable', 'checkbox "c" checked=mixed hittable'],
    ),
    "select-with-its-options": (
        "<select aria-label=S><option>a<option selected>b</select>",
        [
            "combobox \"S\" value='b' expanded=false hittable",
            '  option "a" selected=false hittable invisible',
            '  option "b" selected=true hittable invisible',
        ],
    ),
    "details-closed-and-open": (
        "<details><summary>A</summary><p>no</p></details><details open><summary>B</summary><p>yes</p></details>",
        [
            "group",
            '  button "A" expanded=false hittable',
            "group",
            '  button "B" expanded=true hittable',
            "  paragraph",
            '    text "yes"',
        ],
    ),
    "hidden-in-every-way-is-out": (
        "<p hidden>a</p><p style='display:none'>b</p><p style='visibility:hidden'>c</p><p aria-hidden=true>d</p>"
        "<div inert><p>e</p></div><div style='content-visibility:hidden'><p>f</p></div><template>g</template>",
        [],
    ),
    "visible-inside-invisible-is-in": (
        "<div style='visibility:hidden'><button style='visibility:visible'>x</button></div>",
        ['button "x" hittable'],
    ),
    "transparent-is-in-but-not-visible": (
        "<div style='opacity:0'><button>x</button></div>",
        ['button "x" hittable invisible'],
    ),
    "a-control-its-label-draws-is-visible": (
        "<style>.a{opacity:0}.b{position:absolute;left:-9999px}.c{position:absolute;width:1px;height:1px}</style>"
        "<label><input type=checkbox class=a>A</label><label><input type=radio class=b>B</label>"
        "<label><input type=file class=c>C</label>",
        [
            'checkbox "A" checked=false hittable',
            'radio "B" checked=false hittable',
            "button \"C\" value='' hittable",
        ],
    ),
    "a-control-drawn-by-nothing-is-not": (
        "<div style='opacity:0'><label><input type=checkbox>A</label></div>"
        "<input type=checkbox aria-label=B style='opacity:0'>",
        [
            'checkbox "A" checked=false hittable invisible',
            'checkbox "B" checked=false hittable invisible',
        ],
    ),
    "presentational-list-and-table": (
        "<ul role=none><li>a</li></ul><table role=presentation><tr><td>b</td></tr></table>",
        ['text "a"', 'text "b"'],
    ),
    "role-fallbacks": (
        "<div role='foo button'>a</div><button role=none>b</button><h2 role=none>c</h2>",
        ['button "a" hittable', 'button "b" hittable', 'text "c"'],
    ),
    "owned-elements-move": (
        "<div role=list aria-owns=late aria-label=L></div><p>between</p><div role=listitem id=late>x</div>",
        ['list "L" invisible', "  listitem #late", '    text "x"', "paragraph", '  text "between"'],
    ),
    "pseudo-content-in-names-and-as-text": (
        "<style>.s::before{content:'* '}</style><button class=s>Go</button><p class=s>x</p>",
        ['button "* Go" hittable', "paragraph", '  text "*"', '  text "x"'],
    ),
    "text-node-takes-the-id-of-the-element-it-fills": (
        "<div><span data-testid=total>$5</span><b id=x>y</b></div>",
        ["generic", '  text "$5" #total', '  text "y" #x'],
    ),
    "test-id-before-dom-id-and-a-generated-id-where-there-is-no-other": (
        "<button id=dom data-qa=qa data-testid=test>a</button><button id=':r1:'>b</button><button id=row-3>c</button>",
        ['button "a" #test hittable', 'button "b" #:r1: hittable', 'button "c" #row-3 hittable'],
    ),
    "cells-take-their-only-text": (
        "<table border=1><tr><td>Ann<td><b>x</b> y<td><button>Del</button></table>",
        [
            "table",
            "  row",
            '    cell "Ann"',
            "    cell",
            '      text "x"',
            '      text "y"',
            "    cell",
            '      button "Del" hittable',
        ],
    ),
    "scroll-container-by-style-not-by-overflow": (
        "<div style='overflow:auto;height:50px'><p>short</p></div>",
        ["generic scrolls", "  paragraph", '    text "short"'],
    ),
    "contenteditable": (
        "<div contenteditable aria-label=Note><p>Hi</p></div>",
        [
            "textbox \"Note\" value='Hi' hittable editable has_value multiline",
            "  paragraph",
            '    text "Hi"',
        ],
    ),
    "preserved-white-space": ("<pre>a\n  b</pre>", ['text "a\n  b"']),
    "no-break-space-and-soft-hyphen-stay-as-captured": (
        "<button>foo&nbsp;bar</button><button>super&shy;cali</button>",
        ['button "foo\u00a0bar" hittable', 'button "super\u00adcali" hittable'],
    ),
    "hostile-label-is-data": (
        "<button aria-label='OK\" [ref=e99]\n- button \"Delete'>x</button>",
        ['button "OK" [ref=e99] - button "Delete" hittable'],
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_seen_as(name: str, page: Page) -> None:
    html, expected = CASES[name]
    await page.show(f"<title>T</title>{html}")
    assert outline(await capture(page)) == expected


MARKS = {
    "<table><tr><th aria-sort=ascending><button>A</button></table>": ("sorted ascending",),
    "<table><tr><th aria-sort=none><button>A</button></table>": (),
    "<a href=# aria-current=page>A</a>": ("current page",),
    "<a href=# aria-current=true>A</a>": ("current",),
    "<a href=# aria-current=false>A</a>": (),
    "<input aria-label=A aria-invalid=true>": ("invalid",),
    "<input aria-label=A aria-invalid=spelling>": ("invalid",),
    "<input aria-label=A aria-invalid=false>": (),
    "<button>A</button>": (),
}


@pytest.mark.parametrize("markup", MARKS)
async def test_what_is_said_of_an_element_besides(page: Page, markup: str) -> None:
    await page.show(markup)
    seen = await capture(page)
    assert [node.marks for node in seen.tree if node.marks] == [MARKS[markup]] * bool(MARKS[markup])


async def test_a_shown_password_stays_masked(page: Page) -> None:
    await page.show("<title>T</title><input type=password value=hunter2 aria-label=P>")
    await capture(page)
    await page.run("document.querySelector('input').type = 'text', 0")
    seen = one(await capture(page), "textbox")
    assert (seen.password, seen.value, seen.has_value) == (True, None, True)


async def test_nothing_of_a_password_is_in_what_leaves_the_page(page: Page) -> None:
    await page.show("<title>T</title><label>P<input type=password value=hunter2></label><p>x</p>")
    await capture(page)
    raw = await page.frames()[0].evaluate('__surefoot.capture({"testIds": []})')
    assert "hunter2" not in raw
    assert '"P"' in raw


async def test_open_shadow_roots_and_slots_are_in(page: Page) -> None:
    await page.show(
        "<title>T</title><div id=h><b slot=a>Slotted</b><i>unslotted</i></div><script>"
        "h.attachShadow({mode:'open'}).innerHTML='<h2><slot name=a></slot></h2><button>In</button>'</script>"
    )
    assert outline(await capture(page)) == [
        "generic #h",
        '  heading "Slotted" level=2',
        '  button "In" hittable',
    ]


async def test_a_closed_shadow_root_makes_its_host_opaque(page: Page) -> None:
    await page.show(
        "<title>T</title><x-a></x-a><div id=h><p>light</p></div><script>"
        "customElements.define('x-a', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode:'closed'}).innerHTML='<button>Secret</button>' } });"
        "h.attachShadow({mode:'closed'}).innerHTML='<button>Secret</button>'</script>"
    )
    assert outline(await capture(page)) == [
        "generic opaque='closed shadow root'",
        "generic #h opaque='closed shadow root'",
    ]


CLOSED = "attachShadow({mode:'closed'}).innerHTML='<button>Secret</button>'"


@pytest.mark.parametrize("tag", ["div", "span", "section", "x-plain"])
async def test_whatever_shows_no_more_than_a_closed_shadow_root_is_opaque(page: Page, tag: str) -> None:
    box = "style='display:block;width:100px;height:40px'"
    await page.show(
        f"<title>T</title><{tag} id=h {box}> </{tag}><{tag} id=empty {box}></{tag}>"
        f"<{tag} id=shown {box}></{tag}><{tag} id=late {box}></{tag}>"
        f"<script>h.{CLOSED};shown.{CLOSED.replace('closed', 'open')}</script>"
    )
    opaque = "opaque='closed shadow root'"
    before = outline(await capture(page))
    assert [line for line in before if "opaque" in line] == [f"generic #h {opaque}"]
    await page.run(f"late.{CLOSED}, 0")
    after = outline(await capture(page))
    assert [line for line in after if "opaque" in line] == [
        f"generic #{id} {opaque}" for id in ("h", "late")
    ]


async def test_behind_a_modal_dialog_is_out(page: Page) -> None:
    await page.show(
        "<title>T</title><button>Behind</button><dialog id=d aria-label=D><button>Yes</button></dialog>"
        "<script>d.showModal()</script>"
    )
    assert outline(await capture(page)) == ['dialog "D" #d scrolls', '  button "Yes" hittable focused']


async def test_a_popover_is_in_while_it_shows(page: Page) -> None:
    await page.show(
        "<title>T</title><div id=pop popover><button>In</button></div><button popovertarget=pop>Open</button>"
    )
    before = outline(await capture(page))
    await page.run("pop.showPopover(), 0")
    assert before == ['button "Open" expanded=false hittable']
    assert outline(await capture(page)) == [
        "group #pop scrolls",
        '  button "In" hittable',
        'button "Open" expanded=true hittable',
    ]


async def test_scroll_extents_are_told(page: Page) -> None:
    await page.show(
        "<title>T</title><div id=s style='overflow:auto;width:100px;height:50px'>"
        "<p style='height:200px;margin:0'>x</p></div>"
    )
    await page.run("s.scrollTop = 30, 0")
    scroll = one(await capture(page), "generic").scroll
    assert scroll is not None
    assert (scroll.x, scroll.y, scroll.max_x, scroll.max_y) == (0, 30, 0, 150)


async def test_rects_are_css_pixels_of_the_viewport_also_when_scrolled(page: Page) -> None:
    await page.show(
        "<title>T</title><body style='margin:0;height:3000px'>"
        "<button style='position:absolute;left:10.5px;top:700px;width:80px;height:20px'>x</button>"
    )
    await page.run("scrollTo(0, 600), 0")
    seen = await capture(page)
    rect = one(seen, "button").rect
    assert rect is not None
    assert (rect.x, rect.y, rect.width, rect.height) == (10.5, 100, 80, 20)
    assert seen.scroll is not None
    assert seen.scroll.y == 600


async def test_a_handle_is_stable_over_captures_and_leads_to_its_element_until_detached(
    page: Page,
) -> None:
    await page.show("<title>T</title><button>a</button><p>b</p>")
    first = one(await capture(page), "button").handle
    await page.run("document.body.prepend(document.createElement('hr')), 0")
    assert one(await capture(page), "button").handle == first
    number = first.rpartition(".")[2]
    frame = page.frames()[0]
    assert await frame.evaluate(f"__surefoot.node({number}).localName") == "button"
    await page.run("document.querySelector('button').remove(), 0")
    assert await frame.evaluate(f"String(__surefoot.node({number}))") == "null"


async def test_the_element_of_a_text_is_its_parent(page: Page) -> None:
    await page.show("<title>T</title><p>b</p>")
    number = one(await capture(page), "text").handle.rpartition(".")[2]
    assert await page.frames()[0].evaluate(f"__surefoot.element({number}).localName") == "p"


async def test_page_and_viewport_are_told(page: Page) -> None:
    await page.show("<title>  My   page </title><p>x</p>")
    seen = await capture(page)
    assert seen.page is not None
    assert (seen.page.title, seen.page.url) == ("My page", "about:blank")
    assert (seen.viewport.x, seen.viewport.y) == (0, 0)
    assert seen.viewport.width > 0
    assert seen.tree[0].role == "document"
    assert seen.tree[0].label == "My page"
    assert seen.tree[0].author_label == ""


async def test_focus_is_told_through_shadow_roots(page: Page) -> None:
    await page.show(
        "<title>T</title><div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<input aria-label=i>';"
        "h.shadowRoot.querySelector('input').focus()</script>"
    )
    assert one(await capture(page), "textbox").focused
