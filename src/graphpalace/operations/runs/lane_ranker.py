"""Rank the documents that a lane finds: each by its best drawer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphpalace.domain.runs.run import DrawerColumns
from graphpalace.domain.search.conditions import conditions_of
from graphpalace.domain.vectors import Vector, unit_vector
from graphpalace.fuse.folding import best_of_each
from graphpalace.operations.search.lanes.lane import Lane, LaneQuery
from graphpalace.replica.filters import filter_of
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.store.connection.database import Database
from graphpalace.store.runs import StoredRuns
from graphpalace.telemetry.spans import span


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """The documents that a lane found.

    Attributes:
        members: The best drawer of each document, best first.
        more: Whether the lane found more documents than these.
    """

    members: DrawerColumns
    more: bool


class LaneRanker:
    """Ranks documents by single lanes. A lane ranks drawers; the place of a document is that of its best drawer."""

    def __init__(self, database: Database, lanes: Sequence[Lane], models: PalaceModels) -> None:
        self._database = database
        self._stored = StoredRuns(database)
        self._lanes = {lane.name: lane for lane in lanes}
        self._models = models

    async def of(self, palace: str, recipe: Mapping[str, Any]) -> RankedDocuments:
        """Return the documents that a lane's recipe finds now, at most its `top_k`.

        The lane is asked for more drawers until these belong to enough documents, or the lane has no more.
        """
        since, until = (datetime.fromisoformat(recipe[end]) if recipe[end] else None for end in ("since", "until"))
        only = await filter_of(
            self._database,
            palace,
            wing=recipe["wing"],
            room=recipe["room"],
            since=since,
            until=until,
            conditions=conditions_of(recipe["filters"]),
        )

        async def vector() -> Vector:
            embedder = await self._models.of(palace)
            if recipe["query_embedding"] is not None:
                return unit_vector(recipe["query_embedding"], dimension=embedder.dimension, field="query_embedding")
            return (await asyncio.to_thread(embedder.embed_questions, [recipe["q"]]))[0]

        made: list[Vector] = []

        async def once() -> Vector:
            if not made:
                made.append(await vector())
            return made[0]

        lane, wanted = self._lanes[recipe["lane"]], recipe["top_k"] + 1  # the extra one shows whether there are more
        depth = wanted
        while True:
            asked = LaneQuery(recipe["q"], once, only, depth, recipe["target_profile"])
            with span(f"lane {lane.name}"):
                drawers = (await lane.rank(palace, asked)).ids
            members = await self._stored.members(palace, drawers)
            best = best_of_each(members.ids, members.document_of())
            if len(best) >= wanted or len(drawers) < depth:
                return RankedDocuments(members.only(best[: recipe["top_k"]]), len(best) >= wanted)
            depth = max(2 * depth, round(1.2 * wanted * depth / max(len(best), 1)))
