"""Every command: the one table all surfaces are projected from."""

from __future__ import annotations

from typing import Any

from surefoot.commands.descriptor import Descriptor
from surefoot.commands.families import (
    batch,
    capturing,
    checking,
    closing,
    dialogs,
    entering,
    finding,
    fragments,
    looking,
    navigation,
    opening,
    pages,
    picture,
    pointer,
    reading,
    replaying,
    scrolling,
    system,
    waiting,
)
from surefoot.commands.language.grammar import Grammar
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR

DESCRIPTORS: tuple[Descriptor[Any, Any], ...] = (
    *opening.DESCRIPTORS,
    *closing.DESCRIPTORS,
    *capturing.DESCRIPTORS,
    *looking.DESCRIPTORS,
    *pointer.DESCRIPTORS,
    *entering.DESCRIPTORS,
    *scrolling.DESCRIPTORS,
    *navigation.DESCRIPTORS,
    *reading.DESCRIPTORS,
    *finding.DESCRIPTORS,
    *waiting.DESCRIPTORS,
    *pages.DESCRIPTORS,
    *picture.DESCRIPTORS,
    *dialogs.DESCRIPTORS,
    *replaying.DESCRIPTORS,
    *checking.DESCRIPTORS,
    *fragments.DESCRIPTORS,
    *batch.DESCRIPTORS,
    *system.DESCRIPTORS,
)

GRAMMAR = Grammar(DESCRIPTORS)
SCRIPT_GRAMMAR.bind(GRAMMAR)


def descriptor(name: str) -> Descriptor[Any, Any]:
    """The descriptor of a command. ``INVALID_ARGS`` names the nearest valid spelling."""
    return GRAMMAR.find(name)
