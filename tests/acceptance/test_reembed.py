"""The model of a palace is changed on the command line."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx
import pytest

from graphpalace.app import GraphPalace
from graphpalace.settings.load import Settings
from graphpalace.store.palaces.palaces import PalaceStore
from tests.acceptance.commands import Ran, environ_of, in_process
from tests.acceptance.served import announced, changed, in_data_folder, until


@pytest.fixture
def palace() -> str:
    """The name of a palace that a test creates, and drops."""
    return f"clireembed{uuid.uuid4().hex[:8]}"


@pytest.fixture
def environ(neo4j_settings: dict[str, object], palace: str) -> dict[str, str]:
    return environ_of(neo4j_settings, palace)


def test_a_palace_gets_the_vectors_of_the_configured_model(here: Callable[..., Ran], palace: str) -> None:
    other = {"GRAPHPALACE_EMBEDDINGS__MODEL": "all-MiniLM-L6-v2-q"}

    def run(*words: str, code: int = 0, **more: str) -> str:
        ran = here(*words, **more)
        assert ran.code == code, ran
        return ran.err if code else ran.out  # besides, the log of a first download, and how far it is after ten seconds

    run("add", "The sourdough starter is fed on Fridays.", "--wing", "kitchen")
    try:
        assert run("reembed") == f"palace {palace} has vectors of minilm-bge already\n"
        done = run("reembed", **other)
        assert done == f"palace {palace} now has vectors of all-MiniLM-L6-v2-q: 1 text embedded\n"
        assert "sourdough" in run("search", "when is the yeast fed?", "--lanes", "semantic")  # with the model it has
        joined = run("reembed")  # to the vectors of the default model, which are longer
        assert joined == f"palace {palace} now has vectors of minilm-bge: 1 text embedded\n"
        assert "sourdough" in run("search", "when is the yeast fed?")
        again = json.loads(run("reembed", "--json", GRAPHPALACE_EMBEDDINGS__MODEL="all-MiniLM-L6-v2"))
        assert again == {
            "palace": palace, "before": "minilm-bge", "model": "all-MiniLM-L6-v2", "embedded": 1,
        }  # fmt: skip
        assert "there is no palace 'nowhere'" in run("reembed", "--palace", "nowhere", code=3)
        nowhere = {
            "GRAPHPALACE_EMBEDDINGS__BASE_URL": "http://nothing.example.invalid/v1",
            "GRAPHPALACE_EMBEDDINGS__MODEL": "far",
            "GRAPHPALACE_EMBEDDINGS__DIMENSION": "384",
        }
        assert "nothing.example" in run("reembed", code=9, **nowhere)
    finally:
        run("palace", "drop", palace, "--yes")


async def test_a_service_whose_palace_has_another_model_says_so_and_gives_it_its_own(
    app: GraphPalace,
    settings: Settings,
    palace: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await PalaceStore(app.database).create(palace, model="far", dimension=8, analyzer="english")
    section = in_data_folder(settings, tmp_path)
    environ = environ_of(section | {"password": section["password"].get_secret_value()}, palace)
    command = partial(asyncio.to_thread, in_process(environ, tmp_path, monkeypatch, capsys))
    own = changed(settings, palace={"name": palace})
    try:
        with announced(own, tmp_path, ready=False) as client:
            await asyncio.to_thread(until, lambda: "reembed" in _model(client), seconds=30)
            refused = await command("add", "Figs dry.", "--wing", "kitchen")
            assert (refused.code, f"graphpalace reembed --palace {palace}" in refused.err) == (4, True), refused
            done = await command("reembed", GRAPHPALACE_EMBEDDINGS__MODEL=own.embeddings.model)
            assert "now has vectors of words: 0 texts embedded" in done.out, done
            assert (await command("add", "Figs dry.", "--wing", "kitchen")).code == 0
            await asyncio.to_thread(until, lambda: _model(client) == "loaded", seconds=30)
    finally:
        await app.drop_palace(palace)


def _model(client: httpx.Client) -> str:
    return client.get("/health/ready").json().get("embedding_model", "")


async def test_a_palace_whose_model_these_settings_cannot_make_gets_another(
    app: GraphPalace, here: Callable[..., Ran], palace: str
) -> None:
    await PalaceStore(app.database).create(palace, model="far", dimension=8, analyzer="english")
    try:
        refused = await asyncio.to_thread(here, "add", "Figs dry.", "--wing", "kitchen")
        assert refused.code == 4
        assert f"graphpalace reembed --palace {palace}" in refused.err
        done = await asyncio.to_thread(here, "reembed")
        assert done.out == f"palace {palace} now has vectors of minilm-bge: 0 texts embedded\n", done
        added = await asyncio.to_thread(here, "add", "Figs dry.", "--wing", "kitchen")
        assert added.code == 0, added
    finally:
        await app.drop_palace(palace)
