"""What a caller's terminal gets: text or one JSON object, and the exit code.

Exit codes (contracts.md): 0 success; 1 a well-formed request failed
(or ``check`` found errors, which it answers); 2 ``INVALID_ARGS``; 130
interrupted (the daemon's own, when the caller ended the request).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from surefoot.commands.context import Terminal
from surefoot.commands.descriptor import Answer
from surefoot.commands.output.divergence_text import divergence_lines, divergence_of
from surefoot.commands.output.words import lines
from surefoot.commands.running.execute import worded
from surefoot.errors import ErrorCode, SurefootError
from surefoot.text import single_line
from surefoot.wire import Call, Cost, ErrorBody, Reply

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
MAX_MESSAGE_LINES = 40
MAX_ERROR_CHARS = 4096
"""Characters any one text of an error has at most: a caller's own word comes back, not a mebibyte."""


class Rendered(Struct, frozen=True, kw_only=True):
    """What is written and the exit code. Both texts end with a line feed unless empty."""

    stdout: str
    stderr: str
    exit_code: int


def render(
    call: Call | None,
    outcome: Answer[Any] | SurefootError,
    terminal: Terminal,
    *,
    cost: Cost | None = None,
    log_path: str = "",
    as_json: bool | None = None,
) -> Rendered:
    """An outcome as text or, with ``--json``, as one object on stdout.

    ``call`` is ``None`` where the command line did not parse; ``as_json`` then says what was asked
    (:func:`wants_json`). Errors in text go to stderr.
    """
    json_asked = as_json if as_json is not None else call is not None and call.options.json
    code = exit_code(outcome)
    if json_asked:
        return Rendered(
            stdout=json_text(reply(outcome, cost, log_path)) + "\n", stderr="", exit_code=code
        )
    told = None if cost is None else cost_line(cost)
    if isinstance(outcome, SurefootError):
        text = lines(error_lines(outcome), told)
        return Rendered(stdout="", stderr=text + "\n", exit_code=code)
    assert call is not None
    text = lines(worded(call, outcome, terminal) or None, told)
    return Rendered(stdout=text + "\n" if text else "", stderr="", exit_code=code)


def wants_json(argv: list[str] | tuple[str, ...]) -> bool:
    """Whether a command line that may not parse asks for JSON."""
    ends = argv.index("--") if "--" in argv else len(argv)
    return "--json" in argv[:ends]


def exit_code(outcome: object) -> int:
    """0, 1 or 2 as contracts.md says."""
    if isinstance(outcome, Answer):
        return outcome.exit_code
    if not isinstance(outcome, SurefootError):
        return EXIT_OK
    return EXIT_USAGE if outcome.code is ErrorCode.INVALID_ARGS else EXIT_FAILED


def reply(outcome: Answer[Any] | SurefootError, cost: Cost | None = None, log_path: str = "") -> Reply:
    """The object ``--json`` prints and a client receives."""
    if isinstance(outcome, SurefootError):
        return Reply(success=False, error=error_body(outcome, log_path), cost=cost)
    return Reply(success=True, data=outcome.data, cost=cost)


def error_body(error: SurefootError, log_path: str) -> ErrorBody:
    """The wire form of an error."""
    return ErrorBody(
        code=error.code.value,
        message=_bounded(error.message),
        diagnostic_id=error.diagnostic_id,
        log_path=log_path,
        hint=_bounded(error.hint),
        details={key: _bounded_value(key, value) for key, value in error.details.items()},
        retriable=error.retriable or msgspec.UNSET,
    )


def _bounded(text: str) -> str:
    return text if len(text) <= MAX_ERROR_CHARS else text[: MAX_ERROR_CHARS - 1] + "…"


def _bounded_value(key: str, value: object) -> object:
    """A detail with every text in it bounded; a divergence report has bounds of its own (seed 0012)."""
    if isinstance(value, str):
        return _bounded(value)
    if key == "divergence":
        return value
    if isinstance(value, Mapping):
        return {name: _bounded_value(str(name), item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_bounded_value("", item) for item in value]
    return value


def json_text(value: object) -> str:
    """Compact JSON on one line; half a surrogate pair becomes its escape."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":"))


def cost_line(cost: Cost) -> str:
    """``cost: 1 capture, 0 polls, 1 reused, 12.3 ms``."""
    phases = "".join(f", {name} {ms:.1f}" for name, ms in cost.phases_ms.items())
    captures = f"{cost.captures} capture{'' if cost.captures == 1 else 's'}"
    polls = f"{cost.polls} poll{'' if cost.polls == 1 else 's'}"
    return f"cost: {captures}, {polls}, {cost.reused} reused, {cost.total_ms:.1f} ms{phases}"


def error_lines(error: SurefootError) -> list[str]:
    """The code, what was seen, what can be used now, and what to run next."""
    report = divergence_of(error)
    if report is not None:
        return divergence_lines(error, report)
    candidates = _candidate_lines(error.details)
    message = _bounded(error.message)
    if candidates:  # one a line instead of all in the message
        message = message.partition(f": {candidates[0]}")[0]
    first, *rest = message.split("\n")
    reason = f" {error.reason}" if error.reason else ""
    out = [f"error {error.code.value}{reason}: {_safe(first)}"]
    out += [_safe(line) for line in rest[:MAX_MESSAGE_LINES]]
    out += [f"  {line}" for line in candidates]
    if error.hint:
        out.append(f"hint: {_safe(_bounded(error.hint))}")
    if error.code is ErrorCode.UNKNOWN:
        out.append(f"diagnostic id: {error.diagnostic_id}")
    return out


def _candidate_lines(details: Mapping[str, Any]) -> list[str]:
    candidates = details.get("candidateLines")
    if not isinstance(candidates, list | tuple):
        return []
    return [_safe(line) for line in candidates if isinstance(line, str)]


def _safe(text: str) -> str:
    """One line of a message: nothing in it moves the cursor; quotes stay as they were written."""
    return "".join(char if char in '"\\' else single_line(char) for char in text)
