"""What an interaction says of itself in text: what was asked, where it led, nothing twice."""

from __future__ import annotations

from typing import Any

import pytest

from surefoot.commands import Terminal
from surefoot.commands.families.common import interaction_text
from surefoot.commands.families.pages import DESCRIPTORS
from surefoot.commands.families.shapes import (
    KeyArgs,
    NoArgs,
    ScrollArgs,
    SwipeArgs,
    TabSelectArgs,
    UploadArgs,
    ViewportArgs,
)
from surefoot.wire import (
    DialogData,
    DownloadData,
    InteractionData,
    PageData,
    PointData,
    ScrollData,
    TabData,
    TabsData,
    TargetData,
)

FILES = TargetData(role="button", label="Photo")
MOVED = ScrollData(moved_x=0, moved_y=576, at_edge=False, effect=True)


@pytest.mark.parametrize(
    ("args", "data", "text"),
    [
        (KeyArgs(chord="ctrl+a"), InteractionData(action="key"), "key ctrl+a"),
        (
            UploadArgs(target="label=Photo", files=("/home/ada/me.png", "b.png")),
            InteractionData(action="upload", target=FILES),
            'upload button "Photo" ← "me.png", "b.png"',
        ),
        (
            ScrollArgs(direction="down"),
            InteractionData(action="scroll", scroll=MOVED),
            "scroll down: moved 0, 576 px",
        ),
        (
            ScrollArgs(direction="down", until="label=Photo"),
            InteractionData(action="scroll", target=FILES, scroll=MOVED),
            'scroll down to button "Photo": moved 0, 576 px',
        ),
        (
            SwipeArgs(x1=1, y1=2, x2=30, y2=4.5),
            InteractionData(action="swipe", point=PointData(30, 4.5)),
            "swipe (1, 2) to (30, 4.5)",
        ),
        (
            ViewportArgs(width=400, height=700),
            InteractionData(action="viewport"),
            "viewport 400x700",
        ),
        (
            TabSelectArgs(index=2),
            InteractionData(action="tab select", page=PageData(url="http://x/t", title="Terms")),
            'tab select 2\nnow on page "Terms" http://x/t',
        ),
        (
            NoArgs(),
            InteractionData(action="back", navigated=True, page=PageData(url="http://x/a", title="A")),
            'back\nnow on page "A" http://x/a',
        ),
        (
            NoArgs(),
            InteractionData(
                action="dialog", answered=DialogData(kind="alert", message="Hello", next="")
            ),
            'answered: alert "Hello"',
        ),
        (
            NoArgs(),
            InteractionData(
                action="press",
                target=FILES,
                point=PointData(40.8125, 340.875),
                opened_tab=TabData(index=2, url="http://x/p", title="", active=True),
            ),
            'press button "Photo" at (41, 341)\nopened tab 2: http://x/p',
        ),
        (
            NoArgs(),
            InteractionData(
                action="press",
                downloads=(
                    DownloadData(name="r.csv", path="/s/r.csv", state="complete"),
                    DownloadData(name="big.zip", path="/s/big.zip", state="arriving"),
                ),
            ),
            'press\ndownload: "r.csv" → /s/r.csv\ndownload: "big.zip" → /s/big.zip (still arriving)',
        ),
    ],
    ids=lambda value: value.action if isinstance(value, InteractionData) else "",
)
def test_an_answer_says_what_was_asked_and_where_it_led(
    args: Any, data: InteractionData, text: str
) -> None:
    assert interaction_text(args, data, Terminal()) == text


def test_a_list_of_no_tabs_says_what_opens_one() -> None:
    listing = next(one for one in DESCRIPTORS if one.name == "tab list")
    said = listing.text(NoArgs(), TabsData(tabs=()), Terminal())
    assert said == "no tab is open; `surefoot open <url>` opens one"
