"""Fragments and includes as their writer makes them: nodes in, nodes out; call-site ids outlive edits.

An include that is edited in place keeps its id, a new occurrence gets a fresh one (seed 0020).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from surefoot.compose.pins import fresh_call_site
from surefoot.errors import invalid_args
from surefoot.script import (
    Action,
    Comment,
    Context,
    ContextEntry,
    FragmentReference,
    Guard,
    Include,
    Node,
    Script,
)


def fragment_script(path: str, platform: str, target: str, actions: Sequence[Action]) -> Script:
    """A fragment to be written: its guard, the context it was captured in, its steps."""
    context = Context(
        entries=(
            ContextEntry(key="platform", value=platform),
            ContextEntry(key="target", value=target),
        )
    )
    return Script(path=path, nodes=(Guard(kind="fragment"), context, *actions))


def add_include(script: Script, at: int, locator: str, digest: str) -> Script:
    """The script with one more include as node ``at`` (0-based), under a fresh call-site id.

    A script without a guard becomes a composition: ``composition-v1`` goes before everything that is
    no comment.
    """
    nodes = list(script.nodes)
    reference = FragmentReference(call_site_id=fresh_call_site(locator, _ids(script)), digest=digest)
    nodes.insert(at, Include(locator=locator, reference=reference))
    if script.guard is None:
        first = next(place for place, node in enumerate(nodes) if not isinstance(node, Comment))
        nodes.insert(first, Guard(kind="composition"))
    return Script(path=script.path, nodes=tuple(nodes), warnings=script.warnings)


def repin_include(script: Script, call_site_id: str, digest: str) -> Script:
    """The include with that id, pinned to another digest. ``INVALID_ARGS`` where there is none."""
    return _edited(script, call_site_id, lambda include: _pinned(include, digest))


def move_include(script: Script, call_site_id: str, locator: str) -> Script:
    """The include with that id, naming its child by another locator; its id and pin stay."""
    return _edited(
        script, call_site_id, lambda include: msgspec.structs.replace(include, locator=locator, text="")
    )


def remove_include(script: Script, call_site_id: str) -> Script:
    """The script without the include of that id. ``INVALID_ARGS`` where there is none."""
    at = _find(script, call_site_id)
    return Script(
        path=script.path, nodes=(*script.nodes[:at], *script.nodes[at + 1 :]), warnings=script.warnings
    )


def _ids(script: Script) -> frozenset[str]:
    return frozenset(
        include.reference.call_site_id for include in script.includes if include.reference is not None
    )


def _pinned(include: Include, digest: str) -> Include:
    assert include.reference is not None  # found by its id
    reference = FragmentReference(call_site_id=include.reference.call_site_id, digest=digest)
    return msgspec.structs.replace(include, reference=reference)


def _edited(script: Script, call_site_id: str, edit: Callable[[Include], Include]) -> Script:
    at = _find(script, call_site_id)
    nodes: list[Node] = list(script.nodes)
    include = nodes[at]
    assert isinstance(include, Include)
    nodes[at] = edit(include)
    return Script(path=script.path, nodes=tuple(nodes), warnings=script.warnings)


def _find(script: Script, call_site_id: str) -> int:
    for at, node in enumerate(script.nodes):
        if not isinstance(node, Include) or node.reference is None:
            continue
        if node.reference.call_site_id == call_site_id:
            return at
    raise invalid_args(
        f'{script.path} has no include with the call site "{call_site_id}".',
        reason="fragment_call_site_invalid",
    )
