"""Traces that stay in the memory of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from graphpalace.settings.sections.telemetry import TelemetrySettings
from graphpalace.telemetry.otlp import provider_of, traced_with


@contextmanager
def kept_traces(**settings: float) -> Iterator[InMemorySpanExporter]:
    """Trace this process in this block, into memory."""
    exporter = InMemorySpanExporter()
    provider = provider_of(TelemetrySettings.model_validate(settings))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with traced_with(provider):
        yield exporter


def parents(spans: tuple[ReadableSpan, ...]) -> dict[str, str | None]:
    """Return the name of each span's parent, by its own; None of a span that begins a trace."""
    names = {span.context.span_id: span.name for span in spans if span.context}
    return {span.name: names[span.parent.span_id] if span.parent else None for span in spans}
