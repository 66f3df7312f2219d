from __future__ import annotations

import numpy as np
import pytest

from graphpalace.domain.vectors import unit_rows
from graphpalace.ingest.link import RoomMean, halls, nearest_before, tunnels


def _room(name: str, wing: str, *mean: float) -> RoomMean:
    return RoomMean(f"{wing}/{name}", name, wing, unit_rows(np.array([mean], np.float32))[0])


def test_a_drawer_links_to_the_nearest_before_it_and_never_to_later_ones() -> None:
    vectors = unit_rows(np.array([[1, 0], [1, 0.1], [0, 1]], np.float32))
    known = np.array([[0.9], [0.2], [0.8]], np.float32)
    links = nearest_before(vectors, known, k=2, threshold=0.5)
    assert [[at for at, _ in row] for row in links] == [[0], [1], [0]]  # column 0 is known, 1.. are the new ones
    assert links[1][0][1] == pytest.approx(1 / 1.01**0.5)


def test_links_do_not_depend_on_how_drawers_are_batched() -> None:
    vectors = unit_rows(np.random.default_rng(1).standard_normal((40, 5)).astype(np.float32))

    def linked(size: int) -> list[list[int]]:
        found = []
        for start in range(0, len(vectors), size):
            before, new = vectors[:start], vectors[start : start + size]
            k = min(4, start)
            rows = np.argsort(-(new @ before.T), axis=1)[:, :k]
            known = np.take_along_axis(new @ before.T, rows, axis=1)
            for at, row in enumerate(nearest_before(new, known, k=4, threshold=0.3)):
                found.append([int(rows[at, c]) if c < k else start + c - k for c, _ in row])
        return found

    assert linked(40) == linked(7) == linked(1)


def test_halls_join_rooms_of_one_wing_only_and_each_pair_once() -> None:
    rooms = [_room("a", "w", 1, 0), _room("b", "w", 1, 1), _room("c", "v", 1, 0)]
    assert halls(rooms) == [("w/a", "w/b")]


def test_tunnels_join_the_same_topic_of_two_wings() -> None:
    rooms = [
        _room("auth", "w", 1, 0, 0),
        _room("Auth", "v", 0, 1, 0),  # the same name
        _room("login", "v", 0.99, 0.1, 0),  # near in meaning
        _room("general", "w", 0, 0, 1),
        _room("general", "v", 0, 0, -1),  # the common room's name tells nothing
    ]
    assert tunnels(rooms, threshold=0.9) == [("v/Auth", "w/auth"), ("v/login", "w/auth")]
