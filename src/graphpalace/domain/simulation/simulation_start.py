"""The request to start a simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class SimulationStart:
    """A request to start a simulation.

    Attributes:
        given: Settings to change for this start; the new values are stored with the simulation.
        choice: The corpus, by palace, wing, room, drawers or root (a folder). None uses the corpus of the last start,
            or the whole palace if there was none.
        paced: Whether `max_steps_per_s` limits the speed.
        replace_running: Whether a running simulation of the same name is stopped; otherwise the start is refused.
        unused_params: Parameters of the caller that have no effect here; the status shows them.
    """

    given: Mapping[str, Any]
    choice: Mapping[str, Any] | None = None
    paced: bool = True
    replace_running: bool = True
    unused_params: Mapping[str, Any] = field(default_factory=dict)
