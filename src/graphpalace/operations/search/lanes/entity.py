"""The `entity` lane: finds drawers by way of the names that the best drawers of the other lanes mention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphpalace.domain.search.answer import FusedDrawer, NameWay, Ranking
from graphpalace.domain.walking.graph_snapshot import EdgeRef, NodeRef, Trail
from graphpalace.entities.name_index import NameIndex, NameWeights, bridge_scores, bridged, name_weights, question_names
from graphpalace.operations.search.lanes.lane import LaneQuery
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.known_names import KnownNames

NAME = "entity"
MOST_LEADS = 3  # how many of the other lanes' best drawers lead on by their names
_CANDIDATES = 400  # of those that names speak for most, whose cosines are looked up
_LED = 0.5  # evidence from which on a drawer counts as found by its name, so that feedback rewards that way


@dataclass(frozen=True, slots=True)
class EntityLaneResult:
    """The lane's ranking, and how each of its drawers was reached.

    Attributes:
        ways: By drawer, the name that contributes most.
        trails: By drawer that the names alone would put forward, the path over that name, for deposits.
    """

    ranking: Ranking
    ways: dict[str, NameWay] = field(default_factory=dict)
    trails: dict[str, Trail] = field(default_factory=dict)


class EntityLane:
    """Ranks drawers by the names that they share with the best drawers and the question."""

    name = NAME

    def __init__(self, indexes: DrawerIndexes, known: KnownNames, *, trail_weight: float = 0.0) -> None:
        """Create the lane.

        Args:
            trail_weight: How much more a mention counts that led to useful drawers before, as a share, >= 0.
        """
        self._indexes = indexes
        self._known = known
        self._trail_weight = trail_weight

    def loaded(self, palace: str) -> bool:
        """Return whether the names of a palace are in memory, be they up to date or not."""
        return self._known.loaded(palace)

    async def load(self, palace: str) -> None:
        """Load the names of a palace into memory.

        Raises:
            NotFound: If there is no such palace.
        """
        await self._known.load(palace)

    async def among(
        self, palace: str, asked: LaneQuery, leads: Sequence[FusedDrawer], *, sure: float = 1.0, limit: int
    ) -> EntityLaneResult:
        """Rank the drawers that mention names of the leads or of the question.

        Nothing is found unless the question has a name that the palace knows: without one, names lead astray.

        Args:
            leads: The best drawers of the other lanes, best first.
            sure: How sure the best of them is, 0 to 1: names are no surer than what led to them.

        Raises:
            NotFound: If the palace was dropped meanwhile.
        """
        nothing = EntityLaneResult(Ranking(NAME, (), ()))
        if not sure:
            return nothing
        state = await (self._indexes.look(palace) if asked.state is None else asked.state())
        index = await self._known.of(palace, state)
        names = question_names(asked.query, index)
        if not names:
            return nothing
        if self._indexes.revision(palace) != state.revision:  # no lane that reads vectors was asked before
            await self._indexes.warm(palace)
        rows = {row: lead.score for lead in leads[:MOST_LEADS] if (row := index.row_of(lead.id)) is not None}
        weights = name_weights(index, {row: score for row, score in rows.items() if score > 0}, names)
        trail_weight = 0.0 if asked.without & {"learning", "trails"} else self._trail_weight
        found = bridged(index, weights, rows, drawers=state.drawers, trail_weight=trail_weight)
        best = np.lexsort((found.rows, -found.strength))
        if not asked.only.passes_all:
            ids = [index.drawers[row] for row in found.rows[best].tolist()]
            best = best[await self._indexes.passing(palace, ids, asked.only)]
        chosen = best[:_CANDIDATES].tolist()
        vectors = await self._indexes.vectors(palace, [index.drawers[found.rows[at]] for at in chosen])
        place = {index.drawers[found.rows[at]]: at for at in chosen}
        cosines = vectors.cosines(await asked.vector())
        if not cosines:
            return nothing
        strength = found.strength[[place[drawer] for drawer in cosines]]
        scores = bridge_scores(strength, asked.cosines.placed(np.array(list(cosines.values())))).tolist()
        ranking = Ranking.of(NAME, list(zip(cosines, scores, strict=True)), most=max(scores) / sure).first(limit)
        return _with_ways(ranking, index, {drawer: int(found.name[place[drawer]]) for drawer in ranking.ids}, weights)


def _with_ways(
    ranking: Ranking, index: NameIndex, name_of: Mapping[str, int], weights: NameWeights
) -> EntityLaneResult:
    ways, trails = dict[str, NameWay](), dict[str, Trail]()
    for drawer, score in zip(ranking.ids, ranking.scores, strict=True):
        name = name_of[drawer]
        row = weights.lead.get(name)
        ways[drawer] = NameWay(index.names[name], index.shown[name], None if row is None else index.drawers[row])
        if score >= _LED * ranking.most:
            trails[drawer] = _trail(index.names[name], ways[drawer].drawer, drawer)
    return EntityLaneResult(ranking, ways, trails)


def _trail(name: str, lead: str | None, drawer: str) -> Trail:
    """Return the path from the lead over the name to the drawer; from the name on if the question has the name."""
    entity, end = NodeRef("Entity", name), NodeRef("Drawer", drawer)
    last = EdgeRef("REFERENCES", drawer, name)
    if lead is None:
        return Trail([last], [entity, end])
    return Trail([EdgeRef("REFERENCES", lead, name), last], [NodeRef("Drawer", lead), entity, end])
