"""Cut a common room into rooms by what its closets are about, and name each by its telling words."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from graphpalace.domain.vectors import Matrix

SMALLEST = 12  # closets below which a common room is left as it is
MOST = 24  # rooms made of one common room


def cluster(vectors: Matrix) -> np.ndarray:
    """Return the cluster of each closet, numbered from 0; about sqrt(n / 2) clusters of n closets.

    k-means on vectors of length one, with a fixed seed: the same closets give the same clusters.
    """
    from sklearn.cluster import KMeans

    count = min(MOST, max(2, round(math.sqrt(len(vectors) / 2))))
    means = KMeans(n_clusters=count, n_init=4, random_state=0)  # pyright: ignore[reportArgumentType]  # the stub is wrong
    return means.fit_predict(vectors)


def names(texts: Sequence[str], labels: np.ndarray, *, words: int = 2) -> list[str]:
    """Return a name for each cluster: its most telling words by class-based TF-IDF (Grootendorst 2022).

    Names differ: a later cluster whose words are taken gets the next telling word, at last its number.
    """
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

    clusters = [
        " ".join(text for text, label in zip(texts, labels, strict=True) if label == number)
        for number in range(int(labels.max()) + 1)
    ]
    vectorizer = TfidfVectorizer(
        stop_words=list(ENGLISH_STOP_WORDS), token_pattern=r"(?u)\b[^\W\d_]{3,}\b", sublinear_tf=True
    )
    try:
        weights = vectorizer.fit_transform(clusters).toarray()
    except ValueError:  # no words at all
        return [f"topic {number + 1}" for number in range(len(clusters))]
    vocabulary = vectorizer.get_feature_names_out()
    found: list[str] = []
    for number, row in enumerate(weights):
        telling = [str(vocabulary[at]) for at in np.argsort(-row, kind="stable")[: words + 3] if row[at] > 0]
        options = [" ".join(telling[:count]) for count in range(words, len(telling) + 1)] or telling
        found.append(next((name for name in options if name not in found), f"topic {number + 1}"))
    return found
