"""A running service has one driver, whatever works in it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from neo4j import AsyncGraphDatabase

from graphpalace.serve.cli.server.service import decay_beside
from graphpalace.settings.load import Settings
from tests.acceptance.served import served, until


def test_a_service_that_searches_and_lets_pheromones_fade_opens_one_driver(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    driver = AsyncGraphDatabase.driver

    def noted(uri: str, **options: Any) -> Any:
        opened.append(uri)
        return driver(uri, **options)

    monkeypatch.setattr(AsyncGraphDatabase, "driver", noted)
    own = settings.model_copy(
        update={
            "decay": settings.decay.model_copy(update={"cycle_seconds": 0.2}),
            "pheromones": settings.pheromones.model_copy(update={"decay_interval_cycles": 2}),
        }
    )
    with served(own, companions=[partial(decay_beside, own)]) as http:
        assert http.post("/v1/search", json={"query": "roses"}).status_code == 200
        until(lambda: http.get("/v1/decay").json()["last_run"], seconds=30)
    assert len(opened) == 1
