"""Tools of the profile `knowledge` for facts with two times. Source of the names: seed 003."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from graphpalace.domain.knowledge.contradictions import FoundContradictions
from graphpalace.domain.knowledge.fact_times import FACT_TIMES
from graphpalace.domain.knowledge.facts import (
    MOST_DEPTH,
    MOST_FACTS,
    AddedFact,
    FactStats,
    FactTraversal,
    FoundFacts,
    InvalidatedFacts,
    SupersededFacts,
)
from graphpalace.serve.mcp.arguments import Named, Palace
from graphpalace.serve.mcp.offered_tool import OfferedTool, PalaceOf, read, write

Name = Annotated[Named, Field(description="a name, such as Ada Lovelace")]
Predicate = Annotated[Named, Field(description="what joins them, such as works_at")]
OnlyPredicate = Annotated[Named | None, Field(description="only this one")]
Confidence = Annotated[float, Field(gt=0, le=1)]
Source = Annotated[str, Field(description="who says so")]
Drawers = Annotated[list[str], Field(description="ids of drawers that say so")]
Start = Annotated[str | None, Field(description=f"holds from then on: {FACT_TIMES}")]
End = Annotated[str | None, Field(description="holds before then")]
AsOf = Annotated[str | None, Field(description="what holds in the world then, not now")]
KnownAt = Annotated[str | None, Field(description="what was known then, not now")]
Limit = Annotated[int, Field(ge=1, le=MOST_FACTS)]

_NONE: list[str] = []


class FactTools:
    """The tools for facts."""

    def __init__(self, palace_of: PalaceOf) -> None:
        """Remember how to reach a palace."""
        self._palace_of = palace_of

    def tools(self) -> Sequence[OfferedTool]:
        """Return the tools."""
        return (
            write(self.kg_add, AddedFact, "knowledge", repeatable=True),
            write(self.kg_supersede, SupersededFacts, "knowledge", repeatable=True),
            write(self.kg_invalidate, InvalidatedFacts, "knowledge", repeatable=True),
            read(self.kg_query, FoundFacts, "knowledge"),
            read(self.kg_timeline, FoundFacts, "knowledge"),
            read(self.kg_traverse, FactTraversal, "knowledge"),
            read(self.kg_contradictions, FoundContradictions, "knowledge"),
            read(self.kg_stats, FactStats, "knowledge"),
        )

    async def kg_add(
        self,
        subject: Name,
        predicate: Predicate,
        object: Name,
        valid_from: Start = None,
        valid_to: End = None,
        confidence: Confidence = 1.0,
        source: Source = "stated",
        drawers: Drawers = _NONE,
        palace: Palace = None,
    ) -> AddedFact:
        """Remember a fact that may change, such as Ana works_at Acme, with the time when it holds.

        What does not fit this form is a text for add_drawer. If it takes the place of another fact, use kg_supersede.
        """
        return await self._palace_of(palace).add_fact(
            subject,
            predicate,
            object,
            valid_from=valid_from,
            valid_to=valid_to,
            confidence=confidence,
            source=source,
            drawers=drawers,
        )

    async def kg_supersede(
        self,
        subject: Name,
        predicate: Predicate,
        object: Annotated[Named, Field(description="the new object")],
        replaces: Annotated[Named | None, Field(description="the old object; needed only if there are several")] = None,
        at: Annotated[str | None, Field(description="when it changed, not now")] = None,
        confidence: Confidence = 1.0,
        source: Source = "stated",
        drawers: Drawers = _NONE,
        palace: Palace = None,
    ) -> SupersededFacts:
        """Remember that something changed: the old fact ends, the new one begins, and searches say so.

        Both can still be asked for.
        """
        return await self._palace_of(palace).supersede_fact(
            subject,
            predicate,
            object,
            replaces=replaces,
            at=at,
            confidence=confidence,
            source=source,
            drawers=drawers,
        )

    async def kg_invalidate(
        self,
        fact: Annotated[str | None, Field(description="its id; or else give the other three")] = None,
        subject: Named | None = None,
        predicate: Named | None = None,
        object: Named | None = None,
        ended: Annotated[str | None, Field(description="it did hold until then; default: it never did")] = None,
        palace: Palace = None,
    ) -> InvalidatedFacts:
        """Take back a fact that was never true, or end one that nothing replaces."""
        return await self._palace_of(palace).invalidate_fact(
            fact, subject=subject, predicate=predicate, object=object, ended=ended
        )

    async def kg_query(
        self,
        subject: Named | None = None,
        predicate: Named | None = None,
        object: Named | None = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        limit: Limit = 50,
        palace: Palace = None,
    ) -> FoundFacts:
        """Look up what is or was known, such as where Ana worked in 2019: the facts that have all that is given."""
        return await self._palace_of(palace).facts(
            subject, predicate, object, as_of=as_of, known_at=known_at, limit=limit
        )

    async def kg_timeline(
        self,
        name: Name,
        predicate: OnlyPredicate = None,
        known_at: KnownAt = None,
        unlearned: Annotated[bool, Field(description="also what was taken back")] = False,
        limit: Limit = 50,
        palace: Palace = None,
    ) -> FoundFacts:
        """Tell the history of a name: its facts from all times, in their order."""
        return await self._palace_of(palace).fact_timeline(
            name, predicate=predicate, known_at=known_at, unlearned=unlearned, limit=limit
        )

    async def kg_traverse(
        self,
        start: Name,
        depth: Annotated[int, Field(ge=1, le=MOST_DEPTH)] = 2,
        predicate: OnlyPredicate = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        limit: Limit = 50,
        palace: Palace = None,
    ) -> FactTraversal:
        """Find what a name is connected with over several facts, in either direction."""
        return await self._palace_of(palace).traverse_facts(
            start, depth=depth, predicate=predicate, as_of=as_of, known_at=known_at, limit=limit
        )

    async def kg_contradictions(
        self,
        subject: Annotated[Named | None, Field(description="only facts on this name")] = None,
        predicate: OnlyPredicate = None,
        limit: Limit = 50,
        palace: Palace = None,
    ) -> FoundContradictions:
        """Find pairs of facts that cannot both be true, such as two employers at once."""
        return await self._palace_of(palace).fact_contradictions(subject=subject, predicate=predicate, limit=limit)

    async def kg_stats(self, palace: Palace = None) -> FactStats:
        """Count the facts: known, current, taken back, proposed, by predicate."""
        return await self._palace_of(palace).fact_stats()
