"""Decides which drawers and rooms to link: SIMILAR_TO between drawers, HALL and TUNNEL between rooms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float32

from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.ingest.place import COMMON_ROOM


def nearest_before(
    vectors: Matrix, known: Float32[np.ndarray, "new k"], *, k: int, threshold: float
) -> list[list[tuple[int, float]]]:
    """Return the k nearest earlier drawers of each new drawer.

    Each drawer is linked once, when it arrives, and only to earlier drawers. So the edges depend on the order of the
    drawers but not on the batches: an ingest that was interrupted and repeated gives the same links as one that ran
    through.

    Args:
        vectors: Unit vectors of the new drawers, in order of arrival.
        known: Cosines of each new drawer to its best drawers from before this batch, highest first.
        k: Largest number of links of a new drawer.
        threshold: Lowest cosine of a link.

    Returns:
        For each new drawer, pairs of index and cosine, best first. An index below `known.shape[1]` is a column of
        `known`; from a larger index, subtract that number to get a row of `vectors`.
    """
    width = known.shape[1]
    inner = vectors @ vectors.T
    inner[~np.tri(len(vectors), k=-1, dtype=bool)] = -np.inf
    # Few pairs reach the threshold, so only those are sorted: by row, then cosine, then index.
    known_rows, known_at = np.nonzero(known >= threshold)
    inner_rows, inner_at = np.nonzero(inner >= threshold)
    rows = np.concatenate([known_rows, inner_rows])
    at = np.concatenate([known_at, inner_at + width])
    cosines = np.concatenate([known[known_rows, known_at], inner[inner_rows, inner_at]])
    links: list[list[tuple[int, float]]] = [[] for _ in vectors]
    for chosen in np.lexsort((at, -cosines, rows)):
        row = links[rows[chosen]]
        if len(row) < k:
            row.append((int(at[chosen]), float(cosines[chosen])))
    return links


@dataclass(frozen=True, slots=True)
class RoomMean:
    """A room with the mean vector (length one) of its drawers."""

    id: str
    name: str
    wing: str
    mean: Vector


def halls(rooms: list[RoomMean], *, k: int = 3) -> list[tuple[str, str]]:
    """Return the halls: each room is paired with the k nearest rooms of its own wing.

    Pairs are sorted, and so are the two ids within a pair.
    """
    return _nearest_pairs(rooms, k=k, threshold=-1.0, same_wing=True)


def tunnels(rooms: list[RoomMean], *, threshold: float, k: int = 3) -> list[tuple[str, str]]:
    """Return the tunnels: pairs of rooms of different wings that are about the same topic.

    Rooms of the same name, ignoring case, are paired (except common rooms), and so is each room with its k nearest
    rooms of other wings whose cosine reaches the threshold. Pairs are sorted, and so are the two ids within a pair.

    Args:
        threshold: Lowest cosine of two mean vectors, -1 to 1.
    """
    named: dict[str, list[RoomMean]] = {}
    for room in rooms:
        if room.name != COMMON_ROOM:
            named.setdefault(room.name.casefold(), []).append(room)
    same_name = {
        _ordered(first.id, second.id)
        for group in named.values()
        for position, first in enumerate(group)
        for second in group[position + 1 :]
        if first.wing != second.wing
    }
    return sorted(same_name | set(_nearest_pairs(rooms, k=k, threshold=threshold, same_wing=False)))


def _nearest_pairs(rooms: list[RoomMean], *, k: int, threshold: float, same_wing: bool) -> list[tuple[str, str]]:
    if not rooms:
        return []
    means = np.stack([room.mean for room in rooms])
    wings = np.array([room.wing for room in rooms])
    cosines = means @ means.T
    allowed = (wings[:, None] == wings[None, :]) == same_wing
    np.fill_diagonal(allowed, False)
    cosines[~allowed] = -np.inf
    pairs = set()
    for row, order in enumerate(np.argsort(-cosines, axis=1, kind="stable")[:, :k]):
        pairs.update(_ordered(rooms[row].id, rooms[at].id) for at in order if cosines[row, at] >= threshold)
    return sorted(pairs)


def _ordered(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first < second else (second, first)
