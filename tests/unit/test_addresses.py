"""Addresses are the owner's: no request has one, what answers there sends no key elsewhere, and no error has one."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.words import WordEmbedder

from graphpalace import AsyncPalace, maven
from graphpalace.embedding.endpoint import EndpointEmbedder
from graphpalace.endpoints import ChatEndpoint, ChatSettings
from graphpalace.errors import (
    ChecksumMismatch,
    DownloadFailed,
    EmbeddingFailed,
    GraphPalaceError,
    ReportFailed,
    SettingsInvalid,
)
from graphpalace.maven import Jar, fetch_jars
from graphpalace.serve.http.app import create_app
from graphpalace.settings.load import Settings, load
from graphpalace.settings.sections.telemetry import TelemetrySettings
from graphpalace.telemetry.otlp import tracing
from graphpalace.telemetry.spans import root_span

KEY = "the-key"


class _Host(BaseHTTPRequestHandler):
    """Answers every request with a redirect to the other host, if it has one, and keeps the paths."""

    asked: list[BaseHTTPRequestHandler]
    other: str | None = None

    def do_GET(self) -> None:
        self.asked.append(self)
        self.send_response(307 if self.other else 200)
        if self.other:
            self.send_header("Location", f"{self.other}{self.path}")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET  # noqa: N815 - as http.server names it

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _host(other: str | None = None) -> Iterator[tuple[str, list[BaseHTTPRequestHandler]]]:
    handler = type("Host", (_Host,), {"asked": [], "other": other})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", handler.asked
    server.shutdown()
    server.server_close()


async def _refusal_of_chat(url: str, key: str = KEY) -> GraphPalaceError:
    settings = ChatSettings(url, key, "m", 5, 100, named="reports.", url_named="reports.base_url")
    with pytest.raises((ReportFailed, SettingsInvalid)) as refused:
        endpoint = ChatEndpoint(settings, what="report", failed=ReportFailed, retries=0)
        try:
            await endpoint.ask([])
        finally:
            await endpoint.close()
    return refused.value


def _refusal_of_embedding(url: str, key: str = KEY) -> GraphPalaceError:
    with pytest.raises((EmbeddingFailed, SettingsInvalid)) as refused:
        EndpointEmbedder("m", base_url=url, api_key=key, dimension=3, retries=0).embed(["a"])
    return refused.value


async def test_a_redirect_is_refused_and_the_other_host_hears_nothing() -> None:
    with _host() as (other, heard), _host(other) as (url, asked):
        refused = [await _refusal_of_chat(url), _refusal_of_embedding(url)]
    assert (len(asked), heard) == (2, [])
    assert all("307" in error.message for error in refused)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://ann:pa55@127.0.0.1:9/v1", "http://[::1", "gopher://x"]
)
async def test_an_address_that_cannot_be_asked_is_an_error_without_its_password_and_the_key(url: str) -> None:
    for refused in (await _refusal_of_chat(url), _refusal_of_embedding(url)):
        assert not [word for word in (KEY, "pa55") if word in f"{refused.message} {refused.detail}"]


def test_a_key_that_no_header_can_have_is_not_in_the_error() -> None:
    assert "the-secret" not in _refusal_of_embedding("http://127.0.0.1:9", "the-secret\n").message


async def test_a_client_of_the_service_follows_no_redirect() -> None:
    with _host() as (other, heard), _host(other) as (url, asked):
        async with AsyncPalace.connect(url, KEY) as palace:
            with pytest.raises(GraphPalaceError) as refused:
                await palace.stats()
    assert asked
    assert not heard
    assert KEY not in refused.value.message


def test_traces_and_the_headers_of_their_collector_go_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", f"authorization={KEY}")
    with (
        _host() as (other, heard),
        _host(other) as (url, asked),
        tracing(TelemetrySettings(otlp_endpoint=url)),
        root_span("request"),
    ):
        pass
    assert ([one.path for one in asked], heard) == (["/v1/traces"], [])


def test_a_repository_may_send_downloads_elsewhere_but_not_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maven, "_BACKOFF_S", 0)
    jar = Jar("org.example:one:1", "0" * 64, 1)
    with _host() as (other, heard), _host(other) as (url, asked):
        with pytest.raises(ChecksumMismatch) as refused:
            fetch_jars([jar], folder=tmp_path, repository_url=url.replace("//", "//ann:pa55@"), progress=None)
        assert (len(asked), len(heard)) == (1, 1)
    assert [one.headers.get("Authorization") is None for one in (*asked, *heard)] == [False, True]
    assert "pa55" not in f"{refused.value.message} {refused.value.detail}"
    with pytest.raises(DownloadFailed) as failed:
        fetch_jars([jar], folder=tmp_path, repository_url="http://ann:pa55@127.0.0.1:9", progress=None)
    assert "pa55" not in f"{failed.value.message} {failed.value.detail}"


ADDRESSES = {
    "neo4j.uri": "must begin with neo4j://, bolt://",
    "neo4j.repository_url": "must begin with http:// or https://",
    "embeddings.base_url": "must begin with http:// or https://",
    "reports.base_url": "must begin with http:// or https://",
    "knowledge.extractor_url": "must begin with http:// or https://",
    "telemetry.otlp_endpoint": "must begin with http:// or https://",
}
NO_ADDRESSES = {"service.max_url_kb", "simulation.ray_address"}  # the latter is Ray's: auto, or a host and a port


def test_every_setting_that_is_an_address_is_listed_here() -> None:
    named = {
        f"{section}.{name}"
        for section, kind in Settings.model_fields.items()
        for name in getattr(kind.annotation, "model_fields", {})
        if re.search("url|uri|address|endpoint", name)
    }
    assert named == ADDRESSES.keys() | NO_ADDRESSES


@pytest.mark.parametrize("setting", ADDRESSES)
@pytest.mark.parametrize(
    "wrong", ["file:///etc/passwd", "ftp://host/x", "gopher://x", "localhost", "javascript:1", "http:///x"]
)
def test_a_setting_refuses_other_schemes(setting: str, wrong: str, tmp_path: Path) -> None:
    section, name = setting.split(".")
    config = tmp_path / "graphpalace.toml"
    config.write_text(f'[{section}]\n{name} = "{wrong}"\n', "utf-8")
    with pytest.raises(SettingsInvalid, match=f"{re.escape(setting)} is '{re.escape(wrong)}'; it {ADDRESSES[setting]}"):
        load(config)


def test_the_error_about_an_address_has_no_password(tmp_path: Path) -> None:
    config = tmp_path / "graphpalace.toml"
    config.write_text('[neo4j]\nuri = "bolt://ann:pa55@host"\n', "utf-8")
    with pytest.raises(SettingsInvalid, match="settings of their own") as refused:
        load(config)
    assert "pa55" not in refused.value.message


def test_no_request_has_an_address_that_the_service_would_ask() -> None:
    # `source_uri`, `uri` and `uris` name where a text came from: it is stored and shown, and nothing reads from there.
    # The host of a conversation is a program, such as codex.
    described = create_app(Settings(), embedder=WordEmbedder()).openapi()
    names = {
        one["name"]
        for path in described["paths"].values()
        for operation in path.values()
        for one in operation.get("parameters", ())
    }
    bodies = [operation.get("requestBody", {}) for path in described["paths"].values() for operation in path.values()]
    names |= set(_fields(bodies, described["components"]["schemas"], set()))
    assert len(names) > 100
    asked = {name for name in names if re.search("ur[li]|address|host|endpoint|server|proxy|callback|redirect", name)}
    assert asked == {"source_uri", "uri", "uris", "host"}


def _fields(part: Any, schemas: dict[str, Any], seen: set[str]) -> Iterator[str]:
    """Yield the names of all fields that a description of bodies leads to."""
    if isinstance(part, list):
        for one in part:
            yield from _fields(one, schemas, seen)
    elif isinstance(part, dict):
        yield from part.get("properties", {})
        for value in part.values():
            yield from _fields(value, schemas, seen)
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name and name not in seen:
            seen.add(name)
            yield from _fields(schemas[name], schemas, seen)
