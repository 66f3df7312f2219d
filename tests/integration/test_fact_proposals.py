"""An extractor proposes facts for drawers; a small server of the tests is the language model."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from tests.chats import Chats, chat, chatting

from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.knowledge.fact_requests import FactQuery, NewFact
from graphpalace.domain.knowledge.facts import ProposalReport, ProposalRequest
from graphpalace.errors import ExtractionFailed, InvalidInput, NotFound, SettingsInvalid
from graphpalace.operations.knowledge.propose import FactProposals
from graphpalace.settings.sections.knowledge import KnowledgeSettings

TEXTS = ("Ada works at Acme.", "Bob works at Initech.", "Nothing is said here.")


def _model(asked: dict[str, Any]) -> tuple[int, str]:
    """Answer as a model that understands only "NAME works at FIRM."."""
    words = json.loads(asked["messages"][1]["content"])["text"].rstrip(".").split()
    known = words[1:3] == ["works", "at"]
    facts = [{"subject": words[0], "predicate": "works_at", "object": words[3], "confidence": 0.9}] if known else []
    return chat({"facts": [*facts, {"subject": "Zoe", "predicate": "is", "object": "invented"}]})(asked)


@pytest.fixture
def server() -> Iterator[type[Chats]]:
    with chatting(_model) as started:
        yield started


@pytest.fixture
async def extractor(app: GraphPalace, server: type[Chats]) -> AsyncIterator[FactProposals]:
    chosen = KnowledgeSettings(
        extractor_url=server.url, extractor_model="reader", extractor_api_key="sk-secret", extractor_timeout_s=0.5
    )  # pyright: ignore[reportArgumentType] - pydantic makes a secret of it
    proposals = FactProposals(app.database, app.knowledge.facts, settings=chosen, retries=0)
    yield proposals
    await proposals.close()


@pytest.fixture
async def drawers(app: GraphPalace, palace: str) -> list[str]:
    added = await app.drawers.add_many(palace, [NewDrawer(text=text, wing="people", room="notes") for text in TEXTS])
    return list(added.ids)


async def _facts(app: GraphPalace, palace: str) -> set[tuple[str, str, float, str]]:
    found = await app.knowledge.fact_reading.query(palace, FactQuery())
    return {(fact.subject, fact.object, fact.confidence, fact.source) for fact in found.facts}


async def test_each_drawer_is_read_once_and_its_facts_name_it(
    app: GraphPalace, palace: str, drawers: list[str], extractor: FactProposals, server: type[Chats]
) -> None:
    seen: list[ProposalReport] = []
    report = await extractor.propose(palace, progress=seen.append)
    assert report == ProposalReport(drawers=3, added=2, known=0, refused=3, unreadable=0, due=0)
    assert seen[-1] == report
    assert await _facts(app, palace) == {("Ada", "Acme", 0.6, "extractor"), ("Bob", "Initech", 0.6, "extractor")}
    (ada,) = (await app.knowledge.fact_reading.query(palace, FactQuery("Ada"))).facts
    assert ada.drawers == (drawers[0],)
    assert (server.asked[0]["model"], server.keys[0]) == ("reader", "Bearer sk-secret")
    assert await extractor.propose(palace) == ProposalReport()
    assert len(server.asked) == 3
    await app.drawers.update(palace, drawers[2], DrawerUpdate(text="Cy works at Acme."))
    assert (await extractor.propose(palace)).added == 1


async def test_a_request_reads_as_many_drawers_of_a_place_as_it_says(
    app: GraphPalace, palace: str, drawers: list[str], extractor: FactProposals
) -> None:
    await app.drawers.add(palace, NewDrawer(text="Dan works at Acme.", wing="other", room="notes"))
    report = await extractor.propose(palace, ProposalRequest(wing="other"))
    assert (report.drawers, report.due) == (1, 0)
    report = await extractor.propose(palace, ProposalRequest(wing="people", room="notes", most=2))
    assert (report.drawers, report.due) == (2, 1)
    with pytest.raises(NotFound, match="nowhere"):
        await extractor.propose(palace, ProposalRequest(wing="nowhere"))
    with pytest.raises(InvalidInput, match="most is 0"):
        await extractor.propose(palace, ProposalRequest(most=0))


async def test_a_proposal_supports_what_is_stated_and_does_not_weaken_it(
    app: GraphPalace, palace: str, drawers: list[str], extractor: FactProposals
) -> None:
    await app.knowledge.facts.add(palace, NewFact("Ada", "works_at", "Acme"))
    report = await extractor.propose(palace)
    assert (report.added, report.known) == (1, 1)
    assert ("Ada", "Acme", 1.0, "stated") in await _facts(app, palace)
    await app.drawers.delete(palace, drawers[0])
    await app.drawers.delete(palace, drawers[1])
    assert await _facts(app, palace) == {("Ada", "Acme", 1.0, "stated")}


@pytest.mark.parametrize("broken", ["I cannot.", '{"facts": [{"subject": "Ada"', {"facts": None}, ""])
async def test_a_drawer_without_a_usable_answer_is_counted_and_tried_again(
    app: GraphPalace,
    palace: str,
    drawers: list[str],
    extractor: FactProposals,
    server: type[Chats],
    broken: Any,
) -> None:
    server.answer = staticmethod(
        lambda asked: chat(broken)(asked) if "Bob" in asked["messages"][1]["content"] else _model(asked)
    )
    report = await extractor.propose(palace)
    assert (report.drawers, report.added, report.unreadable, report.due) == (2, 1, 1, 1)
    server.answer = staticmethod(_model)
    again = await extractor.propose(palace)
    assert (again.drawers, again.added, again.due) == (1, 1, 0)


async def test_one_answer_that_is_late_is_left_out_and_an_endpoint_that_is_silent_is_given_up(
    app: GraphPalace, palace: str, drawers: list[str], extractor: FactProposals, server: type[Chats]
) -> None:
    def slow(asked: dict[str, Any]) -> tuple[int, str]:
        if "Bob" in asked["messages"][1]["content"]:
            time.sleep(1.5)
        return _model(asked)

    server.answer = staticmethod(slow)
    report = await extractor.propose(palace)
    assert (report.drawers, report.unreadable) == (2, 1)
    texts = [NewDrawer(text=f"Bob works at Acme{number}.", wing="people", room="notes") for number in range(4)]
    await app.drawers.add_many(palace, texts)
    with pytest.raises(ExtractionFailed, match=r"gave no answer in 0\.5 s \(knowledge\.extractor_timeout_s\)"):
        await extractor.propose(palace)
    assert len(await _facts(app, palace)) == 1


async def test_an_endpoint_that_refuses_or_is_not_there_ends_the_request_and_never_shows_the_key(
    app: GraphPalace, palace: str, drawers: list[str], extractor: FactProposals, server: type[Chats]
) -> None:
    server.answer = staticmethod(lambda _asked: (401, "the key sk-secret is wrong"))
    with pytest.raises(ExtractionFailed, match=r"the extractor's endpoint .* answered with status 401") as failed:
        await extractor.propose(palace)
    assert "sk-secret" not in f"{failed.value} {failed.value.detail}"
    chosen = KnowledgeSettings(extractor_url="http://127.0.0.1:9/v1", extractor_model="m")
    lost = FactProposals(app.database, app.knowledge.facts, settings=chosen, retries=0)
    with pytest.raises(ExtractionFailed, match="failed: ConnectError"):
        await lost.propose(palace)
    await lost.close()
    assert await _facts(app, palace) == set()


async def test_without_an_extractor_nothing_is_read_and_the_message_says_what_to_set(
    app: GraphPalace, palace: str, drawers: list[str]
) -> None:
    with pytest.raises(InvalidInput, match=r"set \[knowledge\] extractor_url and extractor_model"):
        await app.knowledge.proposals.propose(palace)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"extractor_url": "http://a/v1"}, "name a model of it"),
        ({"extractor_url": "a"}, "must begin with http"),
        ({"extractor_confidence": 1.0}, "less than 1"),
        ({"single_valued": ["?"]}, "must have at least one letter or digit"),
        ({"inverses": {"a": "b", "b": "c"}}, "b has two inverses"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        KnowledgeSettings(**settings)


async def test_a_key_that_no_header_carries_is_refused(app: GraphPalace) -> None:
    chosen = KnowledgeSettings.model_validate(
        {"extractor_url": "http://a/v1", "extractor_model": "m", "extractor_api_key": "two words"}
    )
    with pytest.raises(SettingsInvalid, match=r"knowledge\.extractor_api_key"):
        FactProposals(app.database, app.knowledge.facts, settings=chosen)
