"""Agents and their diaries."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.drawers.diaries import Agent, AgentQuery, Diary, DiaryEntry, DiaryEntryRequest, DiaryQuery
from graphpalace.errors import InvalidInput, NotFound, TooLarge
from graphpalace.offers.offer import Group, Offer, Tool

LIST_AGENTS = Offer(
    "agents",
    "GET /v1/agents",
    AgentQuery,
    list[Agent],
    "List the agents with the number of entries in their diaries.",
    role=Role.READ,
    raises={NotFound: "the palace does not exist"},
    tool=Tool("list_agents", "List the agents that keep a diary.", ("admin",), shown=100),
)
WRITE_DIARY = Offer(
    "write_diary",
    "POST /v1/agents/{agent:path}/diary",
    DiaryEntryRequest,
    DiaryEntry,
    "Write an entry into the diary of an agent, which is created if it does not exist.",
    role=Role.WRITE,
    raises={
        InvalidInput: "the name or the topic is not possible, or the text is blank",
        NotFound: "the palace does not exist",
        TooLarge: "the text is too long",
    },
    example={"text": "The tests of the door pass again.", "topic": "tests", "searchable": False},
    positional=("agent", "text"),
    tool=Tool(
        "diary_write", "Write an entry into an agent's own diary: what it did, noticed or plans.", profiles=("admin",)
    ),
    status=201,
    keyed=True,
)
READ_DIARY = Offer(
    "read_diary",
    "GET /v1/agents/{agent:path}/diary",
    DiaryQuery,
    Diary,
    "Read the latest entries of a diary, the latest first.",
    role=Role.READ,
    more="An entry whose drawer was deleted is gone.",
    raises={
        NotFound: "the palace does not exist, or the agent has no diary",
        InvalidInput: "the number is out of its range",
    },
    positional=("agent",),
    tool=Tool("diary_read", "Read the latest entries of an agent's diary, the latest first.", profiles=("admin",)),
)
DIARIES = Group("Diaries", "The part of a palace that keeps diaries.", (LIST_AGENTS, WRITE_DIARY, READ_DIARY))
