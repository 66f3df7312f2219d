"""How probable it is that each hit, and the answer as a whole, fits the question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphpalace.domain.drawers.drawer import Drawer
from graphpalace.domain.search.answer import FusedDrawer, Ranking
from graphpalace.domain.search.evidence import Calibration, EvidenceScale
from graphpalace.fuse.confidence import ConfidenceFeatures, FoundHits, FoundLists, confidence_features
from graphpalace.fuse.confidence_coefficients import ANSWER, HIT
from graphpalace.fuse.word_overlap import WordCover
from graphpalace.operations.search.fusion import FusedRanking
from graphpalace.operations.search.lanes.entity import EntityLane
from graphpalace.operations.search.preparation import PreparedSearch
from graphpalace.operations.search.reordering import RankedDrawers
from graphpalace.operations.search.side_by_side import LaneResults

_CANDIDATES = 40  # of the fused order; the spread of their scores is a feature
_ALIKE = 5  # hits whose likeness to the first is measured


@dataclass(frozen=True, slots=True)
class SearchConfidence:
    """The confidence of an answer.

    Attributes:
        answer: Probability that a hit fits the question, 0 to 1; None if it cannot be told.
        hits: Probability that each hit fits, by id; at most that of the answer.
        log_odds: Log-odds of the hits, by id, before feedback has calibrated them.
        answer_log_odds: The same for the answer.
        proven: Whether a hit was useful when the same question was asked before.
    """

    answer: float | None = None
    hits: Mapping[str, float] = field(default_factory=dict)
    log_odds: Mapping[str, float] = field(default_factory=dict)
    answer_log_odds: float | None = None
    proven: bool = False

    def fits(self, least: float) -> bool:
        """Return whether the answer is proven, or has at least so much confidence, or none can be told."""
        return self.proven or self.answer is None or self.answer >= least


async def confidence_of(
    search: PreparedSearch,
    found: LaneResults,
    fused: FusedRanking,
    ranked: RankedDrawers,
    drawers: Sequence[Drawer],
) -> SearchConfidence:
    """Return the confidence of an answer. It comes from what the search has in memory; nothing more is read.

    A hit that was useful when the same question was asked before has at least 0.5 + 0.4 x what is left of its reward,
    and is no less sure than before feedback calibrated it.

    It can only be told if both words and embeddings were asked and answered, and were fused by evidence. An answer
    without hits has a confidence of 0.

    Args:
        drawers: The drawers of the answer, best first.
    """
    if search.plan.fusion == "rrf" or not {"fulltext", "semantic"} <= {each.lane for each in found.rankings}:
        return SearchConfidence()
    if not drawers:
        return SearchConfidence(0.0)
    features = await features_of(search, found, fused, ranked, drawers)
    log_odds, answer = HIT.log_odds(features.hits), ANSWER.log_odds(features.answer)
    sure = float(ranked.calibrations.answer.probability(answer))
    calibrated = np.minimum(ranked.calibrations.hit.probability(log_odds), sure)  # the palace has what a hit answers
    ids = [drawer.id for drawer in drawers]
    for at, drawer in enumerate(ids):
        if (reward := ranked.proven.get(drawer)) is not None:
            calibrated[at] = max(calibrated[at], Calibration().probability(log_odds[at]), 0.5 + 0.4 * reward)
    sure = max(sure, float(calibrated.max()))
    return SearchConfidence(
        sure,
        dict(zip(ids, calibrated.tolist(), strict=True)),
        dict(zip(ids, log_odds.tolist(), strict=True)),
        float(answer),
        proven=not ranked.proven.keys().isdisjoint(ids),
    )


async def features_of(
    search: PreparedSearch,
    found: LaneResults,
    fused: FusedRanking,
    ranked: RankedDrawers,
    drawers: Sequence[Drawer],
) -> ConfidenceFeatures:
    """Return the features of an answer with at least one hit. Both lanes must have answered."""
    rankings = {ranking.lane: ranking for ranking in found.rankings}
    words = {} if search.lane_query.words is None else (await search.lane_query.words()).best
    cover = WordCover.of(words)
    hits = _hits(search, found, fused, ranked, drawers, cover)
    plain = [hit.score - _by_importance(ranked, hit) for hit in ranked.plain[:_CANDIDATES]]
    text, meaning = _best(rankings["fulltext"]), _best(rankings["semantic"])
    lists = FoundLists(sorted(plain, reverse=True), text, meaning, cover, EntityLane.name in rankings)
    return confidence_features(hits, lists)


def _hits(
    search: PreparedSearch,
    found: LaneResults,
    fused: FusedRanking,
    ranked: RankedDrawers,
    drawers: Sequence[Drawer],
    cover: WordCover,
) -> FoundHits:
    scale = search.lane_query.cosines
    best = {hit.id: hit for hit in ranked.best}
    plain = {hit.id: hit.score for hit in ranked.plain}
    seen = [best[drawer.id].lanes for drawer in drawers]
    text, meaning, names = ([lanes.get(lane) for lanes in seen] for lane in ("fulltext", "semantic", EntityLane.name))
    ways = [found.ways.get(drawer.id) for drawer in drawers]
    return FoundHits(
        scores=[_score(ranked, best[drawer.id], plain) for drawer in drawers],
        cosines=[scale.placed(each.score) if each else 0.0 for each in meaning],
        evidence=[each.evidence or 0.0 if each else 0.0 for each in text],
        text_ranks=[each.rank or 0 if each else 0 for each in text],
        cosine_ranks=[each.rank or 0 if each else 0 for each in meaning],
        words=[cover.words_in(" ".join(_found_by(drawer))) for drawer in drawers],
        likeness=_likeness(fused, [drawer.id for drawer in drawers[:_ALIKE]], scale),
        name_scores=[max(each.score, 0.0) if each else 0.0 for each in names],
        from_first=[
            each.evidence or 0.0 if each and way and way.drawer == drawers[0].id else 0.0
            for each, way in zip(names, ways, strict=True)
        ],
    )


def _found_by(drawer: Drawer) -> Iterator[str]:
    """Yield what the full-text lane finds a drawer by, the long text last."""
    yield from (drawer.closet, *drawer.headings, *drawer.aliases, *drawer.tags)
    yield drawer.pub_id or ""
    yield drawer.text


def _score(ranked: RankedDrawers, hit: FusedDrawer, plain: Mapping[str, float]) -> float:
    """Return the score of a hit with what was learned, but without importance and rerank, which are not about fit."""
    change = ranked.changes.get(hit.id)
    if change is not None:
        learned = change.question + change.lanes + change.memory + change.others + change.bound
        return change.score + learned - _by_importance(ranked, hit)
    return plain.get(hit.id, hit.score) - _by_importance(ranked, hit)


def _by_importance(ranked: RankedDrawers, hit: FusedDrawer) -> float:
    importance = ranked.importances.get(hit.id)
    return importance.change if importance else 0.0


def _likeness(fused: FusedRanking, ids: Sequence[str], scale: EvidenceScale) -> float:
    if fused.vectors is None or len(ids) < 2:
        return 0.0
    rows = fused.vectors.of(ids)
    return scale.placed(float((rows[1:] @ rows[0]).mean())) if len(rows) > 1 else 0.0


def _best(ranking: Ranking) -> Ranking:
    return ranking.first(10)
