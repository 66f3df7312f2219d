"""What is asked is embedded as a question, and what is stored as a text, everywhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.rerank import Candidate, RerankQuery
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.vectors import Matrix
from graphpalace.operations.runs.lane_runs import LaneQuestion
from graphpalace.settings.load import Settings

ROSES, BREAD = "roses need pruning in spring", "knead the dough for ten minutes"
QUESTION = "when are roses pruned"


class NotingEmbedder(WordEmbedder):
    """Notes what it embeds as texts and what as questions."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self.questions: set[str] = set()

    def embed(self, texts: Sequence[str]) -> Matrix:
        self.texts |= set(texts)
        return super().embed(texts)

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        self.questions |= set(texts)
        return super().embed(texts)


@pytest.fixture
def model() -> NotingEmbedder:
    return NotingEmbedder()


@pytest.fixture
async def own(settings: Settings, model: NotingEmbedder) -> AsyncIterator[GraphPalace]:
    async with wiring.opened(settings, embedder=model) as opened:
        yield opened


async def test_stored_texts_are_texts(own: GraphPalace, palace: str, model: NotingEmbedder, tmp_path: Path) -> None:
    (tmp_path / "bread.txt").write_text(BREAD)
    await own.ingesting.files([tmp_path], palace=palace, wing="cook")
    added = await own.drawers.add(palace, NewDrawer(text=ROSES, wing="garden"))
    await own.drawers.update(palace, added.drawer.id, DrawerUpdate(text=ROSES + " or autumn"))
    await own.duplicates.check(palace, QUESTION)
    assert model.texts == {BREAD, ROSES, ROSES + " or autumn", QUESTION}
    assert model.questions == set()


async def test_what_is_asked_is_a_question(own: GraphPalace, palace: str, model: NotingEmbedder) -> None:
    await own.drawers.add(palace, NewDrawer(text=ROSES, wing="garden"))
    asked = {f"{QUESTION} {number}" for number in range(5)}
    search, run, walk, rerank, judged = sorted(asked)
    await own.recall.search(palace, SearchRequest(search))
    await own.runs.lanes.search(palace, LaneQuestion("semantic", run))
    await own.walking.explore.walk(palace, query=walk, seed=1)
    await own.rerank.rerank(palace, RerankQuery(rerank, documents=[Candidate("d", "a text to rank")]))
    await own.learning.feedback.give(palace, question=SearchRequest(judged), namespace="notes", useful={"d": 1.0})
    assert model.questions == asked
    assert model.texts == {ROSES, "a text to rank"}
