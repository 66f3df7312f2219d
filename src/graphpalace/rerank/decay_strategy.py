"""Ways in which a signal can fade with the wall clock (seed 001, "Pheromone Signal" and "Future Enhancements")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from jaxtyping import Float64

from graphpalace.errors import InvalidInput

_Column = Float64[np.ndarray, " signals"]


class DecayStrategy(Protocol):
    """Returns what is left of a signal. Any object with this method can be passed to the rerank."""

    def left(self, age_s: _Column) -> _Column:
        """Return the share that is left, 0 to 1, after `age_s` seconds, >= 0."""
        ...


@dataclass(frozen=True, slots=True)
class Exponential:
    """Half of it is left after each half-life."""

    half_life_s: float

    def left(self, age_s: _Column) -> _Column:
        """Return 2^(-age / half-life)."""
        return np.exp2(-age_s / self.half_life_s)


@dataclass(frozen=True, slots=True)
class Linear:
    """The signal fades evenly and is gone at the end of its life."""

    life_s: float

    def left(self, age_s: _Column) -> _Column:
        """Return 1 - age / life, at least 0."""
        return np.maximum(1.0 - age_s / self.life_s, 0.0)


@dataclass(frozen=True, slots=True)
class Step:
    """The signal stays whole until the end of its life and is then gone."""

    life_s: float

    def left(self, age_s: _Column) -> _Column:
        """Return 1 before the end of the life and 0 from then on."""
        return np.where(age_s < self.life_s, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class NoDecay:
    """The signal never fades."""

    def left(self, age_s: _Column) -> _Column:
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
