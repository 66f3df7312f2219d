"""Traces reach a collector by OTLP over HTTP; without their packages, the error says what to install."""

from __future__ import annotations

import gzip
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from graphpalace import __version__
from graphpalace.errors import SettingsInvalid
from graphpalace.serve.http.app import create_app
from graphpalace.settings.load import Settings
from graphpalace.settings.sections.telemetry import TelemetrySettings
from graphpalace.telemetry.otlp import tracing
from graphpalace.telemetry.spans import request_span, root_span, span

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@contextmanager
def collector() -> Iterator[tuple[str, list[tuple[str, ExportTraceServiceRequest]]]]:
    """Give the address of a collector, and the requests that it got, each with its path."""
    received: list[tuple[str, ExportTraceServiceRequest]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name is http.server's
            body = self.rfile.read(int(self.headers["Content-Length"]))
            plain = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
            received.append((self.path, ExportTraceServiceRequest.FromString(plain)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


@pytest.mark.parametrize("end", ["", "/"])
def test_a_collector_gets_the_spans_with_their_parents_and_attributes(end: str) -> None:
    headers = {b"traceparent": f"00-{TRACE}-{PARENT}-01".encode()}
    with collector() as (address, received):
        settings = TelemetrySettings(otlp_endpoint=address + end)
        with tracing(settings), request_span(headers) as request:
            with span("query", leaf=True, query="search/search_fulltext", palace="main") as query:
                query.note(rows=3)
            request.rename("POST /v1/search", {"http.route": "/v1/search"})
    paths = {path for path, _ in received}
    resources = [resource for _, asked in received for resource in asked.resource_spans]
    assert paths == {"/v1/traces"}
    about = {one.key: one.value.string_value for one in resources[0].resource.attributes}
    assert (about["service.name"], about["service.version"]) == ("graphpalace", __version__)
    spans = {one.name: one for resource in resources for scope in resource.scope_spans for one in scope.spans}
    request_span_, query_span = spans["POST /v1/search"], spans["query"]
    assert {one.trace_id.hex() for one in spans.values()} == {TRACE}
    assert request_span_.parent_span_id.hex() == PARENT
    assert query_span.parent_span_id == request_span_.span_id
    values = {one.key: one.value.string_value or one.value.int_value for one in query_span.attributes}
    assert values == {
        "graphpalace.query": "search/search_fulltext",
        "graphpalace.palace": "main",
        "graphpalace.rows": 3,
    }


def test_an_address_that_nobody_listens_on_stops_nothing() -> None:
    with tracing(TelemetrySettings(otlp_endpoint="http://127.0.0.1:9")), root_span("request"):
        pass


def test_nothing_of_opentelemetry_is_imported_without_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace.export", None)
    with tracing(TelemetrySettings()):
        pass


@pytest.mark.parametrize("start", [lambda settings: tracing(settings.telemetry), create_app])
def test_without_the_packages_the_error_says_what_to_install(start: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    settings = Settings(telemetry=TelemetrySettings(otlp_endpoint="http://127.0.0.1:4318"))
    assert callable(start)
    with pytest.raises(
        SettingsInvalid, match=r"telemetry\.otlp_endpoint is 'http://127\.0\.0\.1:4318'.*graphpalace\[tel"
    ):
        start(settings)


@pytest.mark.parametrize("wrong", ["127.0.0.1:4318", "ftp://host", "http://host?x=1", "http://two words"])
def test_an_address_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="otlp_endpoint"):
        TelemetrySettings(otlp_endpoint=wrong)
