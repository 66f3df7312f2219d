"""The last step of a search: read the texts of the best drawers, fold equal ones, and log the answer for feedback."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float32

from graphpalace.domain.conversations import is_conversation
from graphpalace.domain.drawers.drawer import Drawer
from graphpalace.domain.learning.feedback import LEARNED_LANES, Candidates, LoggedSearch
from graphpalace.domain.search.answer import Answer, Copy, FusedDrawer, Hit, HitSource, Reply, TrailStep
from graphpalace.domain.vectors import Vector
from graphpalace.domain.wake_up import QUESTION_ENDS
from graphpalace.fuse.word_overlap import LEAST_COSINE, folded
from graphpalace.operations.history import MOST_CANDIDATES, SearchLog, new_search_id
from graphpalace.operations.search.confidence import SearchConfidence, confidence_of
from graphpalace.operations.search.fusion import FusedRanking
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.reordering import RankedDrawers
from graphpalace.operations.search.side_by_side import LaneResults
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.conversations import ConversationStore
from graphpalace.store.drawers.drawers import DrawerStore


@dataclass(frozen=True, slots=True)
class DistinctDrawers:
    """The drawers that were read.

    Attributes:
        drawers: By id; those that were deleted meanwhile are missing.
        order: Ids of the drawers that stay, best first.
        copies: Ids of the drawers that were folded into each of these.
        plain: Ids of the best drawers without learning, each replaced by the one that it was folded into.
        short: Whether folding left too few, although there may be more drawers.
    """

    drawers: Mapping[str, Drawer]
    order: Sequence[str]
    plain: Sequence[str]
    copies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    short: bool = False


class DistinctReading:
    """Reads drawers. Equal texts are found among what is read, and their embeddings are compared in memory."""

    def __init__(self, database: Database, indexes: DrawerIndexes) -> None:
        self._drawers = DrawerStore(database)
        self._indexes = indexes

    async def all(self, palace: str, best: Sequence[str], plain: Sequence[str], *, top_k: int) -> DistinctDrawers:
        """Read the best drawers of an order and of the order without learning. Nothing is folded."""
        return DistinctDrawers(await self._read(palace, [*best[:top_k], *plain]), best, plain)

    async def distinct(
        self, palace: str, best: Sequence[str], plain: Sequence[str], *, top_k: int, least: int, question: str
    ) -> DistinctDrawers:
        """Read as many drawers as it takes to have `top_k` with different texts.

        Drawers with near embeddings may be equal, so they are read in the same query, and as many more. Only if drawers
        with far embeddings turn out to have equal texts, a second query reads more.

        Args:
            best: Ids of drawers, best first.
            plain: Ids of the best `top_k` drawers without learning.
            least: How many of the best to read in any case.
            question: A drawer that contains it word for word is not folded into one that does not.
        """
        close = (await self._indexes.vectors(palace, best)).close(LEAST_COSINE)
        wanted = max(_enough(best, close, top_k), min(least, len(best)))
        drawers: dict[str, Drawer] = {}
        while True:
            shown = best[:wanted]
            near_shown = [one for one in best[wanted:] if any(close(one, other) for other in shown)]
            ids = [*shown, *near_shown, *(drawer for drawer in plain if drawer not in (*shown, *near_shown))]
            drawers |= await self._read(palace, [drawer for drawer in ids if drawer not in drawers])
            copies = folded(
                {drawer: drawers[drawer].text for drawer in ids if drawer in drawers},
                close=close,
                question=question,
            )
            # A drawer that was deleted meanwhile leaves its place empty, as in an answer without folding.
            missing = top_k - sum(drawer in copies or drawer not in drawers for drawer in shown)
            if missing <= 0 or wanted >= len(best):
                break
            wanted += missing
        leader = {other: one for one, others in copies.items() for other in [one, *others]}
        return DistinctDrawers(
            drawers,
            [drawer for drawer in best if drawer in copies],
            list(dict.fromkeys(leader[drawer] for drawer in plain if drawer in leader)),
            copies,
            short=missing > 0,
        )

    async def _read(self, palace: str, ids: Sequence[str]) -> dict[str, Drawer]:
        wanted = list(dict.fromkeys(ids))
        return {drawer.id: drawer for drawer in await self._drawers.read(palace, wanted)} if wanted else {}


def _enough(best: Sequence[str], close: Callable[[str, str], bool], top_k: int) -> int:
    """Return how many of the best drawers to read until `top_k` of them have no near one before them."""
    found = 0
    for at, drawer in enumerate(best):
        found += not any(close(drawer, other) for other in best[:at])
        if found == top_k:
            return at + 1
    return len(best)


_JUDGED = 5  # drawers that tell how sure an answer is, whether or not it shows them


class AnswerReader:
    """Makes the answer from the ranked drawers, and logs it."""

    def __init__(
        self, database: Database, indexes: DrawerIndexes, searches: SearchLog, *, least_confidence: float
    ) -> None:
        """Create a reader.

        Args:
            least_confidence: An answer with less confidence does not fit, 0 to 1.
        """
        self._distinct = DistinctReading(database, indexes)
        self._conversations = ConversationStore(database)
        self._searches = searches
        self._least_confidence = least_confidence

    async def read(self, search: PreparedSearch, ranked: RankedDrawers) -> DistinctDrawers:
        """Read the drawers that the answer shows, and those that are folded into them."""
        request, best = search.request, list(dict.fromkeys(hit.id for hit in ranked.best))
        before = [hit.id for hit in ranked.plain[: request.top_k]]
        with search.timer.stage("read"):
            if not search.folds:
                return await self._distinct.all(search.palace, best, before, top_k=max(request.top_k, _JUDGED))
            return await self._distinct.distinct(
                search.palace, best, before, top_k=request.top_k, least=_JUDGED, question=request.query
            )

    async def of(
        self,
        search: PreparedSearch,
        found: LaneResults,
        fused: FusedRanking,
        ranked: RankedDrawers,
        read: DistinctDrawers,
    ) -> Answer:
        """Return the answer of a search. Drawers that were deleted during the search are left out."""
        request = search.request
        drawers = shown(search, ranked, read)
        with search.timer.stage("read"):
            replies = await self._replies(search.palace, drawers)
        with search.timer.stage("confidence"):
            confidence = await confidence_of(search, found, fused, ranked, _judged(drawers, read))
        best = {hit.id: hit for hit in ranked.best}
        hits = [
            _hit(
                search.palace,
                drawer,
                best[drawer.id],
                found,
                ranked,
                [_copy(read.drawers[other]) for other in read.copies.get(drawer.id, ())],
                confidence,
                replies.get(drawer.id),
            )
            for drawer in drawers
        ]
        run = ""
        if request.kept:
            # If a lane was left out, the search has waited long enough: do not wait for the embedding too.
            goal = await search.goal(timeout_s=0.0 if found.left_out else None)
            run = self._kept(search, goal, found, ranked, hits, confidence)
        timings_ms = search.timer.timings_ms()
        return Answer(
            request.query,
            search.palace,
            run,
            len(hits),
            hits,
            ranked.facts,
            search.plan,
            found.left_out,
            timings_ms,
            confidence=confidence.answer,
            fits=bool(hits) and confidence.fits(self._least_confidence),
        )

    async def _replies(self, palace: str, drawers: Sequence[Drawer]) -> Mapping[str, Reply]:
        """Return what was said next after those drawers that are turns of conversations which ask something."""
        asking = [
            drawer.id
            for drawer in drawers
            if is_conversation(drawer.source_uri) and any(sign in drawer.text for sign in QUESTION_ENDS)
        ]
        return await self._conversations.replies(palace, asking) if asking else {}

    def _kept(
        self,
        search: PreparedSearch,
        goal: Vector | None,
        found: LaneResults,
        ranked: RankedDrawers,
        hits: Sequence[Hit],
        confidence: SearchConfidence,
    ) -> str:
        """Log what feedback needs of this answer, and return the id of the log entry."""
        hit_ids = [hit.id for hit in hits]
        plain = {hit.id: hit for hit in ranked.plain}
        ids = list(dict.fromkeys([*hit_ids, *(hit.id for hit in ranked.plain[:MOST_CANDIDATES])]))

        def evidence(lane: str) -> Float32[np.ndarray, " candidates"]:
            seen = [plain[drawer].lanes.get(lane) if drawer in plain else None for drawer in ids]
            return np.array([one.evidence or 0.0 if one else 0.0 for one in seen], np.float32)

        logged = LoggedSearch(
            new_search_id(),
            search.palace,
            search.request.query,
            goal,
            Candidates(
                tuple(ids),
                evidence("fulltext"),
                len(hit_ids),
                np.array([confidence.log_odds[hit] for hit in hit_ids if confidence.log_odds], np.float32),
                confidence.answer_log_odds,
                {one.lane: evidence(one.lane) for one in found.rankings if one.lane not in LEARNED_LANES},
            ),
            {hit.id: {lane: seen.share for lane, seen in hit.lanes.items()} for hit in hits},
            {hit.id: found.trails[hit.id] for hit in hits if hit.id in found.trails},
        )
        self._searches.keep(logged)
        return logged.id


def shown(search: PreparedSearch, ranked: RankedDrawers, read: DistinctDrawers) -> list[Drawer]:
    """Return the drawers of the answer, best first."""
    top_k, order = search.request.top_k, read.order
    if ranked.changes and not ranked.reranked:
        texts = {drawer.id: drawer.text for drawer in read.drawers.values()}
        order = keep_verbatim(order, read.plain, texts, search.request.query, top_k=top_k)
    return [read.drawers[one] for one in order[:top_k] if one in read.drawers]


def _judged(drawers: Sequence[Drawer], read: DistinctDrawers) -> list[Drawer]:
    """Return the drawers by which the answer is judged: those that it shows, and the next if it shows only a few."""
    known = {drawer.id: drawer for drawer in drawers}
    following = {one: read.drawers[one] for one in read.order if one not in known and one in read.drawers}
    return [*drawers, *list(following.values())[: max(_JUDGED - len(drawers), 0)]]


def _copy(drawer: Drawer) -> Copy:
    source = HitSource(drawer.source_uri, drawer.start_line, drawer.end_line)
    return Copy(drawer.id, drawer.wing, drawer.room, drawer.closet, source)


def _hit(
    palace: str,
    drawer: Drawer,
    fused: FusedDrawer,
    found: LaneResults,
    ranked: RankedDrawers,
    also_at: Sequence[Copy],
    confidence: SearchConfidence,
    reply: Reply | None,
) -> Hit:
    trail = found.trails.get(drawer.id)
    return Hit(
        id=drawer.id,
        text=drawer.text,
        score=fused.score,
        lanes=fused.lanes,
        wing=drawer.wing,
        room=drawer.room,
        closet=drawer.closet,
        source=HitSource(drawer.source_uri, drawer.start_line, drawer.end_line),
        occurred_at=drawer.occurred_at,
        path=drawer.path_in(palace),
        taught=ranked.changes.get(drawer.id),
        importance=ranked.importances.get(drawer.id),
        outdated=ranked.outdated.get(drawer.id),
        newer=ranked.newer.get(drawer.id),
        news_on=ranked.news_on.get(drawer.id),
        pointing=ranked.pointing.get(drawer.id),
        timely=ranked.timely.get(drawer.id),
        reranked=ranked.reranked.get(drawer.id),
        trail=[TrailStep(*edge) for edge in trail.edges] if trail else [],
        also_at=also_at,
        reply=reply,
        by_name=found.ways.get(drawer.id),
        confidence=confidence.hits.get(drawer.id),
    )


def keep_verbatim(
    order: Sequence[str], before: Sequence[str], texts: Mapping[str, str], query: str, *, top_k: int
) -> list[str]:
    """Return the best `top_k` drawers of an order, but keep every verbatim match that was in the answer before.

    Args:
        order: Ids of drawers after learning, best first.
        before: The best `top_k` without learning.
        texts: Texts of the drawers, by id.
        query: The question. A text matches if it contains the question; case and white space are ignored.
    """
    words = " ".join(query.casefold().split())
    kept = [
        drawer for drawer in before if words and drawer in texts and words in " ".join(texts[drawer].casefold().split())
    ]
    best = list(order[:top_k])
    missing = [drawer for drawer in kept if drawer not in best]
    for drawer in reversed(best.copy()):
        if not missing:
            break
        if drawer not in kept:
            best.remove(drawer)
            best.append(missing.pop())
    return sorted(best, key=list(order).index)
