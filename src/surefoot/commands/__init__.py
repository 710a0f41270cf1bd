"""Descriptors, grammar, help, rendering and handlers of every command.

The daemon's way through this room::

    parsed = parse_argv(argv, env)                     # CLI only; clients send a wire.Call
    place = await route(parsed.call, caller, store)    # lane, session, deadline; admits the call
    answer = await execute(parsed.call, context)       # raises SurefootError; context.meter: cost
    rendered = render(parsed.call, answer, terminal, cost=context.meter.cost())
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from surefoot.commands.context import (
    Caller,
    CallerKind,
    Context,
    Control,
    DriverRegistry,
    Meter,
    Terminal,
)
from surefoot.commands.descriptor import Answer, By, Descriptor, Lane, TimeoutPolicy, Traits
from surefoot.commands.language.grammar import ParsedCall
from surefoot.commands.language.script_grammar import SCRIPT_GRAMMAR
from surefoot.commands.output.calls import data_with_calls, for_calls, tool_name, with_calls
from surefoot.commands.output.help import help_page
from surefoot.commands.output.render import (
    Rendered,
    cost_line,
    error_body,
    error_lines,
    exit_code,
    json_text,
    render,
    reply,
    wants_json,
)
from surefoot.commands.running.execute import Route, execute, route, with_environment
from surefoot.commands.running.steps import CommandStepExecutor
from surefoot.commands.schema import input_schema
from surefoot.commands.table import DESCRIPTORS, GRAMMAR, descriptor

__all__ = [
    "DESCRIPTORS",
    "GRAMMAR",
    "SCRIPT_GRAMMAR",
    "Answer",
    "By",
    "Caller",
    "CallerKind",
    "CommandStepExecutor",
    "Context",
    "Control",
    "Descriptor",
    "DriverRegistry",
    "Lane",
    "Meter",
    "ParsedCall",
    "Rendered",
    "Route",
    "Terminal",
    "TimeoutPolicy",
    "Traits",
    "cost_line",
    "data_with_calls",
    "descriptor",
    "error_body",
    "error_lines",
    "execute",
    "exit_code",
    "for_calls",
    "help_page",
    "input_schema",
    "json_text",
    "parse_argv",
    "render",
    "reply",
    "route",
    "tool_name",
    "wants_json",
    "with_calls",
    "with_environment",
]


def parse_argv(argv: Sequence[str], env: Mapping[str, str]) -> ParsedCall:
    """A command line (without the program's name) as a call. Raises ``INVALID_ARGS``.

    ``env`` fills ``--session`` and ``--platform``; no words, and ``--help``, mean the help command.
    """
    return GRAMMAR.parse(argv, env)
