"""Divide a large room into rooms by the topics of its closets."""

from __future__ import annotations

import math

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


def central(vectors: Matrix, labels: np.ndarray) -> list[int]:
    """Return the closet of each cluster that is nearest to the cluster's mean."""
    found: list[int] = []
    for number in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == number)
        found.append(int(members[np.argmax(vectors[members] @ vectors[members].mean(axis=0))]))
    return found
