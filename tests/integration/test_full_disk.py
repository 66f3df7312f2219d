"""A disk that is full, for real: a file system of its own that holds a Neo4j and little more."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.acceptance.served import changed, served
from tests.disks import fill_disk, small_disk
from tests.own_server import server_section
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.errors import NotEnoughDisk
from graphpalace.serve.cli.doctor.check import Installation
from graphpalace.serve.cli.doctor.examination import examine
from graphpalace.serve.http.process.supervisor import Neo4jKeeper
from graphpalace.settings.load import Settings

__all__ = ["small_disk"]  # a fixture
_MIB = 2**20


@pytest.mark.chaos
@pytest.mark.timeout(400)
def test_a_full_disk_is_told_and_nothing_that_was_acknowledged_is_lost(
    settings: Settings, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Neo4jKeeper, "start", lambda _self: None)  # this test starts the server again itself
    own = changed(settings, neo4j=server_section(small_disk / "data", uri="", user="neo4j"))
    server = wiring.managed_server(own)
    try:
        server.up(timeout_s=180)
        with served(own) as client:
            filler = fill_disk(small_disk, leave=8 * _MIB)
            kept: list[str] = []
            for number in range(100):
                text = f"{number} " + "x" * 900_000
                body = {"text": text, "wing": "w", "embedding": [1.0] + [0.0] * (WordEmbedder.dimension - 1)}
                answer = client.post("/v1/drawers", json=body)
                if answer.status_code != 201:
                    break
                kept.append(answer.json()["id"])
            error = answer.json()["error"]
            assert (answer.status_code, error["code"]) == (503, "DATABASE_BROKEN"), error
            assert "the disk is full" in error["message"]
            assert int(answer.headers["Retry-After"]) > 0
            ready = client.get("/health/ready")
            assert (ready.status_code, ready.json()["database"]) == (503, "broken")
            assert "the disk is full" in ready.json()["reason"]
        assert kept

        found = {check.name: check for check in asyncio.run(examine(Installation(own)))}
        assert found["Disk"].state == found["Database"].state == "bad"
        assert "free disk space: Neo4j needs 96 MiB to start; then run `graphpalace up`" in found["Disk"].fix
        assert "free disk space, then run `graphpalace up`" in found["Database"].found
        with pytest.raises(NotEnoughDisk):
            server.up()

        filler.unlink()
        said: list[str] = []
        assert not server.up(tell=said.append, timeout_s=180).already_running  # what `doctor` advised
        assert "has stopped serving its database" in said[0]
        assert "waiting for Neo4j" in said[1]
        asyncio.run(_read_all(own, kept))
        assert {check.name: check for check in asyncio.run(examine(Installation(own)))}["Database"].state == "good"
    finally:
        server.down()


async def _read_all(settings: Settings, drawers: list[str]) -> None:
    async with wiring.opened(settings, embedder=WordEmbedder()) as app:
        for number, drawer in enumerate(drawers):
            assert (await app.drawers.read(settings.palace.name, drawer)).text.startswith(f"{number} x")
