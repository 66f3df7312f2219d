"""An evaluation's feedback on a real Neo4j: what is named as useful was shown, and is the user's operation."""

from __future__ import annotations

import numpy as np
import pytest

from graphpalace.app import GraphPalace
from graphpalace.domain.search.request import SearchRequest
from graphpalace.evaluation.asking import document_of, store
from graphpalace.evaluation.collection import Collection, CollectionDocument, CollectionQuestion
from graphpalace.evaluation.learning_curve import Teaching, crossed_rankings

QUESTIONS = (
    CollectionQuestion("two", "moss", {"moss a": 1, "moss b": 2}),
    CollectionQuestion("some left out", "moss", {"moss b": 1}, exclude=frozenset({"moss a", "moss c"})),
    CollectionQuestion("not there", "moss", {"gone": 1}),
)


@pytest.fixture
async def teaching(app: GraphPalace, palace: str) -> Teaching:
    """What teaches `palace`, in which three documents are stored."""
    documents = tuple(CollectionDocument(f"moss {name}", "", f"moss on stone {name}") for name in "abc")
    collection = Collection("moss", documents, QUESTIONS, 0, None)
    await store(
        app.database,
        app.replica.indexes,
        app.embedder,
        palace,
        collection,
        settings=app.settings.ingest,
        progress=lambda _what, _done, _total: None,
    )
    return Teaching(
        app.database,
        app.replica.indexes,
        app.replica.snapshots,
        app.replica.known_names,
        app.recall,
        app.replica.learning,
        app.learning.feedback,
    )


async def _given(app: GraphPalace, palace: str) -> dict[str, set[str]]:
    """Return the documents that each feedback named as useful."""
    drawers, _ = await app.drawers.page(palace)
    uris = {drawer.id: document_of(drawer.source_uri) for drawer in drawers}
    return {row.id: {uris[each.drawer] for each in row.useful} for row in await app.learning.feedback.listed(palace)}


async def _teach(teaching: Teaching, palace: str, *, wrong: float) -> tuple[list[str], list[int]]:
    counts: list[int] = []

    async def after(count: int) -> None:
        counts.append(count)

    rewarded = await teaching.teach(
        palace, QUESTIONS, wrong=wrong, seed=0, random=np.random.default_rng(0), after=after
    )
    return [question.id for question in rewarded], counts


async def test_relevant_documents_that_are_shown_are_named(app: GraphPalace, palace: str, teaching: Teaching) -> None:
    assert await _teach(teaching, palace, wrong=0.0) == (["two", "some left out"], [1, 2])
    assert sorted(map(sorted, (await _given(app, palace)).values())) == [["moss a", "moss b"], ["moss b"]]


async def test_wrong_feedback_names_one_that_is_shown_and_not_relevant(
    app: GraphPalace, palace: str, teaching: Teaching
) -> None:
    """Of the second question all that is not relevant is excluded, so its feedback stays right."""
    await _teach(teaching, palace, wrong=1.0)
    assert sorted(map(sorted, (await _given(app, palace)).values())) == [["moss b"], ["moss c"]]


async def test_everything_is_learned_before_it_is_measured_and_forgotten_before_the_next_round(
    app: GraphPalace, palace: str, teaching: Teaching
) -> None:
    before = [hit.score for hit in (await app.recall.search(palace, SearchRequest("moss"))).hits]
    await _teach(teaching, palace, wrong=0.0)
    learned = await teaching.learned(palace, QUESTIONS)
    assert len(learned) == 1  # no question has a wing of its own
    assert len(learned[0].memory) == 2
    await teaching.forget(palace)
    assert await teaching.learned(palace, QUESTIONS) == []
    assert [hit.score for hit in (await app.recall.search(palace, SearchRequest("moss"))).hits] == before
    assert (await app.pheromones.hot_paths.hot(palace)).edges == []


async def test_each_half_is_ranked_before_and_after_feedback_on_the_other_and_not_on_itself(
    app: GraphPalace, palace: str, teaching: Teaching
) -> None:
    asked: list[str] = []

    def progress(what: str, _done: int, total: int) -> None:
        asked.extend([what] * (not asked or asked[-1] != what or total == 0))

    found = await crossed_rankings(app.recall, teaching, palace, QUESTIONS, depth=2, progress=progress)
    assert list(found) == ["search", "search_learned"]
    assert all(set(ranked) == {question.id for question in QUESTIONS} for ranked in found.values())
    assert all(len(documents) >= 2 for documents in (found["search"]["two"], found["search_learned"]["not there"]))
    assert found["search"]["some left out"][:1] == ["moss b"]
    assert asked == ["asking search", "asking search_learned", "asking search", "asking search_learned"]
    last = await app.learning.feedback.listed(palace)
    assert 1 <= len(last) <= 2  # what the second half was told; nothing of the first is left
