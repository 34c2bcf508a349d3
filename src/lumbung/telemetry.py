"""Structured logs, and traces that follow one page through the stages; both set up once, at the program's start."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, cast

from lumbung.errors import SettingsError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Span, Tracer
    from structlog.typing import FilteringBoundLogger


@contextmanager
def as_if_missing(module: str) -> Iterator[None]:
    held = sys.modules.get(module)
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[module]
        if held is not None:
            sys.modules[module] = held


with as_if_missing("rich"):
    # It would draw tracebacks, which we never have drawn, and takes as long to load as all of structlog.
    import structlog

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


TRACE = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-01")
"""A step's place in a trace, as W3C words it; jobs carry it from stage to stage."""
_tracer: Tracer | None = None


def set_up_traces(url: str | None) -> None:
    """Send steps to a collector; without an address nothing is recorded and nothing loaded."""
    if url is None:
        return
    try:
        processor = import_module("opentelemetry.sdk.trace.export").BatchSpanProcessor
        exporter = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter").OTLPSpanExporter
    except ImportError as error:
        raise SettingsError(
            f"Traces need {error.name}: install lumbung[tracing], or unset LUMBUNG_TRACES_URL."
        ) from error
    record_steps(processor(exporter(endpoint=url)))


def record_steps(processor: SpanProcessor | None) -> None:
    """Every step from now on goes to this processor; None ends the recording."""
    global _tracer
    if processor is None:
        _tracer = None
        return
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    provider = TracerProvider(resource=Resource.create({"service.name": "lumbung"}))
    provider.add_span_processor(processor)
    _tracer = provider.get_tracer("lumbung")


class Step:
    """What one stage does for one page or job; `trace` is what the jobs that follow from it carry."""

    def __init__(self, span: Span | None, trace: str | None) -> None:
        self._span = span
        self.trace = trace

    def end(self, error: BaseException | None = None) -> None:
        if self._span is None:
            return
        if error is not None:
            self._span.record_exception(error)
            self._span.set_attribute("error.type", type(error).__name__)
        self._span.end()


def begin_step(name: str, parent: str | None, **attributes: str | int) -> Step:
    """Without traces a step costs nothing, and hands on what it was given."""
    if _tracer is None:
        return Step(None, parent)
    from opentelemetry import trace as api

    span = _tracer.start_span(name, api.set_span_in_context(_parent(parent)), attributes=attributes)
    own = span.get_span_context()
    return Step(span, f"00-{own.trace_id:032x}-{own.span_id:016x}-01")


def _parent(trace: str | None) -> Span:
    from opentelemetry.trace import INVALID_SPAN, NonRecordingSpan, SpanContext, TraceFlags

    found = TRACE.fullmatch(trace or "")
    if found is None:
        return INVALID_SPAN
    numbers = int(found[1], 16), int(found[2], 16)
    return NonRecordingSpan(SpanContext(*numbers, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED)))
