"""Kinds of agents: the temperature says how far an agent strays from what looks best (seed 003)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from jaxtyping import Float64

from graphpalace.errors import InvalidInput

# At temperature T a neighbour that is better by T is e times as likely.
TEMPERATURES = MappingProxyType(
    {"explorer": 1.0, "exploiter": 0.1, "balanced": 0.5, "specialist": 0.3, "generalist": 0.7}
)
EQUAL_SHARES = MappingProxyType(dict.fromkeys(TEMPERATURES, 1.0))


def temperatures(agents: int, *, mix: Mapping[str, float] = EQUAL_SHARES) -> Float64[np.ndarray, " agents"]:
    """Return the temperature of each agent, those of one archetype side by side.

    Args:
        agents: How many, >= 1.
        mix: Share of each archetype, >= 0, on any scale. The same mix gives the same agents each time: whole agents
            first, then one each where most is missing (Hamilton's method).

    Raises:
        InvalidInput: If an archetype is not known, a share is negative, all are 0, or there is no agent.

    Example:
        >>> temperatures(4, mix={"explorer": 2, "exploiter": 1}).tolist()
        [1.0, 1.0, 1.0, 0.1]
    """
    if strange := [name for name in mix if name not in TEMPERATURES]:
        raise InvalidInput(f"{strange[0]} is no archetype; known are {', '.join(TEMPERATURES)}", field="mix")
    shares = np.array(list(mix.values()), np.float64)
    if agents < 1 or not len(shares) or not np.isfinite(shares).all() or shares.min() < 0 or shares.sum() <= 0:
        raise InvalidInput("a colony has at least one agent, and shares >= 0 that are not all 0", field="mix")
    exact = agents * shares / shares.sum()
    count = np.floor(exact).astype(np.int64)
    most_missing = np.argsort(-(exact - count), kind="stable")
    count[most_missing[: agents - int(count.sum())]] += 1
    return np.repeat([TEMPERATURES[name] for name in mix], count)
