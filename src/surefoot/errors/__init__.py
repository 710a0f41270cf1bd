"""The one error type, its codes and hints."""

from surefoot.errors.model import (
    DEFAULT_HINTS,
    CaptureUnreadable,
    ErrorCode,
    SurefootError,
    invalid_args,
)

__all__ = ["DEFAULT_HINTS", "CaptureUnreadable", "ErrorCode", "SurefootError", "invalid_args"]
