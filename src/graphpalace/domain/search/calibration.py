"""Calibration: how a raw estimate becomes a probability."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float

Numbers = Float[np.ndarray, "..."]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A change of log-odds x to scale x + shift, which keeps the order of what it changes.

    Attributes:
        scale: Above 0; 1 changes nothing.
        shift: 0 changes nothing.

    Source: Platt, Probabilistic outputs for support vector machines, 1999.
    """

    scale: float = 1.0
    shift: float = 0.0

    def probability(self, log_odds: Numbers) -> Numbers:
        """Return probabilities, 0 to 1.

        >>> Calibration().probability(np.array([0.0, np.log(3)])).round(3).tolist()
        [0.5, 0.75]
        """
        return 1.0 / (1.0 + np.exp(-(self.scale * log_odds + self.shift)))


@dataclass(frozen=True, slots=True)
class Calibrations:
    """The calibrations of the confidence of hits and of answers."""

    hit: Calibration = field(default_factory=Calibration)
    answer: Calibration = field(default_factory=Calibration)
