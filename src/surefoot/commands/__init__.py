"""Descriptors, grammar, help, rendering and handlers of every command.

The daemon's way through this room::

    parsed = parse_argv(argv, env)                 # CLI only; clients send a wire.Call
    lane = descriptor(parsed.call.command).lane    # "session" takes the session's lock
    name = session_name(parsed.call.options, caller)
    result = await execute(parsed.call, context)   # a wire struct, or SurefootError
    rendered = render(parsed.call, result, terminal)
"""

from surefoot.commands.context import (
    Caller,
    CallerKind,
    Context,
    Control,
    DriverRegistry,
    Meter,
    Terminal,
)

__all__ = [
    "Caller",
    "CallerKind",
    "Context",
    "Control",
    "DriverRegistry",
    "Meter",
    "Terminal",
]
