"""What is asked for when a simulation is started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SimulationStart:
    """A start.

    Attributes:
        given: Settings that are to differ from those kept; they are kept too.
        choice: palace, wing, room, drawers or root; None: the corpus of the last start, else the whole palace.
        paced: Whether it keeps to `max_steps_per_s`.
        unused_params: What the caller gave that means nothing here; the status shows it.
    """

    given: Mapping[str, Any]
    choice: Mapping[str, Any] | None = None
    paced: bool = True
    unused_params: Mapping[str, Any] = field(default_factory=dict)
