"""Answers of a search, and how long each stage took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from graphpalace.domain.ranking import LaneScore
from graphpalace.domain.trail import Trail
from graphpalace.fuse.importance import Importance
from graphpalace.operations.learned_answer import Taught
from graphpalace.operations.question import SearchPlan
from graphpalace.operations.rerank import Scored
from graphpalace.store.database import Row


@dataclass(frozen=True, slots=True)
class Hit:
    """One drawer of an answer: where it stands, what it says, and why it is here.

    Attributes:
        path: From the palace to the drawer.
        taught: What learning changed; None if nothing was learned, or learning was left out.
        reranked: Dense, narrative and pheromone of the last order, if one was asked for; its score is the hit's then.
        importance: What it added to the score; None if the drawer's is neutral, or it does not count.
        trail: The way from what the other lanes found to the drawer, if the path lane walked one.
    """

    drawer: Row
    score: float
    lanes: dict[str, LaneScore]
    path: list[dict[str, str]]
    trail: Trail | None = None
    taught: Taught | None = None
    reranked: Scored | None = None
    importance: Importance | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Hits, best first, how they were fused, lanes that gave nothing and why, and milliseconds of each stage.

    Attributes:
        run: What feedback calls this search.
    """

    hits: list[Hit]
    run: str = ""
    plan: SearchPlan = field(default_factory=SearchPlan)
    left_out: dict[str, str] = field(default_factory=dict)
    timings_ms: dict[str, float] = field(default_factory=dict)


def path_of(palace: str, drawer: Row) -> list[dict[str, str]]:
    """Return the way from the palace to a drawer, as kind, id and name of each node."""
    return [
        {"kind": "Palace", "id": palace, "name": palace},
        {"kind": "Wing", "id": drawer["wing_id"], "name": drawer["wing"]},
        {"kind": "Room", "id": drawer["room_id"], "name": drawer["room"]},
        {"kind": "Closet", "id": drawer["closet_id"], "name": drawer["closet"]},
        {"kind": "Drawer", "id": drawer["id"], "name": f"#{drawer['position']}"},
    ]


class Clock:
    """Milliseconds of each stage of one request; a stage may be entered again."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self._stages[name] = self._stages.get(name, 0.0) + (time.perf_counter() - start) * 1000

    def timings_ms(self) -> dict[str, float]:
        return self._stages | {"total": (time.perf_counter() - self._start) * 1000}
