"""Ask the lanes of a search: most of them concurrently, then those that start from what the others found."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from graphpalace.domain.deadline import at_most_s
from graphpalace.domain.search.answer import FusedDrawer, NameWay, Ranking, SearchPlan
from graphpalace.domain.walking.graph_snapshot import Trail
from graphpalace.errors import DatabaseFailed, EmbeddingFailed, GraphPalaceError, SearchTimedOut
from graphpalace.fuse.lane_fusion import reciprocal_rank
from graphpalace.operations.search.lanes.entity import EntityLane
from graphpalace.operations.search.lanes.fulltext import FulltextLane
from graphpalace.operations.search.lanes.lane import ON_REQUEST, Lane
from graphpalace.operations.search.lanes.path import McmpLane, PathLane
from graphpalace.operations.search.preparation import LaneNeeds, PreparedSearch
from graphpalace.settings.sections.search import SearchSettings
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.telemetry import metrics

_FOLLOWING = ("path", "mcmp")  # lanes that start from what the others found, in the order in which they are asked
_STARTING = {*_FOLLOWING, "entity"}  # those, and the lane that starts from the fused order (`Fusion`)


@dataclass(slots=True)
class LaneResults:
    """What the lanes found.

    Attributes:
        rankings: The rankings of the plan's lanes that answered.
        entries: What the other lanes found, for lanes that start from it.
        trails: Paths of the lanes `path` and `entity`, by drawer, from what the other lanes found.
        ways: By drawer, the name by which the lane `entity` found it.
        left_out: Reasons of the lanes that failed or were too slow, by lane. Later stages add theirs.
    """

    rankings: list[Ranking] = field(default_factory=list)
    entries: list[FusedDrawer] = field(default_factory=list)
    trails: dict[str, Trail] = field(default_factory=dict)
    ways: dict[str, NameWay] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def by_meaning(self) -> bool:
        """Whether the semantic lane answered."""
        return any(ranking.lane == "semantic" for ranking in self.rankings)


@dataclass(frozen=True, slots=True)
class SearchLanes:
    """The lanes of a search.

    Attributes:
        asking: The lanes that search the palace themselves. `path` and `mcmp` start from what these find.
        entity: The lane that starts from the best of the fused order.
    """

    asking: Sequence[Lane]
    path: PathLane
    mcmp: McmpLane
    entity: EntityLane

    def forget(self, palace: str) -> None:
        """Free what the lanes have in memory of a palace."""
        for lane in self.asking:
            if isinstance(lane, FulltextLane):
                lane.forget(palace)


class SideBySideLanes:
    """Asks the lanes of a plan. A lane that fails or is too slow is left out.

    The lane `mcmp` lets its swarm fly among what the lane `path` reached, if the plan has both: agents walk, and what
    they reach are the documents that the swarm scores (seeds 001 and 000).
    """

    def __init__(self, database: Database, lanes: SearchLanes, *, settings: SearchSettings) -> None:
        self._palaces = PalaceStore(database)
        self._lanes = lanes
        self._settings = settings

    def needs(self, plan: SearchPlan) -> LaneNeeds:
        """Return what has to be read for the lanes that a plan asks."""
        lanes = self._of(plan)
        return LaneNeeds(
            embedding=bool(_STARTING & set(plan.lanes)) or any(lane.needs_vector for lane in lanes),
            state=any(lane.name == "semantic" for lane in lanes),
            words=self._words(lanes),
            names=self._lanes.entity if EntityLane.name in plan.lanes else None,
        )

    async def ask(self, search: PreparedSearch) -> LaneResults:
        """Return what the lanes found.

        Raises:
            NotFound: If the palace does not exist.
            SearchTimedOut: If no lane answers, and at least one of them took too long.
            GraphPalaceError: If every lane fails for other reasons; the error of the first lane.
        """
        lanes, following = self._of(search.plan), _following(search.plan)
        found = LaneResults()
        failures: list[GraphPalaceError] = []
        answers = await asyncio.gather(*(self._rank(lane, search) for lane in lanes))
        for lane, answer in zip(lanes, answers, strict=True):
            if isinstance(answer, Ranking):
                found.rankings.append(answer)
            else:
                failures.append(answer)
                found.left_out[lane.name] = answer.message
        if len(failures) == len(lanes):
            await self._palaces.get(search.palace)  # all lanes also fail if the palace does not exist
            raise self._failure(failures)
        if following or not {ranking.lane for ranking in found.rankings} & set(search.plan.lanes):
            found.entries = reciprocal_rank(found.rankings, k=self._settings.rrf_k)
        for lane in following:
            timeout_s = at_most_s(self._settings.lane_timeout_s)
            try:
                async with asyncio.timeout(timeout_s):
                    with search.timer.stage(lane):
                        found.rankings.append(await self._follow(lane, search, found))
            except (DatabaseFailed, EmbeddingFailed, TimeoutError) as error:
                failures.append(failure_of(lane, error, timeout_s=timeout_s))
                found.left_out[lane] = failures[-1].message
        found.rankings = [ranking for ranking in found.rankings if ranking.lane in search.plan.lanes]
        if not found.rankings and "entity" not in search.plan.lanes:
            raise self._failure(failures)
        return found

    def _of(self, plan: SearchPlan) -> list[Lane]:
        """Return the lanes to ask first. Lanes that start from others are given some that the plan does not have."""
        named = [lane for lane in self._lanes.asking if lane.name in plan.lanes]
        if _following(plan) or not named:
            return [lane for lane in self._lanes.asking if lane.name in plan.lanes or lane.name not in ON_REQUEST]
        return named

    def _words(self, lanes: Sequence[Lane]) -> FulltextLane | None:
        """Return the lane that reads the question's words, if one of the lanes starts from what it reads."""
        if not {"fulltext", "expanded"} & {lane.name for lane in lanes}:
            return None
        return next((lane for lane in self._lanes.asking if isinstance(lane, FulltextLane)), None)

    async def _rank(self, lane: Lane, search: PreparedSearch) -> Ranking | GraphPalaceError:
        timeout_s = at_most_s(self._settings.lane_timeout_s)
        try:
            async with asyncio.timeout(timeout_s):
                if lane.needs_vector:
                    await search.vector.value()
                with search.timer.stage(lane.name):
                    return await lane.rank(search.palace, search.lane_query)
        except (DatabaseFailed, EmbeddingFailed, TimeoutError) as error:
            return failure_of(lane.name, error, timeout_s=timeout_s)

    async def _follow(self, lane: str, search: PreparedSearch, found: LaneResults) -> Ranking:
        goal, asked = await search.vector.value(), search.lane_query
        if lane == "mcmp":
            reached = next((ranking.ids for ranking in found.rankings if ranking.lane == "path"), ())
            drawers = reached or [entry.id for entry in found.entries]
            return await self._lanes.mcmp.among(search.palace, drawers, goal, limit=asked.depth)
        walked = await self._lanes.path.walk(search.palace, found.entries, goal, limit=asked.depth, only=asked.only)
        found.trails = walked.trails
        return walked.ranking

    def _failure(self, failures: Sequence[GraphPalaceError]) -> GraphPalaceError:
        """Return the error of a search without answers: a timeout if a lane was too slow, as a retry may succeed."""
        if any(isinstance(failure, SearchTimedOut) for failure in failures):
            limit_s = self._settings.lane_timeout_s
            return SearchTimedOut(
                f"no lane answered within search.lane_timeout_s, {limit_s:g} s, or most of the request's time; "
                "try again a little later",
                lanes=[failure.message for failure in failures],
            )
        return failures[0]


def _following(plan: SearchPlan) -> list[str]:
    return [lane for lane in _FOLLOWING if lane in plan.lanes]


def failure_of(part: str, error: Exception, *, timeout_s: float) -> GraphPalaceError:
    """Count that a lane, or another part of a search, is left out, and return an error that says why."""
    ours = isinstance(error, GraphPalaceError)
    metrics.SEARCH_LEFT_OUT.labels(part, "error" if ours else "timeout").inc()
    if ours:
        return error
    return SearchTimedOut(f"took longer than {timeout_s:.3g} s (search.lane_timeout_s, or most of the request's time)")
