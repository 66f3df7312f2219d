"""Logistic regression at run time: an intercept and a weight for each feature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64


@dataclass(frozen=True, slots=True)
class Logistic:
    """A fitted logistic regression.

    Attributes:
        intercept: Log-odds if all features are 0.
        weights: Change of the log-odds by each feature, in the order of the features.
    """

    intercept: float
    weights: Mapping[str, float]

    def log_odds(self, features: Float64[np.ndarray, "*rows features"]) -> Float64[np.ndarray, "*rows"]:
        """Return the log-odds for some features, one row for each case.

        Example:
            >>> Logistic(-1.0, {"cosine": 2.0, "cover": 1.0}).log_odds(np.array([0.25, 1.0])).tolist()
            0.5
        """
        return features @ np.array(list(self.weights.values()), np.float64) + self.intercept
