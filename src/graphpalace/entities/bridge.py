"""Finds drawers by way of the names that the best drawers of a search mention.

A question that needs two documents ("when was the director of this film born") is answered by a name: the best drawer
tells who the director is, and another drawer with that name tells the year.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int32, Int64

from graphpalace.entities.name_index import NameIndex

_ASKED_WEIGHT = 0.3  # of a name that the question has
_STEEPNESS = 6  # how fast the weight of a name falls with the score of the drawer that mentions it
_TITLE = 5  # how much more a name counts for the drawers of the document whose title it is
_MOST_TEXTS = 5  # a name that more drawers mention says nothing
_NAMES_ADDED = 3  # added to the number of a drawer's names, so that a drawer with one name does not win by that
_CLOSENESS_ADDED = 0.05  # added to the cosine, so that a drawer with cosine 0 can still be found


@dataclass(frozen=True, slots=True)
class NameWeights:
    """The names by which drawers are looked for.

    Attributes:
        weight: By row of a name, above 0.
        lead: Row of the drawer that mentions the name; names of the question alone have none.
    """

    weight: Mapping[int, float]
    lead: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Bridged:
    """Drawers that share names with the leads or the question.

    Attributes:
        rows: Rows of drawers.
        strength: How strongly names speak for each drawer, > 0, before its closeness to the question counts.
        name: Row of the name that contributes most to each drawer.
    """

    rows: Int64[np.ndarray, " drawers"]
    strength: Float64[np.ndarray, " drawers"]
    name: Int32[np.ndarray, " drawers"]


def name_weights(index: NameIndex, leads: Mapping[int, float], asked: Iterable[int]) -> NameWeights:
    """Return how much each name counts: a name of a lead by the lead's score, a name of the question a little.

    Only a lead that mentions a name of the question leads on; the others are about something else. A name of such a
    lead has the weight (score / best score)^6. The best of several leads counts. A name that the question has weighs
    0.3, whether a lead has it too or not: it led to the leads and leads back to them.

    Args:
        leads: Scores, above 0, of the best drawers of the search, by row.
        asked: Names of the question.
    """
    weight = dict.fromkeys(sorted(asked), _ASKED_WEIGHT)
    lead: dict[int, int] = {}
    names_of = {row: index.of_drawer(row).tolist() for row in leads}
    about = {row: score for row, score in leads.items() if weight.keys() & set(names_of[row])}
    best = max(about.values(), default=1.0)
    for row, score in sorted(about.items(), key=lambda pair: (-pair[1], pair[0])):
        for name in names_of[row]:
            if name in weight:
                lead.setdefault(name, row)
            else:
                weight[name], lead[name] = (score / best) ** _STEEPNESS, row
    return NameWeights(weight, lead)


def bridged(
    index: NameIndex, names: NameWeights, leads: Iterable[int], *, drawers: int, trail_weight: float = 0.0
) -> Bridged:
    """Return the drawers that mention the names, without the leads.

    The strength of a drawer is the sum over its names of weight ln(1 + N / df), five times as much for the name that is
    the title of its document, divided by sqrt(number of its names + 3). N is the number of drawers and df the number of
    those with the name, where all drawers of which it is the title count as one. Names that more than five other
    drawers mention are left out.

    Args:
        drawers: N, >= 1.
        trail_weight: How much a mention with a success pheromone of 1 or more gains, as a share, >= 0.
    """
    start, mentions = index.name_start, index.mentions
    parts, gains = [], []
    for name, weight in names.weight.items():
        count, texts = int(start[name + 1] - start[name]), int(index.texts_with[name])
        if count and texts <= _MOST_TEXTS:
            df = texts + (count > texts)
            parts.append(np.arange(start[name], start[name + 1]))
            gains.append(np.full(count, weight * np.log1p(drawers / df)))
    if not parts:
        return Bridged(np.empty(0, np.int64), np.empty(0), np.empty(0, np.int32))
    at, gain = np.concatenate(parts), np.concatenate(gains)
    gain = gain * np.where(mentions.is_title[at], _TITLE, 1.0)
    gain = gain * (1.0 + trail_weight * np.minimum(mentions.success[at], 1.0))
    order = np.lexsort((-gain, mentions.drawer[at]))  # by drawer, its strongest name first
    at, gain = at[order], gain[order]
    rows, first = np.unique(mentions.drawer[at], return_index=True)
    strength = np.add.reduceat(gain, first) / np.sqrt(index.names_in[rows] + _NAMES_ADDED)
    others = ~np.isin(rows, list(leads))
    return Bridged(rows[others], strength[others], mentions.name[at[first]][others])


def bridge_scores(strength: Float64[np.ndarray, " drawers"], cosines: Float64[np.ndarray, " drawers"]) -> np.ndarray:
    """Return the score of each drawer: strength times (cosine to the question, at least 0, + 0.05)."""
    return strength * (np.maximum(cosines, 0.0) + _CLOSENESS_ADDED)
