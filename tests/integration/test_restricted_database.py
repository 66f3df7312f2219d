"""A Neo4j with little memory for a transaction, and one that is read-only: a clear error, nothing half written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.acceptance.served import changed, failure, served, until
from tests.own_server import server_section
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.managed_neo4j import launch
from graphpalace.managed_neo4j.server import ManagedServer
from graphpalace.serve.http.process.supervisor import Neo4jKeeper
from graphpalace.settings.load import Settings

_LITTLE = {"db.memory.transaction.max": "4m"}
_READ_ONLY = {"server.databases.read_only": "neo4j"}
_MANY = 400


@contextmanager
def started(server: ManagedServer, extra: dict[str, str]) -> Iterator[None]:
    """Run a server with some more lines in its neo4j.conf."""
    as_shipped = launch.settings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "settings", lambda of: as_shipped(of) | extra)
        server.up(timeout_s=180)
    try:
        yield
    finally:
        server.down()


def _drawer(number: int, text: str = "") -> dict[str, Any]:
    vector = [1.0] + [0.0] * (WordEmbedder.dimension - 1)
    return {"text": f"{number} {text}", "wing": "w", "embedding": vector}


def _stored(client: httpx.Client) -> int:
    return client.get("/v1/stats").raise_for_status().json()["nodes"].get("Drawer", 0)


@pytest.mark.chaos
@pytest.mark.timeout(400)
def test_too_large_a_transaction_and_a_database_that_is_read_only_are_told_and_leave_nothing_half_done(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Neo4jKeeper, "start", lambda _self: None)  # this test starts the server again itself
    own = changed(settings, neo4j=server_section(tmp_path / "data", uri="", user="neo4j"))
    server = wiring.managed_server(own)
    with started(server, _LITTLE), served(own) as client:
        assert client.post("/v1/drawers", json=_drawer(0)).status_code == 201
        many = [_drawer(number, "x" * 10_000) for number in range(_MANY)]
        error = failure(client.post("/v1/drawers/batch", json={"drawers": many}), 503, "DATABASE_OUT_OF_MEMORY")
        assert "db.memory.transaction.max" in error["message"]
        assert _stored(client) == 1
        assert client.post("/v1/drawers", json=_drawer(1)).status_code == 201
        server.down()
        with started(server, _READ_ONLY):
            until(lambda: client.get("/health/live").status_code == 200, seconds=30)
            until(lambda: client.get("/v1/drawers").status_code == 200, seconds=30)
            assert _stored(client) == 2
            error = failure(client.post("/v1/drawers", json=_drawer(2)), 503, "DATABASE_READ_ONLY")
            assert "read-only" in error["message"]
            assert client.post("/v1/search", json={"query": "1"}).status_code == 200
            assert client.get("/health/ready").status_code == 200
        server.up(timeout_s=180)
        until(lambda: client.post("/v1/drawers", json=_drawer(2)).status_code == 201, seconds=30)
        assert _stored(client) == 3
