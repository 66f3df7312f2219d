"""The section `[exploration]`."""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import Field, field_validator

from graphpalace.domain.walking.exploration import (
    COLDEST,
    FLOOR,
    HOTTEST,
    LARGEST_SHARE,
    LEAST_FLOOR,
    MOST_AGENTS,
    MOST_STEPS,
    SCHEDULE,
    TEMPERATURES,
    Archetype,
    ColonyRules,
    Schedule,
)
from graphpalace.settings.sections.section import Section


class ExplorationSettings(Section):
    """The agents of an exploration, if its request does not give them (see docs/explanation/walking.md)."""

    agents: int = Field(
        default=0, ge=0, le=MOST_AGENTS, description="The number of agents. 0 means as many as fit the palace's size."
    )
    steps: int = Field(
        default=0,
        ge=0,
        le=MOST_STEPS,
        description="The number of steps of each agent. 0 means as many as fit the palace's size.",
    )
    mix: dict[Archetype, Annotated[float, Field(ge=0, le=LARGEST_SHARE)]] = Field(
        default={},
        description="The share of each archetype among the agents, for example { explorer = 2.0 }. If it is empty, the "
        "shares are equal.",
    )
    temperatures: dict[Archetype, Annotated[float, Field(ge=COLDEST, le=HOTTEST)]] = Field(
        default={name: TEMPERATURES[name] for name in get_args(Archetype)},
        description="How freely each archetype chooses. With a low temperature, an agent takes the best edge; with a "
        "high one, any edge.",
    )
    schedule: Schedule = Field(default=SCHEDULE, description="How the temperature of agents falls while they walk.")
    floor: float = Field(
        default=FLOOR,
        ge=LEAST_FLOOR,
        le=1,
        description="The share of its first temperature that an agent has at its last step.",
    )

    @field_validator("mix")
    @classmethod
    def _somebody_walks(cls, mix: dict[Archetype, float]) -> dict[Archetype, float]:
        if mix and not sum(mix.values()) > 0:
            raise ValueError("at least one archetype must have a share above 0")
        return mix

    @property
    def rules(self) -> ColonyRules:
        """The rules of an exploration. Numbers that are None follow the size of the palace."""
        return ColonyRules(
            agents=self.agents or None,
            steps=self.steps or None,
            mix={**self.mix} or None,
            temperatures={**self.temperatures},
            schedule=self.schedule,
            floor=self.floor,
        )
