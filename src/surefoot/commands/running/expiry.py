"""Sessions whose repair was cut short: what every command on such a key answers (seed 0012, R7)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from surefoot.commands.context import Context
from surefoot.errors import SurefootError
from surefoot.recording import end_repair, holds_repair
from surefoot.session import SessionStore, implicit_name

DEFAULT_PLATFORM = "web"


async def refuse_expired(context: Context, args: Struct) -> None:
    """``REPAIR_SESSION_EXPIRED`` where the key has a tombstone, whatever the command.

    A new ``replay --save-script`` is let through: it takes the tombstone's place.
    """
    await give_up_lost(context)
    if context.store.find(context.session) is not None or _starts_a_repair(args):
        return
    expired = context.store.tombstones(context.session)
    if expired is not None:
        raise expired


async def give_up_lost(context: Context) -> SurefootError | None:
    """End a session under repair whose browser or device is gone: nothing can heal it any more.

    The error that says so; ``None`` where nothing was ended.
    """
    session = context.store.find(context.session)
    if session is None or not holds_repair(session) or not session.app.lost:
        return None
    end_repair(session, "browser_lost")
    context.store.remove(session.name)
    with suppress(SurefootError):
        await session.app.close()
    return context.store.tombstones(session.name)


def expired_here(store: SessionStore, cwd: Path) -> str | None:
    """The implicit session key of a directory that has a tombstone, of whatever platform."""
    for record in store.repairs.records():
        name = implicit_name(cwd, record.platform or DEFAULT_PLATFORM)
        if record.session == name and store.repairs.tombstone(name) is not None:
            return name
    return None


def _starts_a_repair(args: Struct) -> bool:
    from surefoot.commands.families.shapes import ReplayArgs

    return isinstance(args, ReplayArgs) and bool(args.save_script)
