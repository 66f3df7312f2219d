"""Search: the lanes side by side, fused, each hit with its reasons and its path."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from graphpalace.domain.lesson import Candidates
from graphpalace.domain.ranking import Fused, Ranking
from graphpalace.domain.trail import Trail
from graphpalace.domain.vectors import Vector, unit_vector
from graphpalace.errors import DatabaseFailed, EmbeddingFailed, GraphPalaceError, NotFound, SearchTimedOut
from graphpalace.fuse.evidence import EvidencePool
from graphpalace.fuse.importance import Importance, by_importance, change_by_importance
from graphpalace.fuse.reciprocal_rank import reciprocal_rank
from graphpalace.ingest.embed import Embedder
from graphpalace.learn.learned import Learned
from graphpalace.operations.answer import Answer, Clock, Hit, path_of
from graphpalace.operations.drawer_indexes import DrawerIndexes
from graphpalace.operations.filters import filter_of
from graphpalace.operations.lanes import Asked, Lane
from graphpalace.operations.learned_answer import Taught, keep_verbatim, taught
from graphpalace.operations.learning import Learning
from graphpalace.operations.mcmp_lane import McmpLane
from graphpalace.operations.path_lane import PathLane
from graphpalace.operations.question import Question, SearchOptions, SearchPlan, checked
from graphpalace.operations.rerank import Rerank, Scored
from graphpalace.operations.search_log import MOST_CANDIDATES, KeptSearch, SearchLog, new_search_id
from graphpalace.score.drawer_matrix import DrawerVectors
from graphpalace.score.feedback import moved_towards
from graphpalace.store.database import Database, Row
from graphpalace.store.palaces import get_palace

_FOLLOWING = {"path", "mcmp"}  # lanes that begin at what the others found


class Recall:
    """Searches palaces."""

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        embedder: Embedder,
        path_lane: PathLane,
        mcmp_lane: McmpLane,
        lanes: Sequence[Lane],
        learning: Learning,
        searches: SearchLog,
        rerank: Rerank,
        *,
        learns: bool = True,
        bound: float = 0.5,
        options: SearchOptions | None = None,
    ) -> None:
        """Wire the search.

        Args:
            lanes: Those that ask the palace itself; path and mcmp walk on from what they find.
            learns: Whether answers use what was learned.
            bound: Learning moves no score by more, > 0.
        """
        self._database = database
        self._indexes = indexes
        self._embedder = embedder
        self._path_lane = path_lane
        self._mcmp_lane = mcmp_lane
        self._options = options or SearchOptions()
        self._lanes = lanes
        self._learning = learning
        self._searches = searches
        self._rerank = rerank
        self._learns = learns
        self._bound = bound

    async def search(self, palace: str, question: Question) -> Answer:
        """Return the best drawers for a question.

        Reading changes nothing in the palace. Filters apply inside each lane, before its ranking is cut. A lane that
        fails or is slow is left out, and the answer says so.

        Raises:
            EmptyQuery: If there are neither words nor an embedding.
            InvalidInput: If a value of the question is unknown or out of range.
            WrongDimension: If the embedding is not of the palace's dimension.
            NotFound: If the palace, the wing or the room is not there.
            SearchTimedOut: If no lane answers, and one of them because it took too long.
            GraphPalaceError: If every lane fails: the error of the first.
        """
        clock = Clock()
        plan = checked(question, self._options)
        given = (
            unit_vector(question.embedding, dimension=self._embedder.dimension, field="query_embedding")
            if question.embedding is not None
            else None
        )
        with clock.stage("filter"):  # what is not there is told before the palace or the model is loaded
            only = await filter_of(
                self._database,
                palace,
                wing=question.wing,
                room=question.room,
                since=question.since,
                until=question.until,
                conditions=question.conditions,
            )
        if self._indexes.revision(palace) is None:
            with clock.stage("load"):
                await self._indexes.warm(palace)
        if given is None and self._needs_vector(plan):
            # Loading takes seconds once, and must not count as a lane's time; a failure is that of the lanes, below.
            with suppress(EmbeddingFailed), clock.stage("model"):
                await asyncio.to_thread(self._embedder.load)
        started: list[asyncio.Task[Vector]] = []

        def vector() -> asyncio.Future[Vector]:
            """Embed once, and only if something asks for it."""
            if not started:
                started.append(asyncio.create_task(self._vector(question.query, given, clock)))
            return asyncio.shield(started[0])

        asked = Asked(
            question.query,
            vector,
            only,
            max(self._options.lane_depth, question.top_k),
            question.profile,
            question.without,
            self._standing(plan),
        )
        try:
            found = await self._ask(palace, asked, plan, clock)
            with clock.stage("learn"):
                learned = await self._learned(palace, asked, plan, found)
            limit = max(question.top_k, asked.depth if question.rerank else 0)
            with clock.stage("fuse"):
                # What was learned may bring any drawer to the top, and so may its importance.
                weighed = self._weighs(palace, asked, plan)
                most = None if learned or weighed else max(limit, MOST_CANDIDATES)
                fused = await self._fuse(palace, asked, plan, found, limit=most)
            with clock.stage("learn"):
                changed = await self._taught(
                    palace, asked, plan, found, fused, learned, limit=None if weighed else limit
                )
            if weighed:
                fused, changed = await self._by_importance(palace, found, fused, changed)
            # Lanes that were left out have waited long enough; whoever asks for the last order waits for it.
            wait_s = self._options.lane_timeout_s if question.rerank else 0.0 if found.left_out else None
            goal = await _there(asked, timeout_s=wait_s) if started or question.rerank else given
        finally:
            for task in started:
                task.cancel()
        placed: list[Scored] = []
        if question.rerank and goal is None:
            found.left_out["rerank"] = "the embedding of the question could not be had, or not in time"
        elif question.rerank and goal is not None:
            with clock.stage("rerank"):
                placed = await self._reordered(palace, question, goal, [hit for hit, _ in changed.values()] or fused)
        with clock.stage("read"):
            hits = await self._hits(palace, question, fused, changed, placed, found)
        run = self._kept(palace, question, goal, fused, hits) if question.kept else ""
        return Answer(hits, run, plan, found.left_out, clock.timings_ms())

    def _standing(self, plan: SearchPlan) -> asyncio.Future[Row | None] | None:
        """Return where the full-text lane may tell the semantic one what it read of the palace, if both are asked."""
        asked = {lane.name for lane in self._lanes if lane.name in plan.lanes}
        return asyncio.get_running_loop().create_future() if {"fulltext", "semantic"} <= asked else None

    def _needs_vector(self, plan: SearchPlan) -> bool:
        asked = [lane for lane in self._lanes if lane.name in plan.lanes]
        return bool(_FOLLOWING & set(plan.lanes)) or any(lane.needs_vector for lane in asked)

    async def _vector(self, query: str, given: Vector | None, clock: Clock) -> Vector:
        if given is not None:
            return given
        with clock.stage("embed"):
            return (await asyncio.to_thread(self._embedder.embed, [query]))[0]

    async def _ask(self, palace: str, asked: Asked, plan: SearchPlan, clock: Clock) -> _Found:
        """Ask the lanes side by side, then let those that walk on begin at what they found."""
        following = _FOLLOWING & set(plan.lanes)  # the others are asked for what these begin at alone, if need be
        lanes = [lane for lane in self._lanes if lane.name in plan.lanes or (following and lane.name != "code")]
        found = _Found()
        failures: list[GraphPalaceError] = []
        answers = await asyncio.gather(*(self._rank(lane, palace, asked, clock) for lane in lanes))
        for lane, answer in zip(lanes, answers, strict=True):
            if isinstance(answer, Ranking):
                found.rankings.append(answer)
            else:
                failures.append(answer)
                found.left_out[lane.name] = answer.message
        if len(failures) == len(lanes):
            await get_palace(self._database, palace)  # a palace that is not there has no index
            raise self._failure(failures)
        entries = reciprocal_rank(found.rankings, k=self._options.rrf_k) if following else []
        for lane in sorted(following):
            try:
                async with asyncio.timeout(self._options.lane_timeout_s):
                    with clock.stage(lane):
                        found.rankings.append(await self._follow(lane, palace, asked, entries, found))
            except (DatabaseFailed, EmbeddingFailed, TimeoutError) as error:
                failures.append(self._reason(error))
                found.left_out[lane] = failures[-1].message
        found.rankings = [ranking for ranking in found.rankings if ranking.lane in plan.lanes]
        if not found.rankings:
            raise self._failure(failures)
        return found

    async def _follow(self, lane: str, palace: str, asked: Asked, entries: list[Fused], found: _Found) -> Ranking:
        goal = await asked.vector()
        if lane == "mcmp":
            return await self._mcmp_lane.among(palace, entries, goal, limit=asked.depth)
        walked = await self._path_lane.walk(palace, entries, goal, limit=asked.depth, only=asked.only)
        found.trails = walked.trails
        return walked.ranking

    async def _rank(self, lane: Lane, palace: str, asked: Asked, clock: Clock) -> Ranking | GraphPalaceError:
        try:
            async with asyncio.timeout(self._options.lane_timeout_s):
                if lane.needs_vector:
                    await asked.vector()
                with clock.stage(lane.name):
                    return await lane.rank(palace, asked)
        except (DatabaseFailed, EmbeddingFailed, TimeoutError) as error:
            return self._reason(error)

    def _reason(self, error: Exception) -> GraphPalaceError:
        if isinstance(error, GraphPalaceError):
            return error
        return SearchTimedOut(f"took longer than search.lane_timeout_s, {self._options.lane_timeout_s:g} s")

    def _failure(self, failures: Sequence[GraphPalaceError]) -> GraphPalaceError:
        """Return what a search fails with that no lane answered: one that was too slow may answer the next time."""
        if any(isinstance(failure, SearchTimedOut) for failure in failures):
            limit_s = self._options.lane_timeout_s
            return SearchTimedOut(
                f"no lane answered within search.lane_timeout_s, {limit_s:g} s: ask again a little later",
                lanes=[failure.message for failure in failures],
            )
        return failures[0]

    async def _fuse(
        self, palace: str, asked: Asked, plan: SearchPlan, found: _Found, *, limit: int | None
    ) -> list[Fused]:
        if plan.fusion == "rrf":
            return reciprocal_rank(found.rankings, k=self._options.rrf_k, weights=plan.weights)[:limit]
        looked_up: dict[str, float] = {}
        rescored: dict[str, float] = {}
        goal = vectors = None
        if len(found.rankings) > 1 and found.by_meaning:
            goal = await asked.vector()
            ids = dict.fromkeys(drawer for ranking in found.rankings for drawer in ranking.ids)
            vectors = found.vectors = await self._indexes.vectors(palace, list(ids))
            if "looked-up cosines" not in asked.without:
                looked_up = vectors.cosines(goal)
        pool = EvidencePool(
            found.rankings,
            temperature=self._options.temperature,
            weights=plan.weights,
            looked_up={"semantic": looked_up},
        )
        if goal is not None and vectors is not None and "feedback" not in asked.without:
            best = vectors.of(pool.best(self._options.feedback_drawers))
            if len(best):
                rescored = vectors.cosines(moved_towards(goal, best, weight=self._options.feedback_weight))
        return pool.fused({"semantic": rescored}, limit=limit)

    async def _learned(
        self, palace: str, asked: Asked, plan: SearchPlan, found: _Found
    ) -> Learned | GraphPalaceError | None:
        """Return what is learned, None if nothing, or why it cannot be had."""
        # RRF is the plain order by definition; and without the semantic lane the question need not be embedded.
        if not self._learns or "learning" in asked.without or plan.fusion == "rrf" or not found.by_meaning:
            return None
        try:
            async with asyncio.timeout(self._options.lane_timeout_s):
                # The semantic lane has just looked where the palace stands, so that nobody needs to look again.
                return await self._learning.of(palace, asked.only.wing, state=self._indexes.state(palace))
        except (DatabaseFailed, NotFound, TimeoutError) as error:
            return self._reason(error)

    async def _taught(
        self,
        palace: str,
        asked: Asked,
        plan: SearchPlan,
        found: _Found,
        fused: list[Fused],
        learned: Learned | GraphPalaceError | None,
        *,
        limit: int | None,
    ) -> dict[str, tuple[Fused, Taught]]:
        """Return the best by what was learned, with where the best without it stand; nothing if nothing was learned."""
        if isinstance(learned, GraphPalaceError):
            found.left_out["learning"] = learned.message
            return {}
        if learned is None:
            return {}
        goal = await asked.vector()
        gains = {} if "memory" in asked.without else learned.remembered(asked.query, goal)
        seen = {hit.id for hit in fused}
        if new := [drawer for drawer, gain in gains.items() if gain > 0 and drawer not in seen]:
            async with self._indexes.reading(palace) as matrix:
                passes = matrix.passing(new, asked.only)
            new = [drawer for drawer, passed in zip(new, passes, strict=True) if passed]
        losses = {} if "other questions" in asked.without else learned.spent(asked.query, goal, [*seen, *new])
        vectors = found.vectors
        if new or vectors is None:
            vectors = await self._indexes.vectors(palace, [*seen, *new])
        pairs = taught(
            fused,
            learned,
            gains,
            losses,
            goal,
            vectors,
            found.rankings,
            plan,
            self._options,
            bound=self._bound,
            limit=len(fused) + len(new) if limit is None else limit,
            without=asked.without,
        )
        return {hit.id: (hit, change) for hit, change in pairs}

    def _weighs(self, palace: str, asked: Asked, plan: SearchPlan) -> bool:
        """Return whether importance counts in this answer; in most palaces it is neutral for all drawers."""
        counts = self._options.importance_weight > 0 and "importance" not in asked.without
        return counts and plan.fusion != "rrf" and self._indexes.weighs(palace)

    async def _by_importance(
        self, palace: str, found: _Found, fused: list[Fused], changed: dict[str, tuple[Fused, Taught]]
    ) -> tuple[list[Fused], dict[str, tuple[Fused, Taught]]]:
        """Return what was found without learning and with it, in the order that importance makes of either."""
        ids = list(dict.fromkeys([*(hit.id for hit in fused), *changed]))
        weight = self._options.importance_weight
        found.importances = {
            drawer: Importance(value, change_by_importance(value, weight=weight))
            for drawer, value in (await self._indexes.importances(palace, ids)).items()
        }
        fused = by_importance(fused, found.importances)
        rank = {hit.id: at for at, hit in enumerate(fused, start=1)}
        order = by_importance((hit for hit, _ in changed.values()), found.importances)

        def told(drawer: str) -> Taught:
            was = changed[drawer][1]  # without learning it would have had its importance all the same
            more = found.importances[drawer].change if drawer in found.importances else 0.0
            return replace(was, rank=rank.get(drawer), score=was.score + more)

        return fused, {hit.id: (hit, told(hit.id)) for hit in order}

    async def _reordered(self, palace: str, question: Question, goal: Vector, found: Sequence[Fused]) -> list[Scored]:
        """Return the best of what was found in the order of the rerank."""
        hits = [(hit.id, max(hit.score, 0.0)) for hit in found[: max(self._options.lane_depth, question.top_k)]]
        order = await self._rerank.order(palace, goal, hits, top_k=question.top_k, mmr_lambda=question.mmr_lambda)
        return order.places

    async def _hits(
        self,
        palace: str,
        question: Question,
        fused: list[Fused],
        changed: dict[str, tuple[Fused, Taught]],
        placed: list[Scored],
        found: _Found,
    ) -> list[Hit]:
        before = [hit.id for hit in fused[: question.top_k]]
        order = [place.id for place in placed] or list(changed) or before
        ids = list(dict.fromkeys([*order[: question.top_k], *before]))
        read = await self._database.read("drawers/read_drawers", palace=palace, ids=ids)
        # A drawer that was deleted since its lane saw it is left out.
        rows = {row["drawer"]["id"]: row["drawer"] for row in read}
        if changed and not placed:
            texts = {drawer: row["text"] for drawer, row in rows.items()}
            order = keep_verbatim(order, before, texts, question.query, top_k=question.top_k)
        plain: dict[str, tuple[Fused, Taught | None]] = {hit.id: (hit, None) for hit in fused}
        best = {drawer: (changed or plain)[drawer] for drawer in order[: question.top_k] if drawer in rows}
        places = {place.id: place for place in placed}
        return [
            Hit(
                rows[drawer],
                places[drawer].score if placed else hit.score,
                hit.lanes,
                path_of(palace, rows[drawer]),
                found.trails.get(drawer),
                change,
                places.get(drawer),
                found.importances.get(drawer),
            )
            for drawer, (hit, change) in best.items()
        ]

    def _kept(self, palace: str, question: Question, goal: Vector | None, fused: list[Fused], hits: list[Hit]) -> str:
        """Keep what feedback needs to know of this answer, and return what to call it."""
        shown = [hit.drawer["id"] for hit in hits]
        plain = {hit.id: hit for hit in fused}
        ids = list(dict.fromkeys([*shown, *(hit.id for hit in fused[:MOST_CANDIDATES])]))
        text = [plain[drawer].lanes.get("fulltext") if drawer in plain else None for drawer in ids]
        evidence = np.array([seen.evidence or 0.0 if seen else 0.0 for seen in text], np.float32)
        search = KeptSearch(
            new_search_id(),
            palace,
            question.query,
            goal,
            Candidates(tuple(ids), evidence, len(shown)),
            {hit.drawer["id"]: {lane: seen.share for lane, seen in hit.lanes.items()} for hit in hits},
            {hit.drawer["id"]: hit.trail for hit in hits if hit.trail is not None},
        )
        self._searches.keep(search)
        return search.id


@dataclass(slots=True)
class _Found:
    """What the lanes found."""

    rankings: list[Ranking] = field(default_factory=list)
    trails: dict[str, Trail] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    importances: dict[str, Importance] = field(default_factory=dict)  # that count, and are not neutral
    vectors: DrawerVectors | None = None  # of these drawers, once they were looked up

    @property
    def by_meaning(self) -> bool:
        """Whether the semantic lane answered."""
        return any(ranking.lane == "semantic" for ranking in self.rankings)


async def _there(asked: Asked, *, timeout_s: float | None) -> Vector | None:
    """Return the question's embedding, None if it cannot be had in time: the lanes have told why."""
    with suppress(EmbeddingFailed, TimeoutError):
        async with asyncio.timeout(timeout_s):
            return await asked.vector()
    return None
