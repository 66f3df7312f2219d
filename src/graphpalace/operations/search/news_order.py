"""Let a drawer that is probably news on an older one come before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from graphpalace.domain.search.news import Newer, NewsOnHit, asks_about_past, asks_for_older
from graphpalace.domain.search.ranking import FusedDrawer
from graphpalace.fuse.news import NewsEdge, carried
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.ranked import RankedDrawers
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore


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

    async def of(self, search: PreparedSearch, ranked: RankedDrawers) -> RankedDrawers:
        """Return the drawers in the order that includes news, both with learning and without."""
        found = {hit.id for hit in (*ranked.plain, *ranked.best)}
        after = self._indexes.news_after(search.palace, found)
        if not after:
            return ranked
        new = [drawer for drawer in after if drawer not in found]
        passes = await self._indexes.passing(search.palace, new, search.lane_query.only) if new else ()
        added = [FusedDrawer(drawer, 0.0, {}) for drawer, passed in zip(new, passes, strict=True) if passed]
        edges = [NewsEdge(newer, each.drawer, each.probability) for newer, some in after.items() for each in some]
        plain = {hit.id: hit.score for hit in (*ranked.plain, *added)}
        quoted = await self._quoted(search, ranked, edges)
        gains, losses = carried(plain, [each for each in edges if each not in quoted], weight=self._weight)
        changes = _joined(gains, losses)
        risen = [hit for hit in added if hit.id in gains]
        ranked = replace(ranked, plain=[*ranked.plain, *risen], best=[*ranked.best, *risen]).moved(changes)
        known = [each for each in edges if each.probability and each.newer in plain and each.older in plain]
        newer, older = (_most_probable(known, end) for end in (attrgetter("older"), attrgetter("newer")))
        return replace(
            ranked,
            newer={old: Newer(each.newer, each.probability, 0.0 - losses.get(old, 0.0)) for old, each in newer.items()},
            news_on={new: NewsOnHit(each.older, each.probability, gains.get(new, 0.0)) for new, each in older.items()},
        )

    async def _quoted(
        self, search: PreparedSearch, ranked: RankedDrawers, edges: Sequence[NewsEdge]
    ) -> frozenset[NewsEdge]:
        """Return the edges to older drawers that the question asks for by what stands in them.

        Only texts of drawers near the top that fit the words of the question better than the newer one are read.
        """
        words = {hit.id: lane.evidence or 0.0 for hit in ranked.plain if (lane := hit.lanes.get("fulltext"))}
        top = {hit.id for hit in ranked.plain[: search.request.top_k]} | set(sorted(words, key=words.__getitem__)[-1:])
        near = [each for each in edges if each.older in top and words.get(each.older, 0.0) > words.get(each.newer, 0.0)]
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
