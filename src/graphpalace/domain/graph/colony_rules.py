"""The options of a colony: its agents, their steps, and how freely they choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Literal, TypeVar

from pydantic import Field

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
    """The rules of one exploration. None leaves a rule to the defaults. `Explore` refuses what is out of range."""

    agents: Annotated[
        int | None,
        Field(ge=1, le=MOST_AGENTS, description="how many walk; default: the setting, else as many as fit the palace"),
    ] = None
    steps: Annotated[int | None, Field(ge=1, le=MOST_STEPS, description="of each agent; default as for agents")] = None
    mix: Annotated[
        Mapping[Archetype, Annotated[float, Field(ge=0, le=LARGEST_SHARE)]] | None,
        Field(description="share of each archetype that walks, on any scale; default: the setting"),
    ] = None
    temperatures: Annotated[
        Mapping[Archetype, Annotated[float, Field(ge=COLDEST, le=HOTTEST)]] | None,
        Field(description="of archetypes, low takes the best edge, high any; one that is not named keeps the setting"),
    ] = None
    schedule: Annotated[
        Schedule | None, Field(description="how the agents cool while walking; default: the setting")
    ] = None
    floor: Annotated[
        float | None,
        Field(
            ge=LEAST_FLOOR, le=1, description="share of its temperature at an agent's last step; default: the setting"
        ),
    ] = None

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
