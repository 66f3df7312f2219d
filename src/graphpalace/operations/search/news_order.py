"""Let a drawer that is probably news on an older one come before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from graphpalace.domain.search.news import Newer, NewsOnHit, asks_about_past
from graphpalace.domain.search.ranking import FusedDrawer
from graphpalace.fuse.news import NewsEdge, carried
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.ranked import RankedDrawers
from graphpalace.replica.drawer_indexes import DrawerIndexes


class NewsOrder:
    """Gives newer drawers a share of the scores of the older ones that they are news on, and lowers the older ones.

    A newer drawer that no lane found comes in too, if it passes the filter of the search.
    """

    def __init__(self, indexes: DrawerIndexes, *, weight: float) -> None:
        self._indexes = indexes
        self._weight = weight

    def counts(self, search: PreparedSearch) -> bool:
        """Return whether it affects this answer. A question about the past is answered as if there were no news."""
        request = search.request
        if not self._weight or "news" in request.without or search.plan.fusion == "rrf":
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
        gains, losses = carried(plain, edges, weight=self._weight)
        changes = _joined(gains, losses)
        risen = [hit for hit in added if hit.id in gains]
        ranked = replace(ranked, plain=[*ranked.plain, *risen], best=[*ranked.best, *risen]).moved(changes)
        return replace(ranked, newer=_newer(edges, losses), news_on=_news_on(edges, gains, plain))


def _joined(gains: Mapping[str, float], losses: Mapping[str, float]) -> dict[str, float]:
    return {drawer: gains.get(drawer, 0.0) - losses.get(drawer, 0.0) for drawer in gains.keys() | losses.keys()}


def _newer(edges: list[NewsEdge], losses: Mapping[str, float]) -> dict[str, Newer]:
    """Return the most probable newer drawer of each older one."""
    best: dict[str, NewsEdge] = {}
    for each in sorted(edges, key=lambda each: (-each.probability, each.newer)):
        if each.older in losses:
            best.setdefault(each.older, each)
    return {older: Newer(each.newer, each.probability, -losses[older]) for older, each in best.items()}


def _news_on(edges: list[NewsEdge], gains: Mapping[str, float], scores: Mapping[str, float]) -> dict[str, NewsOnHit]:
    """Return the most probable older drawer of each newer one among those that are known."""
    best: dict[str, NewsEdge] = {}
    for each in sorted(edges, key=lambda each: (-each.probability, each.older)):
        if each.newer in scores and each.older in scores:
            best.setdefault(each.newer, each)
    return {newer: NewsOnHit(each.older, each.probability, gains.get(newer, 0.0)) for newer, each in best.items()}
