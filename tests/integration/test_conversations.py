"""Conversations are filed once, whatever happens to their transcripts and whoever files them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests import transcripts
from tests.words import WordEmbedder

from graphpalace import app as wiring
from graphpalace.app import GraphPalace
from graphpalace.domain.conversations import (
    Conversation,
    ConversationListing,
    ConversationOrder,
    ConversationQuery,
    FiledConversation,
    Message,
    Transcript,
    TranscriptFile,
)
from graphpalace.domain.drawers.drawer import Drawer
from graphpalace.domain.drawers.new_drawer import DrawerUpdate, NewDrawer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.errors import EmbeddingFailed, InvalidInput, NotFound, UnreadableDocument
from graphpalace.operations.conversations import filing
from graphpalace.settings.load import Settings

_SESSION = transcripts.SESSION


async def _file(app: GraphPalace, palace: str, path: Path, **more: Any) -> FiledConversation:
    done = await app.conversations.file_transcript(palace, TranscriptFile(path), **more)
    assert done is not None
    return done


async def _shown(app: GraphPalace, palace: str, host: str = "claude-code", own_id: str = _SESSION) -> list[Drawer]:
    return list((await app.conversations.show(palace, ConversationQuery(host, own_id))).drawers)


async def _said(app: GraphPalace, palace: str, host: str = "claude-code", own_id: str = _SESSION) -> list[str]:
    return [drawer.text for drawer in await _shown(app, palace, host, own_id)]


async def _count(app: GraphPalace, palace: str) -> int:
    return sum(one.drawers for one in await app.list_palaces() if one.name == palace)


def _talk(count: int, *, session: str = _SESSION, first: int = 0) -> list[dict[str, Any]]:
    return [
        transcripts.claude(
            "assistant" if at % 2 else "user",
            [transcripts.text(f"saying number{at} about word{at}")],
            f"uuid-{at}",
            minute=at % 60,
            session=session,
        )
        for at in range(first, first + count)
    ]


async def test_a_conversation_becomes_a_closet_and_each_turn_a_drawer_with_speaker_time_and_project(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{_SESSION}.jsonl"
    path.write_bytes(transcripts.lines(transcripts.CLAUDE_CODE))
    done = await _file(app, palace, path)
    assert (done.wing, done.project, done.turns, done.drawers_created) == ("greenhouse", "greenhouse", 6, 6)
    assert done.source_uri == f"conversation:claude-code/{_SESSION}"
    drawers = await _shown(app, palace)
    assert [drawer.author for drawer in drawers] == [
        "user", "assistant", "user", "subagent task", "subagent", "assistant",
    ]  # fmt: skip
    assert drawers[0].occurred_at == "2026-03-02T10:00:00Z"
    assert {drawer.closet for drawer in drawers} == {"Valves and pumps"}
    assert {drawer.room for drawer in drawers} == {"conversations"}
    assert "secret result of a tool" not in str(drawers)
    (listed,) = (await app.conversations.page(palace, ConversationListing())).conversations
    assert (listed.conversation, listed.host, listed.project, listed.drawers) == (
        _SESSION,
        "claude-code",
        "greenhouse",
        6,
    )
    assert (listed.began_at, listed.ended_at) == ("2026-03-02T10:00:00Z", "2026-03-02T10:07:00Z")
    answer = await app.recall.search(palace, SearchRequest(query="pump cellar"))
    assert answer.hits[0].text == "The pump is in the cellar."
    again = await _file(app, palace, path)
    assert (again.turns, again.drawers_created, again.drawers_removed) == (0, 0, 0)
    assert await _shown(app, palace) == drawers


async def test_a_transcript_that_grows_is_filed_as_far_as_it_is_complete(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{_SESSION}.jsonl"
    whole = transcripts.lines(transcripts.CLAUDE_CODE)
    for cut in range(1, len(whole), 97):
        path.write_bytes(whole[:cut])
        await app.conversations.file_transcript(palace, TranscriptFile(path))
    path.write_bytes(whole)
    await _file(app, palace, path)
    grown = await _said(app, palace)
    assert len(grown) == 6
    assert grown[1].startswith("I look at the valve first.") and grown[1].endswith("The valve opens at noon.")
    assert await _count(app, palace) == 6


async def test_what_was_truncated_rewritten_continued_or_forked_doubles_nothing_and_loses_nothing(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{_SESSION}.jsonl"
    path.write_bytes(transcripts.lines(_talk(8)))
    await _file(app, palace, path)
    first = await _said(app, palace)

    path.write_bytes(transcripts.lines(_talk(3)))  # cut off
    assert (await _file(app, palace, path)).drawers_created == 0
    assert await _said(app, palace) == first

    path.write_bytes(transcripts.lines([*_talk(2, first=4), *_talk(2, first=8)]))  # its beginning is gone
    assert (await _file(app, palace, path)).drawers_created == 2
    assert await _said(app, palace) == [*first, "saying number8 about word8", "saying number9 about word9"]

    other = tmp_path / "1f8fad5b-d9cb-469f-a165-70867728950e.jsonl"  # a copy that goes on, as after a resume
    other.write_bytes(transcripts.lines(_talk(11, session=other.stem)))
    assert (await _file(app, palace, other)).drawers_created == 1
    assert await _said(app, palace, own_id=other.stem) == ["saying number10 about word10"]
    assert await _count(app, palace) == 11

    codex = tmp_path / "rollout-1.jsonl"
    codex.write_bytes(transcripts.lines(transcripts.CODEX))
    assert (await _file(app, palace, codex)).drawers_created == 6
    assert await _said(app, palace, "codex", "0199-codex") == [
        "Count the seedlings.",
        "[shell: ls beds]\n[apply_patch: beds/one.md]\n\nThere are three.",
        "yes", "Done.", "yes", "Done.",
    ]  # fmt: skip
    meta = transcripts.codex("session_meta", {"id": "fork", "forked_from_id": "0199-codex", "cwd": "/x/greenhouse"})
    fork = tmp_path / "rollout-2.jsonl"
    fork.write_bytes(transcripts.lines([meta, *transcripts.CODEX, transcripts.codex_says("user", "yes", minute=9)]))
    assert (await _file(app, palace, fork)).drawers_created == 1


async def test_what_somebody_deleted_or_edited_stays_so_when_the_conversation_goes_on(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{_SESSION}.jsonl"
    path.write_bytes(transcripts.lines(_talk(4)))
    await _file(app, palace, path)
    drawers = await _shown(app, palace)
    await app.drawers.delete(palace, drawers[0].id)
    await app.drawers.delete(palace, drawers[3].id)
    await app.drawers.update(palace, drawers[2].id, DrawerUpdate(text="saying corrected"))
    path.write_bytes(transcripts.lines(_talk(6)))
    assert (await _file(app, palace, path)).drawers_created == 2
    assert await _said(app, palace) == [
        "saying number1 about word1",
        "saying corrected",
        "saying number4 about word4",
        "saying number5 about word5",
    ]


async def test_a_filing_that_was_interrupted_goes_on_where_it_was(
    app: GraphPalace, palace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"{_SESSION}.jsonl"
    path.write_bytes(transcripts.lines(_talk(30)))
    monkeypatch.setattr(filing, "_BATCH_CHARS", 100)  # some turns in each transaction
    with monkeypatch.context() as broken:
        calls = 0
        embed = app.embedder.embed

        def breaking(texts: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls > 3:
                raise EmbeddingFailed("the model went away")
            return embed(texts)

        broken.setattr(app.embedder, "embed", breaking)
        with pytest.raises(EmbeddingFailed):
            await _file(app, palace, path)
    before = await _count(app, palace)
    assert 0 < before < 30
    assert (await _file(app, palace, path)).drawers_created == 30 - before
    assert await _said(app, palace) == [f"saying number{at} about word{at}" for at in range(30)]


async def test_two_processes_that_file_the_same_transcript_as_it_grows_double_nothing(
    app: GraphPalace, palace: str, settings: Settings, tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in ("a", "b")]
    async with wiring.opened(settings, embedder=WordEmbedder()) as other:
        for length in (3, 12, 13, 40):  # what one of them reads is shorter than what the other one reads
            jobs = []
            for folder, door, cut in zip(folders, (app, other), (0, 20), strict=True):
                folder.mkdir(exist_ok=True)
                data = transcripts.lines([*transcripts.CLAUDE_CODE[:6], *_talk(length)])
                (folder / f"{_SESSION}.jsonl").write_bytes(data[: len(data) - cut])
                jobs += [_file(door, palace, folder / f"{_SESSION}.jsonl") for _ in range(2)]
            await asyncio.gather(*jobs)
    await _file(app, palace, folders[0] / f"{_SESSION}.jsonl")
    said = await _said(app, palace)
    assert len(said) == len(set(said)) == await _count(app, palace)
    assert said[2:] == [f"saying number{at} about word{at}" for at in range(40)]


async def test_secrets_are_masked_and_counted_and_the_settings_can_leave_them(
    app: GraphPalace, palace: str, settings: Settings, tmp_path: Path
) -> None:
    token = "ghp" + "_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"
    path = tmp_path / f"{_SESSION}.jsonl"
    path.write_bytes(transcripts.lines([transcripts.claude("user", f"My token is {token}, use it.", "u1")]))
    done = await _file(app, palace, path)
    assert done.masked == {"GitHub token": 1}
    assert await _said(app, palace) == ["My token is [masked: GitHub token], use it."]
    (listed,) = (await app.conversations.page(palace, ConversationListing())).conversations
    assert token not in listed.title
    open_settings = settings.model_copy(
        update={"conversations": settings.conversations.model_copy(update={"mask_secrets": False})}
    )
    async with wiring.opened(open_settings, embedder=WordEmbedder()) as other:
        kept = await _file(other, palace, path, wing="unmasked")
        assert kept.masked == {}
        unmasked = await other.conversations.show(palace, ConversationQuery("claude-code", _SESSION, wing="unmasked"))
        assert unmasked.drawers[0].text == f"My token is {token}, use it."


async def test_messages_of_a_caller_are_known_by_id_or_by_speaker_time_and_text(app: GraphPalace, palace: str) -> None:
    async def file(*messages: Message) -> int:
        return (await app.conversations.file(palace, Transcript("bot", "c/1", messages, joins=False))).drawers_created

    hello, bye = Message("hello there", "Ann"), Message("good bye", "Ann", id="2")
    assert await file(hello, bye) == 2
    assert await file(hello, bye, Message("hello there", "Bob")) == 1
    assert await file(Message("good bye then", "Ann", id="2")) == 1  # the same message with more in it
    assert await _said(app, palace, "bot", "c/1") == ["hello there", "hello there", "good bye then"]
    (listed,) = (await app.conversations.page(palace, ConversationListing(host="bot"))).conversations
    assert (listed.wing, sorted(listed.speakers)) == ("bot", ["Ann", "Bob"])
    assert await file(Message("  \n 🎈", "Ann")) == 1  # kept, though no search finds it


async def test_bad_input_is_named_and_stores_nothing(app: GraphPalace, palace: str, tmp_path: Path) -> None:
    for messages, field in (
        ([], "messages"),
        ([Message(" ", "a")], "messages.0.text"),
        ([Message("ok", "a"), Message("x", "two\nlines")], "messages.1.speaker"),
    ):
        with pytest.raises(InvalidInput) as raised:
            await app.conversations.file(palace, Transcript("bot", "1", messages))
        assert raised.value.detail["field"] == field
    with pytest.raises(InvalidInput, match="it must have no slash"):
        await app.conversations.file(palace, Transcript("a/b", "1", [Message("x", "y")]))
    with pytest.raises(NotFound, match=r"gone\.jsonl does not exist"):
        await app.conversations.file_transcript(palace, TranscriptFile(tmp_path / "gone.jsonl"))
    (tmp_path / "notes.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(UnreadableDocument, match="no transcript of"):
        await app.conversations.file_transcript(palace, TranscriptFile(tmp_path / "notes.jsonl"))
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert await app.conversations.file_transcript(palace, TranscriptFile(tmp_path / "empty.jsonl")) is None
    with pytest.raises(NotFound):
        await app.conversations.show(palace, ConversationQuery("codex", "nothing"))
    with pytest.raises(InvalidInput, match="after is 'x'"):
        await app.conversations.page(palace, ConversationListing(after="x"))
    assert await _count(app, palace) == 0


async def test_conversations_are_listed_page_by_page(app: GraphPalace, palace: str) -> None:
    for number in range(5):
        said = [Message(f"words of {number}", "Ann")]
        await app.conversations.file(palace, Transcript("bot", str(number), said, project=f"p{number % 2}"))
    seen: list[Conversation] = []
    after: str | None = ""
    while after is not None:
        page = await app.conversations.page(palace, ConversationListing(after=after, limit=2))
        seen += page.conversations
        after = page.next
    assert [one.conversation for one in seen] == ["4", "3", "2", "1", "0"]
    of_project = await app.conversations.page(palace, ConversationListing(project="p1"))
    assert [one.conversation for one in of_project.conversations] == ["3", "1"]
    of_wing = await app.conversations.page(palace, ConversationListing(wing="p0"))
    assert [one.conversation for one in of_wing.conversations] == ["4", "2", "0"]


async def test_conversations_are_listed_by_when_they_went_on_chosen_by_time_and_counted_by_group(
    app: GraphPalace, palace: str
) -> None:
    for name, days, host in (
        ("old", (1, 2), "bot"),
        ("new", (8, 9), "cat"),
        ("long", (3, 8), "bot"),
        ("last", (9,), "bot"),
    ):
        said = [Message(f"{name} on {day}", "Ann", time=datetime(2026, 3, day, tzinfo=UTC)) for day in days]
        await app.conversations.file(palace, Transcript(host, name, said, project="p", joins=False))
    await app.conversations.file(palace, Transcript("bot", "other", [Message("by the way", "Ann")]))
    seen: list[str] = []
    after: str | None = ""
    while after is not None:
        page = await app.conversations.page(palace, ConversationListing(order="said", wing="p", after=after, limit=2))
        seen += [one.conversation for one in page.conversations]
        after = page.next
    assert {*seen[:2]} == {"new", "last"}
    assert seen[2:] == ["long", "old"]

    async def between(since: int, until: int, order: ConversationOrder = "said") -> list[str]:
        since_, until_ = (datetime(2026, 3, day, tzinfo=UTC) for day in (since, until))
        found = await app.conversations.page(palace, ConversationListing(order=order, since=since_, until=until_))
        return [one.conversation for one in found.conversations]

    assert await between(4, 7) == ["long"]
    assert await between(2, 9) == ["new", "long", "old"]
    assert await between(2, 9, "filed") == ["long", "new", "old"]
    groups = (await app.conversations.groups(palace)).groups
    assert [(one.wing, one.project, one.host, one.conversations) for one in groups] == [
        ("bot", None, "bot", 1),
        ("p", "p", "bot", 3),
        ("p", "p", "cat", 1),
    ]
    assert (groups[1].began_at, groups[1].ended_at) == ("2026-03-01T00:00:00Z", "2026-03-09T00:00:00Z")
    with pytest.raises(InvalidInput, match="since is 0001"):
        await app.conversations.page(palace, ConversationListing(since=datetime.min))
    with pytest.raises(NotFound):
        await app.conversations.groups("no_such_palace")


async def test_a_long_conversation_is_read_in_parts_with_its_turns_and_its_masks_counted(
    app: GraphPalace, palace: str
) -> None:
    address = "postgres://ann:" + "hunter2" + "@db/main"
    said = [
        Message(f"Look at {address} and [masked: my name].", "Ann"),
        Message("word " * 2000, "Ann"),
        Message(f"{address} or {address}", "Bo"),
    ]
    await app.conversations.file(palace, Transcript("bot", "1", said, joins=False))
    whole = await app.conversations.show(palace, ConversationQuery("bot", "1"))
    assert whole.next is None
    assert whole.masked == {"password in a URL": 3}
    assert len(whole.drawers) > 4
    assert whole.turns == [1, *[2] * (len(whole.drawers) - 2), 3]
    parts, offset = [], 0
    while offset is not None:
        part = await app.conversations.show(palace, ConversationQuery("bot", "1", offset=offset, limit=2))
        assert part.masked == whole.masked
        parts += list(zip(part.drawers, part.turns, strict=True))
        offset = part.next
    assert parts == list(zip(whole.drawers, whole.turns, strict=True))
    assert (await app.conversations.show(palace, ConversationQuery("bot", "1", offset=99, limit=2))).drawers == []


async def test_a_search_finds_only_what_a_speaker_said_or_what_was_said_on_a_project_or_in_a_conversation(
    app: GraphPalace, palace: str
) -> None:
    for number, project in (("1", "shed"), ("2", "shed"), ("3", "barn")):
        said = [Message(f"paint the door {number}", "user"), Message(f"the door {number} is painted", "assistant")]
        await app.conversations.file(palace, Transcript("bot", number, said, project=project, joins=False))
    await app.drawers.add(palace, NewDrawer("the door of a note", wing="notes", author="user"))

    async def found(**where: Any) -> set[str]:
        every: set[str] = set()
        for lane in ("fulltext", "semantic"):
            answer = await app.recall.search(palace, SearchRequest("door", lanes=[lane], **where))
            texts = {hit.text for hit in answer.hits}
            assert not every or texts == every, lane
            every = texts
        return every

    assert await found(speaker="user") == {*(f"paint the door {number}" for number in "123"), "the door of a note"}
    assert await found(speaker="user", project="shed") == {"paint the door 1", "paint the door 2"}
    assert await found(conversation="3") == {"paint the door 3", "the door 3 is painted"}
    said = [Message("the door says meow", "cat")]
    await app.conversations.file(palace, Transcript("cat", "3", said, joins=False))
    assert await found(conversation="bot/3") == {"paint the door 3", "the door 3 is painted"}
    assert await found(conversation="cat/3") == {"the door says meow"}
    assert await found(conversation="3") == await found(conversation="bot/3") | await found(conversation="cat/3")
    assert await found(conversation="dog/3") == await found(conversation="bot/3", project="shed") == set()
    assert await found(conversation="3", project="shed") == await found(speaker="nobody") == set()
    for field in ("speaker", "project", "conversation"):
        with pytest.raises(InvalidInput, match=f"{field} is ' '"):
            await found(**{field: " "})


async def test_a_time_in_a_question_raises_what_was_said_then_and_leaves_nothing_out(
    app: GraphPalace, palace: str
) -> None:
    today = datetime.now().astimezone().replace(hour=12)
    month = today.replace(day=1) - timedelta(days=3)
    for at, time in (("old", today - timedelta(days=900)), ("then", month), ("now", today)):
        said = [Message(f"we planted tulips {at}", "Ann", time)]
        await app.conversations.file(palace, Transcript("bot", at, said, joins=False))

    async def ask(question: str, **more: Any) -> Any:
        return await app.recall.search(palace, SearchRequest(question, **more))

    answer = await ask("tulips planted last month")
    assert answer.plan.time is not None and answer.plan.time.words == "last month"
    assert answer.hits[0].text == "we planted tulips then"
    assert {hit.text: hit.timely and hit.timely.change for hit in answer.hits} == {
        "we planted tulips then": 0.2,
        "we planted tulips old": None,
        # said within two weeks after the end of last month, or later
        "we planted tulips now": 0.2 if today.day <= 14 else None,
    }
    plain = await ask("tulips planted last month", times=False)
    assert plain.plan.time is None and all(hit.timely is None for hit in plain.hits)
    lifted = next(hit for hit in answer.hits if hit.timely)
    assert lifted.score == pytest.approx(next(hit.score for hit in plain.hits if hit.id == lifted.id) + 0.2)
    assert (await ask("tulips planted last month", since=month - timedelta(days=9))).plan.time is None
    assert (await ask("tulips")).plan.time is None


async def test_a_hit_that_asks_something_comes_with_what_was_said_next(
    app: GraphPalace, palace: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{_SESSION}.jsonl"
    said = (
        ("user", "Where is the spare key of the boathouse?"),
        ("assistant", "It hangs behind the oven."),
        ("user", "The oven is old. Who will mend it?"),
    )
    path.write_bytes(
        transcripts.lines(
            [transcripts.claude(who, [transcripts.text(text)], text, minute=at) for at, (who, text) in enumerate(said)]
        )
    )
    await _file(app, palace, path, wing="talks")
    await app.drawers.add(palace, NewDrawer(text="Who has the key of the boathouse?", wing="talks"))
    answer = await app.recall.search(palace, SearchRequest("spare key of the boathouse", top_k=4))
    replies = {hit.text: hit.reply for hit in answer.hits}
    reply = replies["Where is the spare key of the boathouse?"]
    assert reply
    assert (reply.text, reply.author) == ("It hangs behind the oven.", "assistant")
    assert reply.drawer == next(hit.id for hit in answer.hits if hit.text == reply.text)
    assert replies["It hangs behind the oven."] is None  # it asks nothing
    assert replies["The oven is old. Who will mend it?"] is None  # nobody has answered
    assert replies["Who has the key of the boathouse?"] is None  # it is no turn
