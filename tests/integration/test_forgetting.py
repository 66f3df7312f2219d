"""What is forgotten is nowhere any more: not in the database, and in no process that has the palace in memory."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.drawers.diaries import NewDiaryEntry
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.forgetting import ForgetChoice, ForgetReceipt
from graphpalace.domain.knowledge.fact_requests import NewFact
from graphpalace.domain.knowledge.names import Merge, NamePageQuery
from graphpalace.domain.search.request import SearchRequest
from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.domain.vectors import from_bytes
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.runs.lane_runs import LaneQuestion
from graphpalace.operations.search.answer_reader import Answer
from graphpalace.settings.load import Settings

WORD = "zylophage"
SECRET = f"The codename of the new engine is {WORD} and only Mara Quill knows it"
EARLIER = f"The codename of the old engine was {WORD}prime and Mara Quill knew it"
OTHERS = ("The engine room is cold in winter", "A new engine needs oil", "Mara Quill sings in the choir")
QUIET = {"Deposit", "Change", "ForgetReceipt", "SimulationState"}  # these have ids, and no text


async def add(app: GraphPalace, palace: str, text: str, wing: str = "works", **more: Any) -> str:
    return (await app.drawers.add(palace, NewDrawer(text=text, wing=wing, **more))).drawer.id


async def search(app: GraphPalace, palace: str, query: str, **how: Any) -> Answer:
    answer = await app.recall.search(palace, SearchRequest(query=query, **how))
    await app.history.searches.flush()
    return answer


async def stored_with(app: GraphPalace, palace: str, *words: str) -> set[tuple[str, str]]:
    """Return the label and property of everything that is stored of a palace and has one of some words."""
    found = set[tuple[str, str]]()
    async for row in app.database.stream(None, "compact/list_nodes"):
        if row["properties"].get("palace", palace) == palace:
            found |= {
                (row["labels"][0], key)
                for key, value in row["properties"].items()
                if any(word in str(value) for word in words)
            }
    async for row in app.database.stream(None, "compact/list_relationships"):
        if row["properties"].get("palace", palace) == palace:
            found |= {
                (row["type"], key)
                for key, value in row["properties"].items()
                if any(word in str(value) for word in words)
            }
    return found


def held(value: Any, words: tuple[str, ...], seen: set[int], path: str = "app") -> Iterator[str]:
    """Yield where a value in memory, or anything of ours that it leads to, has one of some words."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, str):
        if any(word in value for word in words):
            yield path
    elif isinstance(value, dict):
        for key, one in list(value.items()):
            yield from held(key, words, seen, f"{path} key")
            yield from held(one, words, seen, f"{path}[{str(key)[:40]}]")
    elif isinstance(value, list | tuple | set | frozenset):
        for one in list(value):
            yield from held(one, words, seen, f"{path}[]")
    elif type(value).__module__.startswith("graphpalace"):
        names = [*getattr(value, "__dict__", {})]
        names += [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        for name in names:
            if name not in ("settings", "_settings"):
                yield from held(getattr(value, name, None), words, seen, f"{path}.{name}")


@pytest.fixture
async def other(settings: Settings) -> AsyncIterator[GraphPalace]:
    """Another process on the same database."""
    async with wiring.opened(settings, embedder=WordEmbedder()) as opened:
        yield opened


@pytest.fixture
async def secret(app: GraphPalace, palace: str) -> str:
    """A drawer that everything was done with that leaves a trace; others are beside it."""
    kept = [await add(app, palace, text) for text in OTHERS]
    drawer = await add(app, palace, EARLIER)
    await app.drawers.update(palace, drawer, DrawerUpdate(text=SECRET))
    await app.drawers.supersede(palace, drawer, kept[1])
    await app.knowledge.facts.add(palace, NewFact("Mara Quill", "knows", WORD, drawers=[drawer]))
    for query, useful in (
        ("what is the codename of the new engine", [drawer]),
        ("who is Mara Quill", [drawer, kept[2]]),
        (f"is the codename of the new engine is {WORD} right", [kept[0]]),
        ("engine", [kept[1]]),
    ):
        answer = await search(app, palace, query)
        await app.learning.feedback.give(palace, run=answer.run, useful=dict.fromkeys(useful, 1.0))
    run = await app.runs.lanes.search(palace, LaneQuestion("fulltext", "new engine"))
    await app.runs.lanes.search(palace, LaneQuestion("semantic", f"only Mara Quill knows it and {WORD}"))
    assert drawer in (await app.runs.store.get(palace, run.run_id_lane)).ids
    await app.diaries.write(palace, "bo", NewDiaryEntry(f"Told about {WORD}", "day", searchable=False))
    start = SimulationStart({"num_agents": 4, "max_iterations": 2, "query": "engine"}, {"palace": palace})
    await app.simulations.complete(f"sim {palace}", start)
    return drawer


async def test_everything_that_came_from_a_forgotten_drawer_is_gone_from_the_database_and_from_memory(
    app: GraphPalace, other: GraphPalace, palace: str, secret: str
) -> None:
    for query in ("codename engine", "Mara Quill", f"where is {WORD}"):
        await search(other, palace, query)
    await other.replica.learning.of(palace)
    read = await app.database.read(palace, "search/load_some_vectors", ids=[secret])
    vector = read[0]["embeddings"][0]
    first, last = str(vector[:8]), from_bytes([vector], dimension=384)[0]
    assert {label for label, _ in await stored_with(app, palace, WORD)} >= {"Drawer", "DrawerText", "Run", "Entity"}
    assert [*held(other, (WORD, secret), set())]

    plan = await app.forgetting.forget(palace, ForgetChoice(drawers=[secret]), dry_run=True)
    assert (plan.deleted, plan.facts, plan.id, plan.places) == (0, 1, None, ["works > general > general notes"])
    assert (plan.traces.history, plan.traces.lessons, plan.traces.judgements) == (1, 2, 1)
    assert (plan.traces.simulations, plan.traces.runs) == (1, 1)
    assert await app.drawers.read(palace, secret)
    receipt = await app.forgetting.forget(palace, ForgetChoice(drawers=[secret]), by="Ann")
    assert (receipt.deleted, receipt.traces, receipt.facts) == (1, plan.traces, 1)
    await other.follow()

    assert {label for label, _ in await stored_with(app, palace, secret, first)} <= QUIET
    left = await stored_with(app, palace, WORD)
    assert left == {("DiaryEntry", "text"), ("Search", "query")}  # a question with one word of it, and an entry
    diary = await app.diaries.read(palace, "bo", last=9)
    assert [entry.text for entry in diary.entries] == [f"Told about {WORD}"]  # nobody chose it
    await app.forgetting.forget(palace, ForgetChoice(pattern=WORD.upper()))
    await other.follow()
    left = await stored_with(app, palace, WORD, secret, first)
    assert {label for label, _ in left} <= QUIET, left
    for process in (app, other):
        assert [*held(process, (WORD, secret), set())] == []
        matrix = process.replica.indexes._entries[palace].matrix
        assert not any(abs(float(row @ last)) > 0.999 for row in matrix.vectors_of(matrix.ids))
    assert [one.by for one in (await app.forgetting.receipts(palace)).receipts] == [None, "Ann"]
    first = await app.forgetting.receipts(palace, limit=1)
    second = await app.forgetting.receipts(palace, after=first.next or "", limit=1)
    assert [page.receipts[0].by for page in (first, second)] == [None, "Ann"]
    assert (await app.forgetting.receipts(palace, after=second.next or "", limit=1)).next is None
    status = await app.simulations.views.status(f"sim {palace}")
    assert (status["state"], len(await app.simulations.views.results(f"sim {palace}"))) == ("stopped", 3)


async def test_other_drawers_keep_what_they_learned_and_searches_keep_their_other_hits(
    app: GraphPalace, palace: str, secret: str
) -> None:
    lessons = await app.learning.feedback.listed(palace)
    answer = await search(app, palace, "Mara Quill")
    choir = next(hit.id for hit in answer.hits if hit.text == OTHERS[2])
    await app.forgetting.forget(palace, ForgetChoice(drawers=[secret]))
    after = await app.learning.feedback.listed(palace)
    assert [one.query for one in after] == ["engine", "who is Mara Quill"]
    assert len(lessons) == 4
    assert [one.drawer for one in after[1].useful] == [choir]
    assert (await app.learning.feedback.give(palace, run=answer.run, useful={choir: 1.0})).fresh
    with pytest.raises(NotFound, match=secret):
        await app.learning.feedback.give(palace, run=answer.run, useful={secret: 1.0})
    assert next(hit.id for hit in (await search(app, palace, "Mara Quill")).hits) == choir


async def test_what_mentions_a_name_goes_with_its_aliases_its_facts_and_the_questions_about_it(
    app: GraphPalace, palace: str
) -> None:
    kept = await add(app, palace, "Maraschino cherries are red")
    gone = [
        await add(app, palace, "Call Mara Quill about the boat"),
        await add(app, palace, "M. Quill owns a boat", wing="sea"),
        await add(app, palace, "the boat of\nmara   quill leaks"),
    ]
    await app.knowledge.facts.add(palace, NewFact("Mara Quill", "owns", "the boat"))
    await app.knowledge.facts.add(palace, NewFact("M. Quill", "lives in", "Leeds"))
    await app.knowledge.name_changes.merge(palace, Merge("Mara Quill", "M. Quill"))
    await search(app, palace, "what does Mara Quill own")
    await app.diaries.write(palace, "bo", NewDiaryEntry("met mara quill", searchable=False))
    only = await app.forgetting.forget(palace, ForgetChoice(name="Mara Quill", wing="sea"), dry_run=True)
    assert (only.drawers, only.traces.names) == ([gone[1]], 0)
    receipt = await app.forgetting.forget(palace, ForgetChoice(name="mara quill"))
    assert receipt.drawers == sorted(gone)
    assert (receipt.traces.names, receipt.traces.diary, receipt.facts) == (1, 1, 2)
    assert await stored_with(app, palace, "Quill", "quill") == set()
    assert (await app.drawers.read(palace, kept)).text.startswith("Maraschino")
    (listed, *_) = (await app.forgetting.receipts(palace)).receipts
    assert (list(listed.kinds), listed.deleted, list(listed.drawers)) == (["name"], 3, sorted(gone))
    assert "quill" not in str(listed).lower()
    with pytest.raises(NotFound):
        await app.knowledge.name_pages.page(palace, NamePageQuery("Mara Quill"))


async def test_a_pattern_is_a_text_or_a_regular_expression_and_none_can_hang(app: GraphPalace, palace: str) -> None:
    key = await add(app, palace, "The key is AKIA-1234 (old)")
    same = await add(app, palace, "the KEY\nis akia-1234 (old)", wing="home")
    other = await add(app, palace, "The key is AKIA-98", title="Keys", source_uri="file:///k.md")
    await add(app, palace, "a" * 20_000 + "b")

    async def found(**choice: Any) -> list[str]:
        return list((await app.forgetting.forget(palace, ForgetChoice(**choice), dry_run=True)).drawers)

    assert await found(pattern="key is akia-1234 (OLD)") == sorted([key, same])
    assert await found(pattern=r"AKIA-\d{4}") == []
    assert await found(pattern=r"AKIA-\d{4}", regex=True) == [key]
    assert await found(pattern=r"(?i)akia-\d+", regex=True) == sorted([key, same, other])
    assert await found(pattern="akia", wing="home") == [same]
    assert await found(pattern="Keys") == [other]  # the title of its document
    async with asyncio.timeout(10):  # each of these hangs an engine that backtracks
        assert await found(pattern=r"(a+)+$", regex=True) == []
        assert await found(pattern=r"(a|aa)+c", regex=True) == []
    for pattern, match in ((r"(a", "no regular expression"), (r"(a)\1", "no regular expression"), ("a*", "every text")):
        with pytest.raises(InvalidInput, match=match):
            await found(pattern=pattern, regex=True)
    for choice in (
        {"pattern": " "},
        {"name": "a", "pattern": "b"},
        {"wing": "home", "regex": True},
        {"conversation": "x"},
        {"conversation": "a/b", "source": "file:///a"},
    ):
        with pytest.raises(InvalidInput):
            await found(**choice)


async def test_a_conversation_is_forgotten_and_another_whose_name_begins_alike_stays(
    app: GraphPalace, palace: str
) -> None:
    await add(app, palace, "we said hello", source_uri="conversation:codex/1")
    await add(app, palace, "and goodbye", source_uri="conversation:codex/1")
    stays = await add(app, palace, "another talk", source_uri="conversation:codex/12")
    receipt: ForgetReceipt = await app.forgetting.forget(palace, ForgetChoice(conversation="codex/1"))
    assert (receipt.deleted, len(receipt.closets)) == (2, 1)
    assert (await app.drawers.page(palace))[0][0].id == stays


async def test_a_search_that_is_still_to_be_written_does_not_bring_a_forgotten_drawer_back(
    app: GraphPalace, other: GraphPalace, palace: str
) -> None:
    drawer = await add(app, palace, f"the word is {WORD}")
    await add(app, palace, "the word is law")
    await other.recall.search(palace, SearchRequest(query="the word"))  # kept in memory, written a moment later
    await app.forgetting.forget(palace, ForgetChoice(drawers=[drawer]))
    await other.history.searches.flush()
    assert {label for label, _ in await stored_with(app, palace, drawer)} <= QUIET


async def test_a_changed_text_keeps_what_was_learned_if_it_means_the_same_and_the_old_one_in_its_history(
    app: GraphPalace, palace: str
) -> None:
    old = "the boat leaves the harbour at nine every day"
    drawer = await add(app, palace, old)
    await add(app, palace, "tea is served at nine")
    answer = await search(app, palace, "when does the boat leave")
    await app.learning.feedback.give(palace, run=answer.run, useful={drawer: 1.0})

    async def learned() -> tuple[bool, bool, int]:
        (row,) = await app.database.read(
            palace, "rerank/read_signals", ids=[drawer], cycle_seconds=1e9, at_ms=None, floor=0.01
        )
        return bool(row["memories"][0]), row["exploitation"][0] > 0, len(await app.learning.feedback.listed(palace))

    assert await learned() == (True, True, 1)
    near = "the boat leaves the harbour at ten every day"
    assert (await app.drawers.update(palace, drawer, DrawerUpdate(text=near))).id == drawer
    assert await learned() == (True, True, 1)
    await app.drawers.update(palace, drawer, DrawerUpdate(title="Ferries"))  # no other text
    await app.drawers.update(palace, drawer, DrawerUpdate(text="Bread needs flour, water, salt and patience"))
    assert await learned() == (False, False, 0)
    assert await app.replica.learning.of(palace) is None
    history = await app.drawers.history(palace, drawer)
    assert [one.text for one in history.texts] == [near, old]
    assert history.texts[1].since <= history.texts[1].until == history.texts[0].since
    await app.forgetting.forget(palace, ForgetChoice(pattern="harbour"))  # only its history has the word
    with pytest.raises(NotFound):
        await app.drawers.history(palace, drawer)
    assert await stored_with(app, palace, "harbour") == set()


async def test_a_superseded_drawer_is_marked_and_ranked_lower_until_that_is_taken_back(
    app: GraphPalace, other: GraphPalace, palace: str
) -> None:
    old, new = [await add(app, palace, f"the door code is {code}") for code in ("4711 since march", "0815")]
    question = "the door code since march"
    before = await search(other, palace, question)
    assert [hit.id for hit in before.hits] == [old, new]
    await app.drawers.supersede(palace, old, new)
    after = await search(other, palace, question)
    assert [hit.id for hit in after.hits] == [new, old]
    fresh, marked = after.hits
    assert fresh.outdated is None
    assert marked.outdated and marked.outdated.drawer == new
    apart = before.hits[0].score - before.hits[1].score
    assert marked.outdated.change == pytest.approx(-max(0.1, apart), abs=1e-5)
    assert marked.score == pytest.approx(before.hits[0].score + marked.outdated.change)
    with pytest.raises(Conflict, match="itself replaced"):
        await app.drawers.supersede(palace, new, old)
    with pytest.raises(InvalidInput, match="itself"):
        await app.drawers.supersede(palace, old, old)
    with pytest.raises(NotFound):
        await app.drawers.supersede(palace, old, "drawer-none")
    assert await app.drawers.take_back_supersede(palace, old) == new
    with pytest.raises(NotFound, match="was not replaced by another drawer"):
        await app.drawers.take_back_supersede(palace, old)
    assert [hit.outdated for hit in (await search(other, palace, question)).hits] == [None, None]
    await app.drawers.supersede(palace, old, new)
    await app.forgetting.forget(palace, ForgetChoice(drawers=[new]))  # then nothing takes its place any more
    assert [hit.outdated for hit in (await search(other, palace, question)).hits] == [None]


async def test_a_drawer_comes_after_the_one_that_took_its_place_however_well_it_fits(
    app: GraphPalace, palace: str
) -> None:
    old = await add(app, palace, "the boat to the island leaves at nine from the harbour")
    new = await add(app, palace, "timetable: ten")
    last = await add(app, palace, "from the harbour: eleven")
    question = "the boat to the island leaves at nine from the harbour"
    for how in ({}, {"fusion": "rrf"}):
        await app.drawers.supersede(palace, old, new)
        await app.drawers.supersede(palace, new, last)
        answer = await search(app, palace, question, **how)
        ids = [hit.id for hit in answer.hits]
        assert ids.index(last) < ids.index(old)
        assert new not in ids or ids.index(last) < ids.index(new) < ids.index(old)
        await app.learning.feedback.give(palace, run=answer.run, useful={old: 1.0})
        taught = [hit.id for hit in (await search(app, palace, question, **how)).hits]
        assert taught.index(last) < taught.index(old)
        for one in (new, old):
            await app.drawers.take_back_supersede(palace, one)
        assert (await search(app, palace, question, **how)).hits[0].id == old


async def test_of_nearly_equal_texts_the_one_that_took_the_place_is_shown(app: GraphPalace, palace: str) -> None:
    same = " ".join(one + other for one in "abcdefg" for other in "klmnopqrst")
    old, new = [await add(app, palace, f"{same} and the keys are {place}") for place in ("here", "there")]
    question = f"are the keys here {same}"
    assert [(hit.id, [one.id for one in hit.also_at]) for hit in (await search(app, palace, question)).hits] == [
        (old, [new])
    ]
    await app.drawers.supersede(palace, old, new)
    assert [(hit.id, [one.id for one in hit.also_at]) for hit in (await search(app, palace, question)).hits] == [
        (new, [old])
    ]


async def test_receipts_are_of_a_palace_that_exists(app: GraphPalace, palace: str) -> None:
    assert (await app.forgetting.receipts(palace)).receipts == []
    nothing = await app.forgetting.forget(palace, ForgetChoice(pattern=uuid.uuid4().hex))
    assert (nothing.id, nothing.drawers) == (None, [])
    with pytest.raises(NotFound):
        await app.forgetting.receipts("no_such_palace")
    with pytest.raises(InvalidInput, match="limit is 0"):
        await app.forgetting.receipts(palace, limit=0)
