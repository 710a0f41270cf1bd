"""Request, result and event types that cross the socket."""

from surefoot.wire.call import Call, CallOptions, Cost, ErrorBody, Level, Reply

__all__ = ["Call", "CallOptions", "Cost", "ErrorBody", "Level", "Reply"]
