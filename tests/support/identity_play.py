"""Record on one written screen and replay on another, for tests of the identity rules."""

from __future__ import annotations

from surefoot.drivers.sim import observe_screen
from surefoot.identity import (
    IdentityView,
    Refused,
    TargetEvidence,
    Verdict,
    record_target,
    recorded_subject,
    verify,
)
from surefoot.selectors import Disambiguated, Unique, build_chain, match, resolve_for_action


def recorded(screen: str, key: str = "A") -> TargetEvidence:
    """The evidence of a press on ``=key`` of a screen in the notation."""
    seen, keys = observe_screen(screen)
    view, pressed = IdentityView(seen.tree), seen.tree[keys[key]]
    return record_target(view, recorded_subject(view, pressed), dispatched=pressed)


def replayed(before: str, after: str, key: str = "A") -> Verdict:
    """The verdict on the second screen for the press recorded on the first."""
    seen, keys = observe_screen(before)
    view, pressed = IdentityView(seen.tree), seen.tree[keys[key]]
    subject = recorded_subject(view, pressed)
    chain = build_chain(seen.tree, subject)
    now = observe_screen(after)[0].tree
    matches = match(now, chain.selector)
    found = resolve_for_action(now, matches)
    winner = found.node if isinstance(found, Unique | Disambiguated) else None
    evidence = record_target(view, subject, dispatched=pressed)
    return verify(IdentityView(now), evidence, matches.nodes, winner)


def outcome(before: str, after: str, key: str = "A") -> str:
    """``=key`` that is acted on after, ``refused 3`` with the path, or ``?`` for what has no key."""
    verdict = replayed(before, after, key)
    if isinstance(verdict, Refused):
        return f"refused {verdict.path}"
    seen, keys = observe_screen(after)
    named = {index: name for name, index in keys.items()}
    node = seen.tree[verdict.node.index]
    for holder in (node, *seen.tree.ancestors(node)):
        if holder.index in named:
            return f"={named[holder.index]}"
    return "?"
