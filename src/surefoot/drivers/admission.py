"""What of a request is wrong on any device: refused before a script's first step and before a browser.

Commands ask here when they are given; the drivers ask again, for whoever calls them directly.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from surefoot.errors import SurefootError, invalid_args

MIN_VIEWPORT, MAX_VIEWPORT = 16, 16_384
"""Logical pixels a side of a view; below it browsers clamp, above it they cannot draw."""


def is_url(target: str) -> bool:
    """Whether it begins with a scheme."""
    scheme, colon, _ = target.strip().partition(":")
    return bool(colon) and scheme.replace("+", "").replace("-", "").replace(".", "").isalnum()


def no_url(target: str) -> SurefootError:
    """``INVALID_ARGS`` for what a browser cannot go to."""
    return invalid_args(
        f"{target!r} is no URL.",
        hint="Write it with its scheme: https://…",
        reason="no_url",
        target=target,
    )


def check_url(target: str) -> str:
    """The URL to open on the web. ``INVALID_ARGS`` for what is none, or would run script instead."""
    if not is_url(target):
        raise no_url(target)
    url = target.strip()
    scheme, _, rest = url.partition(":")
    if scheme.lower() == "javascript":
        raise invalid_args("A javascript: URL opens nothing.", target=target)
    if scheme.lower() in ("http", "https") and not rest.strip("/"):
        raise invalid_args(f"{target!r} names no host.", target=target)
    return url


def check_cdp(cdp: str, *, launches: bool) -> None:
    """``INVALID_ARGS`` for what is no debugging address, or goes with flags that launch a browser."""
    if launches:
        raise invalid_args("--cdp attaches to a running browser; it takes no launch flags.")
    if urlsplit(cdp).scheme not in ("http", "https", "ws", "wss"):
        raise invalid_args(
            f"{cdp!r} is no debugging address.", hint="Write http://127.0.0.1:9222 or ws://…", cdp=cdp
        )


def check_viewport(width: int, height: int) -> None:
    """``INVALID_ARGS`` ``bad_viewport`` for a size no view can have."""
    if not all(MIN_VIEWPORT <= side <= MAX_VIEWPORT for side in (width, height)):
        raise invalid_args(
            f"A viewport is {MIN_VIEWPORT} to {MAX_VIEWPORT} pixels a side, not {width}x{height}.",
            reason="bad_viewport",
            width=width,
            height=height,
        )
