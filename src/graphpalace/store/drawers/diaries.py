"""Store and read the diaries of agents."""

from __future__ import annotations

from graphpalace.domain.drawers.diaries import Agent, DiaryEntry, NewDiaryEntry
from graphpalace.domain.identity import stable_id
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.palaces.palaces import hold_palace
from graphpalace.store.palaces.write_keys import once


class DiaryStore:
    """Stores and reads the diaries of a palace's agents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def agents(self, palace: str) -> list[Agent]:
        """Return the agents, sorted by name."""
        return [Agent(**row) for row in await self._database.read(palace, "diaries/list_agents")]

    async def write(
        self, palace: str, agent: str, new: NewDiaryEntry, *, entry: str, drawer: str | None
    ) -> DiaryEntry | None:
        """Store an entry, and its agent if missing; return None if its drawer was deleted meanwhile.

        Args:
            entry: Id of the entry; it has the first one if the request was sent before.
            drawer: Id of the drawer that has its text; None: the entry itself has it, and nothing else finds it.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def work(tx: Transaction) -> list[dict[str, str]]:
            await hold_palace(tx, palace)
            return await tx.run(
                "diaries/write_entry",
                agent_id=_agent_id(palace, agent),
                agent=agent,
                id=entry,
                topic=new.topic,
                text=new.text if drawer is None else None,
                drawer=drawer,
            )

        rows = await self._database.transaction(palace, once(palace, "entry", list[dict[str, str]], work))
        return DiaryEntry(rows[0]["id"], new.text, new.topic, rows[0]["written_at"], drawer) if rows else None

    async def read(self, palace: str, agent: str, *, last: int) -> list[DiaryEntry] | None:
        """Return the latest entries of a diary, the latest first; None if there is no such agent."""
        rows = await self._database.read(palace, "diaries/read_diary", agent_id=_agent_id(palace, agent), last=last)
        return [DiaryEntry(**entry) for entry in rows[0]["entries"]] if rows else None


def _agent_id(palace: str, agent: str) -> str:
    return stable_id("agent", palace, agent)
