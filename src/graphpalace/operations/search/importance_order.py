"""Reorder what was found by the importance of drawers."""

from __future__ import annotations

from dataclasses import replace

from graphpalace.domain.search.answer import Importance
from graphpalace.fuse.importance import change_by_importance
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.ranked import RankedDrawers
from graphpalace.replica.drawer_indexes import DrawerIndexes


class ImportanceOrder:
    """Adds a bonus or malus for the drawer's importance to each score."""

    def __init__(self, indexes: DrawerIndexes, *, weight: float) -> None:
        self._indexes = indexes
        self._weight = weight

    def counts(self, search: PreparedSearch) -> bool:
        """Return whether importance affects this answer. It does not if all drawers have the neutral importance."""
        chosen = self._weight > 0 and "importance" not in search.request.without
        return chosen and search.plan.fusion != "rrf" and self._indexes.weighs(search.palace)

    async def of(self, search: PreparedSearch, ranked: RankedDrawers) -> RankedDrawers:
        """Return the drawers in the order that includes importance, both with learning and without."""
        ids = dict.fromkeys(hit.id for hit in (*ranked.plain, *ranked.best))
        importances = {
            drawer: Importance(value, change_by_importance(value, weight=self._weight))
            for drawer, value in (await self._indexes.importances(search.palace, list(ids))).items()
        }
        changes = {drawer: importance.change for drawer, importance in importances.items()}
        return replace(ranked.moved(changes), importances=importances)
