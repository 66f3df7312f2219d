"""Let a drawer that is probably news on an older one come before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from graphpalace.domain.search.answer import FusedDrawer
from graphpalace.domain.search.news import Newer, NewsOnHit, asks_about_past, asks_for_older
from graphpalace.fuse.score_changes import NewsEdge, carried
from graphpalace.operations.history import MOST_CANDIDATES
from graphpalace.operations.search.fusion import FusedRanking
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.reordering import RankedDrawers
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore

_SPARE = 10  # drawers that are ranked more than the order before learning asks for
_QUOTED = 0.4  # least evidence by words of a drawer that a question without digits may quote


class NewsOrder:
    """Gives newer drawers a share of the scores of the older ones that they are news on, and lowers the older ones.

    A newer drawer that no lane found comes in too, if it passes the filter of the search. An older one that the
    question quotes keeps its place.
    """

    def __init__(self, database: Database, indexes: DrawerIndexes, *, weight: float) -> None:
        self._drawers = DrawerStore(database)
        self._indexes = indexes
        self._weight = weight

    def counts(self, search: PreparedSearch) -> bool:
        """Return whether it affects this answer.

        A question about the past is answered as if there were no news. Who asks a single lane, or asks by an embedding
        alone, wants the order of that lane.
        """
        request = search.request
        if not self._weight or "news" in request.without or search.plan.fusion == "rrf":
            return False
        if not request.query.strip() or len(search.plan.lanes) == 1:
            return False
        past = (request.since, request.until, request.as_of, search.plan.time) != (None,) * 4
        return not past and not asks_about_past(request.query) and self._indexes.has_news(search.palace)

    def needed(self, search: PreparedSearch, fused: FusedRanking, limit: int | None) -> int | None:
        """Return how many drawers must be ranked for the best `limit` of the new order to be among them; None: all.

        Older drawers only fall, and newer ones rise at most to an older one. So it is enough to go down the order
        until `limit` drawers were met that nothing is news on. Learning changes that order, so `enough` looks again.
        """
        if limit is None or not self.counts(search):
            return limit
        left, outdated = max(limit, MOST_CANDIDATES), self._indexes.outdated_by_news(search.palace)
        needed = 0
        for drawer in fused.order.ids():
            if not left:
                break
            needed += 1
            left -= drawer not in outdated
        return needed + left + _SPARE

    def enough(self, search: PreparedSearch, ranked: RankedDrawers, limit: int | None) -> bool:
        """Return whether the best `limit` of the new order are among the ranked drawers."""
        if limit is None or not self.counts(search):
            return True
        outdated = self._indexes.outdated_by_news(search.palace)
        left = max(limit, MOST_CANDIDATES) - sum(hit.id not in outdated for hit in ranked.best)
        return left <= 0 or len(ranked.best) >= len(ranked.plain)

    async def of(
        self, search: PreparedSearch, fused: FusedRanking, ranked: RankedDrawers, *, limit: int | None
    ) -> RankedDrawers:
        """Return the drawers in the order that includes news, both with learning and without.

        Args:
            limit: How many are needed; None: all.
        """
        after = self._indexes.news_after(search.palace, {hit.id for hit in ranked.best})  # best without learning, too
        if not after:
            return ranked
        hits = {hit.id: hit for hit in ranked.plain}
        added = await self._added(search, fused, [drawer for drawer in after if drawer not in hits])
        edges = [NewsEdge(newer, each.drawer, each.probability) for newer, some in after.items() for each in some]
        plain = {hit.id: hit.score for hit in (*ranked.plain, *added)}
        quoted = await self._quoted(search, ranked, edges)
        gains, losses = carried(plain, [each for each in edges if each not in quoted], weight=self._weight)
        risen = {hit.id: hit for hit in added if hit.id in gains}
        best = {hit.id for hit in ranked.best}
        into_best = [hit for drawer in gains if drawer not in best and (hit := risen.get(drawer) or hits.get(drawer))]
        ranked = replace(ranked, plain=[*ranked.plain, *risen.values()], best=[*ranked.best, *into_best])
        ranked = ranked.moved(_joined(gains, losses))
        if limit is not None:
            ranked = replace(ranked, best=ranked.best[: max(limit, MOST_CANDIDATES)])
        known = [each for each in edges if each.probability and each.newer in plain and each.older in plain]
        newer, older = (_most_probable(known, end) for end in (attrgetter("older"), attrgetter("newer")))
        return replace(
            ranked,
            newer={old: Newer(each.newer, each.probability, 0.0 - losses.get(old, 0.0)) for old, each in newer.items()},
            news_on={new: NewsOnHit(each.older, each.probability, gains.get(new, 0.0)) for new, each in older.items()},
        )

    async def _added(self, search: PreparedSearch, fused: FusedRanking, new: Sequence[str]) -> list[FusedDrawer]:
        """Return newer drawers that are not ranked yet: as the lanes found them, or else with a score of 0."""
        found = fused.order.of(frozenset(new)) if new else []
        known = {hit.id for hit in found}
        left = [drawer for drawer in new if drawer not in known]
        passes = await self._indexes.passing(search.palace, left, search.lane_query.only) if left else ()
        return found + [FusedDrawer(drawer, 0.0, {}) for drawer, passed in zip(left, passes, strict=True) if passed]

    async def _quoted(
        self, search: PreparedSearch, ranked: RankedDrawers, edges: Sequence[NewsEdge]
    ) -> frozenset[NewsEdge]:
        """Return the edges to older drawers that the question asks for by what stands in them.

        Only texts of drawers near the top that fit the words of the question well, and better than the newer one, are
        read: it is one more round trip.
        """
        least = 0.0 if any(map(str.isdecimal, search.request.query)) else _QUOTED
        words = {hit.id: lane.evidence or 0.0 for hit in ranked.plain if (lane := hit.lanes.get("fulltext"))}
        top = {hit.id for hit in ranked.plain[: search.request.top_k]} | set(sorted(words, key=words.__getitem__)[-1:])
        near = [
            each
            for each in edges
            if each.older in top and words.get(each.older, 0.0) > max(words.get(each.newer, 0.0), least)
        ]
        ids = {drawer for each in near for drawer in (each.older, each.newer)}
        texts = (
            {drawer.id: drawer.text for drawer in await self._drawers.read(search.palace, sorted(ids))} if ids else {}
        )
        return frozenset(
            each
            for each in near
            if asks_for_older(search.request.query, texts.get(each.older, ""), texts.get(each.newer, ""))
        )


def _joined(gains: Mapping[str, float], losses: Mapping[str, float]) -> dict[str, float]:
    return {drawer: gains.get(drawer, 0.0) - losses.get(drawer, 0.0) for drawer in gains.keys() | losses.keys()}


def _most_probable(edges: Iterable[NewsEdge], end: Callable[[NewsEdge], str]) -> dict[str, NewsEdge]:
    """Return the most probable edge of each drawer at one end; of equal ones, the last by id."""
    return {end(each): each for each in sorted(edges, key=attrgetter("probability", "newer", "older"))}
