"""Our tree against Chromium's own accessibility tree, node by node, in both directions.

Nodes are matched through the browser's node ids. What is compared, and what is no difference:

- role (through the one alias table and ``INTERNAL_ROLES``) and name (white space collapsed);
- names of the containers of identity.md, 3 are compared with the author-given name only;
- a text of theirs that is (part of) the name of one of our nodes around it, or of the control its
  label names, is in our tree as that name; so is markup of words inside a name;
- unnamed generic boxes are structure each side thins out by its own rule (identity.md, 3).
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any

from tests.support.see_cdp import Page, PageFrame

from surefoot.drivers.web.see import capture
from surefoot.tree import INTERACTIVE_ROLES, Node, canonical_role

# Chromium's internal roles that have another name here.
INTERNAL_ROLES = {
    "RootWebArea": "document",
    "StaticText": "text",
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "LabelText": "generic",
    "Legend": "generic",
    "Details": "group",
    "DisclosureTriangle": "button",
    "DisclosureTriangleGrouped": "button",
    "Figcaption": "caption",
    "DescriptionList": "generic",
    "DescriptionListTerm": "term",
    "DescriptionListDetail": "definition",
    "Date": "textbox",
    "DateTime": "textbox",
    "InputTime": "textbox",
    "ColorWell": "button",
    "Abbr": "generic",
    "Pre": "generic",
    "Section": "generic",
    "HeaderAsNonLandmark": "sectionheader",
    "FooterAsNonLandmark": "sectionfooter",
    "SectionHeader": "sectionheader",
    "SectionFooter": "sectionfooter",
    "SvgRoot": "img",
    "Canvas": "canvas",
    "Audio": "audio",
    "Video": "video",
    "Ruby": "generic",
    "RubyAnnotation": "generic",
    "EmbeddedObject": "embed",
    "PluginObject": "iframe",
    "MathMLMath": "math",
    "graphics-symbol": "img",
    "GraphicsSymbol": "img",
    "LayoutTable": "generic",
    "LayoutTableRow": "generic",
    "LayoutTableCell": "generic",
}
NO_CONTENT = {"InlineTextBox", "LineBreak", "ListMarker", "none", "MenuListPopup", "DescriptionMarker"}
"""Nodes of theirs that are no content of their own."""

AUTHOR_NAMED = {
    "row", "rowgroup", "cell", "gridcell", "columnheader", "rowheader", "listitem", "group", "generic",
    "figure", "caption", "article", "status", "alert", "document", "treeitem", "option", "menuitem",
    "definition", "term", "iframe",
}  # fmt: skip
"""Containers whose name is compared with the author-given name only (identity.md, 3)."""

ATOMIC = {
    "button", "checkbox", "img", "math", "menuitemcheckbox", "menuitemradio", "meter", "progressbar",
    "radio", "scrollbar", "separator", "slider", "switch", "tab",
}  # fmt: skip
"""Roles whose children are presentational (ARIA 1.2)."""

NATIVE_PARTS = {"audio", "video", "progressbar", "meter"}
MARKER = r"[•◦▪■]|\d+\."
WORDS = {
    "code",
    "deletion",
    "emphasis",
    "insertion",
    "mark",
    "strong",
    "subscript",
    "superscript",
    "time",
    "term",
}


@dataclass(frozen=True)
class Difference:
    """One node on which the two trees disagree. ``kind``: role, name, missing (in ours), extra."""

    kind: str
    role: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"{self.kind} {self.role}: ours {self.ours!r}, theirs {self.theirs!r}"


@dataclass
class Verdict:
    compared: int = 0
    differences: list[Difference] = field(default_factory=list)
    accounted: dict[str, int] = field(default_factory=dict)
    states: int = 0
    state_differences: list[Difference] = field(default_factory=list)

    @property
    def agreed(self) -> int:
        return self.compared - len(self.differences)


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


async def backend_ids(page: Page, frame: PageFrame, numbers: list[int]) -> dict[int, tuple[int, bool]]:
    """Walker number -> the browser's id of that node, and whether it is a text node."""
    send = page.browser.send
    array = await send(
        "Runtime.evaluate",
        {
            "expression": f"[{','.join(map(str, numbers))}].map(n => __surefoot.node(n))",
            "contextId": await frame.context(),
        },
        frame.session,
    )
    got = await send(
        "Runtime.getProperties",
        {"objectId": array["result"]["objectId"], "ownProperties": True},
        frame.session,
    )
    described = []
    for entry in got["result"]:
        if entry["name"].isdigit() and entry["value"].get("objectId"):
            call = send("DOM.describeNode", {"objectId": entry["value"]["objectId"]}, frame.session)
            described.append((numbers[int(entry["name"])], call))
    found = {}
    for number, call in described:
        node = (await call)["node"]
        found[number] = (node["backendNodeId"], node["nodeType"] == 3)
    return found


class Theirs:
    """One frame's accessibility tree as Chromium tells it."""

    def __init__(self, nodes: list[dict[str, Any]]) -> None:
        self.by_id = {node["nodeId"]: node for node in nodes}
        self.nodes = nodes

    @staticmethod
    def role(node: dict[str, Any]) -> str:
        value: str = node.get("role", {}).get("value", "none")
        return value

    @staticmethod
    def name(node: dict[str, Any]) -> str:
        return squeeze(node.get("name", {}).get("value", "") or "")

    @staticmethod
    def authored(node: dict[str, Any]) -> str:
        """The name when an attribute or a related element gave it, else ``""``."""
        for source in node.get("name", {}).get("sources", ()):
            if source.get("superseded"):
                continue
            if "value" in source or "attributeValue" in source or "nativeSourceValue" in source:
                if source.get("type") in ("attribute", "relatedElement") and Theirs.name(node):
                    return Theirs.name(node)
                return ""
        return ""

    def ancestors(self, node: dict[str, Any]) -> list[dict[str, Any]]:
        found = []
        while (parent := node.get("parentId")) and parent in self.by_id:
            node = self.by_id[parent]
            found.append(node)
        return found


async def compare(page: Page) -> Verdict:
    """Capture with surefoot and with Chromium, and list every difference."""
    observation = await capture(page)
    verdict = Verdict()
    seen = {node.handle.partition(":")[0] for node in observation.tree}
    for frame in page.frames():
        if frame.id not in seen:
            continue
        ours = [node for node in observation.tree if node.handle.startswith(frame.id + ":")]
        answer = await page.browser.send(
            "Accessibility.getFullAXTree", {"frameId": frame.id}, frame.session
        )
        ids = await backend_ids(
            page, frame, sorted({int(node.handle.rpartition(".")[2]) for node in ours})
        )
        Comparison(ours, ids, Theirs(answer["nodes"])).run(verdict)
    return verdict


class Comparison:
    """One frame's two trees side by side."""

    def __init__(self, ours: list[Node], ids: dict[int, tuple[int, bool]], theirs: Theirs) -> None:
        self.ours, self.theirs = ours, theirs
        self.by_backend: dict[int, Node] = {}
        self.generated: list[tuple[int, Node]] = []
        for node in ours:
            backend, is_text = ids[int(node.handle.rpartition(".")[2])]
            if node.role == "text" and not is_text:
                self.generated.append((backend, node))
            else:
                self.by_backend[backend] = node
        self.labels = [squeeze(node.label) for node in ours if node.label]

    def run(self, verdict: Verdict) -> None:
        matched: set[int] = set()
        for node in self.theirs.nodes:
            role = Theirs.role(node)
            if node.get("ignored") or role in NO_CONTENT:
                continue
            mine = self._ours_for(node, matched)
            role = INTERNAL_ROLES.get(role, canonical_role(role))
            if mine is not None:
                matched.add(mine.index)
                verdict.compared += 1
                _compare_node(mine, node, role, verdict)
                verdict.states += 1
                verdict.state_differences += _state_differences(mine, node)
            elif (why := self._accounted(node, role)) is not None:
                verdict.accounted[why] = verdict.accounted.get(why, 0) + 1
            else:
                verdict.compared += 1
                verdict.differences.append(Difference("missing", role, "", Theirs.name(node)))
        for mine in self.ours:
            if mine.index in matched or (mine.role == "generic" and not mine.author_label):
                continue
            verdict.compared += 1
            verdict.differences.append(Difference("extra", mine.role, squeeze(mine.label), ""))

    def _ours_for(self, node: dict[str, Any], matched: set[int]) -> Node | None:
        if Theirs.role(node) == "RootWebArea":
            return self.ours[0]
        backend = node.get("backendDOMNodeId")
        if backend is not None:
            return self.by_backend.get(backend)
        above = {one.get("backendDOMNodeId") for one in self.theirs.ancestors(node)}
        for owner, mine in self.generated:
            same = squeeze(mine.label) == Theirs.name(node)
            if same and owner in above and mine.index not in matched:
                return mine
        return None

    def _accounted(self, node: dict[str, Any], role: str) -> str | None:
        """In which other, declared form our tree has what they show as a node; ``None``: in none."""
        name = Theirs.name(node)
        above = self.theirs.ancestors(node)
        around = [
            self.by_backend[b] for one in above if (b := one.get("backendDOMNodeId")) in self.by_backend
        ]
        if any(one.input_type or one.role in NATIVE_PARTS or one.multiline for one in around[:1]):
            return "part the browser makes inside a native control"
        if role == "generic" and not Theirs.authored(node):
            return "unnamed box"
        if role not in INTERACTIVE_ROLES and any(one.role in ATOMIC for one in around):
            return "inside a control or image whose children are presentational"
        if role == "text":
            if not name or (node.get("backendDOMNodeId") is None and re.fullmatch(MARKER, name)):
                return "list marker or blank"
            if any(name in squeeze(one.label) for one in around):
                return "text that is the name of what it stands in"
            if any(Theirs.role(one) == "LabelText" for one in above) and any(
                name in n for n in self.labels
            ):
                return "text that is the name of the control it labels"
            if any(name == squeeze(one.label) and one.role == "generic" for one in self.ours):
                return "text that is the name of the clickable box it is all of"
        if role in WORDS and not Theirs.authored(node):
            inner = squeeze(" ".join(_texts(self.theirs, node)))
            labelled = any(Theirs.role(one) == "LabelText" for one in above)
            if any(inner in squeeze(one.label) for one in (self.ours if labelled else around)):
                return "markup of words inside a name"
        return None


def _compare_node(mine: Node, node: dict[str, Any], role: str, verdict: Verdict) -> None:
    if mine.role != role:
        verdict.differences.append(Difference("role", mine.role, mine.role, role))
        return
    own, other = squeeze(mine.label), Theirs.name(node)
    if own != other and mine.role in AUTHOR_NAMED:
        own, other = squeeze(mine.author_label), Theirs.authored(node)
    if own != other:
        verdict.differences.append(Difference("name", mine.role, own, other))


def _state_differences(mine: Node, node: dict[str, Any]) -> list[Difference]:
    """Where the two disagree on what the node's state is (absent and false are the same)."""
    told = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
    pairs: dict[str, tuple[object, object]] = {
        "checked": (mine.checked or "false", told.get("checked") or told.get("pressed") or "false"),
        "expanded": (bool(mine.expanded), bool(told.get("expanded"))),
        "selected": (bool(mine.selected), bool(told.get("selected"))),
        "required": (mine.required, bool(told.get("required"))),
    }
    if mine.role in INTERACTIVE_ROLES:
        pairs["enabled"] = (mine.enabled, not told.get("disabled"))
    if mine.role == "heading":
        pairs["level"] = (mine.level, told.get("level"))
    return [
        Difference(f"state {name}", mine.role, str(own), str(other))
        for name, (own, other) in pairs.items()
        if own != other
    ]


def _texts(theirs: Theirs, node: dict[str, Any]) -> list[str]:
    found = []
    for child in node.get("childIds", ()):
        below = theirs.by_id.get(child)
        if below is None:
            continue
        if Theirs.role(below) == "StaticText":
            found.append(Theirs.name(below))
        found.extend(_texts(theirs, below))
    return found


async def compare_all(page: Page, urls: dict[str, str]) -> dict[str, Verdict]:
    """Compare page after page; keys of ``urls`` name them."""
    verdicts = {}
    for name, url in urls.items():
        await page.goto(url)
        await asyncio.sleep(0)
        verdicts[name] = await compare(page)
    return verdicts
