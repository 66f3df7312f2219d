"""What was forgotten of a conversation does not come back when it is filed again, unless somebody says so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests import transcripts

from graphpalace.app import GraphPalace
from graphpalace.domain.conversations import ConversationQuery, FiledConversation, Message, Transcript, TranscriptFile
from graphpalace.domain.drawers.drawer import Drawer
from graphpalace.domain.forgetting import ForgetChoice
from graphpalace.errors import NotFound
from graphpalace.operations.conversations import filing

SESSION = transcripts.SESSION
SAID = ("where is the sextant", "in the chart room", "and the zarquon code", "it is 4711", "thank you", "welcome")


def _speaker(text: str) -> str:
    at = next((at for at, said in enumerate(SAID) if text.startswith(said)), 0)
    return "assistant" if at % 2 else "user"


class Talk:
    """A transcript that grows, and where it is filed."""

    def __init__(self, app: GraphPalace, palace: str, folder: Path) -> None:
        self.app, self.palace = app, palace
        self.path = folder / f"{SESSION}.jsonl"

    async def file(self, *said: str, **more: Any) -> FiledConversation:
        lines = [
            transcripts.claude(_speaker(text), [transcripts.text(text)], f"uuid-{text[:12]}", minute=at)
            for at, text in enumerate(said)
        ]
        self.path.write_bytes(transcripts.lines(lines))
        done = await self.app.conversations.file_transcript(self.palace, TranscriptFile(self.path), **more)
        assert done is not None
        return done

    async def drawers(self) -> list[Drawer]:
        try:
            return list(
                (await self.app.conversations.show(self.palace, ConversationQuery("claude-code", SESSION))).drawers
            )
        except NotFound:
            return []

    async def said(self) -> list[str]:
        return [drawer.text for drawer in await self.drawers()]

    async def forget(self, **choice: Any) -> int:
        return (await self.app.forgetting.forget(self.palace, ForgetChoice(**choice))).deleted


@pytest.fixture
def talk(app: GraphPalace, palace: str, tmp_path: Path) -> Talk:
    return Talk(app, palace, tmp_path)


@pytest.mark.parametrize("choice", ["conversation", "source", "wing", "wing and conversation"])
async def test_a_forgotten_conversation_stays_forgotten_until_somebody_wants_it_again(talk: Talk, choice: str) -> None:
    name, wing = f"claude-code/{SESSION}", (await talk.file(*SAID[:2])).wing
    choices = {
        "conversation": {"conversation": name},
        "source": {"source": f"conversation:{name}"},
        "wing": {"wing": wing},
        "wing and conversation": {"wing": wing, "conversation": name},
    }
    assert await talk.forget(**choices[choice]) == 2
    for said in (SAID[:2], SAID[:4], SAID):  # as it is, and as it goes on
        done = await talk.file(*said)
        assert (done.turns, done.drawers_created) == (0, 0)
        assert done.forgotten_at is not None
        assert done.forgotten_at.startswith("20")
    assert await talk.drawers() == []
    elsewhere = await talk.file(*SAID[:2], wing="elsewhere")
    assert (elsewhere.forgotten_at is None) == ("wing" in choice)  # what is forgotten in a wing is forgotten there

    done = await talk.file(*SAID, wing=wing, again=True)
    assert (done.forgotten_at, done.drawers_created) == (None, 6)
    done = await talk.file(*SAID, "and now", wing=wing)
    assert (done.forgotten_at, done.drawers_created) == (None, 1)
    assert await talk.forget(conversation=name) == 7 + 2 * ("wing" in choice)
    assert (await talk.file(*SAID)).forgotten_at is not None


@pytest.mark.parametrize("choice", ["pattern", "name", "id"])
async def test_a_single_turn_stays_forgotten_while_the_conversation_goes_on(talk: Talk, choice: str) -> None:
    await talk.file(*SAID[:4])
    wanted = next(drawer.id for drawer in await talk.drawers() if "zarquon" in drawer.text)
    choices = {"pattern": {"pattern": "zarquon"}, "name": {"name": "Zarquon"}, "id": {"drawers": [wanted]}}
    assert await talk.forget(**choices[choice]) == 1
    left = [text for text in SAID if "zarquon" not in text]
    done = await talk.file(*SAID)
    assert (done.drawers_created, done.forgotten_at) == (2, None)
    assert await talk.said() == left

    done = await talk.file("a first line", *SAID)  # everything is read anew
    assert "zarquon" not in str(await talk.said())
    done = await talk.file(*SAID[:2], SAID[2] + ", please", *SAID[3:])  # the turn itself has grown
    assert "zarquon" not in str(await talk.said())
    done = await talk.file(*SAID, again=True)
    assert done.turns_forgotten == 0
    assert sum("zarquon" in text for text in await talk.said()) == 1
    assert (await talk.file(*SAID)).drawers_created == 0


async def test_the_last_turn_that_was_forgotten_does_not_come_back_longer(talk: Talk) -> None:
    await talk.file(*SAID[:3])
    assert await talk.forget(pattern="zarquon") == 1
    done = await talk.file(*SAID[:2], SAID[2] + " of the old door")
    assert (done.drawers_created, done.turns_forgotten) == (0, 1)
    assert (await talk.file(*SAID[:2], SAID[2] + " of the old door", SAID[3])).drawers_created == 1
    assert await talk.said() == [SAID[0], SAID[1], SAID[3]]


async def test_a_conversation_of_one_turn_that_was_forgotten_by_its_words_goes_on(talk: Talk) -> None:
    await talk.file(SAID[2])
    assert await talk.forget(pattern="zarquon") == 1
    assert (await talk.file(*SAID[2:4])).drawers_created == 1
    assert await talk.said() == [SAID[3]]


async def test_messages_stay_forgotten_too_and_what_was_only_deleted_does_not(app: GraphPalace, palace: str) -> None:
    messages = [Message(text, "user", id=str(at)) for at, text in enumerate(SAID)]
    transcript = Transcript("h", "c", messages, joins=False)
    assert (await app.conversations.file(palace, transcript)).drawers_created == 6
    drawers = (await app.conversations.show(palace, ConversationQuery("h", "c"))).drawers
    await app.drawers.delete(palace, drawers[0].id)
    assert (await app.forgetting.forget(palace, ForgetChoice(drawers=[drawers[1].id]))).deleted == 1
    done = await app.conversations.file(palace, transcript)
    assert (done.drawers_created, done.turns_forgotten) == (1, 1)
    assert (await app.forgetting.forget(palace, ForgetChoice(conversation="h/c"))).deleted == 5
    done = await app.conversations.file(palace, transcript)
    assert (done.drawers_created, done.forgotten_at is not None) == (0, True)
    assert (await app.conversations.file(palace, transcript, again=True)).drawers_created == 6
    other = Transcript("h", "other", messages, joins=False)
    assert (await app.conversations.file(palace, other)).forgotten_at is None


async def test_what_is_forgotten_while_it_is_filed_is_not_filed(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    await talk.file(*SAID[:2])
    pieces, held, go_on = filing.new_pieces, asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def waiting(*args: Any, **more: Any) -> Any:
        found = pieces(*args, **more)
        if not held.is_set():
            loop.call_soon_threadsafe(held.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(30)
        return found

    monkeypatch.setattr(filing, "new_pieces", waiting)
    filed = asyncio.create_task(talk.file(*SAID))
    await asyncio.wait_for(held.wait(), 30)
    assert await talk.forget(conversation=f"claude-code/{SESSION}") == 2
    go_on.set()
    done = await filed
    assert (done.drawers_created, done.forgotten_at is not None) == (0, True)
    assert await talk.drawers() == []
