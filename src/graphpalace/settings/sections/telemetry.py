"""The section `[telemetry]`."""

from __future__ import annotations

from pydantic import Field

from graphpalace.settings.sections.section import HttpAddress, SettingsSection


class TelemetrySettings(SettingsSection):
    """What operators are told: slow queries, and traces of OpenTelemetry (see docs/how-to/watch-the-service.md)."""

    slow_query_s: float = Field(
        default=1.0,
        ge=0,
        le=3600,
        description="A query that takes at least this number of seconds is logged with its name, never with its "
        "parameters, and counted. 0 logs none.",
    )
    otlp_endpoint: HttpAddress = Field(
        default="",
        pattern=r"^[^?#]*$",
        description="The address of a collector that takes traces by OTLP over HTTP, for example "
        "http://127.0.0.1:4318; they are sent to its path /v1/traces. It needs the extra `telemetry`. If it is empty, "
        "nothing is traced.",
    )
    traced_share: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="The share of requests that are traced. A request that comes with a `traceparent` is traced if "
        "its sender traces it.",
    )
