"""Reorder what was found by the importance of drawers, and by whether they only point elsewhere."""

from __future__ import annotations

from dataclasses import replace

from graphpalace.domain.search.answer import Importance, Pointing
from graphpalace.fuse.score_changes import change_by_importance, change_by_pointing
from graphpalace.operations.history.search_log import MOST_CANDIDATES
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.ranked import RankedDrawers
from graphpalace.operations.search.side_by_side import LaneResults
from graphpalace.replica.drawer_indexes import DrawerIndexes


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
