"""What an action left behind: settle, change evidence, the refs of what changed.

At most one capture serves both ``--settle`` and ``--verify``; together with the one before the action
an interaction never looks more than twice. What was done stays done: trouble while looking afterwards
is told in the answer, except where the app itself is gone.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from msgspec.structs import replace

from surefoot.drivers import Delivery, Download, SettleOutcome, SettlePolicy
from surefoot.errors import CaptureUnreadable, ErrorCode, SurefootError
from surefoot.interact.capture import observe, open_dialog
from surefoot.interact.difference import difference_data
from surefoot.interact.model import ActOptions, Resolved
from surefoot.session import Session
from surefoot.tree import Observation, TreeDiff, diff_trees
from surefoot.wire import DialogData, SettledData, VerifyData


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """What the answer tells of the time after the action."""

    dialog: DialogData | None = None
    settled: SettledData | None = None
    verified: VerifyData | None = None
    downloads: tuple[Download, ...] = ()
    warnings: tuple[str, ...] = ()


async def watch(
    session: Session,
    options: ActOptions,
    delivery: Delivery,
    before: Observation | None,
    target: Resolved | None = None,
) -> Aftermath:
    """Settle and compare as the options ask. ``before`` is the screen the action was sent to.

    A dialog the action opened ends everything at once with the dialog's data (row B131). Raises only
    ``app_crashed``, ``driver_lost`` and their like, with ``details.performed`` true.
    """
    dialog = open_dialog(session)
    if not (options.settle or options.verify):
        return Aftermath(dialog=dialog)
    if dialog is not None or delivery.dialog is not None:
        return _blocked(options, dialog)
    downloads: tuple[Download, ...] = ()
    try:
        outcome = await session.app.settle(options.settle or SettlePolicy())
        session.cost.polls += outcome.polls
        downloads = outcome.downloads
        after = await observe(session)
    except SurefootError as error:
        if error.code is ErrorCode.DIALOG_PENDING:
            return dataclasses.replace(_blocked(options, open_dialog(session)), downloads=downloads)
        if isinstance(error, CaptureUnreadable):
            return dataclasses.replace(_unreadable(options, error), downloads=downloads)
        error.details["performed"] = True
        raise
    difference = _compare(before, after)
    return Aftermath(
        dialog=open_dialog(session),
        settled=_settled(session, outcome, before, after, difference) if options.settle else None,
        verified=_verified(before, after, difference, target) if options.verify else None,
        downloads=downloads,
    )


async def changed_nothing(session: Session, before: Observation) -> bool:
    """Whether the screen shows what it showed before, as far as can be seen now."""
    if await session.app.unchanged(before):
        return True
    try:
        after = await observe(session)
    except SurefootError:  # a dialog, a page on its way: it has changed
        return False
    difference = _compare(before, after)
    same = before.page == after.page and before.scroll == after.scroll
    return same and difference is not None and difference.empty


def _compare(before: Observation | None, after: Observation) -> TreeDiff | None:
    """What changed. That the focus moved is no evidence that an action did anything: every press
    moves it, so a node that differs in nothing else counts as unchanged."""
    if before is None:
        return None
    found = diff_trees(before.tree, after.tree)
    changed = tuple(
        change for change in found.changed if any(item.field != "focused" for item in change.fields)
    )
    return replace(found, changed=changed, changed_total=len(changed))


def _settled(
    session: Session,
    outcome: SettleOutcome,
    before: Observation | None,
    after: Observation,
    difference: TreeDiff | None,
) -> SettledData:
    diff = None
    if before is not None and difference is not None:
        diff = difference_data(before, after, difference)
    generation = None
    if diff is not None and (diff.added or diff.changed):
        # Refs shown are the refs authorised: exactly these nodes (row B011).
        issued = [int(item.ref[1:]) - 1 for item in (*diff.added, *diff.changed)]
        generation = session.refs.publish_partial(after, issued).generation
    return SettledData(
        settled=outcome.settled,
        waited_ms=outcome.waited_ms,
        polls=outcome.polls,
        why=outcome.why,
        refs_generation=generation,
        diff=diff,
    )


def _verified(
    before: Observation | None,
    after: Observation,
    difference: TreeDiff | None,
    target: Resolved | None,
) -> VerifyData:
    if before is None or difference is None:
        return VerifyData(changed=None, reason="no_baseline")
    page_changed = before.page != after.page
    scrolled = before.scroll != after.scroll
    gone = target is not None and after.tree.find_handle(target.node.handle) is None
    return VerifyData(
        changed=not difference.empty or page_changed or scrolled,
        added_count=difference.added_total,
        changed_count=difference.changed_total,
        removed_count=difference.removed_total,
        page_changed=page_changed,
        target_gone=gone,
    )


def _blocked(options: ActOptions, dialog: DialogData | None) -> Aftermath:
    why = "dialog_open"
    return Aftermath(
        dialog=dialog,
        settled=SettledData(settled=False, waited_ms=0, polls=0, why=why) if options.settle else None,
        verified=VerifyData(changed=None, reason=why) if options.verify else None,
    )


def _unreadable(options: ActOptions, error: CaptureUnreadable) -> Aftermath:
    why = f"capture_unreadable: {error.verdict}"
    return Aftermath(
        settled=SettledData(settled=False, waited_ms=0, polls=0, why=why) if options.settle else None,
        verified=VerifyData(changed=None, reason=why) if options.verify else None,
        warnings=("The screen could not be read after the action; run `surefoot snapshot -i`.",),
    )
