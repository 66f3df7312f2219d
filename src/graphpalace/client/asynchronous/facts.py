"""Facts with two times: when they hold in the world, and when the palace knew them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from datetime import date
from typing import TYPE_CHECKING

from graphpalace.client import wire
from graphpalace.client.asynchronous.link import AsyncLink
from graphpalace.errors import ServiceUnavailable

if TYPE_CHECKING:
    from graphpalace.domain.knowledge.contradictions import FoundContradictions
    from graphpalace.domain.knowledge.facts import (
        AddedFact,
        FactStats,
        FactTraversal,
        FoundFacts,
        InvalidatedFacts,
        SupersededFacts,
    )
    from graphpalace.domain.knowledge.proposals import ProposalReport


class AsyncFacts:
    """The part of a palace that knows facts.

    A time is a text such as "2019", "2019-05", "2019-05-31" or "2019-05-31T14:30Z", a date or a datetime. Whatever has
    no zone is UTC. A fact holds from its first time on and before its second one.
    """

    _link: AsyncLink

    async def add_fact(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        valid_from: str | date | None = None,
        valid_to: str | date | None = None,
        confidence: float = 1.0,
        source: str = "stated",
        drawers: Sequence[str] = (),
    ) -> AddedFact:
        """Add a fact. If the palace knows it already, only its drawers and its confidence grow.

        Args:
            subject, object: Names, 1 to 200 characters on one line.
            predicate: What joins them, for example `works_at`.
            valid_from: It holds from this time on; default: since ever.
            valid_to: And before this time; default: until further notice.
            confidence: Above 0 and at most 1.
            source: Who or what says so.
            drawers: Ids of the drawers that say so. If all of them are deleted, the fact goes too.
        Raises:
            InvalidInput: If a value is not valid, or the fact would end before it begins.
            NotFound: If the palace or one of the drawers does not exist.
        """
        from graphpalace.domain.knowledge.facts import AddedFact

        return await self._link.post(
            AddedFact,
            "/v1/facts",
            subject=subject,
            predicate=predicate,
            object=object,
            valid_from=valid_from,
            valid_to=valid_to,
            confidence=confidence,
            source=source,
            drawers=list(drawers),
        )

    async def supersede_fact(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        replaces: str | None = None,
        at: str | date | None = None,
        confidence: float = 1.0,
        source: str = "stated",
        drawers: Sequence[str] = (),
    ) -> SupersededFacts:
        """Let a fact take the place of what holds at a moment: that one ends then, and this one begins.

        Args:
            subject, predicate: Of both facts.
            object: The new object.
            replaces: The old object. It is needed only if the predicate may have several objects and has.
            at: When the new fact begins to hold; default: now.
            confidence, source, drawers: As `add_fact` takes them.
        Raises:
            InvalidInput: If a value is not valid, or nothing says which of several facts is replaced.
            NotFound: If the palace or one of the drawers does not exist, or what is to be replaced does not hold then.
        """
        from graphpalace.domain.knowledge.facts import SupersededFacts

        return await self._link.post(
            SupersededFacts,
            "/v1/facts/supersede",
            subject=subject,
            predicate=predicate,
            object=object,
            replaces=replaces,
            at=at,
            confidence=confidence,
            source=source,
            drawers=list(drawers),
        )

    async def invalidate_fact(
        self,
        fact: str | None = None,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        ended: str | date | None = None,
    ) -> InvalidatedFacts:
        """Unlearn a fact, or learn that it did hold until a time.

        Args:
            fact: The id of the fact; or else
            subject, predicate, object: All known facts that say this.
            ended: The facts did hold until this time; default: they never did.
        Raises:
            InvalidInput: If the choice is not clear, or a fact does not hold just before that time.
            NotFound: If the palace does not exist, or has no such fact.
        """
        from graphpalace.domain.knowledge.facts import InvalidatedFacts

        return await self._link.post(
            InvalidatedFacts,
            "/v1/facts/invalidate",
            fact=fact,
            subject=subject,
            predicate=predicate,
            object=object,
            ended=ended,
        )

    async def facts(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        as_of: str | date | None = None,
        known_at: str | date | None = None,
        limit: int = 100,
    ) -> FoundFacts:
        """Return the facts that meet everything that is given, sorted by subject, predicate and time.

        Args:
            as_of: That hold in the world at this time; default: now.
            known_at: That the palace knew at this time; default: now.
            limit: Largest number of facts, 1 to 1000.
        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace does not exist, or does not know a name.
        """
        from graphpalace.domain.knowledge.facts import FoundFacts

        return await self._link.get(
            FoundFacts,
            "/v1/facts",
            subject=subject,
            predicate=predicate,
            object=object,
            as_of=as_of,
            known_at=known_at,
            limit=limit,
        )

    async def fact_timeline(
        self,
        name: str,
        *,
        predicate: str | None = None,
        known_at: str | date | None = None,
        unlearned: bool = False,
        limit: int = 100,
    ) -> FoundFacts:
        """Return the facts on a name from all times, in the order in which they begin to hold.

        Args:
            name: Subject or object of the facts.
            known_at: As the palace knew them at this time; default: now.
            unlearned: Whether to return versions that the palace has unlearned, too.
            limit: Largest number of facts, 1 to 1000.
        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace does not exist, or does not know the name.
        """
        from graphpalace.domain.knowledge.facts import FoundFacts

        return await self._link.get(
            FoundFacts,
            "/v1/facts/timeline",
            name=name,
            predicate=predicate,
            known_at=known_at,
            unlearned=unlearned,
            limit=limit,
        )

    async def traverse_facts(
        self,
        start: str,
        *,
        depth: int = 2,
        predicate: str | None = None,
        as_of: str | date | None = None,
        known_at: str | date | None = None,
        limit: int = 100,
    ) -> FactTraversal:
        """Return the facts that connect other names with a name, in either direction, the nearest first.

        Args:
            depth: Largest number of facts between the name and another one, 1 to 5.
            predicate: Follow only facts with this predicate; default: all.
            as_of, known_at: As `facts` takes them.
            limit: Largest number of facts, 1 to 1000.
        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace does not exist, or does not know the name.
        """
        from graphpalace.domain.knowledge.facts import FactTraversal

        return await self._link.get(
            FactTraversal,
            "/v1/facts/traverse",
            start=start,
            depth=depth,
            predicate=predicate,
            as_of=as_of,
            known_at=known_at,
            limit=limit,
        )

    async def fact_contradictions(
        self, *, subject: str | None = None, predicate: str | None = None, limit: int = 100
    ) -> FoundContradictions:
        """Return pairs of facts that cannot both be true, by what the settings declare of predicates.

        Args:
            subject: Only facts that begin or end at this name; default: all.
            predicate: Only facts with this predicate or its inverse; default: all.
            limit: Largest number of pairs, 1 to 1000.
        Raises:
            InvalidInput: If a value is not valid, or the settings declare nothing of the predicate.
            NotFound: If the palace does not exist, or does not know the name.
        """
        from graphpalace.domain.knowledge.contradictions import FoundContradictions

        return await self._link.get(
            FoundContradictions, "/v1/facts/contradictions", subject=subject, predicate=predicate, limit=limit
        )

    async def propose_facts(
        self,
        *,
        wing: str | None = None,
        room: str | None = None,
        most: int | None = None,
        progress: Callable[[ProposalReport], object] | None = None,
    ) -> ProposalReport:
        """Let the extractor of `[knowledge] extractor_url` propose facts for drawers that it has not read.

        To stop it, cancel the call or leave it with Ctrl-C: what is already stored is kept, and the same call reads the
        rest. Proposals have less confidence than 1 and the source `extractor`.

        Args:
            wing, room: Which drawers; default: all.
            most: Largest number of drawers; default: all.
            progress: Called now and then with what has been done so far.
        Raises:
            InvalidInput: If no extractor is configured, or the number is out of range.
            NotFound: If the palace, the wing or the room does not exist.
            ExtractionFailed: If the endpoint cannot be reached, refuses, or gives no answer in time several times.
        """
        from graphpalace.domain.knowledge.proposals import ProposalReport

        lines = self._link.stream("/v1/facts/propose", wing=wing, room=room, most=most)
        async with aclosing(lines) as said:
            async for line in said:
                report = wire.read(wire.encoded(line["report"]), ProposalReport)
                if line["done"]:
                    return report
                if progress is not None:
                    progress(report)
        raise ServiceUnavailable("the service went away meanwhile; what is already stored is kept")

    async def fact_stats(self) -> FactStats:
        """Return how many facts the palace has.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.domain.knowledge.facts import FactStats

        return await self._link.get(FactStats, "/v1/facts/stats")
