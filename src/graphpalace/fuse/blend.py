"""Fuses the rankings of several runs into one, applying the formulas of this folder in order (seed 004, 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from graphpalace.domain.search.fusion_plan import CODE_LANE, Plan
from graphpalace.domain.search.run import CodeCounts, DrawerColumns, FrontierPoint, LaneRanking, Metrics
from graphpalace.fuse.codes.boost import boost
from graphpalace.fuse.codes.counts import code_counts
from graphpalace.fuse.codes.overlap import matches, overlap, weights_of
from graphpalace.fuse.codes.table import CodeTable
from graphpalace.fuse.contributions import contributions, labels
from graphpalace.fuse.family_fold import folded, keys_of
from graphpalace.fuse.frontier import frontier, own_coverage, profile_coverage, relevance
from graphpalace.fuse.lane_modulation import axes, similarity
from graphpalace.fuse.one_drawer_each import with_one_drawer_each
from graphpalace.fuse.structure import DEPTH, structure
from graphpalace.fuse.weighted_rank import best_first, pooled, rank_scores


@dataclass(frozen=True, slots=True)
class BlendResult:
    """The result of a fusion. The attributes are those of `Run` in `domain/search/run.py`."""

    ids: tuple[str, ...]
    scores: tuple[float, ...]
    folded: Mapping[str, tuple[str, ...]]
    counts: CodeCounts
    frontier: tuple[FrontierPoint, ...]
    contributions: Mapping[str, Mapping[str, float]]
    metrics: Metrics


def blend(
    runs: Sequence[LaneRanking], members: DrawerColumns, plan: Plan, *, codes_top_n: int, contributions_top: int
) -> BlendResult:
    """Fuse the rankings of several runs. Each document is represented by its best drawer.

    Args:
        runs: The rankings.
        members: Facts about all drawers of the runs; it may contain others.
        plan: A plan that has been checked.
        codes_top_n: Number of codes to report for each scheme, >= 1.
        contributions_top: Number of best documents to report contributions for, >= 0.
    """
    runs = with_one_drawer_each(runs, members.document_of(), plan)
    ids, rankings = pooled([run.ids for run in runs])
    place = dict(zip(members.ids, range(len(members.ids)), strict=True))
    rows = [place[one] for one in ids]
    table = CodeTable.of([members.codes[row] for row in rows])
    profile_weights = weights_of(plan.target_profile)
    found = matches(table, plan.target_profile, broader_share=plan.constants.broader_share)
    overlaps = overlap(found, profile_weights)

    axis = axes(table.codes, plan.target_profile)
    plain: list[Float[ndarray, " documents"]] = []
    total = np.zeros(len(ids))
    for run, ranking in zip(runs, rankings, strict=True):
        own = rank_scores(ranking, size=len(ids), weight=plan.weight_of(run.lane, run.run), k=plan.rrf_k)
        plain.append(own)
        total += own * _gain(run.lane, table.counts(own > 0), axis, overlaps, plan)
    if plan.target_profile:
        code_ranking = best_first(overlaps)
        total += rank_scores(code_ranking, size=len(ids), weight=plan.weights.get(CODE_LANE, 0.0), k=plan.rrf_k)

    ranked = best_first(total)
    keys = keys_of(members, plan.fold)
    stay, others = folded([keys[rows[at]] for at in ranked.tolist()])
    best = ranked[stay]
    scores = total[best]
    ordered = table.reordered(best)
    coverage = profile_coverage(found[best], profile_weights) if plan.target_profile else own_coverage(ordered)
    top = best[:contributions_top]
    named = labels([(run.lane, run.run) for run in runs], with_codes=bool(plan.target_profile))
    parts = contributions({label: own[top] for label, own in zip(named, plain, strict=True)}, total[top])
    return BlendResult(
        ids=tuple(ids[at] for at in best),
        scores=tuple(scores.tolist()),
        folded={ids[ranked[at]]: tuple(ids[ranked[one]] for one in more) for at, more in others.items()},
        counts=code_counts(table.codes, ordered.counts(), top_n=codes_top_n),
        frontier=frontier(
            scores,
            relevance(scores, overlaps[best], plan.constants),
            coverage,
            k_grid=plan.k_grid,
            constants=plan.constants,
        ),
        contributions={ids[at]: own for at, own in zip(top, parts, strict=True)},
        metrics=structure(rankings, ordered.counts(np.arange(len(best)) < DEPTH), scores),
    )


def _gain(
    lane: str,
    counts: Int[ndarray, " codes"],
    axis: Int[ndarray, " codes"],
    overlaps: Float[ndarray, " documents"],
    plan: Plan,
) -> Float[ndarray, " documents"] | float:
    """Return the factor on each score of a lane: the modulation of the lane times the boost of the document."""
    if not plan.target_profile:
        return 1.0
    alike = similarity(axis, counts, plan.target_profile)
    return (1 + plan.beta_fuse * alike) * boost(overlaps, alpha=plan.constants.alpha.get(lane, 0.0))
