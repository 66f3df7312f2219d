"""The computation of one simulation: its corpus on a device, its state and its steps, without any I/O."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from graphpalace.arrays import Array, array_namespace, like, namespace_on, to_numpy
from graphpalace.domain.simulation.simulation_settings import ReportMode, SimulationSettings
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.operations.simulation.frames import Frame, FrameRenderer
from graphpalace.simulate.convergence import Convergence, Rules, StepMetrics, metrics_of
from graphpalace.simulate.documents import Documents
from graphpalace.simulate.packing import packed, unpacked
from graphpalace.simulate.step import QueryRelevance, next_step, recently, relevance
from graphpalace.simulate.swarm import Swarm, Trails, new_swarm, resized

_REPORT_TRAILS = 50


class EmbeddedCorpus(Protocol):
    """Documents with embeddings, over which a simulation can walk."""

    @property
    def ids(self) -> Sequence[str]:
        """Ids of the documents, in the order of the rows."""
        ...

    @property
    def vectors(self) -> Matrix:
        """Embeddings of the documents, documents x dim, of length one."""
        ...


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a simulation.

    Attributes:
        vector: Embedding of the question; None: the mean of the corpus.
        keywords: Share of the keywords in each document, 0 to 1.
    """

    vector: Vector | None
    keywords: np.ndarray


@dataclass(frozen=True, slots=True)
class RankedRows:
    """Ranked documents in columns, most relevant first.

    Attributes:
        rows: Rows of the documents in the corpus.
        scores: Relevance.
        similarities: Cosine to the question.
        visits: How often agents visited each document.
        keywords: Share of the keywords in each document, 0 to 1.
    """

    rows: list[int]
    scores: list[float]
    similarities: list[float]
    visits: list[int]
    keywords: list[float]


@dataclass(frozen=True, slots=True)
class ReportMaterial:
    """The material of a report on one step, without the documents' texts.

    Attributes:
        trails: Trails between the best documents, as the rows of both ends and a strength, strongest first.
    """

    query: str
    mode: ReportMode
    metrics: StepMetrics
    best: RankedRows
    trails: list[tuple[int, int, float]]


class SwarmSession:
    """The state of a simulation and its steps. Call `spawn` or `restore` first. Not thread-safe."""

    def __init__(
        self, corpus: EmbeddedCorpus, settings: SimulationSettings, target: Target, *, device: str = "cpu"
    ) -> None:
        """Copy the corpus to the device. There are no agents yet."""
        self.ids = list(corpus.ids)
        self.documents = Documents.of(namespace_on(device).asarray(corpus.vectors, device=device))
        self.settings = settings
        self._painter: FrameRenderer | None = None
        self._aim(target)

    def change(self, settings: SimulationSettings, target: Target | None = None) -> None:
        """Change settings. The relevance of documents is updated at once, without waiting for a step.

        A new target resets the rules of convergence, because what had converged was the answer to the old one.

        Args:
            target: The new target, if it changed.
        """
        kw_lambda, self.settings = self.settings.kw_lambda, settings
        if target is not None:
            self._aim(target)
            self.convergence = Convergence()
        if target is not None or settings.kw_lambda != kw_lambda:
            self.swarm = replace(self.swarm, relevance=self._relevance(self._asked))
            self.metrics = metrics_of(self.swarm)
        if settings.num_agents != len(self.swarm.agents):
            self.swarm = resized(self.swarm, settings.num_agents, self.documents, self._query)

    def _aim(self, target: Target) -> None:
        vectors = self.documents.vectors
        self._query = vectors.mean(axis=0) if target.vector is None else like(target.vector, vectors)
        self._asked = self._asking(target)

    def _asking(self, target: Target) -> QueryRelevance:
        vector = self._query if target.vector is None else target.vector
        keywords = like(np.asarray(target.keywords, np.float32), self.documents.vectors)
        return QueryRelevance(self.documents.cosines(vector), keywords)

    def spawn(self, *, seed: int, trails: Sequence[tuple[int, int, float]] = ()) -> None:
        """Create the agents and start at step 0.

        Args:
            seed: Seed of the random numbers.
            trails: Trails to start with, as the rows of two documents and a strength.
        """
        vectors = self.documents.vectors
        started = Trails.none(len(self.documents), beside=vectors)
        if trails:
            here, there, strength = (np.array(column) for column in zip(*trails, strict=True))
            started = started.with_deposits(
                like(here, vectors), like(there, vectors), like(strength.astype(np.float32), vectors)
            )
        similarity = self._asked.similarity + self.settings.kw_lambda * self._asked.keywords
        self.swarm: Swarm = new_swarm(
            self.documents,
            self._query,
            agents=self.settings.num_agents,
            seed=seed,
            similarity=similarity,
            trails=started,
        )
        self.convergence = Convergence()
        self.metrics: StepMetrics = metrics_of(self.swarm)

    def restore(self, data: bytes) -> None:
        """Restore the state that `stored` returned. Relevance is computed for the current documents and question."""
        self.swarm, self.convergence = unpacked(data, self.documents, self.ids)
        self.swarm = replace(self.swarm, relevance=self._relevance(self._asked))
        self.metrics = metrics_of(self.swarm)

    def stored(self) -> bytes:
        """Return the complete state."""
        return packed(self.swarm, self.convergence, self.ids)

    def step(self, *, now: float) -> None:
        """Make a step.

        Args:
            now: Seconds since the simulation began, by the wall clock; in deterministic mode, the number of the step.
        """
        chosen = self.settings
        self.swarm = next_step(
            self.swarm,
            self.documents,
            self._asked,
            now=now,
            exploration_bonus=chosen.exploration_bonus,
            pheromone_decay=chosen.pheromone_decay,
            kw_lambda=chosen.kw_lambda,
            trail_ceiling=chosen.trail_ceiling,
        )
        self.metrics = metrics_of(self.swarm)
        self.convergence = self.convergence.following(self.swarm, self.metrics, self._rules())

    @property
    def over(self) -> str | None:
        """Why the simulation is over: `trails`, `relevance` or `max_iterations`; None if it is not."""
        reached = self.convergence.reached(self.settings.window) if self.settings.stop_on_convergence else None
        return reached or ("max_iterations" if self.swarm.step >= self.settings.max_iterations else None)

    def best(self, limit: int) -> RankedRows:
        """Return the `limit` most relevant documents."""
        return self._ranked(self._asked, self.swarm.relevance, limit)

    def best_for(self, target: Target, limit: int) -> RankedRows:
        """Return the documents most relevant to another target, based on the same visits."""
        asked = self._asking(target)
        return self._ranked(asked, self._relevance(asked), limit)

    def of(self, row: int) -> tuple[float, int]:
        """Return relevance and visits of one document."""
        return float(self.swarm.relevance[row]), int(self.swarm.visits[row])

    def picture(self) -> Frame:
        """Render the current step."""
        chosen = self.settings
        self._painter = self._painter or FrameRenderer(self.documents)
        return self._painter.draw(
            self.swarm,
            dims=chosen.viz_dims,
            min_trail_strength=chosen.min_trail_strength,
            max_edges=chosen.max_edges,
        )

    def strongest_trails(self, limit: int, *, among: Sequence[int] | None = None) -> list[tuple[int, int, float]]:
        """Return trails as the rows of both ends and a strength, strongest first.

        Args:
            among: If given, only trails with both ends in these rows.
        """
        lower, higher = (to_numpy(end) for end in self.swarm.trails.ends)
        strength = to_numpy(self.swarm.trails.strength)
        if among is not None:
            rows = np.array(among, np.int64)
            inside = np.isin(lower, rows) & np.isin(higher, rows)
            lower, higher, strength = lower[inside], higher[inside], strength[inside]
        order = np.argsort(-strength, kind="stable")[:limit]
        return list(zip(lower[order].tolist(), higher[order].tolist(), strength[order].tolist(), strict=True))

    def report_material(self) -> ReportMaterial:
        """Return the material of a report on the current step."""
        chosen, best = self.settings, self.best(self.settings.top_k)
        trails = self.strongest_trails(_REPORT_TRAILS, among=best.rows)
        return ReportMaterial(chosen.query, chosen.report_mode, self.metrics, best, trails)

    def visited(self) -> list[int]:
        """Return the rows of the documents that agents visited."""
        return np.flatnonzero(to_numpy(self.swarm.visits)).tolist()

    def _relevance(self, asked: QueryRelevance) -> Array:
        """Return the relevance of each document to a question, based on the visits so far."""
        latest = float(self.swarm.last_visited.max())
        return relevance(
            asked,
            visits=self.swarm.visits,
            recent=recently(self.swarm.last_visited, latest),
            kw_lambda=self.settings.kw_lambda,
        )

    def _ranked(self, asked: QueryRelevance, values: Array, limit: int) -> RankedRows:
        # Higher relevance first, then by row, which is the order of ids.
        order = array_namespace(values).argsort(values, descending=True)[:limit]
        return RankedRows(
            order.tolist(),
            values[order].tolist(),
            asked.similarity[order].tolist(),
            self.swarm.visits[order].tolist(),
            asked.keywords[order].tolist(),
        )

    def _rules(self) -> Rules:
        chosen = self.settings
        return Rules(
            window=chosen.window,
            trail_floor=chosen.trail_floor,
            new_trails=chosen.new_trails,
            speed_limit=chosen.speed_limit,
            speed_change=chosen.speed_change,
            mass_change=chosen.mass_change,
            relevance_low=chosen.relevance_low,
            relevance_high=chosen.relevance_high,
            relevance_amplitude=chosen.relevance_amplitude,
            relevance_drift=chosen.relevance_drift,
            relevance_change=chosen.relevance_change,
            top_k=chosen.top_k,
            top_k_kept=chosen.top_k_kept,
        )
