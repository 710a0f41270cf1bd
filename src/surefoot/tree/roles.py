"""What a node is, in one vocabulary: lower-case ARIA-style tokens on every platform.

One alias table (identity.md 7; decisions.md, "seams"): whatever a platform, an older script or a
person calls a role, :func:`canonical_role` says what we call it. Trees, selectors and evidence all
pass through it, so the two sides of a comparison cannot drift apart.
"""

from __future__ import annotations

import re
from functools import lru_cache

MAX_ROLE_CHARS = 64

# Canonical role: the other names it goes by, squashed (lower case, no blanks, ``-``, ``_``).
# ARIA's own synonyms first, then desktop (AT-SPI, AX, UIA), iOS, Android and toolkit names.
ALIASES: dict[str, tuple[str, ...]] = {
    "alert": ("notification",),
    "application": ("app",),
    "article": ("documentarticle",),
    "blockquote": ("quote",),
    "button": (
        "pushbutton",
        "btn",
        "imagebutton",
        "materialbutton",
        "floatingactionbutton",
        "togglebutton",
        "menubutton",
        "pushbuttonmenu",
        "toolbarbutton",
        "popupbutton",
        "splitbutton",
        "disclosuretriangle",
        "appcompatbutton",
        "appcompatimagebutton",
    ),
    "caption": ("captiontext", "labelcaption"),
    "cell": ("tablecell", "dataitem", "staticcell", "documentcell"),
    "checkbox": ("check", "checkboxbutton", "appcompatcheckbox", "checkedtextview"),
    "columnheader": ("tablecolumnheader", "headeritem"),
    "combobox": (
        "spinner",
        "combo",
        "comboboxbutton",
        "select",
        "dropdown",
        "picker",
        "dropdownlist",
        "appcompatspinner",
    ),
    "dialog": ("sheet", "modal", "popover", "bottomsheet"),
    "document": (
        "rootwebarea",
        "webarea",
        "documentweb",
        "documentframe",
        "webview",
        "wkwebview",
        "documenttext",
        "htmldocument",
    ),
    "form": ("landmarkform",),
    "generic": (
        "none",
        "presentation",
        "genericcontainer",
        "genericelement",
        "div",
        "span",
        "section",
        "view",
        "viewgroup",
        "linearlayout",
        "relativelayout",
        "framelayout",
        "constraintlayout",
        "coordinatorlayout",
        "cardview",
        "composeview",
        "panel",
        "pane",
        "filler",
        "box",
        "other",
        "unknown",
        "redundantobject",
        "layoutitem",
        "layoutarea",
        "reactviewgroup",
        "rctview",
        "custom",
        "splitpane",
        "splitgroup",
        "layeredpane",
        "rootpane",
        "glasspane",
        "internalframe",
        "fragmentcontainerview",
        "androidxcomposeview",
    ),
    "grid": ("datagrid", "gridview", "collectionview"),
    "gridcell": (),
    "group": ("grouping", "fieldset", "details", "radiogroupbox"),
    "heading": ("headline", "h1", "h2", "h3", "h4", "h5", "h6"),
    "iframe": ("frameelement", "iframepresentational"),
    "img": ("image", "imageview", "picture", "icon", "graphic", "appcompatimageview", "rctimageview"),
    "link": ("hyperlink", "anchor", "linkbutton"),
    "list": ("listview", "recyclerview", "descriptionlist", "directory", "ul", "ol"),
    "listbox": ("listboxoptions", "selectlist"),
    "listitem": ("item", "li", "listrow", "collectioncell"),
    "mark": ("highlight",),
    "math": ("mathml",),
    "menu": ("popupmenu", "contextmenu"),
    "menubar": (),
    "menuitem": ("menubaritem", "menuentry", "actionmenuitemview"),
    "menuitemcheckbox": ("checkmenuitem",),
    "menuitemradio": ("radiomenuitem",),
    "meter": ("levelbar", "levelindicator", "relevanceindicator"),
    "navigation": ("navigationbar", "nav", "landmarknavigation"),
    "option": ("listboxoption", "menulistoption", "pickerwheeloption"),
    "paragraph": ("p",),
    "progressbar": (
        "progressindicator",
        "activityindicator",
        "busyindicator",
        "progress",
        "contentloadingprogressbar",
    ),
    "radio": ("radiobutton", "appcompatradiobutton"),
    "radiogroup": (),
    "region": ("landmark", "landmarkregion"),
    "row": ("tablerow", "datarow"),
    "rowheader": ("tablerowheader",),
    "scrollbar": ("valueindicatorbar",),
    "scrollview": (
        "scrollarea",
        "scrollpane",
        "scrollviewer",
        "scrollcontainer",
        "horizontalscrollview",
        "nestedscrollview",
        "viewport",
        "rctscrollview",
        "reactscrollview",
        "viewpager",
        "viewpager2",
    ),
    "search": ("landmarksearch",),
    "searchbox": ("searchfield", "searchtext", "searchview", "searchbar"),
    "separator": ("splitter", "divider", "hr"),
    "slider": ("seekbar", "adjustable", "ratingbar", "appcompatseekbar"),
    "spinbutton": ("stepper", "numberfield", "numberpicker", "incrementor", "spinbox"),
    "status": ("statusbar", "statictextstatus", "snackbar", "toast"),
    "switch": ("switchbutton", "switchcompat", "switchmaterial"),
    "tab": ("pagetab", "tabitem", "tabbutton", "radiotab"),
    "table": ("tableview", "treetable", "tablelayout"),
    "tablist": ("pagetablist", "tabgroup", "tabbar", "tabbarlist", "tablayout", "tabs", "tabwidget"),
    "tabpanel": ("tabview",),
    "text": (
        "statictext",
        "textview",
        "label",
        "labeltext",
        "inlinetextbox",
        "appcompattextview",
        "materialtextview",
        "rcttext",
        "reacttextview",
        "textrun",
        "textleaf",
    ),
    "textbox": (
        "textfield",
        "textarea",
        "edittext",
        "entry",
        "edit",
        "input",
        "textinput",
        "textentry",
        "securetextfield",
        "passwordtext",
        "passwordfield",
        "editbar",
        "editabletext",
        "appcompatedittext",
        "textinputedittext",
        "autocompletetextview",
        "multiautocompletetextview",
        "rctsinglelinetextinputview",
        "rctmultilinetextinputview",
    ),
    "toolbar": ("actionbar",),
    "tooltip": ("helptag", "tip"),
    "tree": ("outline", "treeview"),
    "treegrid": (),
    "treeitem": ("outlinerow", "treenode"),
    "window": ("frame", "standardwindow", "topwindow", "mainwindow"),
}

# Names whose meaning depends on the platform whose prefix they carry: an AT-SPI ``table cell`` is
# a cell, an iOS ``XCUIElementTypeCell`` is a row of a list.
PLATFORM_ALIASES: dict[str, str] = {
    "xcuielementtypecell": "listitem",
    "xcuielementtypetextview": "textbox",
    "uitextview": "textbox",
    "xcuielementtypetable": "list",
    "xcuielementtypecollectionview": "list",
    "xcuielementtypestatusbar": "status",
    "xcuielementtypealert": "alertdialog",
    "xcuielementtypekey": "button",
    "xcuielementtypepickerwheel": "spinbutton",
    "xcuielementtypesegmentedcontrol": "tablist",
    "xcuielementtypepageindicator": "meter",
    "xcuielementtypeheader": "heading",
    "axheader": "row",
    "axradiogroup": "radiogroup",
    "axtextfieldsecure": "textbox",
    "axcell": "cell",
    "axsheet": "dialog",
    "axincrementor": "spinbutton",
    "android.app.dialog": "dialog",
    "android.app.alertdialog": "alertdialog",
    "android.widget.gridview": "list",
    "android.widget.togglebutton": "switch",
    "android.widget.toast": "status",
    "androidx.appcompat.app.actionbar$tab": "tab",
    "android.app.actionbar$tab": "tab",
}

ITEM_ROLES = frozenset({"listitem", "row", "option", "treeitem", "menuitem", "article"})
"""Roles of which one is an item of a collection (identity.md 1)."""

INTERACTIVE_ROLES = frozenset(
    (
        "button",
        "checkbox",
        "combobox",
        "link",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "radio",
        "searchbox",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "textbox",
        "treeitem",
    )
)
"""Roles that take activation by themselves (the peer's ``isSemanticTouchTarget``)."""

TEXT_ENTRY_ROLES = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})

LANDMARK_ROLES = frozenset(
    ["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"]
)

DOCUMENT_ROLE = "document"
"""The root of a page or a frame; its label is the title, which stands on no screen."""

PAGE_ROLES = frozenset({DOCUMENT_ROLE, "window", "application", "iframe", "main"})
"""Roles that span a page or a window: never what a press on something inside them is meant for."""

DIALOG_ROLES = frozenset({"dialog", "alertdialog"})

CONTAINER_ROLES = (
    frozenset(
        (
            "generic",
            "group",
            "list",
            "listbox",
            "menu",
            "menubar",
            "radiogroup",
            "row",
            "rowgroup",
            "scrollview",
            "table",
            "tablist",
            "tabpanel",
            "toolbar",
            "tree",
            "treegrid",
            "grid",
            "article",
            "feed",
            "figure",
            "listitem",
            "cell",
            "gridcell",
        )
    )
    | LANDMARK_ROLES
    | PAGE_ROLES
    | DIALOG_ROLES
)
"""Roles whose job is to hold other nodes."""

_SQUASH = re.compile(r"[\s_\-]+")
_UNSAFE = re.compile(r"[^a-z0-9]")
_PREFIXES = ("xcuielementtype", "uia", "ax", "ui")


def _by_alias() -> dict[str, str]:
    table: dict[str, str] = {}
    for canonical, names in ALIASES.items():
        table[canonical] = canonical
        for name in names:
            if name in table:
                raise ValueError(f"role alias {name!r} is listed twice")
            table[name] = canonical
    return table


_BY_ALIAS = _by_alias()


@lru_cache(maxsize=4096)
def canonical_role(name: str) -> str:
    """The role ``name`` stands for: an ARIA-style token of ``[a-z0-9]``, never longer than 64.

    Reads ARIA roles, Chromium's, AT-SPI's (``push button``), iOS's (``XCUIElementTypeButton``,
    ``AXButton``) and Android's class names (``android.widget.CheckBox``). An unknown name is squashed
    and kept; one that squashes to nothing is ``generic``. Idempotent.
    """
    squashed = _SQUASH.sub("", name.strip().lower())
    if squashed in PLATFORM_ALIASES:
        return PLATFORM_ALIASES[squashed]
    # A class name: the last segment, and of a nested class the inner one.
    segment = squashed.rsplit(".", 1)[-1].rsplit("$", 1)[-1]
    token = _UNSAFE.sub("", segment)[:MAX_ROLE_CHARS]
    if token in PLATFORM_ALIASES:
        return PLATFORM_ALIASES[token]
    if token in _BY_ALIAS:
        return _BY_ALIAS[token]
    for prefix in _PREFIXES:
        rest = token.removeprefix(prefix)
        if rest != token and rest in _BY_ALIAS:
            return _BY_ALIAS[rest]
    return token or "generic"
