"""What may run in a session while a fragment of it is captured (seed 0020, rule of admission)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from surefoot.commands.descriptor import Descriptor
from surefoot.errors import invalid_args
from surefoot.recording import fragment_of, refuse_armed
from surefoot.session import Session


def admit_to_capture(session: Session, found: Descriptor[Any, Any], args: Struct) -> None:
    """Refuse, before dispatch, what an armed capture excludes; the capture stays armed.

    ``INVALID_ARGS``: ``fragment_capture_conflict`` for a second lifecycle or publication,
    ``fragment_lifecycle`` (details ``command``) for a command whose descriptor does not say that it is
    ``fragment_safe``. A ``find`` that acts is asked as what a recording keeps of it.
    """
    capture = fragment_of(session)
    if capture is None or not capture.active:
        return
    operation = found.overlaps_capture(args)
    if operation is not None:
        refuse_armed(session, operation)
    if not found.ends_capture and not _is_safe(found, args):
        raise invalid_args(
            f"{found.name} may not stand in a fragment, and one is being captured. Nothing was done.",
            hint="Leave it out, or do it before `session fragment start` or after `session fragment "
            "save`. To look around use `surefoot snapshot`.",
            reason="fragment_lifecycle",
            command=found.name,
            path=str(capture.target),
        )


def _is_safe(found: Descriptor[Any, Any], args: Struct) -> bool:
    if found.traits.fragment_safe:
        return True
    kept = None if found.recorded_as is None else found.recorded_as(args)
    if kept is None:
        return False
    from surefoot.commands.table import descriptor  # the table knows every family

    return descriptor(kept).traits.fragment_safe
