"""No request makes the service ask an address: whatever a client names, nobody else hears of it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from graphpalace.settings.load import Settings
from tests.acceptance.served import changed
from tests.hook_inputs import hook_input
from tests.spare_palaces import spare_name


@pytest.fixture(scope="module")
def own(settings: Settings) -> Settings:
    """A service that may read all folders, and whose settings name no endpoint."""
    everywhere = {"folders": ("/",)}
    return changed(settings, palace={"name": spare_name()}, ingest=everywhere, conversations=everywhere)


@pytest.fixture(scope="module")
def filled(own: Settings) -> str:
    """The palace of the service."""
    return own.palace.name


@contextmanager
def _trap() -> Iterator[socket.socket]:
    """Listen at a port of this machine, as a service that only this machine can reach."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


@pytest.mark.parametrize(
    "form", ["http://127.0.0.1:{}/x", "file://127.0.0.1:{}/x", "//127.0.0.1:{}/x", "ray://127.0.0.1:{}"]
)
def test_an_address_in_a_request_is_not_asked(http: httpx.Client, form: str) -> None:
    with _trap() as listener:
        url = form.format(listener.getsockname()[1])
        text = {"text": "The gate is open.", "wing": "gate"}
        document = {"uri": f"file:{url}", "title": url, "media_type": "text/plain", "content_hash": "0" * 32}
        bodies: dict[str, dict[str, Any]] = {
            "/v1/drawers": {**text, "source_uri": url, "title": url},
            "/v1/ingest": {"paths": [url], "wing": "gate"},
            "/v1/ingest/documents": {"documents": [document], "wing": "gate"},
            "/v1/prune": {"sources": [url], "wing": "gate"},
            "/v1/conversations": {"path": url},
            "/v1/conversations/content": {"path": url, "content": ""},
            "/v1/hooks/claude-code/Stop": {"input": hook_input("claude-code", "Stop", url, cwd=url)},
            "/v1/facts": {"subject": "gate", "predicate": "is", "object": url, "source": url},
            "/v1/forget": {"source": url, "dry_run": True},
            "/v1/mcmp/start": {"root": url},
            "/v1/mcmp/jobs/start": {"root": url},
            "/v1/search": {"query": url},
        }
        host = url.partition("//")[2]
        named = {"Forwarded": f"host={host}", "X-Forwarded-Host": host, "X-Original-URL": url, "Referer": url}
        for path, body in bodies.items():
            answer = http.post(path, json=body, headers=named)
            assert answer.status_code < 500, (path, answer.text)
            assert "no such field" not in answer.text, (path, answer.text)
            assert "required" not in answer.text, (path, answer.text)
        for address in (f"/v1/mcmp/corpus/list?root={url}", f"/v1/drawers?wing={url}", f"/{url}"):
            assert http.get(address, follow_redirects=False).status_code < 500
        with pytest.raises(BlockingIOError):  # nobody has come
            listener.accept()
