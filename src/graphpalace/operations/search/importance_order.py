"""The order that the importance of drawers makes of what was found."""

from __future__ import annotations

from dataclasses import replace

from graphpalace.domain.search.answer import Importance, LearnedChange
from graphpalace.domain.search.plan import SearchOptions
from graphpalace.fuse.importance import by_importance, change_by_importance
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.ranked import RankedDrawers
from graphpalace.replica.drawer_indexes import DrawerIndexes


class ImportanceOrder:
    """Adds to each score what the drawer's importance is worth."""

    def __init__(self, indexes: DrawerIndexes, *, options: SearchOptions) -> None:
        self._indexes = indexes
        self._options = options

    def counts(self, search: PreparedSearch) -> bool:
        """Return whether importance counts in this answer; in most palaces it is neutral for all drawers."""
        chosen = self._options.importance_weight > 0 and "importance" not in search.request.without
        return chosen and search.plan.fusion != "rrf" and self._indexes.weighs(search.palace)

    async def of(self, search: PreparedSearch, ranked: RankedDrawers) -> RankedDrawers:
        """Return what was found, without learning and with it, in the order that importance makes of either."""
        ids = dict.fromkeys(hit.id for hit in (*ranked.plain, *ranked.best))
        weight = self._options.importance_weight
        importances = {
            drawer: Importance(value, change_by_importance(value, weight=weight))
            for drawer, value in (await self._indexes.importances(search.palace, list(ids))).items()
        }
        moved = {drawer: importance.change for drawer, importance in importances.items()}
        plain = by_importance(ranked.plain, moved)
        rank = {hit.id: at for at, hit in enumerate(plain, start=1)}

        def told(drawer: str, change: LearnedChange) -> LearnedChange:
            # Without learning it would have had its importance all the same.
            return replace(change, rank=rank.get(drawer), score=change.score + moved.get(drawer, 0.0))

        changes = {drawer: told(drawer, change) for drawer, change in ranked.changes.items()}
        best = by_importance(ranked.best, moved) if changes else plain
        return RankedDrawers(best, plain, changes, importances)
