# Written by `make client` from ../asynchronous/facts.py; change that file.
"""The part of a palace that knows facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from graphpalace.client.synchronous.link import Link

if TYPE_CHECKING:
    from graphpalace.domain.knowledge.contradictions import FoundContradictions
    from graphpalace.domain.knowledge.facts import (
        AddedFact,
        FactStats,
        FactTraversal,
        FoundFacts,
        InvalidatedFacts,
        ProposalReport,
        SupersededFacts,
    )


class Facts:
    """The part of a palace that knows facts.

    A time is a text such as 2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z, a date or a datetime. Whatever has no
    zone is UTC. A fact holds from its first time on and before its second one.
    """

    _link: Link

    def add_fact(
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
        """Add a fact.

        If the palace knows it already, only its drawers and its confidence grow.

        If all drawers of a fact are deleted, the fact goes too.

        Args:
            subject: A name.
            predicate: What joins the names, such as works_at.
            object: A name.
            valid_from: It holds from this time on (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: since
                ever.
            valid_to: It holds before this time (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: until further
                notice.
            confidence: How sure it is, above 0 and at most 1.
            source: Who or what says so.
            drawers: Ids of drawers that say so.
        Raises:
            InvalidInput: If a value is not valid, or the fact would end before it begins.
            NotFound: If the palace or one of the drawers does not exist.
        """
        from graphpalace.offers.knowledge import ADD_FACT

        return self._link.call(
            ADD_FACT,
            subject=subject,
            predicate=predicate,
            object=object,
            valid_from=valid_from,
            valid_to=valid_to,
            confidence=confidence,
            source=source,
            drawers=drawers,
        )

    def supersede_fact(
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

        Both can still be asked for.

        Args:
            subject: A name.
            predicate: What joins the names, such as works_at.
            object: The new object.
            replaces: The old object; needed only if there are several.
            at: When the new fact begins to hold (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: now.
            confidence: How sure it is, above 0 and at most 1.
            source: Who or what says so.
            drawers: Ids of drawers that say so.
        Raises:
            InvalidInput: If a value is not valid, or nothing says which of several facts is replaced.
            NotFound: If the palace or one of the drawers does not exist, or what is to be replaced does not hold then.
        """
        from graphpalace.offers.knowledge import SUPERSEDE_FACT

        return self._link.call(
            SUPERSEDE_FACT,
            subject=subject,
            predicate=predicate,
            object=object,
            replaces=replaces,
            at=at,
            confidence=confidence,
            source=source,
            drawers=drawers,
        )

    def invalidate_fact(
        self,
        fact: str | None = None,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        ended: str | date | None = None,
    ) -> InvalidatedFacts:
        """Take back facts that were never true, or end facts that nothing replaces.

        Args:
            fact: Id of the fact; or else give the other three.
            subject: Subject of the facts.
            predicate: Their predicate.
            object: Their object.
            ended: They did hold until this time (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: they never
                did.
        Raises:
            InvalidInput: If the choice is not clear, or a fact does not hold just before that time.
            NotFound: If the palace does not exist, or has no such fact.
        """
        from graphpalace.offers.knowledge import INVALIDATE_FACT

        return self._link.call(
            INVALIDATE_FACT, fact=fact, subject=subject, predicate=predicate, object=object, ended=ended
        )

    def facts(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        as_of: str | date | None = None,
        known_at: str | date | None = None,
        limit: int = 100,
    ) -> FoundFacts:
        """Find the facts that have all that is given, sorted by subject, predicate and time.

        Args:
            subject: Their subject.
            predicate: Only this predicate.
            object: Their object.
            as_of: What holds in the world then (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: now.
            known_at: What the palace knew then (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: now.
            limit: Largest number of facts, 1 to 1000.
        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace does not exist, or does not know a name.
        """
        from graphpalace.offers.knowledge import FIND_FACTS

        return self._link.call(
            FIND_FACTS, subject=subject, predicate=predicate, object=object, as_of=as_of, known_at=known_at, limit=limit
        )

    def fact_timeline(
        self,
        name: str,
        *,
        predicate: str | None = None,
        known_at: str | date | None = None,
        unlearned: bool = False,
        limit: int = 100,
    ) -> FoundFacts:
        """Show the facts on a name from all times, in the order in which they begin to hold.

        Args:
            name: Subject or object of the facts.
            predicate: Only this predicate.
            known_at: What the palace knew then (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: now.
            unlearned: Also what was taken back.
            limit: Largest number of facts, 1 to 1000.
        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace does not exist, or does not know the name.
        """
        from graphpalace.offers.knowledge import FACT_TIMELINE

        return self._link.call(
            FACT_TIMELINE, name=name, predicate=predicate, known_at=known_at, unlearned=unlearned, limit=limit
        )

    def traverse_facts(
        self,
        start: str,
        *,
        depth: int = 2,
        predicate: str | None = None,
        as_of: str | date | None = None,
        known_at: str | date | None = None,
        limit: int = 100,
    ) -> FactTraversal:
        """Show the facts that connect a name with others over several steps, in either direction, the nearest first.

        Args:
            start: The name to start from.
            depth: Largest number of facts from there, 1 to 5.
            predicate: Only this predicate.
            as_of: What holds in the world then (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: now.
            known_at: What the palace knew then (2019, 2019-05, 2019-05-31 or 2019-05-31T14:30Z); default: now.
            limit: Largest number of facts, 1 to 1000.
        Raises:
            InvalidInput: If a value is not valid.
            NotFound: If the palace does not exist, or does not know the name.
        """
        from graphpalace.offers.knowledge import TRAVERSE_FACTS

        return self._link.call(
            TRAVERSE_FACTS, start=start, depth=depth, predicate=predicate, as_of=as_of, known_at=known_at, limit=limit
        )

    def fact_contradictions(
        self, *, subject: str | None = None, predicate: str | None = None, limit: int = 100
    ) -> FoundContradictions:
        """Find pairs of facts that cannot both be true: two objects where there is one, or a fact and its inverse.

        [knowledge] in the settings says which predicates have one object, and which are inverse to each other.

        Args:
            subject: Only facts on this name; default: all.
            predicate: Only this predicate or its inverse; default: all.
            limit: Largest number of pairs, 1 to 1000.
        Raises:
            InvalidInput: If a value is not valid, or the settings declare nothing of the predicate.
            NotFound: If the palace does not exist, or does not know the name.
        """
        from graphpalace.offers.knowledge import FACT_CONTRADICTIONS

        return self._link.call(FACT_CONTRADICTIONS, subject=subject, predicate=predicate, limit=limit)

    def propose_facts(
        self,
        *,
        wing: str | None = None,
        room: str | None = None,
        most: int | None = None,
        progress: Callable[[ProposalReport], object] | None = None,
    ) -> ProposalReport:
        """Let the extractor of [knowledge] extractor_url propose facts for drawers that it has not read.

        To stop it, cancel the call or leave it with Ctrl-C: what is already done is kept, and the same call does the
        rest.

        Proposals have less confidence than 1 and the source `extractor`.

        Args:
            wing: Only drawers of this wing.
            room: Only drawers of rooms of this name.
            most: Largest number of drawers, 1 to 1000000.
            progress: Called now and then with what was done so far.
        Raises:
            InvalidInput: If no extractor is configured, or the number is out of range.
            NotFound: If the palace, the wing or the room does not exist.
            ExtractionFailed: If the endpoint cannot be reached, refuses, or gives no answer in time several times.
        """
        from graphpalace.offers.knowledge import PROPOSE_FACTS

        return self._link.follow(PROPOSE_FACTS, progress, wing=wing, room=room, most=most)

    def fact_stats(self) -> FactStats:
        """Count the facts of a palace.

        Raises:
            NotFound: If the palace does not exist.
        """
        from graphpalace.offers.knowledge import FACT_STATS

        return self._link.call(FACT_STATS)
