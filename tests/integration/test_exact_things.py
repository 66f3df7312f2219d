"""Codes, numbers, names and identifiers find the note that has them among notes that are much like it."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.acceptance.served import changed

from graphpalace import app as wiring
from graphpalace.domain.drawers.new_drawer import NewDrawer
from graphpalace.domain.search.request import SearchRequest
from graphpalace.settings.load import Settings

THINGS = [json.loads(line) for line in (Path(__file__).parents[1] / "data" / "exact_things.jsonl").open("rb")]
QUESTIONS = [(question, thing["note"]) for thing in THINGS for question in thing["questions"]]


@pytest.fixture
async def asked(settings: Settings) -> AsyncIterator[dict[str, list[str]]]:
    """The texts that are found for each question, best first, with the default model."""
    name = f"exact{uuid.uuid4().hex[:8]}"
    async with wiring.opened(changed(settings, palace={"name": name})) as app:
        try:
            await app.drawers.add_many(
                name, [NewDrawer(text=thing["note"], wing="desk", room="notes") for thing in THINGS]
            )
            found = {}
            for question, _ in QUESTIONS:
                answer = await app.recall.search(name, SearchRequest(question, top_k=3, kept=False))
                found[question] = [hit.text for hit in answer.hits]
            yield found
        finally:
            await app.drop_palace(name)


async def test_the_note_that_has_the_exact_thing_comes_first(asked: dict[str, list[str]]) -> None:
    assert len(QUESTIONS) >= 60
    wrong = [(question, asked[question][0]) for question, note in QUESTIONS if asked[question][0] != note]
    assert wrong == []
