"""Send the traces of this process to a collector, by OTLP over HTTP."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from graphpalace import __version__
from graphpalace.errors import SettingsInvalid
from graphpalace.settings.sections.telemetry import TelemetrySettings
from graphpalace.telemetry.spans import traced_by

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

_PATH = "/v1/traces"
_SEND_S = 3.0  # for how long a batch is tried to be sent, also at the end of the process


def tracing(settings: TelemetrySettings) -> AbstractContextManager[None]:
    """Return a block in which this process is traced, if the settings name a collector.

    What is not sent yet is sent at its end. OpenTelemetry's own variables count too, such as
    `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_SERVICE_NAME`.

    Raises:
        SettingsInvalid: If the packages of the extra `telemetry` are missing.
    """
    if not settings.otlp_endpoint:
        return nullcontext()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise SettingsInvalid(
            f"telemetry.otlp_endpoint is {settings.otlp_endpoint!r}, but {error.name} is not installed: install the "
            "extra (`pip install graphpalace[telemetry]`), or leave the setting empty",
            field="telemetry.otlp_endpoint",
        ) from None
    provider = provider_of(settings)
    exporter = OTLPSpanExporter(settings.otlp_endpoint.rstrip("/") + _PATH, timeout=_SEND_S)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return traced_with(provider)


def provider_of(settings: TelemetrySettings) -> TracerProvider:
    """Return what makes tracers and gives their spans to its processors, of which it has none yet."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    name = os.environ.get("OTEL_SERVICE_NAME", "graphpalace")
    return TracerProvider(
        sampler=ParentBased(TraceIdRatioBased(settings.traced_share)),
        resource=Resource.create({"service.name": name, "service.version": __version__}),
        shutdown_on_exit=False,
    )


@contextmanager
def traced_with(provider: TracerProvider) -> Iterator[None]:
    """Trace this process in this block. The provider is not made that of the process, as FastMCP would use it too."""
    try:
        with traced_by(provider.get_tracer("graphpalace", __version__)):
            yield
    finally:
        provider.shutdown()
