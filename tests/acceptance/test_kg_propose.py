"""Proposed facts over HTTP, in Python and on the command line, with a small server as the language model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from graphpalace import Palace
from graphpalace.domain.knowledge.facts import ProposalReport
from graphpalace.error_codes import EXIT
from graphpalace.errors import ExtractionFailed
from graphpalace.settings.load import Settings
from tests.acceptance.commands import environ_of, in_process, printed
from tests.acceptance.served import changed, failure, served
from tests.chats import Chats, chat, chatting
from tests.spare_palaces import spare_name
from tests.words import WordEmbedder

_FACT = {"subject": "Ada", "predicate": "works_at", "object": "Acme", "confidence": 0.5}


@pytest.fixture(scope="module")
def model() -> Iterator[type[Chats]]:
    with chatting(chat({"facts": [_FACT]})) as started:
        yield started


@pytest.fixture(scope="module")
def own(settings: Settings, model: type[Chats]) -> Settings:
    extractor = {"extractor_url": model.url, "extractor_model": "reader"}
    return changed(settings, palace={"name": spare_name()}, knowledge=extractor)


@pytest.fixture(scope="module")
def http(own: Settings) -> Iterator[httpx.Client]:
    with served(own) as client:
        for number in range(6):
            body = {"text": f"Ada works at Acme, note {number}.", "wing": "people", "room": "notes"}
            client.post("/v1/drawers", json=body).raise_for_status()
        yield client
        client.delete(f"/v1/palaces/{own.palace.name}?confirm={own.palace.name}").raise_for_status()


def test_the_progress_comes_line_by_line_and_the_last_line_is_the_report(http: httpx.Client) -> None:
    said = http.post("/v1/facts/propose", json={"wing": "people", "most": 5})
    lines = [json.loads(line) for line in said.text.splitlines()]
    assert [line["done"] for line in lines[:-1]] == [False] * (len(lines) - 1)
    report = lines[-1]["report"]
    assert (lines[-1]["done"], report["drawers"], report["added"], report["known"]) == (True, 5, 1, 4)
    (fact,) = http.get("/v1/facts", params={"subject": "Ada"}).json()["facts"]
    assert (fact["confidence"], fact["source"], len(fact["drawers"])) == (0.5, "extractor", 5)


def test_a_palace_behind_a_service_proposes_the_rest(http: httpx.Client, own: Settings) -> None:
    seen: list[ProposalReport] = []
    with Palace.connect(str(http.base_url), name=own.palace.name) as palace:
        report = palace.propose_facts(progress=seen.append)
    assert (report.drawers, report.due) == (1, 0)


def test_what_is_wrong_is_said_before_the_first_drawer(http: httpx.Client) -> None:
    missing = http.post("/v1/facts/propose", json={"wing": "nowhere"})
    assert "nowhere" in failure(missing, 404, "NOT_FOUND")["message"]
    for body in ({"most": 0}, {"most": 10**7}, {"drawers": 5}):
        failure(http.post("/v1/facts/propose", json=body), 422, "VALIDATION_ERROR")


def test_an_endpoint_that_fails_is_the_last_line(http: httpx.Client, own: Settings, model: type[Chats]) -> None:
    http.post("/v1/drawers", json={"text": "Ada, again.", "wing": "people", "room": "notes"}).raise_for_status()
    works = model.answer
    model.answer = staticmethod(lambda _asked: (500, "{}"))
    try:
        (line,) = http.post("/v1/facts/propose", json={}).text.splitlines()
        assert json.loads(line)["error"]["code"] == "EXTRACTION_FAILED"
        with (
            Palace.connect(str(http.base_url), name=own.palace.name) as palace,
            pytest.raises(ExtractionFailed, match="status 500"),
        ):
            palace.propose_facts()
    finally:
        model.answer = staticmethod(works)


def test_the_command_shows_what_was_proposed_and_says_what_to_set_without_an_extractor(
    neo4j_settings: dict[str, object],
    model: type[Chats],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("graphpalace.app.models.make_embedder", lambda _settings: WordEmbedder())
    palace = spare_name()
    command = in_process(environ_of(neo4j_settings, palace), tmp_path, monkeypatch, capsys)
    command("add", "Ada works at Acme.", "--wing", "people")
    refused = command("kg", "propose")
    assert refused.code == EXIT["VALIDATION_ERROR"]
    assert "set [knowledge] extractor_url and extractor_model" in refused.err
    monkeypatch.setenv("GRAPHPALACE_KNOWLEDGE__EXTRACTOR_URL", model.url)
    monkeypatch.setenv("GRAPHPALACE_KNOWLEDGE__EXTRACTOR_MODEL", "reader")
    done = command("kg", "propose", "--wing", "people")
    assert done.out.startswith("1 drawer read: 1 new facts, 0 known, 0 refused; 0 without a usable answer, 0 still")
    assert printed(command("kg", "propose", "--json"))["drawers"] == 0
    assert command("kg", "propose", "--most", "0").code == EXIT["VALIDATION_ERROR"]
    command("palace", "drop", palace, "--yes")
