"""Confidence on a real Neo4j: what fits is surer than what does not, and feedback calibrates it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.words import WordEmbedder

from graphpalace.app import GraphPalace, wire
from graphpalace.domain.search.answer import Answer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.operations.drawers.drawers import NewDrawer

NOTES = [
    "the valve of the boiler needs grease in autumn",
    "routers drop packets when the buffer is full",
    "a mutex guards the queue of the scheduler",
    "the lexer splits source text into tokens",
    "garbage collection pauses the heap of the server",
    "an index on the table makes the query quick",
    "the compiler inlines small functions in loops",
    "branches are merged after the review of changes",
]


@pytest.fixture
async def notes(app: GraphPalace, palace: str) -> str:
    for number, text in enumerate(NOTES):
        await app.drawers.add(palace, NewDrawer(text=text, wing=f"w{number % 2}", room="notes"))
    return palace


async def search(app: GraphPalace, palace: str, query: str, **more: object) -> Answer:
    return await app.recall.search(palace, SearchRequest(query, **more))  # pyright: ignore[reportArgumentType]


async def test_what_the_palace_has_is_surer_than_what_it_has_not(app: GraphPalace, notes: str) -> None:
    has = await search(app, notes, "which valve of the boiler needs grease")
    has_not = await search(app, notes, "recipe for the apple pie")
    assert has.confidence is not None
    assert has_not.confidence is not None
    assert 0 < has_not.confidence < 0.5 < has.confidence < 1
    assert (has.fits, has_not.fits) == (True, False)
    assert has_not.hits  # they are shown all the same
    for answer in (has, has_not):
        assert all(hit.confidence is not None and 0 < hit.confidence <= (answer.confidence or 0) for hit in answer.hits)
    assert (has.hits[0].confidence or 0) > max(hit.confidence or 0 for hit in [*has.hits[1:], *has_not.hits])


async def test_one_shared_word_is_not_enough(app: GraphPalace, notes: str) -> None:
    """Of a question in another language, only one word occurs in the notes."""
    answer = await search(app, notes, "wann wird der server im keller gewartet")
    assert answer.hits[0].text == NOTES[4]
    assert not answer.fits


async def test_a_note_fits_its_alias_and_its_tag_and_a_publication_its_number(
    app: GraphPalace, notes: str, tmp_path: Path
) -> None:
    (tmp_path / "kiln.md").write_text("---\naliases: [Brickyard]\ntags: [pottery]\n---\nFired with birch on Sundays.\n")
    (tmp_path / "p.jsonl").write_text(
        '{"pub_id": "EP2345678A1", "family_id": "F", "country": "EP", "published": "2021-02-03", "title": "Pump",'
        ' "abst": "A piston with a ring.", "claim": "1. A piston.", "cpc_codes": ["F04B1/00"]}\n'
    )
    await app.ingesting.files([tmp_path], palace=notes, wing="w9")
    for asked in ("Brickyard", "pottery", "EP2345678A1", "EP 2345678"):
        answer = await search(app, notes, asked)
        assert answer.hits[0].wing == "w9" and answer.fits, (asked, answer.confidence)


async def test_the_number_of_results_does_not_change_how_sure_the_first_is(app: GraphPalace, notes: str) -> None:
    question = "which valve of the boiler needs grease"
    many = await search(app, notes, question, top_k=8)
    for top_k in (1, 2, 3):
        few = await search(app, notes, question, top_k=top_k)
        assert len(few.hits) == top_k
        assert [hit.confidence for hit in few.hits] == pytest.approx([hit.confidence for hit in many.hits[:top_k]])
        assert few.confidence == pytest.approx(many.confidence)


async def test_without_hits_nothing_fits(app: GraphPalace, palace: str) -> None:
    answer = await search(app, palace, "anything")
    assert (answer.hits, answer.confidence, answer.fits) == ([], 0.0, False)


@pytest.mark.parametrize("more", [{"fusion": "rrf"}, {"lanes": ("fulltext",)}, {"lanes": ("semantic",)}])
async def test_without_the_evidence_of_both_lanes_it_cannot_be_told(
    app: GraphPalace, notes: str, more: dict[str, object]
) -> None:
    answer = await search(app, notes, "which valve of the boiler needs grease", **more)
    assert answer.confidence is None
    assert {hit.confidence for hit in answer.hits} == {None}
    assert answer.fits


async def test_importance_and_rerank_do_not_change_it(app: GraphPalace, notes: str) -> None:
    question = "which valve of the boiler needs grease"
    before = await search(app, notes, question)
    reranked = await search(app, notes, question, rerank=True)
    sure = {hit.id: hit.confidence for hit in before.hits}
    assert reranked.hits[0].id == before.hits[0].id
    # The hits that follow are in another order, by which the first is judged as well.
    assert reranked.hits[0].confidence == pytest.approx(sure[before.hits[0].id], abs=0.01)
    await app.drawers.add(notes, NewDrawer(text="a note on nothing", wing="w0", room="notes", importance=1.0))
    weighed = await search(app, notes, question)
    assert weighed.hits[0].importance is None
    assert weighed.hits[0].confidence == pytest.approx(sure[before.hits[0].id], abs=0.05)


async def test_the_level_is_a_setting(app: GraphPalace, notes: str) -> None:
    for least, fits in ((0.0, True), (1.0, False)):
        settings = app.settings.model_copy(
            update={"search": app.settings.search.model_copy(update={"least_confidence": least})}
        )
        other = wire(settings, embedder=WordEmbedder())
        try:
            answer = await other.recall.search(notes, SearchRequest("which valve of the boiler needs grease"))
            assert answer.fits is fits
        finally:
            await other.close()


async def test_what_was_useful_for_a_question_fits_it_when_it_is_asked_again(app: GraphPalace, notes: str) -> None:
    question = "who oils the heating before winter"
    before = await search(app, notes, question)
    boiler = next(hit for hit in before.hits if hit.text == NOTES[0])
    useless = next(hit for hit in before.hits if hit.text != NOTES[0])
    assert not before.fits
    given = await app.learning.feedback.give(notes, run=before.run, useful={boiler.id: 0.3}, useless={useless.id: 1.0})
    await app.replica.learning.of(notes, patient=True)  # a search may go on with what was known a moment ago
    again = await search(app, notes, question)
    assert again.fits
    sure = {hit.id: hit.confidence or 0 for hit in again.hits}
    assert sure[boiler.id] == pytest.approx(0.5 + 0.4 * 0.3, abs=0.01)
    assert (again.confidence or 0) >= sure[boiler.id] > sure[useless.id]
    another = await search(app, notes, "who paints the walls before summer")
    assert not another.fits
    await app.learning.feedback.take_back(notes, given.id)
    assert (await search(app, notes, question)).confidence == pytest.approx(before.confidence)


async def test_what_was_called_useless_since_is_no_surer(app: GraphPalace, notes: str) -> None:
    question = "who oils the heating before winter"
    first = await search(app, notes, question)
    await app.learning.feedback.give(notes, run=first.run, useful={first.hits[0].id: 1.0})
    second = await search(app, notes, question)
    await app.learning.feedback.give(notes, run=second.run, useless={first.hits[0].id: 1.0})
    await app.replica.learning.of(notes, patient=True)
    third = await search(app, notes, question)
    assert not third.fits


async def test_feedback_that_disagrees_calibrates_and_is_forgotten_with_it(app: GraphPalace, notes: str) -> None:
    """Answers that look right are useless three times of four. With too little feedback, nothing changes."""
    questions = [f"{text} number {number}" for number in range(5) for text in NOTES]
    plain = await search(app, notes, questions[0])
    for number, question in enumerate(questions):
        answer = await search(app, notes, question, without=frozenset({"learning"}))
        judged = {answer.hits[0].id: 1.0}
        kind = {"useful": judged} if number % 4 == 0 else {"useless": judged}
        await app.learning.feedback.give(notes, run=answer.run, **kind)
        if number == 7:
            early = await app.learning.learned.of(notes)
            assert (early.answer_confidence, early.hit_confidence) == (None, None)
    state = await app.learning.learned.of(notes)
    assert state.answer_confidence is not None
    assert state.answer_confidence.kept
    assert state.answer_confidence.shift < 0
    untaught = await search(app, notes, "of the valve and of the queue", without=frozenset({"learning"}))
    taught = await search(app, notes, "of the valve and of the queue")
    assert untaught.confidence is not None
    assert taught.confidence is not None
    assert taught.confidence < untaught.confidence
    await app.learning.learned.reset(notes)
    again = await search(app, notes, questions[0])
    assert again.confidence == pytest.approx(plain.confidence)


async def test_a_search_keeps_its_log_odds_for_feedback_in_another_process(app: GraphPalace, notes: str) -> None:
    answer = await search(app, notes, NOTES[0])
    logged = (await app.history.searches.find(notes, answer.run)).candidates
    assert len(logged.log_odds) == len(answer.hits)
    await app.history.searches.flush()
    app.history.searches.forget(notes)
    stored = (await app.history.searches.find(notes, answer.run)).candidates
    assert stored.answer_log_odds == pytest.approx(logged.answer_log_odds)
    assert stored.log_odds.tolist() == logged.log_odds.tolist()


async def test_searches_and_lessons_of_earlier_versions_have_no_log_odds(app: GraphPalace, notes: str) -> None:
    answer = await search(app, notes, NOTES[0])
    await app.history.searches.flush()
    app.history.searches.forget(notes)
    await app.database.run_statement(f"MATCH (s:Search {{id: '{answer.run}'}}) REMOVE s.log_odds, s.answer_log_odds")
    await app.learning.feedback.give(notes, run=answer.run, useful={answer.hits[0].id: 1.0})
    stored = (await app.history.searches.find(notes, answer.run)).candidates
    assert (stored.log_odds.tolist(), stored.answer_log_odds) == ([], None)
    assert (await search(app, notes, NOTES[0])).confidence is not None
