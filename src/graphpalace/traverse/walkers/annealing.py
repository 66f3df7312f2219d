"""Annealing schedules: how the temperatures of agents fall during a walk (seed 003)."""

from __future__ import annotations

import math
from typing import get_args

from graphpalace.domain.graph.colony_rules import LEAST_FLOOR, Schedule
from graphpalace.errors import InvalidInput


def annealed(step: int, *, steps: int, schedule: Schedule, floor: float) -> float:
    """Return the factor on all temperatures at a step: 1 at the first step, `floor` at the last.

    Args:
        step: Number of the step, from 0 to `steps` - 1.
        steps: Number of steps of the walk.
        schedule: `linear` falls by the same difference at each step, `exponential` by the same ratio, and `cosine`
            slowly at both ends. `constant` stays at 1.
        floor: 0.001 to 1.

    Raises:
        InvalidInput: If the schedule is not known or the floor is outside its range.

    Example:
        >>> [annealed(step, steps=3, schedule="linear", floor=0.5) for step in range(3)]
        [1.0, 0.75, 0.5]
    """
    if not LEAST_FLOOR <= floor <= 1:
        raise InvalidInput(f"floor is {floor}; it must be {LEAST_FLOOR:g} to 1", field="floor", value=floor)
    passed = step / (steps - 1) if steps > 1 else 0.0
    match schedule:
        case "constant":
            return 1.0
        case "linear":
            return 1.0 - (1.0 - floor) * passed
        case "exponential":
            return floor**passed
        case "cosine":
            return floor + (1.0 - floor) * (1.0 + math.cos(math.pi * passed)) / 2
    known = ", ".join(get_args(Schedule))
    raise InvalidInput(f"schedule is {schedule!r}; it must be one of {known}", field="schedule", value=schedule)
