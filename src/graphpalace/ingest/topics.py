"""Divide documents into topics, each with a name under which most of its documents would be looked up.

A name fits a group of documents as far as the group and the documents that are about the name are the same: by their
Dice coefficient. Of all the groups in a tree of clusters (Ward 1963), those are taken whose names fit best all in all.
Then each document goes to the topic that it is nearest to and most about. A group without a fitting name is no topic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np
from jaxtyping import Float32, Int

from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.ingest.topic_words import TopicDocument, TopicWords, topic_words

SMALLEST = 12  # fewer documents are not divided
NEAR = 0.5  # least cosine of a document to the mean of a topic that it belongs to, whatever its words are

_MOST_COMPARED = 2000  # documents among which topics are looked for
_LEAST_DOCUMENTS, _MOST_TOPICS = 4, 60
_MOST_SHARE = 0.6  # of the documents that may have a name; what more of them have, all are about
_MOST_AT_ONCE = 0.34  # of the documents that may be one group; larger topics are found as several groups of one name
_LEAST_FIT = 0.45  # of a name
_LEAST_COVERED = 0.5  # share of a topic's documents that have its name
_UNTITLED = 0.8  # what the fit of a name counts that stands in no title of the group
_LONGER = 0.1  # what each further word of a name, up to three, adds to its fit
_ABOUT = 0.4  # least weight of its name in a document that belongs to a topic, although it is less near
_LESS_NEAR = 0.25  # least cosine then
_LEAST_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic.

    Attributes:
        name: Unlike that of any other topic.
        members: Rows of its documents, ascending.
    """

    name: str
    members: list[int]


def compared(count: int) -> list[int]:
    """Return the rows of those of `count` documents whose words are needed: all, or 2000 evenly spread ones."""
    return np.unique(np.linspace(0, count - 1, min(count, _MOST_COMPARED)).astype(int)).tolist()


def topics(documents: Mapping[int, TopicDocument], vectors: Matrix) -> list[Topic]:
    """Return the topics of documents; a document that belongs to none is in none.

    Args:
        documents: Those that `compared` names, by their rows; at least two.
        vectors: One of length one for each document.
    """
    rows = np.array(sorted(documents))
    least = max(_LEAST_DOCUMENTS, round(len(rows) / _MOST_TOPICS))
    words = topic_words([documents[row] for row in rows], least=least, most=int(_MOST_SHARE * len(rows)))
    chosen = _chosen(words, vectors[rows], least) if words.names else {}
    if not chosen:
        return []
    names = sorted(chosen)
    about = np.zeros((len(vectors), len(names)), np.float32)
    about[rows] = words.weights[:, names].toarray()
    found = _settled(about, vectors, [rows[chosen[name]] for name in names], least)
    return [Topic(words.names[names[at]], members.tolist()) for at, members in found.items()]


class _Group(NamedTuple):
    """Groups of the tree below one of its nodes that are to be topics: how well their names fit, and these names."""

    fit: float
    topics: tuple[tuple[int, int], ...]  # node and name


def _chosen(words: TopicWords, vectors: Matrix, least: int) -> dict[int, np.ndarray]:
    """Return the documents of the best groups of the tree by their name. Groups of one name are one."""
    from scipy.cluster.hierarchy import linkage

    size = len(vectors)
    most = max(2 * least, _MOST_AT_ONCE * size)
    members: list[np.ndarray] = [np.array([row]) for row in range(size)]
    best = [_Group(0.0, ())] * size
    total = np.asarray(words.weights.sum(axis=0)).ravel()
    longer = 1 + _LONGER * np.minimum(words.lengths, 3)
    for left, right in linkage(vectors.astype(np.float64), "ward")[:, :2].astype(int):
        rows = np.concatenate([members[left], members[right]])
        apart = _Group(best[left].fit + best[right].fit, best[left].topics + best[right].topics)
        members.append(rows)
        if not least <= len(rows) <= most:
            best.append(apart)
            continue
        weights = words.weights[rows]
        fits = 2 * weights.sum(axis=0) / (len(rows) + total) * longer
        titled = words.titled[rows].sum(axis=0)
        if titled.any():
            fits[titled == 0] *= _UNTITLED
        fits[(weights > 0).sum(axis=0) < _LEAST_COVERED * len(rows)] = 0.0
        name = int(np.argmax(fits))
        whole = _Group(len(rows) * float(fits[name]), ((len(members) - 1, name),))
        best.append(whole if fits[name] >= _LEAST_FIT and whole.fit > apart.fit else apart)
    found: dict[int, list[np.ndarray]] = {}
    for node, name in best[-1].topics:
        found.setdefault(name, []).append(members[node])
    return {name: np.concatenate(nodes) for name, nodes in found.items()}


def _settled(
    about: Float32[np.ndarray, "documents names"], vectors: Matrix, of: list[Int[np.ndarray, " members"]], least: int
) -> dict[int, np.ndarray]:
    """Let each document choose among the topics, and give up those that no longer fit their names, until all do.

    Args:
        about: How much each document is about the name of each topic.
        of: Documents of each topic.

    Returns:
        The documents of each topic that is left, by its column.
    """
    total = about.sum(axis=0)
    kept = np.arange(len(of))
    for done in count(1):
        means = unit_rows(np.stack([vectors[rows].mean(axis=0) for rows in of]))
        cosines, mine = vectors @ means.T, about[:, kept]
        belongs = (cosines >= NEAR) | ((mine >= _ABOUT) & (cosines >= _LESS_NEAR))
        choice = np.where(belongs, cosines + mine / 2, -np.inf).argmax(axis=1)
        choice[~belongs.any(axis=1)] = -1
        of = [np.flatnonzero(choice == at) for at in range(len(kept))]
        fits = [
            len(rows) >= least
            and 2 * mine[rows, at].sum() >= _LEAST_FIT * (len(rows) + total[kept[at]])
            and (mine[rows, at] > 0).mean() >= _LEAST_COVERED
            for at, rows in enumerate(of)
        ]
        kept, of = kept[fits], [rows for rows, fit in zip(of, fits, strict=True) if fit]
        if not of or (all(fits) and done >= _LEAST_ROUNDS):
            return dict(zip(kept.tolist(), of, strict=True))
    raise AssertionError("unreachable: each further round gives up a topic")
