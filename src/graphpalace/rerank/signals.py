"""The signals of candidates: how they fade, what a drawer remembers of questions, and one score of all (seed 001)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.rerank import RerankWeights
from graphpalace.domain.vectors import Matrix, Vector
from graphpalace.errors import InvalidInput

_Column = Float64[np.ndarray, " candidates"]
_DrawerColumn = Float64[np.ndarray, " drawers"]
_SignalColumn = Float64[np.ndarray, " signals"]


@dataclass(frozen=True, slots=True)
class Components:
    """The signals of some candidates, each in a column.

    Attributes:
        dense: Cosine to the question, or the score by which the caller ranks, -1 to 1.
        narrative, pheromone: 0 to 1.
    """

    dense: _Column
    narrative: _Column
    pheromone: _Column

    def of(self, rows: np.ndarray) -> Components:
        """Return the signals of some rows."""
        return Components(self.dense[rows], self.narrative[rows], self.pheromone[rows])


def linear_fusion(components: Components, weights: RerankWeights) -> _Column:
    """Return w_d dense + w_n narrative + w_p pheromone of each candidate.

    Example:
        >>> found = Components(np.array([0.5]), np.array([0.5]), np.array([1.0]))
        >>> linear_fusion(found, RerankWeights()).round(9).tolist()
        [1.1]

    Source: seed 001, "Linear Fusion".
    """
    return (
        weights.dense * components.dense
        + weights.narrative * components.narrative
        + weights.pheromone * components.pheromone
    )


def narrative_bonus(question: Vector, memories: Matrix, strengths: _DrawerColumn, *, floor: float) -> _DrawerColumn:
    """Return strength x max(0, cos(question, memory) - floor) of each drawer, 0 to 1.

    Each drawer has its own memory, so an answer of one drawer does not help others. A strength of 0 gives no bonus.

    Args:
        question: Length one.
        memories: Mean directions of the questions that each drawer answered; any length, zeros for none.
        strengths: Values outside 0 to 1 are limited to it.
        floor: Least cosine that counts, 0 to 1.

    Example:
        >>> east = np.array([1, 0], np.float32)
        >>> narrative_bonus(east, east[None], np.array([0.5]), floor=0.5).tolist()
        [0.25]

    Source: seed 001, "Narrative Memory".
    """
    lengths = np.linalg.norm(memories, axis=1).astype(np.float64)
    cosines = (memories @ question) / np.where(lengths > 0, lengths, 1.0)
    above = np.clip(cosines, 0.0, 1.0) - floor
    return np.clip(strengths, 0.0, 1.0) * np.where(lengths > 0, np.maximum(above, 0.0), 0.0)


class DecayStrategy(Protocol):
    """Returns what is left of a signal. Any object with this method can be passed to the rerank."""

    def left(self, age_s: _SignalColumn) -> _SignalColumn:
        """Return the share that is left, 0 to 1, after `age_s` seconds, >= 0."""
        ...


@dataclass(frozen=True, slots=True)
class Exponential:
    """Half of it is left after each half-life."""

    half_life_s: float

    def left(self, age_s: _SignalColumn) -> _SignalColumn:
        """Return 2^(-age / half-life)."""
        return np.exp2(-age_s / self.half_life_s)


@dataclass(frozen=True, slots=True)
class Linear:
    """The signal fades evenly and is gone at the end of its life."""

    life_s: float

    def left(self, age_s: _SignalColumn) -> _SignalColumn:
        """Return 1 - age / life, at least 0."""
        return np.maximum(1.0 - age_s / self.life_s, 0.0)


@dataclass(frozen=True, slots=True)
class Step:
    """The signal stays whole until the end of its life and is then gone."""

    life_s: float

    def left(self, age_s: _SignalColumn) -> _SignalColumn:
        """Return 1 before the end of the life and 0 from then on."""
        return np.where(age_s < self.life_s, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class NoDecay:
    """The signal never fades."""

    def left(self, age_s: _SignalColumn) -> _SignalColumn:
        """Return 1 everywhere."""
        return np.ones_like(age_s)


_STRATEGIES: Mapping[str, Callable[[float], DecayStrategy]] = {
    "exponential": Exponential,
    "linear": Linear,
    "step": Step,
    "none": lambda _seconds: NoDecay(),
}


def strategy_of(name: str, *, seconds: float) -> DecayStrategy:
    """Return a strategy by name.

    Args:
        name: exponential, linear, step or none.
        seconds: Its half-life, or its life; > 0.

    Raises:
        InvalidInput: If the name is unknown, or the seconds are out of range.

    Example:
        >>> strategy_of("exponential", seconds=1800).left(np.array([0.0, 1800.0, 3600.0])).tolist()
        [1.0, 0.5, 0.25]
    """
    if name not in _STRATEGIES:
        raise InvalidInput(
            f"pheromone_decay is {name!r}; it must be one of {', '.join(_STRATEGIES)}",
            field="pheromone_decay",
            value=name,
        )
    if not seconds > 0:
        raise InvalidInput(
            f"pheromone_decay_s is {seconds}; it must be more than 0", field="pheromone_decay_s", value=seconds
        )
    return _STRATEGIES[name](seconds)
