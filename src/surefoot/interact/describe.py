"""How elements are named to the caller: targets, screen refs, opaque diagnostics, the surface."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.drivers import Dialog
from surefoot.session import RefFrame, pinned, ref_of
from surefoot.text import quoted, truncate_utf8
from surefoot.tree import DIALOG_ROLES, Node, Observation, Tree
from surefoot.wire import ChangeData, Diagnostic, RectData, ScreenRef, SurfaceData, TargetData

MAX_NAME_BYTES = 256
MAX_BUTTONS = 8
MAX_LINE_LABEL_BYTES = 80


def as_json(value: Struct) -> Any:
    """A wire struct as plain JSON values, for the details of an error."""
    return msgspec.json.decode(msgspec.json.encode(value))


def label_of(tree: Tree, node: Node) -> str | None:
    """The node's normalised label, at most 256 UTF-8 bytes; ``None`` when it has none."""
    return truncate_utf8(tree.labels[node.index], MAX_NAME_BYTES) or None


def target_data(observation: Observation, node: Node) -> TargetData:
    tree = observation.tree
    return TargetData(
        role=node.role,
        label=label_of(tree, node),
        id=truncate_utf8(tree.ids[node.index], MAX_NAME_BYTES) or None,
    )


def rect_data(node: Node) -> RectData | None:
    rect = node.rect
    return None if rect is None else RectData(rect.x, rect.y, rect.width, rect.height)


def screen_ref(
    observation: Observation,
    node: Node,
    *,
    rect: bool = False,
    place: str | None = None,
    changes: tuple[ChangeData, ...] = (),
) -> ScreenRef:
    """The node with the ref it has in a frame published from this observation.

    ``place`` tells it from its equals (:func:`surefoot.interact.places`).
    """
    named = target_data(observation, node)
    return ScreenRef(
        ref=ref_of(node),
        role=named.role,
        label=named.label,
        id=named.id,
        hittable=node.hittable,
        covered=True if node.covered_by is not None else None,
        hidden=None if node.visible else True,
        window=node.window,
        rect=rect_data(node) if rect else None,
        place=place,
        changes=changes,
    )


def diagnostic(observation: Observation, node: Node) -> Diagnostic:
    """The node under an opaque id that no command accepts as a target (seed 0012, decision 2).

    The id is a digest of the capture and the element: equal for the same element of one capture.
    """
    digest = hashlib.sha256(f"{observation.epoch}\0{node.handle}\0{node.index}".encode()).hexdigest()
    named = target_data(observation, node)
    return Diagnostic(
        diagnostic=f"diag:{digest[:16]}",
        role=named.role,
        label=named.label,
        id=named.id,
        rect=rect_data(node),
    )


def name_of(observation: Observation, node: Node) -> str:
    """``button "Save"`` on one line, for messages."""
    label = truncate_utf8(observation.tree.labels[node.index], MAX_LINE_LABEL_BYTES)
    return f"{node.role} {quoted(label)}" if label else node.role


def candidate_lines(
    observation: Observation,
    nodes: Sequence[Node],
    frame: RefFrame,
    more: int,
    place_of: Mapping[int, str],
) -> list[str]:
    """``@e3~s42 button "Edit" in listitem "Milk"`` a line, then ``+2 more`` (row B046)."""
    lines = [
        " ".join(
            filter(
                None,
                (
                    pinned(ref_of(node), frame.generation),
                    name_of(observation, node),
                    place_of.get(node.index),
                    None if node.visible else "[hidden]",
                ),
            )
        )
        for node in nodes
    ]
    return [*lines, f"+{more} more"] if more else lines


def describe_surface(observation: Observation | None, dialog: Dialog | None) -> SurfaceData:
    """What is on the screen in one breath: the native dialog, else the topmost dialog, else the page,
    with its title and its buttons, each name once (row B073)."""
    if dialog is not None:
        buttons = ("OK",) if dialog.kind == "alert" else ("OK", "Cancel")
        return SurfaceData(kind="native-dialog", title=dialog.message[:200], buttons=buttons)
    if observation is None or not len(observation.tree):
        return SurfaceData(kind="page", title="")
    tree = observation.tree
    blockers = [n for n in tree.nodes if n.role in DIALOG_ROLES and n.visible]
    if blockers:
        top = blockers[-1]
        scope: Iterable[Node] = tree.subtree(top)
        title = label_of(tree, top) or _heading(tree, tree.subtree(top)) or top.role
    else:
        scope = tree.nodes
        title = (observation.page.title if observation.page else "") or _heading(tree, tree.nodes) or ""
    labels = list(
        dict.fromkeys(
            truncate_utf8(tree.labels[n.index], MAX_LINE_LABEL_BYTES)
            for n in scope
            if n.role == "button" and n.visible and tree.labels[n.index]
        )
    )
    return SurfaceData(
        kind="dialog" if blockers else "page",
        title=truncate_utf8(title, MAX_NAME_BYTES),
        buttons=tuple(labels[:MAX_BUTTONS]),
        more=max(0, len(labels) - MAX_BUTTONS),
    )


def surface_text(surface: SurfaceData) -> str:
    """``dialog "Rate us" with buttons "Later", "Now"`` on one line."""
    name = f"{surface.kind.replace('-', ' ')} {quoted(surface.title)}"
    if not surface.buttons:
        return name
    more = f" and {surface.more} more" if surface.more else ""
    return f"{name} with buttons {', '.join(quoted(label) for label in surface.buttons)}{more}"


def _heading(tree: Tree, nodes: Iterable[Node]) -> str | None:
    for node in nodes:
        if node.role == "heading" and tree.labels[node.index]:
            return tree.labels[node.index]
    return None
