"""Confidence at each door: HTTP, the command line, MCP and Python say when nothing fits well."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import numpy as np
import pytest
from fastmcp import Client

from graphpalace.app import GraphPalace
from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.error_codes import EXIT
from graphpalace.operations.drawers.drawers import NewDrawer
from graphpalace.settings.load import Settings
from tests.acceptance.commands import Ran, environ_of, printed
from tests.acceptance.served import changed, served
from tests.beir import write_collection
from tests.integration.test_confidence import NOTES
from tests.mcp_calls import call, server_of
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

FITS, NOT = "which valve of the boiler needs grease", "recipe for the apple pie"


@pytest.fixture(scope="module")
async def notes(app: GraphPalace) -> AsyncIterator[str]:
    """A palace of a few notes; no test changes it."""
    name = spare_name()
    await app.create_palace(name)
    for text in NOTES:
        await app.drawers.add(name, NewDrawer(text=text, wing="work", room="notes"))
    yield name
    await app.drop_palace(name)


@pytest.fixture(scope="module")
def http(settings: Settings, notes: str) -> Iterator[httpx.Client]:
    with served(changed(settings, palace={"name": notes}, decay={"enabled": False})) as client:
        yield client


@pytest.fixture
def environ(neo4j_settings: dict[str, object], notes: str) -> dict[str, str]:
    return environ_of(neo4j_settings, notes)


@pytest.fixture
def command(here: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Run a command on the palace, with an embedder that knows only words."""
    monkeypatch.setattr("graphpalace.app.models.make_embedder", lambda _settings: WordEmbedder())
    return here


def test_http_says_how_sure_each_hit_and_the_answer_is(http: httpx.Client) -> None:
    has, has_not = (http.post("/v1/search", json={"query": query}).json() for query in (FITS, NOT))
    assert has["fits"] is True
    assert has_not["fits"] is False
    assert 0 < has_not["confidence"] < has["confidence"] < 1
    assert all(0 < hit["confidence"] < 1 for answer in (has, has_not) for hit in answer["hits"])
    unknown = http.post("/v1/search", json={"query": FITS, "fusion": "rrf"}).json()
    assert (unknown["confidence"], unknown["fits"], unknown["hits"][0]["confidence"]) == (None, True, None)


def test_the_command_says_when_nothing_fits(command: Callable[..., Ran]) -> None:
    has, has_not = command("search", FITS), command("search", NOT)
    assert (has.code, has_not.code) == (0, 0)
    assert "nothing fits well" not in has.out
    assert has_not.out.startswith("nothing fits well (confidence 0.")
    assert "#0  sure, " in has.out
    assert "sure, " not in has_not.out and "maybe, " not in has_not.out  # its hits are shown all the same
    assert NOTES[0] in has_not.out
    assert f"{NOTES[0]}" in has.out
    assert ", confidence 0." in has.out.splitlines()[-1]
    assert printed(command("search", NOT, "--json"))["fits"] is False
    assert "confidence 0." in command("search", FITS, "--explain").out
    assert "sure, " not in command("search", FITS, "--preset", "rrf").out


def test_the_level_that_the_command_uses_is_a_setting(
    command: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHPALACE_SEARCH__LEAST_CONFIDENCE", "1.0")
    assert command("search", FITS).out.startswith("nothing fits well")
    monkeypatch.setenv("GRAPHPALACE_SEARCH__LEAST_CONFIDENCE", "1.1")
    refused = command("search", FITS)
    assert refused.code == EXIT["VALIDATION_ERROR"]
    assert "least_confidence" in refused.err


async def test_a_model_reads_that_nothing_fits(app: GraphPalace, notes: str) -> None:
    async with Client(server_of(app, profile="core")) as client:
        has = await call(client, "search", query=FITS, palace=notes)
        has_not = await call(client, "search", query=NOT, palace=notes)
        whole = await call(client, "search", query=NOT, palace=notes, detail=True)
    assert "note" not in has
    assert has_not["note"] == "nothing fits well"
    assert 0 < has_not["confidence"] < has["confidence"] < 1
    assert has["hits"][0]["confidence"] > has_not["hits"][0]["confidence"]
    assert whole["fits"] is False


async def test_python_says_it_too(http: httpx.Client, notes: str) -> None:
    async with AsyncPalace.connect(str(http.base_url), name=notes, api_key=_key(http)) as palace:
        assert (await palace.search(FITS)).fits
        answer = await palace.search(NOT)
        assert not answer.fits
        assert answer.hits[0].confidence is not None


def _key(http: httpx.Client) -> str | None:
    return http.headers.get("Authorization", "").removeprefix("Bearer ") or None


@pytest.fixture
def towns(tmp_path: Any) -> Any:
    """Six questions, each with a document that has its words, and no words in common."""
    names = ("amber", "birch", "cedar", "delta", "ember", "fjord")
    return write_collection(
        tmp_path / "towns",
        [{"_id": name, "text": f"{name} {name}ville stands on {name} hill"} for name in names],
        [{"_id": f"q{name}", "text": f"{name}ville {name}"} for name in names],
        [(f"q{name}", name, 1) for name in names],
        vectors=np.eye(6, 8, dtype=np.float16) + np.float16(0.1),
        query_vectors=np.eye(6, 8, dtype=np.float16) + np.float16(0.05),
    )


def test_an_evaluation_asks_each_question_with_and_without_its_documents(
    evaluate: Callable[..., Ran], towns: Any
) -> None:
    found = printed(evaluate(towns, "--no-answer", "--json"))
    assert found["collection"] == "towns"
    assert found["cases"] == {"answered": 6, "removed": 6, "unanswerable": 0, "foreign": 0}
    assert found["auc"] == pytest.approx(1)  # with its document, every question is surer than any without
    assert found["auc_foreign"] is None
    assert 0 <= found["calibration_error"] <= 1
    assert found["hit_auc"] == pytest.approx(1)
    assert set(found["nothing_fits"]) == {"answered", "removed"}
    ran = evaluate(towns, "--no-answer")
    assert ran.out.startswith("towns: 6 answered (mean confidence 0.")
    assert ran.out.splitlines()[2].split()[:3] == ["search", "1.000", "-"]


def test_the_evaluation_of_confidence_stands_alone(evaluate: Callable[..., Ran], towns: Any) -> None:
    for more in (("--swarm",), ("--ablate",), ("--learn", "unseen")):
        refused = evaluate(towns, "--no-answer", *more)
        assert refused.code == EXIT["VALIDATION_ERROR"]
        assert "--no-answer can only be combined with --json" in refused.err
