"""How the gate of a rerank decides how many candidates are worth the later stages (seed 001, "Candidate Gating")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphpalace.errors import InvalidInput

GateMode = Literal["off", "auto", "on"]

MOST_TEMPERATURE = 1e6
MOST_CANDIDATES = 1_000_000


@dataclass(frozen=True, slots=True)
class GateRule:
    """How the gate decides.

    Attributes:
        mode: off keeps all; auto keeps as many as the similarities are uncertain; on drops what is below the
            threshold as well.
        threshold: Uncertainty that keeps half-way between fewest and most, and with `on` the least cosine, 0 to 1.
        min_candidates, max_candidates: Fewest and most that are kept, 1 to 1,000,000.
        entropy_temp: Low makes the gate surer, > 0 to 1e6.

    Raises:
        InvalidInput: If a value is out of range.
    """

    mode: GateMode = "auto"
    threshold: float = 0.7
    min_candidates: int = 100
    max_candidates: int = 400
    entropy_temp: float = 1.0

    def __post_init__(self) -> None:
        if self.mode not in ("off", "auto", "on"):
            raise _wrong("mode", self.mode, "off, auto or on")
        if not 0 <= self.threshold <= 1:
            raise _wrong("threshold", self.threshold, "0 to 1")
        if not 0 < self.entropy_temp <= MOST_TEMPERATURE:
            raise _wrong("entropy_temp", self.entropy_temp, f"more than 0 and at most {MOST_TEMPERATURE:g}")
        if not 1 <= self.min_candidates <= MOST_CANDIDATES:
            raise _wrong("min_candidates", self.min_candidates, f"1 to {MOST_CANDIDATES:,}")
        if not self.min_candidates <= self.max_candidates <= MOST_CANDIDATES:
            right = f"from min_candidates, {self.min_candidates}, to {MOST_CANDIDATES:,}"
            raise _wrong("max_candidates", self.max_candidates, right)


def _wrong(name: str, value: object, right: str) -> InvalidInput:
    return InvalidInput(f"gating_{name} is {value!r}; it must be {right}", field=f"gating_{name}", value=value)
