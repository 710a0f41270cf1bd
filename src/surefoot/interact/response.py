"""The one function that builds an interaction's answer (contracts.md, ``response_construction``)."""

from __future__ import annotations

from surefoot.drivers import Delivery
from surefoot.interact.aftermath import Aftermath
from surefoot.interact.describe import target_data
from surefoot.interact.guards import non_hittable_hint
from surefoot.interact.model import DispatchPath, Interaction, Resolved
from surefoot.session import Session
from surefoot.wire import (
    DialogData,
    DownloadData,
    EndpointData,
    InteractionData,
    NotObservedResolution,
    PointData,
    Resolution,
    ScrollData,
    TabData,
    TextData,
)


def respond(
    session: Session,
    action: str,
    path: DispatchPath | None,
    delivery: Delivery,
    aftermath: Aftermath,
    *,
    target: Resolved | None = None,
    destination: Resolved | None = None,
    focused: Resolved | None = None,
    times: int = 1,
    text: TextData | None = None,
    scroll: ScrollData | None = None,
    answered: DialogData | None = None,
    hint: str | None = None,
) -> Interaction:
    """Everything an interaction that was performed says about itself.

    ``target`` is what was *resolved and acted on*: its own node is described, never a look-alike of a
    later capture (``response_identity``). Warnings kept in the session are delivered with it.
    """
    non_hittable = None
    if target is not None and action in _POINTED:
        non_hittable = non_hittable_hint(target)
    tab = delivery.opened_tab
    data = InteractionData(
        action=action,
        resolution=disclose(path, target),
        target=None if target is None else target_data(target.observation, target.node),
        point=None if delivery.point is None else PointData(delivery.point.x, delivery.point.y),
        destination=None
        if destination is None
        else EndpointData(
            resolution=destination.resolution,
            target=target_data(destination.observation, destination.node),
        ),
        target_hittable=False if non_hittable is not None else None,
        hint=hint or non_hittable,
        times=times if times > 1 else None,
        text=text,
        scroll=scroll,
        dialog=aftermath.dialog,
        answered=answered,
        opened_tab=None
        if tab is None
        else TabData(index=tab.index, url=tab.url, title=tab.title, active=tab.active),
        navigated=delivery.navigated,
        downloads=tuple(
            DownloadData(name=file.name, path=file.path, state=file.state)
            for file in (*delivery.downloads, *aftermath.downloads)
        ),
        trusted=delivery.trusted,
        settled=aftermath.settled,
        verified=aftermath.verified,
        warnings=(*delivery.warnings, *aftermath.warnings, *session.take_warnings()),
    )
    targets = tuple(resolved for resolved in (target, destination) if resolved is not None)
    return Interaction(data=data, path=path, targets=targets, focused=focused)


_POINTED = frozenset({"press", "click", "longpress"})
"""What asks an element to do something; pointing at one (``hover``) asks for nothing."""


def disclose(path: DispatchPath | None, target: Resolved | None) -> Resolution | None:
    """How the target was found, by the path that was *executed* (seed 0012, decision 2).

    Runtime and ref paths carry the resolver's own disclosure; the direct path only ``not-observed``;
    coordinates, an executed coordinate fallback and actions without a target carry none.
    """
    if path is DispatchPath.DIRECT_SELECTOR:
        return NotObservedResolution()
    if path in {None, DispatchPath.COORDINATE, DispatchPath.NON_HITTABLE_FALLBACK}:
        return None
    return None if target is None else target.resolution
