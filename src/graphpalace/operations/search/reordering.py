"""Reorder the ranked drawers of a search by the time that a question names, their importance, and facts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from graphpalace.domain.deadline import at_most_s
from graphpalace.domain.knowledge.fact_index import FactIndex, current
from graphpalace.domain.knowledge.facts import CurrentFact, Outdated
from graphpalace.domain.moments import optional_time, shown_time
from graphpalace.domain.search.answer import (
    GRACE,
    FusedDrawer,
    Importance,
    LearnedChange,
    NamedTime,
    Pointing,
    RerankSignals,
    Timely,
)
from graphpalace.domain.search.evidence import Calibrations
from graphpalace.domain.search.news import Newer, NewsOnHit
from graphpalace.domain.search.request import SearchRequest
from graphpalace.entities.time_spans import time_span
from graphpalace.errors import DatabaseFailed, NotFound
from graphpalace.fuse.score_changes import change_by_importance, change_by_pointing, changes_to_follow, with_changes
from graphpalace.operations.history import MOST_CANDIDATES
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.side_by_side import LaneResults, failure_of
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.known_facts import KnownFacts


@dataclass(frozen=True, slots=True)
class RankedDrawers:
    """Ranked drawers, best first.

    Attributes:
        best: The order of the answer.
        plain: The order without learning.
        changes: What learning changed, for each drawer of `best`; empty if nothing was learned.
        importances: Importance of the drawers for which it counts.
        outdated: Why drawers are outdated, for those that are.
        facts: Facts on names in the question.
        pointing: How much of the drawers that point elsewhere does so, for which it counts.
        timely: The drawers that were said in the time that the question names.
        proven: What is left of the reward of drawers that were useful when the same question was asked before, 0 to 1.
        newer: What is news on older drawers.
        news_on: What newer drawers are news on.
        calibrations: What feedback says of the confidence of hits and answers.
        reranked: Signals of the rerank; empty if none was requested.
    """

    best: Sequence[FusedDrawer]
    plain: Sequence[FusedDrawer]
    changes: Mapping[str, LearnedChange] = field(default_factory=dict)
    importances: Mapping[str, Importance] = field(default_factory=dict)
    outdated: Mapping[str, Outdated] = field(default_factory=dict)
    facts: Sequence[CurrentFact] = ()
    pointing: Mapping[str, Pointing] = field(default_factory=dict)
    reranked: Mapping[str, RerankSignals] = field(default_factory=dict)
    timely: Mapping[str, Timely] = field(default_factory=dict)
    proven: Mapping[str, float] = field(default_factory=dict)
    newer: Mapping[str, Newer] = field(default_factory=dict)
    news_on: Mapping[str, NewsOnHit] = field(default_factory=dict)
    calibrations: Calibrations = field(default_factory=Calibrations)

    def moved(self, changes: Mapping[str, float]) -> RankedDrawers:
        """Return the drawers in the order after changes of scores that count without learning, too.

        Args:
            changes: What is added to the score of a drawer, by id.
        """
        plain = with_changes(self.plain, changes)
        rank = {hit.id: at for at, hit in enumerate(plain, start=1)}

        def told(drawer: str, change: LearnedChange) -> LearnedChange:
            # The changes belong to the score and rank before learning.
            return replace(change, rank=rank.get(drawer), score=change.score + changes.get(drawer, 0.0))

        learned = {drawer: told(drawer, change) for drawer, change in self.changes.items()}
        best = with_changes(self.best, changes) if learned else plain
        return replace(self, best=best, plain=plain, changes=learned)


class TimeOrder:
    """Adds a bonus to the score of each drawer that was said in the time that the question names, or soon after.

    Nothing is left out: of the answers to 67 questions with such a time, 31 % were told outside of it.
    """

    def __init__(self, indexes: DrawerIndexes, *, weight: float) -> None:
        self._indexes = indexes
        self._weight = weight

    def counts(self, search: PreparedSearch) -> bool:
        """Return whether it affects this answer."""
        return self._weight > 0 and search.plan.time is not None and search.plan.fusion != "rrf"

    async def of(self, search: PreparedSearch, ranked: RankedDrawers) -> RankedDrawers:
        """Return the drawers in the order that includes the time, both with learning and without."""
        if search.plan.time is None:
            return ranked
        since = datetime.fromisoformat(search.plan.time.since).timestamp() * 1000
        until = (datetime.fromisoformat(search.plan.time.until) + GRACE).timestamp() * 1000
        ids = list(dict.fromkeys(hit.id for hit in (*ranked.plain, *ranked.best)))
        times = await self._indexes.times_ms(search.palace, ids)
        timely = {drawer: Timely(self._weight) for drawer, time in times.items() if since <= time < until}
        return replace(ranked.moved(dict.fromkeys(timely, self._weight)), timely=timely)


def named_time(request: SearchRequest, *, enabled: bool) -> NamedTime | None:
    """Return the time that a question names; None if it names none, or a time is given beside the question.

    Args:
        enabled: Whether times count, unless the request says otherwise.
    """
    chosen = enabled if request.times is None else request.times
    if not chosen or (request.since, request.until, request.as_of) != (None, None, None):
        return None
    found = time_span(request.query, now=datetime.now().astimezone())
    return None if found is None else NamedTime(found.words, found.start.isoformat(), found.end.isoformat())


class ImportanceOrder:
    """Adds a bonus or malus to each score, for the drawer's importance and for the links that it consists of."""

    def __init__(self, indexes: DrawerIndexes, *, weight: float, pointer_penalty: float) -> None:
        self._indexes = indexes
        self._weight = weight
        self._pointer_penalty = pointer_penalty

    def counts(self, search: PreparedSearch) -> bool:
        """Return whether it affects this answer. It does not if no drawer has an importance or points elsewhere."""
        return self._weighs(search) or self._points(search)

    def needed(self, search: PreparedSearch, found: LaneResults, limit: int | None) -> int | None:
        """Return how many drawers must be ranked for the best `limit` of the new order to be among them; None: all.

        An important drawer may come from anywhere. Drawers that point elsewhere only fall, so as many more are needed
        as there are of them.
        """
        if limit is None or self._weighs(search):
            return None
        if not self._points(search):
            return limit
        ids = {drawer for ranking in found.rankings for drawer in ranking.ids}
        return max(limit, MOST_CANDIDATES) + len(self._indexes.pointer_shares(search.palace, ids))

    def _weighs(self, search: PreparedSearch) -> bool:
        chosen = self._weight > 0 and "importance" not in search.request.without
        return chosen and search.plan.fusion != "rrf" and self._indexes.weighs(search.palace)

    def _points(self, search: PreparedSearch) -> bool:
        chosen = self._pointer_penalty > 0 and "pointers" not in search.request.without
        return chosen and search.plan.fusion != "rrf" and self._indexes.points(search.palace)

    async def of(self, search: PreparedSearch, ranked: RankedDrawers) -> RankedDrawers:
        """Return the drawers in the order that includes importance and links, both with learning and without."""
        ids = list(dict.fromkeys(hit.id for hit in (*ranked.plain, *ranked.best)))
        known = await self._indexes.importances(search.palace, ids) if self._weighs(search) else {}
        shares = self._indexes.pointer_shares(search.palace, ids) if self._points(search) else {}
        importances = {
            drawer: Importance(value, change_by_importance(value, weight=self._weight))
            for drawer, value in known.items()
        }
        pointing = {
            drawer: Pointing(share, change_by_pointing(share, penalty=self._pointer_penalty))
            for drawer, share in shares.items()
        }
        changes = {drawer: importance.change for drawer, importance in importances.items()}
        for drawer, points in pointing.items():
            changes[drawer] = changes.get(drawer, 0.0) + points.change
        return replace(ranked.moved(changes), importances=importances, pointing=pointing)


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
