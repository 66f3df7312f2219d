"""Render a step of a simulation: documents and agents as points, and trails as lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphpalace.arrays import to_numpy
from graphpalace.domain.simulation.simulations import CorpusDocument
from graphpalace.simulate.documents import DIMENSIONS, Documents, PrincipalAxes
from graphpalace.simulate.swarm import Agents, Swarm

MOST_DOCUMENTS, MOST_AGENTS = 400, 500
_CLOSEST = 1e-3  # squared distance below which an agent is drawn on the document itself
_BEST = 150  # most relevant documents that are shown; the others are an evenly spaced sample
_DIGITS = 4


@dataclass(frozen=True, eq=False)
class Frame:
    """The data of a picture, without the documents' texts.

    Attributes:
        dims: Coordinates of each point, 2 or 3.
        rows: Rows of the shown documents.
        documents, agents: Points.
        relevance, visits: Of each shown document.
        edges: Two points and a strength for each trail.
        shown: Numbers of shown documents, edges and agents, the numbers of all, and at how many different documents
            the shown agents are.
    """

    step: int
    dims: int
    rows: list[int]
    documents: list[list[float]]
    relevance: list[float]
    visits: list[int]
    agents: list[list[float]]
    edges: list[tuple[list[float], list[float], float]]
    shown: dict[str, int]

    def as_json(self, documents: Sequence[CorpusDocument]) -> dict[str, Any]:
        """Return the data of the message `snapshot`.

        Args:
            documents: The documents of `rows`.
        """
        meta = [
            {"id": document.id, "score": score, "visits": visits, "snippet": document.snippet}
            for document, score, visits in zip(documents, self.relevance, self.visits, strict=True)
        ]
        return {
            "step": self.step,
            "dims": self.dims,
            "documents": {"xy": self.documents, "relevance": self.relevance, "meta": meta},
            "agents": {"xy": self.agents},
            "edges": [_edge(start, end, strength) for start, end, strength in self.edges],
            "shown": self.shown,
        }


class FrameRenderer:
    """Renders a corpus by projecting it on its principal axes, which stay the same for all pictures.

    An agent is drawn among its three nearest documents, which are those that attract it. Their places are weighed by
    the inverse squared distance (Shepard 1968). If agents were projected on the principal axes of the documents, those
    that differ in the hundreds of other dimensions would lie on one spot.
    """

    def __init__(self, documents: Documents) -> None:
        axes = PrincipalAxes.of(documents.vectors)
        self._points = to_numpy(axes.points(documents.vectors, dims=DIMENSIONS))
        self._sample = np.arange(len(documents))
        if len(documents) > MOST_DOCUMENTS:
            self._sample = np.linspace(0, len(documents) - 1, MOST_DOCUMENTS - _BEST).astype(np.int64)

    def draw(self, swarm: Swarm, *, dims: int, min_trail_strength: float, max_edges: int) -> Frame:
        """Return a picture of a swarm.

        Args:
            dims: Coordinates of each point, 2 or 3.
            min_trail_strength: Least strength of a trail to be shown.
            max_edges: Largest number of trails; the strongest are shown.
        """
        relevance, visits = to_numpy(swarm.relevance), to_numpy(swarm.visits)
        rows = self._sample
        if len(relevance) > MOST_DOCUMENTS:
            rows = np.union1d(rows, np.argpartition(-relevance, _BEST)[:_BEST])
        strength = to_numpy(swarm.trails.strength)
        visible = np.flatnonzero(strength >= min_trail_strength)
        strongest = visible[np.argsort(-strength[visible], kind="stable")[:max_edges]]
        lower, higher = (to_numpy(end)[strongest] for end in swarm.trails.ends)
        points = self._points[:, :dims]
        agents = self._among(swarm.agents)
        ends = zip(_listed(points[lower]), _listed(points[higher]), _listed(strength[strongest]), strict=True)
        return Frame(
            step=swarm.step,
            dims=dims,
            rows=rows.tolist(),
            documents=_listed(points[rows]),
            relevance=_listed(relevance[rows]),
            visits=visits[rows].tolist(),
            agents=_listed(agents[:, :dims]),
            edges=list(ends),
            shown={
                "documents": len(rows),
                "of_documents": len(relevance),
                "edges": len(strongest),
                "of_edges": len(strength),
                "agents": len(agents),
                "of_agents": len(swarm.agents),
                "agents_at": len(np.unique(to_numpy(swarm.agents.near)[:MOST_AGENTS, 0])),
            },
        )

    def _among(self, agents: Agents) -> np.ndarray:
        """Return where agents are drawn: among their nearest documents, by the inverse of the squared distances."""
        near, cosines = to_numpy(agents.near)[:MOST_AGENTS], to_numpy(agents.cosines)[:MOST_AGENTS]
        weights = 1 / (np.maximum(2 - 2 * cosines, 0) + _CLOSEST)
        weights /= weights.sum(axis=1, keepdims=True)
        return np.einsum("an,and->ad", weights, self._points[near])


def _listed(values: np.ndarray) -> list[Any]:
    return values.astype(np.float64).round(_DIGITS).tolist()


def _edge(start: Sequence[float], end: Sequence[float], strength: float) -> dict[str, float]:
    named = {f"{axis}{number}": point[at] for number, point in ((0, start), (1, end)) for at, axis in _axes(point)}
    return named | {"s": strength}


def _axes(point: Sequence[float]) -> list[tuple[int, str]]:
    return list(enumerate("xyz"[: len(point)]))
