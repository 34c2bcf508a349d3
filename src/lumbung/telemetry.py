"""Structured logs: JSON for machines, one readable line for people; set up once, at the program's start."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import cast

import structlog
from structlog.typing import FilteringBoundLogger

log = cast("FilteringBoundLogger", structlog.get_logger("lumbung"))


class StderrLogger(structlog.PrintLogger):
    """A full disk or a closed pipe behind stderr loses lines, never the work."""

    def msg(self, message: str) -> None:
        with suppress(OSError, ValueError):
            super().msg(message)

    log = debug = info = warn = warning = error = critical = fatal = exception = failure = err = msg


def set_up_logs(level: str = "warning", as_json: bool = False) -> None:
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=lambda *_: StderrLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
