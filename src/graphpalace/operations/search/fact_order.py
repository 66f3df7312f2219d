"""Let facts count: mark what is outdated and rank it lower, and put what holds now beside the hits."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from graphpalace.domain.deadline import at_most_s
from graphpalace.domain.knowledge.current_fact import Outdated
from graphpalace.domain.knowledge.fact_index import FactIndex, current
from graphpalace.domain.knowledge.fact_times import optional_time, shown_time
from graphpalace.errors import DatabaseFailed, NotFound
from graphpalace.fuse.score_changes import changes_to_follow
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.ranked import RankedDrawers
from graphpalace.operations.search.side_by_side import LaneResults, failure_of
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.known_facts import KnownFacts


@dataclass(frozen=True, slots=True)
class SearchedFacts:
    """The facts of a palace, and the moment in the world's time that a search asks about."""

    index: FactIndex
    at: datetime


class FactOrder:
    """Ranks outdated drawers lower.

    A drawer is the less outdated the less certain its facts are: the penalty is multiplied by the smallest confidence.
    A drawer whose place another one has taken comes after that one, however much lower it must be ranked for that.
    """

    def __init__(self, indexes: DrawerIndexes, known: KnownFacts, *, penalty: float, timeout_s: float) -> None:
        self._indexes = indexes
        self._known = known
        self._penalty = penalty
        self._timeout_s = timeout_s

    async def of(self, search: PreparedSearch, found: LaneResults) -> SearchedFacts | None:
        """Return the facts that count in a search; None if there are none. If they cannot be read, `left_out` says so.

        They are read only if they were written since the last search, as the state of the palace shows, which a lane
        has just read.
        """
        state = self._indexes.state(search.palace)
        if state is None or not state.facts or "facts" in search.request.without:
            return None
        timeout_s = at_most_s(self._timeout_s)
        try:
            async with asyncio.timeout(timeout_s):
                index = await self._known.of(search.palace, state)
        except (DatabaseFailed, NotFound, TimeoutError) as error:
            found.left_out["facts"] = failure_of("facts", error, timeout_s=timeout_s).message
            return None
        at = optional_time("as_of", search.request.as_of) or datetime.now(UTC)
        return None if index is None else SearchedFacts(index, at)

    def moves(self, search: PreparedSearch, facts: SearchedFacts | None) -> bool:
        """Return whether facts can change the order, so that any drawer may come to the top."""
        if facts is None or not self._penalty:
            return False
        return facts.index.may_be_outdated if self._amount(search) else bool(facts.index.replaced)

    def ranked(self, search: PreparedSearch, facts: SearchedFacts, ranked: RankedDrawers) -> RankedDrawers:
        """Return the drawers in the order that facts leave them in, with the facts on the names in the question."""
        beside = [current(fact) for fact in facts.index.about(search.request.query, at=facts.at)]
        ids = dict.fromkeys(hit.id for hit in (*ranked.plain, *ranked.best))
        amount = self._amount(search)
        reasons = facts.index.outdated(ids, at=facts.at)
        changes = {drawer: -amount * reason.certainty for drawer, reason in reasons.items()}
        if self._penalty:
            successors = {drawer: reason.drawer for drawer, reason in reasons.items() if reason.drawer is not None}
            changes = changes_to_follow(successors, changes, [ranked.plain, ranked.best])
        outdated = {
            drawer: Outdated(
                shown_time(reason.since),
                None if reason.replaced_by is None else current(reason.replaced_by),
                changes[drawer],
                reason.drawer,
            )
            for drawer, reason in reasons.items()
        }
        if any(changes.values()):
            ranked = ranked.moved(changes)
        return replace(ranked, outdated=outdated, facts=beside)

    def _amount(self, search: PreparedSearch) -> float:
        """Return the largest change for ended facts. Scores of reciprocal rank fusion are too small for it."""
        return 0.0 if search.plan.fusion == "rrf" else self._penalty
