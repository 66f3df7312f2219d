"""Read, list, change and delete drawers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from graphpalace.domain.drawers.beside import PlaceInCloset
from graphpalace.domain.drawers.drawer import Deleted, Drawer, DrawerHistory, DrawerText, Superseded
from graphpalace.domain.drawers.drawer_text import pointer_share, title_words
from graphpalace.domain.drawers.records import ChangedDrawer, StayForgotten
from graphpalace.domain.forgetting import ForgetChoice
from graphpalace.domain.search.search_words import search_words
from graphpalace.domain.vectors import quantised, to_bytes
from graphpalace.errors import Conflict
from graphpalace.store.connection.database import Database, Transaction
from graphpalace.store.drawers.drawer_links import (
    ComparedDrawer,
    count_lone_facts,
    forget_facts,
    link_news,
    link_similar,
)
from graphpalace.store.palaces.palaces import hold_palace, record_change
from graphpalace.store.palaces.write_keys import once


@dataclass(frozen=True, slots=True)
class SelectedDrawers:
    """Selected drawers of one closet.

    Attributes:
        of: How many drawers the closet has.
    """

    closet: str
    wing_id: str
    drawers: Sequence[str]
    of: int


class DrawerStore:
    """Reads, lists, changes and deletes the drawers of palaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, palace: str, ids: Sequence[str]) -> list[Drawer]:
        """Return drawers with their closets, rooms and wings. Drawers that are not in the palace are left out."""
        rows = await self._database.read(palace, "drawers/read_drawers", ids=list(ids))
        return [Drawer(**row["drawer"]) for row in rows]

    async def list_ids(
        self, palace: str, *, wing_id: str | None, room_ids: Sequence[str] | None, after: str, limit: int
    ) -> list[str]:
        """Return a page of drawer ids, sorted, starting after a given id.

        Args:
            wing_id, room_ids: Wing or rooms of the drawers; None: any.
        """
        rows = await self._database.read(
            palace,
            "drawers/list_drawers",
            wing_id=wing_id,
            room_ids=None if room_ids is None else list(room_ids),
            after=after,
            limit=limit,
        )
        return [row["id"] for row in rows]

    async def select(
        self, palace: str, choice: ForgetChoice, *, wing_id: str | None, room_ids: Sequence[str] | None
    ) -> list[SelectedDrawers]:
        """Return the chosen drawers, by closet.

        Args:
            wing_id, room_ids: The place that the choice names; None: any.
        """
        rows = await self._database.read(
            palace,
            "drawers/select_drawers",
            ids=None if choice.drawers is None else list(choice.drawers),
            source=choice.source,
            wing_id=wing_id,
            room_ids=None if room_ids is None else list(room_ids),
        )
        return [SelectedDrawers(**row) for row in rows]

    async def same_text(self, palace: str, text: str, *, wing_id: str | None, limit: int) -> list[str]:
        """Return the ids of the first `limit` drawers with exactly this text. This reads the texts of all drawers."""
        rows = await self._database.read(palace, "drawers/list_same_text", text=text, wing_id=wing_id, limit=limit)
        return [row["id"] for row in rows]

    async def changed_texts(self, palace: str, ids: Sequence[str]) -> dict[str, str]:
        """Return the current texts of those of some drawers whose text was changed since they were stored, by id."""
        rows = await self._database.read(palace, "drawers/list_changed_texts", ids=list(ids))
        return {row["id"]: row["text"] for row in rows}

    async def count_lone_facts(self, palace: str, ids: Sequence[str]) -> int:
        """Return how many known facts were read only from some drawers."""
        return await count_lone_facts(self._database, palace, ids)

    async def history(self, palace: str, drawer: str) -> DrawerHistory | None:
        """Return the earlier texts of a drawer; None if it is not in the palace."""
        rows = await self._database.read(palace, "drawers/list_history", id=drawer)
        return DrawerHistory(drawer, [DrawerText(**text) for text in rows[0]["texts"]]) if rows else None

    async def place_in_closet(self, palace: str, drawer: str) -> PlaceInCloset | None:
        """Return where a drawer stands in its closet; None if it is not in the palace."""
        rows = await self._database.read(palace, "drawers/find_beside", id=drawer)
        if not rows:
            return None
        (row,) = rows
        replaced = row["replaced"] or {"by": None, "since": None}
        return PlaceInCloset(row["number"], row["of"], row["previous"], row["next"], replaced["by"], replaced["since"])

    async def supersede(self, palace: str, old: str, new: str, *, at: datetime) -> Superseded | None:
        """Let a drawer take the place of another; return None if one of the two is not in the palace.

        Raises:
            Conflict: If the old one has taken the place of the new one, at once or over others.
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def work(tx: Transaction) -> list[dict[str, str]]:
            await hold_palace(tx, palace)
            if any(row["id"] == old for row in await tx.run("drawers/find_successors", id=new)):
                raise Conflict(f"drawer {new!r} is itself replaced by {old!r}: take that back first", old=old, new=new)
            rows = await tx.run("drawers/supersede", old=old, new=new, at=at)
            if rows:
                await record_change(tx, stored=[new])
            return rows

        rows = await self._database.transaction(palace, once(palace, "supersede", list[dict[str, str]], work))
        return Superseded(old, new, rows[0]["since"]) if rows else None

    async def take_back_supersede(self, palace: str, old: str) -> str | None:
        """Let a drawer count again: none has taken its place or is news on it from now on.

        Returns:
            The id of the one that had taken its place, or was most probably news on it; None if there was none.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def work(tx: Transaction) -> list[dict[str, str]]:
            await hold_palace(tx, palace)
            rows = await tx.run("drawers/take_back_supersede", old=old)
            refused = await tx.run("drawers/refuse_news", old=old)
            if refused:
                await record_change(tx, stored=[row["newer"] for row in refused])
            return rows or [{"new": row["newer"]} for row in refused]

        rows = await self._database.transaction(palace, once(palace, "take_back", list[dict[str, str]], work))
        return rows[0]["new"] if rows else None

    async def update(self, palace: str, changed: ChangedDrawer) -> bool:
        """Change a drawer in one transaction; return False if it is not in the palace.

        A new text replaces the old one with its words, its vector and its SIMILAR_TO edges. The old text is kept in the
        history. Unless the meaning is the same, what was learned of the old text goes.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def work(tx: Transaction) -> bool:
            await hold_palace(tx, palace, model=None if changed.text is None else changed.text.model)
            found = await tx.run(
                "drawers/change_drawer",
                id=changed.id,
                title=changed.title,
                title_words=None
                if changed.title is None
                else title_words(changed.title, changed.name, changed.number, *changed.labels),
                author=changed.author,
                occurred_at=changed.occurred_at,
                importance=changed.importance,
            )
            if not found:
                return False
            newer: list[str] = []
            if (new := changed.text) is not None:
                if not new.same_meaning:
                    await tx.run("drawers/let_go", id=changed.id)
                await tx.run(
                    "drawers/change_text",
                    id=changed.id,
                    version=f"text-{uuid4().hex}",
                    text=new.text,
                    words=search_words(new.text),
                    pointer_share=pointer_share(new.text),
                    lines=new.text.count("\n") + 1,
                    embedding=to_bytes(new.vector) + to_bytes(new.windows),
                    embedding_int8=quantised(new.vector),
                )
                await link_similar(tx, [(changed.id, other, cosine) for other, cosine in new.similar])
                (unlinked,) = await tx.run("drawers/unlink_news", id=changed.id)
                newer = unlinked["newer"]
                await link_news(tx, [ComparedDrawer(changed.id, new.text, new.older)])
            await record_change(tx, stored=[changed.id, *newer])
            return True

        return await self._database.transaction(palace, once(palace, "update", bool, work))

    async def remove(
        self,
        palace: str,
        wing_id: str,
        ids: Sequence[str],
        *,
        erase: Callable[[Transaction, Sequence[str]], Awaitable[None]],
        stay: StayForgotten | None = None,
    ) -> Deleted:
        """Delete drawers of a wing, facts that were read only from them, and closets and found rooms that become empty.

        Args:
            erase: Called first, to delete what is left of the drawers elsewhere.
            stay: What of conversations is not to be filed again; None: all of it may be.

        Raises:
            NotFound: If the palace does not exist, or was dropped meanwhile.
        """

        async def work(tx: Transaction) -> Deleted:
            await hold_palace(tx, palace)
            if stay is not None:
                await tx.run(
                    "forgetting/mark_forgotten", drawers=list(ids), whole=stay.whole, conversation=stay.conversation
                )
            await erase(tx, ids)
            (gone,) = await tx.run("drawers/delete_drawers", ids=list(ids))
            await tx.run("drawers/forget_hashes", closets=gone["closets"])
            await tx.run("rooms/sweep_empty", wing_id=wing_id)
            facts = await forget_facts(tx, gone["deleted"], gone["facts"], replaced=gone["replaced"])
            await record_change(tx, removed=gone["deleted"])
            return Deleted(len(gone["deleted"]), facts)

        return await self._database.transaction(palace, work)
