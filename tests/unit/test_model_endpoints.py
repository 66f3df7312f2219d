"""The addresses of models are the owner's: whatever answers there, the key goes nowhere else, and no error has it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from graphpalace.embedding.endpoint import EndpointEmbedder
from graphpalace.endpoints import ChatEndpoint, ChatSettings
from graphpalace.errors import EmbeddingFailed, GraphPalaceError, ReportFailed, SettingsInvalid
from graphpalace.offers.every import GROUPS
from graphpalace.offers.offer import parameters

KEY = "the-key"


class _Host(BaseHTTPRequestHandler):
    """Answers every request with a redirect to the other host, if it has one, and keeps the paths."""

    asked: list[str]
    other: str | None = None

    def do_POST(self) -> None:
        self.asked.append(self.path)
        self.send_response(307 if self.other else 200)
        if self.other:
            self.send_header("Location", f"{self.other}{self.path}")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _host(other: str | None = None) -> Iterator[tuple[str, list[str]]]:
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


def test_no_operation_takes_an_address_that_the_service_would_ask() -> None:
    # `source_uri` and `uri` name where a text came from: it is stored and shown, and nothing reads from there.
    taken = {
        one.name
        for group in GROUPS
        for offer in group.offers
        for one in parameters(offer.request)
        if any(word in one.name for word in ("url", "uri", "address", "host", "endpoint"))
    }
    assert taken <= {"source_uri", "uri", "host"}  # the host of a conversation is a program, such as codex
