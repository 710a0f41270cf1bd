"""The Python surface: synchronous and asynchronous clients of the daemon, and how one is started.

The clients load on first use, so that the command's way to a daemon (``launch``) stays short.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from surefoot.client import launch

if TYPE_CHECKING:
    from surefoot.client.client import AsyncSession, AsyncSurefoot, Options, Session, Surefoot
    from surefoot.client.errors import ReplayDivergence

__all__ = [
    "AsyncSession",
    "AsyncSurefoot",
    "Options",
    "ReplayDivergence",
    "Session",
    "Surefoot",
    "launch",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'surefoot.client' has no attribute {name!r}")
    home = "errors" if name == "ReplayDivergence" else "client"
    return getattr(import_module(f"surefoot.client.{home}"), name)
