"""What of an action whose effect opens a dialog? (rows B037, B131)

A dialog holds every answer until it is answered itself. What was handed to the browser in one call has
happened by then or follows with the answer, on the very element it was meant for: the action is
done, and its answer names the dialog. What was not sent yet stays undone, and the action fails.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from surefoot.drivers.web.pages.page import Page
from surefoot.errors import SurefootError

T = TypeVar("T")


async def handed_over(page: Page, call: Awaitable[T]) -> T | None:
    """The answer to a call that carries the whole effect; ``None`` where a dialog holds the answer.

    Raises ``DIALOG_PENDING`` where one was open before: nothing was sent then.
    """
    held = page.dialog is not None
    try:
        return await call
    except SurefootError as error:
        if held or error.reason != "dialog_open":
            raise
        return None
