"""The routes for agents and their diaries."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from graphpalace.domain.diaries import MOST_ENTRIES, Agent, Diary, DiaryEntry, NewDiaryEntry
from graphpalace.serve.http.request_body import PalaceField, fields_of, value_of, with_example
from graphpalace.serve.http.router import Operations, PalaceName, named, new_router

router = new_router()


class DiaryEntryRequest(fields_of(NewDiaryEntry)):
    """A text for a diary."""

    model_config = with_example({"text": "The tests of the door pass again.", "topic": "tests", "searchable": False})

    palace: PalaceField = None


@router.get("/agents", tags=["diaries"])
async def agents(app: Operations, palace: PalaceName = None) -> list[Agent]:
    """List the agents with the number of entries in their diaries."""
    return await app.diaries.agents(named(app, palace))


@router.post("/agents/{agent:path}/diary", status_code=201, tags=["diaries"])
async def write_diary(agent: str, body: DiaryEntryRequest, app: Operations) -> DiaryEntry:
    """Write an entry into the diary of an agent, who is created if missing."""
    return await app.diaries.write(named(app, body.palace), agent, value_of(body, NewDiaryEntry))


@router.get("/agents/{agent:path}/diary", tags=["diaries"])
async def read_diary(
    agent: str,
    app: Operations,
    palace: PalaceName = None,
    last: Annotated[int, Query(ge=1, le=MOST_ENTRIES, description="largest number of entries")] = 10,
) -> Diary:
    """Read the latest entries of a diary, the latest first."""
    return await app.diaries.read(named(app, palace), agent, last=last)
