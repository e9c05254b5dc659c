"""The operational log: what the server did, for whoever runs it, on standard error.

On a terminal it is written for eyes, elsewhere as one JSON object a line.  Text of strangers
(names, what a broken client sent) ends up in it, so everything that is not printable is shown as an
escape.
It never holds seeds, hands or chat.  The journals are a second stream of their own
(:mod:`server.journal`).
"""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import msgspec
import structlog
from structlog.typing import FilteringBoundLogger, Processor

Log = FilteringBoundLogger
"""What the rest of the server calls: ``log.info("connected", address=...)``."""

_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
LEVELS = tuple(_LEVELS)
_ENTRY_LIMIT = 500


def printable(text: str, keep: str = "") -> str:
    """The text with everything that is not printable (controls, bidi marks, lone surrogates) shown
    as an escape; characters in ``keep`` stay."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in keep else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def _harmless(value: object, limit: int) -> object:
    if isinstance(value, str):
        text = printable(value[:limit])
        return text if len(value) <= limit else text + "..."
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {printable(str(k)[:80]): _harmless(v, limit) for k, v in list(value.items())[:100]}
    if isinstance(value, list | tuple):
        return [_harmless(v, limit) for v in value[:100]]
    return _harmless(repr(value), limit)


def harmless(
    _logger: object, _method: str, entry: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """A processor that makes every value safe to print; tracebacks keep their line ends."""
    for key, value in entry.items():
        if key == "exception" and isinstance(value, str):
            entry[key] = printable(value, keep="\n")
        else:
            entry[key] = _harmless(value, _ENTRY_LIMIT)
    return entry


def _json(_logger: object, _method: str, entry: MutableMapping[str, Any]) -> str:
    return msgspec.json.encode(dict(entry)).decode()


def operational_log(
    file: TextIO | None = None, *, level: str = "info", terminal: bool | None = None
) -> Log:
    """The log on ``file`` (standard error); ``terminal`` decides about the format and is found out
    if not given."""
    out = sys.stderr if file is None else file
    for_eyes = out.isatty() if terminal is None else terminal
    processors: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        harmless,
    ]
    if for_eyes:
        processors.append(
            structlog.dev.ConsoleRenderer(
                colors=True, exception_formatter=structlog.dev.plain_traceback
            )
        )
    else:
        processors.append(structlog.processors.EventRenamer("message"))
        processors.append(_json)
    log: Log = structlog.wrap_logger(
        structlog.PrintLogger(out),
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        context_class=dict,
        cache_logger_on_first_use=True,
    )
    return log
