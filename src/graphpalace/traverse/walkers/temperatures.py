"""The temperatures of agents, which set how far they stray: by archetype, and as they fall during a walk (seed 003)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import get_args

import numpy as np
from jaxtyping import Float64

from graphpalace.domain.walking.exploration import (
    COLDEST,
    EQUAL_SHARES,
    HOTTEST,
    LARGEST_SHARE,
    LEAST_FLOOR,
    TEMPERATURES,
    Schedule,
)
from graphpalace.errors import InvalidInput


def temperatures(
    agents: int, *, mix: Mapping[str, float] = EQUAL_SHARES, given: Mapping[str, float] = TEMPERATURES
) -> Float64[np.ndarray, " agents"]:
    """Return the temperature of each agent. Agents of the same archetype are adjacent.

    The agents are divided among the archetypes by the largest remainder method (Hamilton), without randomness.

    Args:
        agents: Number of agents, >= 1.
        mix: Share of each archetype, 0 to 1,000, on any scale.
        given: Temperatures of archetypes, 0.001 to 100, which replace those of the seed.

    Raises:
        InvalidInput: If an archetype is unknown, a share or a temperature is out of range, all shares are 0, or
            `agents` is below 1.

    Example:
        >>> temperatures(4, mix={"explorer": 2, "exploiter": 1}).tolist()
        [1.0, 1.0, 1.0, 0.1]
    """
    if agents < 1:
        raise InvalidInput(f"agents is {agents}; it must be at least 1", field="agents", value=agents)
    _check("mix", mix, 0.0, LARGEST_SHARE)
    _check("temperatures", given, COLDEST, HOTTEST)
    shares = np.array(list(mix.values()), np.float64)
    if not shares.sum() > 0:
        raise InvalidInput(
            f"mix is {dict(mix)}; at least one archetype must have a share above 0", field="mix", value=dict(mix)
        )
    exact = agents * shares / shares.sum()
    count = np.floor(exact).astype(np.int64)
    most_missing = np.argsort(-(exact - count), kind="stable")
    count[most_missing[: agents - int(count.sum())]] += 1
    warmth = {**TEMPERATURES, **given}
    return np.repeat([warmth[name] for name in mix], count)


def _check(field: str, values: Mapping[str, float], low: float, high: float) -> None:
    for name, value in values.items():
        if name not in TEMPERATURES:
            known = ", ".join(TEMPERATURES)
            raise InvalidInput(f"{field} has {name!r}, which is not an archetype; use {known}", field=field)
        if not low <= value <= high:
            raise InvalidInput(
                f"{field} of {name} is {value:g}; it must be {low:g} to {high:g}", field=f"{field}.{name}", value=value
            )


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
