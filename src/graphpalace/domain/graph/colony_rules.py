"""The options of a colony: its agents, their steps, and how freely they choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeVar

_T = TypeVar("_T")

Archetype = Literal["explorer", "exploiter", "balanced", "specialist", "generalist"]
Schedule = Literal["constant", "linear", "exponential", "cosine"]

# At temperature T a neighbour that is better by T is e times as likely (seed 003).
TEMPERATURES = MappingProxyType(
    {"explorer": 1.0, "exploiter": 0.1, "balanced": 0.5, "specialist": 0.3, "generalist": 0.7}
)
EQUAL_SHARES = MappingProxyType(dict.fromkeys(TEMPERATURES, 1.0))
COLDEST, HOTTEST = 0.001, 100.0
LARGEST_SHARE = 1000.0
LEAST_FLOOR = 0.001
SCHEDULE: Schedule = "exponential"
FLOOR = 0.1
MOST_AGENTS, MOST_STEPS = 10_000, 1_000


@dataclass(frozen=True, slots=True)
class ColonyRules:
    """The rules of one exploration. None leaves a rule to the defaults.

    Attributes:
        agents: Number of agents, 1 to 10,000.
        steps: Steps of each agent, 1 to 1,000.
        mix: Share of each archetype, 0 to 1,000 on any scale. Archetypes that are not named do not walk.
        temperatures: Temperatures of archetypes, .001 to 100. Archetypes that are not named keep their own.
        schedule: How the temperatures fall during the walk.
        floor: Share of its temperature that an agent has left at its last step, .001 to 1.
    """

    agents: int | None = None
    steps: int | None = None
    mix: Mapping[str, float] | None = None
    temperatures: Mapping[str, float] | None = None
    schedule: Schedule | None = None
    floor: float | None = None

    def over(self, others: ColonyRules) -> ColonyRules:
        """Return these rules, with the values of `others` where these are None."""

        def first(one: _T | None, other: _T | None) -> _T | None:
            return other if one is None else one

        return ColonyRules(
            agents=first(self.agents, others.agents),
            steps=first(self.steps, others.steps),
            mix=first(self.mix, others.mix),
            temperatures={**(others.temperatures or {}), **(self.temperatures or {})},
            schedule=first(self.schedule, others.schedule),
            floor=first(self.floor, others.floor),
        )
