"""The profile `core`: with these tools an agent remembers, finds, opens, says what helped, corrects and forgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from graphpalace.domain.learning.feedback_requests import FeedbackReceipt
from graphpalace.domain.quoting import quoted
from graphpalace.domain.search.request import MOST_RESULTS
from graphpalace.serve.mcp.arguments import Budget, Moment, Named, Palace, Room, Until, Wing
from graphpalace.serve.mcp.brief_answer import BriefAnswer, BriefTaxonomy, brief, brief_taxonomy, detailed
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write

_NOTHING: list[str] = []


@dataclass(frozen=True, slots=True)
class StoredText:
    """Where a text is now."""

    id: str
    place: str
    created: Annotated[bool, Field(description="false: it was there")]
    news: Any = None


@dataclass(frozen=True, slots=True)
class CorrectedText:
    """Where a text is that was changed."""

    id: str
    place: str


@dataclass(frozen=True, slots=True)
class OpenedText:
    """A text, whole."""

    id: str
    place: str
    text: str
    title: str
    source: str
    when: str | None
    author: str | None
    next_start: Annotated[int | None, Field(description="where the rest begins")]


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was removed."""

    deleted: str


class MemoryTools:
    """The tools of an agent's memory."""

    def __init__(self, palace_of: PalaceOf, *, search_bytes: int, open_bytes: int) -> None:
        """Remember how to reach a palace.

        Args:
            search_bytes: The budget of a search that names none.
            open_bytes: The most of a text that is shown at a time.
        """
        self._palace_of = palace_of
        self._search_bytes, self._open_bytes = search_bytes, open_bytes

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools, the most used first."""
        return (
            read(self.search, BriefAnswer, "core"),
            write(self.add_drawer, StoredText, "core", repeatable=True),
            replace(read(self.open_drawer, OpenedText, "core"), repeatable=True, writing_argument="run"),
            write(self.feedback, FeedbackReceipt, "core", repeatable=True),
            write(self.update_drawer, CorrectedText, "core", destroys=True, repeatable=True),
            write(self.delete_drawer, Deleted, "core", destroys=True),
            read(self.get_taxonomy, BriefTaxonomy, "core", "admin"),
        )

    async def search(
        self,
        query: Annotated[str, Field(description="a question, or words")],
        wing: Wing = None,
        room: Room = None,
        since: Annotated[Moment | None, Field(description="from then on")] = None,
        until: Annotated[Until | None, Field(description="to this day or moment")] = None,
        as_of: Annotated[str | None, Field(description="as it was then")] = None,
        top_k: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 10,
        budget_bytes: Budget = None,
        detail: Annotated[bool, Field(description="whole texts, with reasons")] = False,
        palace: Palace = None,
    ) -> dict[str, Any]:
        """Find what was remembered, by words and by meaning. Use it before answering from memory or asking again.

        open_drawer gives the whole text of a hit.
        """
        answer = await self._palace_of(palace).search(
            query, wing=wing, room=room, since=since, until=until, as_of=as_of, top_k=top_k
        )
        if detail:
            return detailed(answer, budget_bytes=budget_bytes)
        return brief(answer, budget_bytes=budget_bytes or self._search_bytes)

    async def add_drawer(
        self,
        text: Annotated[str, Field(description="word for word")],
        wing: Annotated[Named, Field(description="person, project or topic; made if new")],
        room: Annotated[Named, Field(description="made if new")] = "general",
        title: str | None = None,
        source_uri: str | None = None,
        author: str | None = None,
        occurred_at: Annotated[Moment | None, Field(description="when said")] = None,
        importance: Annotated[float, Field(ge=0, le=1)] = 0.5,
        language: Annotated[str | None, Field(description="such as de")] = None,
        unless_similar: Annotated[float | None, Field(ge=0, le=1, description="cosine")] = None,
        palace: Palace = None,
    ) -> StoredText:
        """Remember a text: a fact, a decision, a preference, what was said."""
        drawer = await self._palace_of(palace).add(
            text,
            wing=wing,
            room=room,
            title=title,
            source_uri=source_uri,
            author=author,
            occurred_at=occurred_at,
            importance=importance,
            language=language,
            unless_similar=unless_similar,
        )
        stored = StoredText(drawer.id, f"{drawer.wing}/{drawer.room}", drawer.created is True)
        if not drawer.news:
            return stored
        # What to do is said only where it can be done, as every model reads the schema.
        asked = [f"{older.drawer} is probably outdated now: {older.text}" for older in drawer.news]
        return replace(stored, news=[*asked, f"if so: update_drawer(that drawer, replaced_by={drawer.id!r})"])

    async def open_drawer(
        self,
        drawer: Annotated[str, Field(description="id of a hit")],
        run: Annotated[str | None, Field(description="of the search; counts as weak feedback")] = None,
        start: Annotated[int, Field(ge=0, description="next_start, to read on")] = 0,
        palace: Palace = None,
    ) -> OpenedText:
        """Read the whole text of one hit, when its passage is not enough."""
        of = self._palace_of(palace)
        found = await (of.open_drawer(drawer, run=run) if run is not None else of.get(drawer))
        part = found.text[start:].encode()[: self._open_bytes].decode(errors="ignore")
        end = start + len(part)
        return OpenedText(
            id=found.id,
            place=f"{found.wing}/{found.room}",
            text=part,
            title=found.closet,
            source=found.source_uri,
            when=found.occurred_at,
            author=found.author,
            next_start=end if end < len(found.text) else None,
        )

    async def feedback(
        self,
        run: Annotated[str, Field(description="of the search")],
        useful: Annotated[list[str], Field(description="hits that helped")] = _NOTHING,
        useless: Annotated[list[str], Field(description="hits that misled")] = _NOTHING,
        palace: Palace = None,
    ) -> FeedbackReceipt:
        """Say which hits of a search helped. Later searches learn from it."""
        return await self._palace_of(palace).feedback(run, useful=useful, useless=useless)

    async def update_drawer(
        self,
        drawer: Annotated[str, Field(description="its id")],
        text: Annotated[str | None, Field(description="the new text")] = None,
        title: str | None = None,
        author: str | None = None,
        occurred_at: Moment | None = None,
        importance: Annotated[float | None, Field(ge=0, le=1)] = None,
        replaced_by: str | None = None,
        palace: Palace = None,
    ) -> CorrectedText:
        """Correct a text that is no longer true, instead of adding a second one. What is left out stays."""
        # `replaced_by` names the drawer that holds instead; "" says that none does.
        of = self._palace_of(palace)
        if replaced_by:
            await of.supersede(drawer, replaced_by)
        elif replaced_by is not None:
            await of.take_back_supersede(drawer)
        if replaced_by is not None and (text, title, author, occurred_at, importance) == (None,) * 5:
            changed = await of.get(drawer)
        else:
            changed = await of.update(
                drawer, text=text, title=title, author=author, occurred_at=occurred_at, importance=importance
            )
        return CorrectedText(changed.id, f"{changed.wing}/{changed.room}")

    async def delete_drawer(
        self, drawer: Annotated[str, Field(description="its id")], palace: Palace = None
    ) -> Deleted:
        """Forget one text for good. Only if the user asks, or it is certainly wrong."""
        await self._palace_of(palace).delete(drawer)
        return Deleted(drawer)

    async def get_taxonomy(
        self, wing: Wing = None, budget_bytes: Budget = None, palace: Palace = None
    ) -> dict[str, Any]:
        """Show what is known: wings and rooms with their sizes."""
        found = await self._palace_of(palace).taxonomy()
        wing = None if wing is None else quoted(wing)  # as all names that were found
        return brief_taxonomy(found, wing=wing, budget_bytes=budget_bytes or self._search_bytes)
