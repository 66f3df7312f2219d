"""Spans of OpenTelemetry: names of routes, queries, lanes and palaces, and counts, but nothing else that a user wrote.

By default nothing is traced. A span is then one object that does nothing, which all callers share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import SpanKind, Tracer

_ATTRIBUTE = "graphpalace."  # what the names of our attributes begin with


class NoSpan:
    """A span where nothing is traced."""

    __slots__ = ()

    def __enter__(self) -> NoSpan:
        """Do nothing."""
        return self

    def __exit__(self, kind: object = None, error: object = None, trace: object = None) -> None:
        """Do nothing."""

    def note(self, **attributes: str | float) -> None:
        """Add attributes."""

    def rename(self, name: str, attributes: Mapping[str, str | float]) -> None:
        """Give it another name, and attributes by their full names."""

    def fail(self, kind: str) -> None:
        """Mark it as failed, with a kind of error."""


class _Span(NoSpan):
    """A span that is traced. Those that begin within it are its children, unless it is a leaf."""

    __slots__ = ("_context", "_leaf", "_span", "_token")

    def __init__(
        self,
        tracer: Tracer,
        name: str,
        attributes: Mapping[str, str | float],
        *,
        context: Context | None = None,
        kind: SpanKind | None = None,
        leaf: bool = False,
    ) -> None:
        from opentelemetry.trace import SpanKind

        self._context = context
        self._leaf = leaf
        self._span = tracer.start_span(name, context, kind or SpanKind.INTERNAL, _named(attributes))

    def __enter__(self) -> NoSpan:
        from opentelemetry.context import attach
        from opentelemetry.trace import set_span_in_context

        if not self._leaf:
            self._token = attach(set_span_in_context(self._span, self._context))
        return self

    def __exit__(self, kind: object = None, error: object = None, trace: object = None) -> None:
        from opentelemetry.context import detach

        if not self._leaf:
            detach(self._token)
        if error is not None:  # only its kind: a message may quote what a user wrote
            self.fail(str(getattr(error, "code", type(error).__name__)))
        self._span.end()

    def note(self, **attributes: str | float) -> None:
        self._span.set_attributes(_named(attributes))

    def rename(self, name: str, attributes: Mapping[str, str | float]) -> None:
        self._span.update_name(name)
        self._span.set_attributes(attributes)

    def fail(self, kind: str) -> None:
        from opentelemetry.trace import Status, StatusCode

        self._span.set_attribute("error.type", kind)
        self._span.set_status(Status(StatusCode.ERROR))


_NO_SPAN = NoSpan()
_tracer: Tracer | None = None


def span(name: str, /, *, leaf: bool = False, **attributes: str | float) -> NoSpan:
    """Return a span below the current one, to be entered. Outside of a trace it does nothing.

    Args:
        leaf: Whether nothing begins within it. It may then end in another task.
        attributes: Their names get the prefix `graphpalace.`.
    """
    if _tracer is None:
        return _NO_SPAN
    from opentelemetry.trace import get_current_span

    # Not `is_recording`: FastAPI and FastMCP put spans that record nothing between ours.
    above = get_current_span().get_span_context()
    return _Span(_tracer, name, attributes, leaf=leaf) if above.trace_flags.sampled else _NO_SPAN


def root_span(name: str, **attributes: str | float) -> NoSpan:
    """Return a span that begins a trace, to be entered."""
    if _tracer is None:
        return _NO_SPAN
    from opentelemetry.context import Context

    return _Span(_tracer, name, attributes, context=Context())


def request_span(headers: Mapping[bytes, bytes]) -> NoSpan:
    """Return the span of a request, to be entered. It goes on with the trace that the headers name, if they do.

    Args:
        headers: Of the request, by their names in lower case.
    """
    if _tracer is None:
        return _NO_SPAN
    from opentelemetry.context import Context
    from opentelemetry.trace import SpanKind
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    given = {name: headers.get(name.encode(), b"").decode("latin-1") for name in ("traceparent", "tracestate")}
    carried = {name: value for name, value in given.items() if value}
    context = TraceContextTextMapPropagator().extract(carried, Context())
    return _Span(_tracer, "request", {}, context=context, kind=SpanKind.SERVER)


@contextmanager
def outside_of_traces() -> Iterator[None]:
    """Trace nothing in this block, unless a span in it begins a trace."""
    if _tracer is None:
        yield
        return
    from opentelemetry.context import Context, attach, detach

    token = attach(Context())
    try:
        yield
    finally:
        detach(token)


def trace_id() -> str:
    """Return the id of the current trace, 32 hexadecimal digits; "" if there is none."""
    if _tracer is None:
        return ""
    from opentelemetry.trace import format_trace_id, get_current_span

    context = get_current_span().get_span_context()
    return format_trace_id(context.trace_id) if context.is_valid else ""


@contextmanager
def traced_by(tracer: Any) -> Iterator[None]:
    """Let a tracer of OpenTelemetry make the spans of this process, in this block."""
    global _tracer  # noqa: PLW0603  # one for the process, so that a span that is not traced costs a comparison
    before, _tracer = _tracer, tracer
    try:
        yield
    finally:
        _tracer = before


def _named(attributes: Mapping[str, str | float]) -> dict[str, str | float]:
    return {_ATTRIBUTE + name: value for name, value in attributes.items()}
