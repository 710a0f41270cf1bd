"""surefoot: UI automation whose recordings replay without ever acting on the wrong element.

Importing this package imports nothing else; the public names load on first use.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from surefoot.client import AsyncSurefoot, ReplayDivergence, Surefoot
    from surefoot.errors import ErrorCode, SurefootError

__version__ = "0.1.0"

__all__ = [
    "AsyncSurefoot",
    "ErrorCode",
    "ReplayDivergence",
    "Surefoot",
    "SurefootError",
    "__version__",
]

_ROOMS = {
    "AsyncSurefoot": "surefoot.client",
    "ErrorCode": "surefoot.errors",
    "ReplayDivergence": "surefoot.client",
    "Surefoot": "surefoot.client",
    "SurefootError": "surefoot.errors",
}


def __getattr__(name: str) -> object:
    room = _ROOMS.get(name)
    if room is None:
        raise AttributeError(f"module 'surefoot' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(room), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOMS])
