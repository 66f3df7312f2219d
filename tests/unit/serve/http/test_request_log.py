"""The log of requests has routes, and not the names that somebody asked for."""

from __future__ import annotations

import pytest
import structlog
from fastapi import FastAPI
from fastapi.testclient import TestClient

from graphpalace.serve.http import request_log
from graphpalace.serve.http.request_log import RequestLog


def test_a_name_in_a_path_is_not_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    app = FastAPI()

    @app.get("/v1/names/{name}")
    async def name_page(name: str) -> str:
        return name

    monkeypatch.setattr(
        request_log, "_LOG", structlog.get_logger()
    )  # one that was used before keeps where it writes to
    with structlog.testing.capture_logs() as logs, TestClient(RequestLog(app)) as client:
        assert client.get("/v1/names/Mara%20Quill").json() == "Mara Quill"
        assert client.get("/v2/names/Mara%20Quill").status_code == 404
    assert [entry["path"] for entry in logs] == ["/v1/names/{name}", "unmatched"]
    assert "Mara" not in str(logs)
