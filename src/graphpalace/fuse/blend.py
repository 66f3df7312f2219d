"""Fuses the rankings of several runs into one, folds what belongs together, and explains it (seed 004, 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from graphpalace.domain.runs.run import CodeCounts, DrawerColumns, FrontierPoint, LaneRanking, Metrics
from graphpalace.domain.search.codes import levels_of
from graphpalace.domain.search.fusion_plan import CODE_LANE, Fold, Plan, Profile
from graphpalace.fuse.codes import CodeTable, boost, code_counts, matches, overlap, weights_of
from graphpalace.fuse.frontier import frontier, own_coverage, profile_coverage, relevance
from graphpalace.fuse.lane_fusion import best_first, pooled, rank_scores


def best_of_each(ids: Iterable[str], document_of: Mapping[str, str]) -> list[str]:
    """Return the first drawer of each document, in the given order.

    Args:
        ids: Ids of drawers, best first.
        document_of: The document of each drawer.

    >>> best_of_each(["a2", "b1", "a1"], {"a1": "a", "a2": "a", "b1": "b"})
    ['a2', 'b1']
    """
    first: dict[str, str] = {}
    for drawer in ids:
        first.setdefault(document_of[drawer], drawer)
    return list(first.values())


def with_one_drawer_each(runs: Sequence[LaneRanking], document_of: Mapping[str, str], plan: Plan) -> list[LaneRanking]:
    """Cut the runs to their planned depth, and let the same drawer represent a document in all of them.

    Different lanes may prefer different drawers of a document. The chosen drawer is that of the run with the highest
    weight / (k + rank) for the document, ties by the lower id. So the scores of a document add up over all runs.
    """
    cut = []
    shown: dict[str, tuple[float, str]] = {}
    for run in runs:
        weight = plan.weight_of(run.lane, run.run)
        ids = best_of_each(run.ids, document_of)[: plan.depth_of(run.lane, run.run)]
        cut.append(ids)
        for rank, drawer in enumerate(ids, start=1):
            document, gain = document_of[drawer], (-weight / (plan.rrf_k + rank), drawer)
            shown[document] = min(gain, shown.get(document, gain))
    return [
        replace(run, ids=[shown[document_of[drawer]][1] for drawer in ids]) for run, ids in zip(runs, cut, strict=True)
    ]


def keys_of(members: DrawerColumns, fold: Fold) -> list[str]:
    """Return the key by which each document is folded: its own id, its closet or its family.

    Args:
        members: One drawer of each document.
        fold: `none`, `closet` or `family`. With `family`, a document without a family has its own id as key.
    """
    if fold == "none":
        return list(members.ids)
    if fold == "closet":
        return list(members.closets)
    return [family or own for family, own in zip(members.families, members.ids, strict=True)]


def folded(keys: Sequence[str]) -> tuple[list[int], dict[int, list[int]]]:
    """Fold a ranking so that only the best document of each key stays.

    Args:
        keys: Keys of the documents, best first.

    Returns:
        The positions that stay, and for each of these the positions of the documents folded into it, if any.
    """
    best: dict[str, int] = {}
    others: dict[int, list[int]] = {}
    for place, key in enumerate(keys):
        first = best.setdefault(key, place)
        if first != place:
            others.setdefault(first, []).append(place)
    return list(best.values()), others


DEPTH = 50


@dataclass(frozen=True, slots=True)
class BlendResult:
    """The result of a fusion. The attributes are those of `Run` in `domain/runs/run.py`."""

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


def axes(codes: tuple[str, ...], profile: Profile) -> Int[ndarray, " codes"]:
    """Assign each code to an axis of the vector space of code frequencies.

    A code that equals a wanted code or is narrower gets the axis of that wanted code, or of the narrowest if several
    cover it. Wanted codes are numbered in the order of the profile. Every other code gets an axis of its own. Codes of
    schemes that the profile does not mention get -1 and do not count.

    Args:
        codes: Codes as `scheme:code`.
    """
    wanted = [(scheme, code) for scheme, own in profile.items() for code in own]
    covering: dict[str, dict[str, int]] = {}
    found = np.full(len(codes), -1)
    for at, whole in enumerate(codes):
        scheme, _, code = whole.partition(":")
        if scheme not in profile and "any" not in profile:
            continue
        if scheme not in covering:
            covering[scheme] = {
                levels_of(want, scheme)[-1]: axis for axis, (of, want) in enumerate(wanted) if of in (scheme, "any")
            }
        covers = covering[scheme]
        found[at] = next(
            (covers[level] for level in reversed(levels_of(code, scheme)) if level in covers), len(wanted) + at
        )
    return found


def similarity(axis: Int[ndarray, " codes"], counts: Int[ndarray, " codes"], profile: Profile) -> float:
    """Return cos(F, T), the cosine of a lane's code frequencies and the profile, 0 to 1.

    The fusion uses it to raise the weight w of the lane: w' = w (1 + beta_fuse cos(F, T)).

    Args:
        axis: Axis of each code, from `axes`.
        counts: Number of the lane's documents with each code.

    Source: seed 004, 6.2.
    """
    target = np.array([weight for own in profile.values() for weight in own.values()], float)
    lane = np.bincount(axis[axis >= 0], weights=counts[axis >= 0], minlength=len(target))
    length = float(np.linalg.norm(lane) * np.linalg.norm(target))
    return min(1.0, float(lane[: len(target)] @ target) / length) if length else 0.0


def labels(runs: Sequence[tuple[str, str]], *, with_codes: bool) -> list[str]:
    """Return a label for each run: its lane, or its id if several runs have the same lane.

    Args:
        runs: Lane and id of each run.
        with_codes: Whether codes contribute to the fusion; they use the label `code`, so a run cannot have it.

    >>> labels([("fulltext", "fulltext-1"), ("fulltext", "fulltext-2"), ("semantic", "semantic-1")], with_codes=False)
    ['fulltext-1', 'fulltext-2', 'semantic']
    """
    count = Counter([lane for lane, _ in runs] + [CODE_LANE] * with_codes)
    return [lane if count[lane] == 1 else run for lane, run in runs]


def contributions(
    plain: Mapping[str, Float[ndarray, " documents"]], total: Float[ndarray, " documents"]
) -> list[dict[str, float]]:
    """Return the percentage that each run contributed to each document's score. They sum to 100.

    The part of a run is its plain weight / (k + rank). The rest is what codes added by boosting documents, by weighting
    lanes and as a lane of their own; it is reported as `code`. Runs that contributed nothing are left out.

    Args:
        plain: Scores by label (from `labels`), without the effect of codes.
        total: Fused scores, > 0, at least the sum of the plain ones.

    Source: seed 004, 6.4.
    """
    rest = total - sum(plain.values())
    parts = [*plain.items(), (CODE_LANE, rest)]  # if a run has this label, nothing remains
    columns = [(label, (100 * part / total).tolist()) for label, part in parts]
    return [
        {label: column[at] for label, column in columns if column[at] > 1e-9}  # less is rounding
        for at in range(len(total))
    ]


def structure(
    lanes: Sequence[Int[ndarray, " ranked"]], counts: Int[ndarray, " codes"], scores: Float[ndarray, " documents"]
) -> Metrics:
    """Compute the metrics over the best 50 documents, each 0 to 1, or None if it is undefined.

        lane agreement     = mean of |A and B| / |A or B| over pairs of lanes, of the best 50 of each
        code concentration = 1 - H / log(number of codes), H the entropy of the code frequencies; 1 for a single code
        score shape        = sum of the best 3 scores / sum of the best 50 scores

    Args:
        lanes: Rankings of the lanes, documents as indices, best first.
        counts: Number of documents with each code among the best 50 of the fusion.
        scores: Fused scores, best first, > 0.
    """
    tops = [set(lane[:DEPTH].tolist()) for lane in lanes]
    pairs = [len(one & other) / len(one | other) for one, other in combinations(tops, 2) if one or other]
    shares = counts[counts > 0] / max(1, counts.sum())
    entropy = -float(np.sum(shares * np.log(shares)))
    concentration = 1 - entropy / np.log(len(shares)) if len(shares) > 1 else 1.0
    return Metrics(
        at=DEPTH,
        lane_agreement=float(np.mean(pairs)) if pairs else None,
        code_concentration=float(np.clip(concentration, 0, 1)) if len(shares) else None,
        score_shape=float(scores[:3].sum() / scores[:DEPTH].sum()) if len(scores) else None,
    )
