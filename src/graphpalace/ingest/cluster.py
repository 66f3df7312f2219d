"""Divide a large room into rooms by the topics of its closets, and name each room by its typical words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphpalace.domain.vectors import Matrix

SMALLEST = 12  # a room with fewer closets is not divided
MOST = 24  # most rooms that one room is divided into


def cluster(vectors: Matrix) -> np.ndarray:
    """Return the cluster of each closet, numbered from 0; about sqrt(n / 2) clusters of n closets.

    k-means on vectors of length one, with a fixed seed: the same closets give the same clusters.
    """
    from sklearn.cluster import KMeans

    count = min(MOST, max(2, round(math.sqrt(len(vectors) / 2))))
    means = KMeans(n_clusters=count, n_init=4, random_state=0)  # pyright: ignore[reportArgumentType]  # the stub is wrong
    return means.fit_predict(vectors)


def names(texts: Sequence[str], labels: np.ndarray, *, words: int = 2) -> list[str]:
    """Return a name for each cluster: words that most of its closets share and few other closets have.

    The weight of a word is the squared share of the cluster's closets with the word, times its inverse document
    frequency, so that one closet alone does not name the room. No two names are equal: if the best words are taken, the
    next words are added, and finally a number.

    Args:
        texts: One for each closet.
        labels: Cluster of each closet, numbered from 0.
    """
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

    vectorizer = CountVectorizer(
        binary=True, stop_words=list(ENGLISH_STOP_WORDS), token_pattern=r"(?u)\b[^\W\d_]{3,}\b"
    )
    try:
        present: Any = vectorizer.fit_transform(texts)
    except ValueError:  # no words at all
        return [f"topic {number + 1}" for number in range(int(labels.max()) + 1)]
    rarity = np.log(len(texts) / np.asarray(present.sum(axis=0)).ravel())
    vocabulary = vectorizer.get_feature_names_out()
    found: list[str] = []
    for number in range(int(labels.max()) + 1):
        share = np.asarray(present[labels == number].mean(axis=0)).ravel()
        weights = share**2 * rarity
        telling = [str(vocabulary[at]) for at in np.argsort(-weights, kind="stable")[: words + 3] if weights[at] > 0]
        options = [" ".join(telling[:count]) for count in range(words, len(telling) + 1)] or telling
        found.append(next((name for name in options if name not in found), f"topic {number + 1}"))
    return found
