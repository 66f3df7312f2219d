"""The examples: the notes of the week, and a chat that remembers, with an endpoint that only repeats."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import httpx

from graphpalace import Palace
from graphpalace.settings.load import Settings
from tests.words import WordEmbedder

_EXAMPLES = Path(__file__).parents[2] / "examples"


def test_every_question_of_the_week_is_answered_by_a_note_that_was_filed_before() -> None:
    known = set[str]()
    asked = list[str]()
    for day in json.loads((_EXAMPLES / "agent_week" / "week.json").read_text("utf-8"))["days"]:
        known |= {note["id"] for note in day["notes"]}
        for question in day["questions"]:
            assert question["needs"]
            assert set(question["needs"]) <= known, question
            asked.append(question["ask"])
    assert len(asked) == len(set(asked))


def test_a_chat_tells_the_model_what_is_known_once_and_stores_what_is_said(settings: Settings, palace: str) -> None:
    asked = list[dict[str, Any]]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content))
        return httpx.Response(200, json={"choices": [{"message": {"content": f"answer {len(asked)}"}}]})

    example = runpy.run_path(str(_EXAMPLES / "chat.py"))
    endpoint = httpx.Client(base_url="http://model.test/v1", transport=httpx.MockTransport(answer))
    with Palace.open(palace, settings, embedder=WordEmbedder()) as memory, endpoint:
        memory.add("the spare key hangs behind the coats", wing="home")
        chat = example["RememberingChat"](memory, endpoint, "model")
        chat.say.__globals__["SURE"] = 0.0
        assert chat.say("where does the spare key hang") == "answer 1"
        assert chat.say("and the spare key of the cellar") == "answer 2"
        assert [message["role"] for message in asked[-1]["messages"]] == ["system", "user", "assistant", "user"]
        first, second = asked[0]["messages"][1]["content"], asked[1]["messages"][3]["content"]
        assert "- the spare key hangs behind the coats" in first
        assert second == "and the spare key of the cellar"  # nothing twice, and nothing of this conversation
        (kept,) = memory.conversations.list(host="chat")
        drawers = memory.conversations.show("chat", kept.conversation).drawers
        assert [drawer.text for drawer in drawers] == [
            "where does the spare key hang",
            "answer 1",
            "and the spare key of the cellar",
            "answer 2",
        ]
        chat.say.__globals__["SURE"] = 1.01
        sceptic = example["RememberingChat"](memory, endpoint, "model")
        sceptic.say("where does the spare key hang")
        assert asked[-1]["messages"][-1]["content"] == "where does the spare key hang"
