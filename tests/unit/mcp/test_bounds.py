"""Bounds: a result never exceeds them, says what it left out, and never breaks."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from surefoot.mcp import MAX_STRUCTURED_BYTES, MAX_TEXT_BYTES, bounded_data, bounded_text

NODES = [{"index": at, "label": "å" * 400} for at in range(2_000)]


def test_a_short_text_loses_only_its_last_line_feed() -> None:
    assert bounded_text("a\nb\n") == "a\nb"


def test_a_long_text_ends_at_a_line_and_says_what_is_missing() -> None:
    found = bounded_text("\n".join(["å" * 50] * 2_000))
    *lines, last = found.split("\n")
    assert len(found.encode()) <= MAX_TEXT_BYTES
    assert set(lines) == {"å" * 50}
    assert last == f"… {2_000 * 51 - 1 - len(lines) * 51 + 1} more characters (ask for less: " + (
        "snapshot with interactive, depth or scope; find)"
    )


def test_a_long_line_is_cut_between_characters() -> None:
    found = bounded_text("😀" * 100_000)
    assert len(found.encode()) <= MAX_TEXT_BYTES
    assert set(found.split("\n")[0]) == {"😀"}


def test_half_a_surrogate_pair_is_replaced() -> None:
    assert bounded_text("a\ud800b") == "a\ufffdb"
    assert bounded_data({"label": "a\ud800b"}) == {"label": "a\ufffdb"}


def test_small_data_stays_as_it_is() -> None:
    assert bounded_data({"nodes": NODES[:2], "total": 2}) == {"nodes": NODES[:2], "total": 2}


def test_the_longest_list_is_cut_and_counted() -> None:
    found = bounded_data({"total": 2_000, "nodes": NODES, "page": {"url": "u"}})
    assert len(msgspec.json.encode(found)) <= MAX_STRUCTURED_BYTES
    assert found["truncated"] is True
    assert found["total"] == 2_000
    assert found["nodes"] == NODES[: len(found["nodes"])]
    assert found["omitted"] == {"nodes": 2_000 - len(found["nodes"])}
    assert len(found["nodes"]) > 100


@pytest.mark.parametrize(
    "data",
    [{"text": "x" * MAX_STRUCTURED_BYTES}, {"a": NODES, "b": NODES}, {"a": {"b": NODES}}],
    ids=["text", "two-lists", "nested"],
)
def test_what_cannot_be_cut_is_left_out_and_said(data: dict[str, Any]) -> None:
    found = bounded_data(data)
    assert len(msgspec.json.encode(found)) <= MAX_STRUCTURED_BYTES
    assert found["truncated"] is True
    assert found["omitted"]["bytes"] == len(msgspec.json.encode(data))
