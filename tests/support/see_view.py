"""A capture as lines of text, so that an expectation can be written down literally."""

from __future__ import annotations

from surefoot.tree import Node, Observation


def line(node: Node) -> str:
    """``role "label"`` and what differs from an ordinary node."""
    parts = [node.role]
    if node.label:
        parts.append(f'"{node.label}"')
    if node.author_label and node.author_label != node.label:
        parts.append(f'author="{node.author_label}"')
    if node.id:
        parts.append(f"#{node.id}")
    if node.value is not None:
        parts.append(f"value={node.value!r}")
    named = {
        "checked": node.checked,
        "expanded": node.expanded,
        "selected": node.selected,
        "level": node.level,
    }
    parts += [f"{name}={str(value).lower()}" for name, value in named.items() if value is not None]
    flags = {
        "hittable": node.hittable,
        "editable": node.editable,
        "focused": node.focused,
        "required": node.required,
        "readonly": node.readonly,
        "password": node.password,
        "has_value": node.has_value,
        "multiline": node.multiline,
        "disabled": not node.enabled,
        "invisible": not node.visible,
        "scrolls": node.scroll is not None,
    }
    parts += [name for name, on in flags.items() if on]
    if node.covered_by is not None:
        parts.append(f"covered_by={node.covered_by}")
    if node.opaque:
        parts.append(f"opaque={node.opaque!r}")
    return " ".join(parts)


def outline(observation: Observation) -> list[str]:
    """All nodes below the document, indented by depth."""
    return ["  " * (node.depth - 1) + line(node) for node in observation.tree if node.depth > 0]


def one(observation: Observation, role: str, label: str | None = None) -> Node:
    """The one node of a role (and label)."""
    found = [n for n in observation.tree if n.role == role and (label is None or n.label == label)]
    assert len(found) == 1, f"{len(found)} nodes {role} {label!r} in {outline(observation)}"
    return found[0]
