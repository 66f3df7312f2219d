"""The sections on pheromones and walks along them: `[pheromones]`, `[decay]`, `[exploration]` (seed 003)."""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import Field, field_validator

from graphpalace.domain.pheromones.pheromones import DecayRates, Rewards
from graphpalace.domain.walking.walks import (
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
from graphpalace.settings.sections.section import SettingsSection

_RATES, _REWARDS = DecayRates(), Rewards()


class DepositSettings(SettingsSection):
    """The amounts of pheromone that a deposit adds to the edges and nodes of a path."""

    success_base_reward: float = Field(
        default=_REWARDS.success_base_reward,
        ge=0,
        description="The success that a deposit adds to the first edge of a path. Edge i of n, counted from 0, gets "
        "the share 1 - i / n of it.",
    )
    exploitation_bonus: float = Field(
        default=_REWARDS.exploitation_bonus,
        ge=0,
        description="The exploitation that a deposit adds to each node of a path.",
    )
    exploration_mark: float = Field(
        default=_REWARDS.exploration_mark, ge=0, description="The exploration that is added to a searched node."
    )
    traversal_increment: float = Field(
        default=_REWARDS.traversal_increment,
        ge=0,
        description="The traversal that a deposit adds to each edge of a path.",
    )
    recency_reset: float = Field(
        default=_REWARDS.recency_reset,
        ge=0,
        description="The value to which a deposit sets the recency of each edge of a path.",
    )


class PheromoneSettings(SettingsSection):
    """The share of each pheromone that is lost in one cycle of the clock, and the limits of pheromones.

    After n cycles, the share (1 - rate)^n is left.
    """

    exploitation_decay: float = Field(
        default=_RATES.exploitation,
        ge=0,
        le=1,
        description="The share of exploitation that a node loses in a cycle. The default halves it in about 35 cycles.",
    )
    exploration_decay: float = Field(
        default=_RATES.exploration,
        ge=0,
        le=1,
        description="The share of exploration that a node loses in a cycle. The default halves it in about 14 cycles.",
    )
    success_decay: float = Field(
        default=_RATES.success,
        ge=0,
        le=1,
        description="The share of success that an edge loses in a cycle. The default halves it in about 69 cycles.",
    )
    traversal_decay: float = Field(
        default=_RATES.traversal,
        ge=0,
        le=1,
        description="The share of traversal that an edge loses in a cycle. The default halves it in about 23 cycles.",
    )
    recency_decay: float = Field(
        default=_RATES.recency,
        ge=0,
        le=1,
        description="The share of recency that an edge loses in a cycle. The default halves it in about 7 cycles.",
    )
    decay_interval_cycles: int = Field(
        default=10, ge=1, description="The number of cycles after which the decay is applied to the stored pheromones."
    )
    max_pheromone: float = Field(
        default=_REWARDS.max_pheromone,
        gt=0,
        description="The largest value of a pheromone (the upper limit of a MAX-MIN ant system).",
    )
    deposit: DepositSettings = DepositSettings()

    @property
    def rates(self) -> DecayRates:
        """The decay rates, per cycle."""
        return DecayRates(
            exploitation=self.exploitation_decay,
            exploration=self.exploration_decay,
            success=self.success_decay,
            traversal=self.traversal_decay,
            recency=self.recency_decay,
        )

    @property
    def rewards(self) -> Rewards:
        """The amounts that deposits add, and the largest value of a pheromone."""
        return Rewards(**dict(self.deposit), max_pheromone=self.max_pheromone)


class DecaySettings(SettingsSection):
    """The palace's clock and the service that applies the decay."""

    cycle_seconds: float = Field(
        default=3600.0, gt=0, description="The length of one cycle of the palace's clock in seconds."
    )
    batch_rows: int = Field(
        default=2000,
        ge=1,
        description="The largest number of nodes or edges that one transaction of the decay changes.",
    )
    lease_s: float = Field(
        default=60.0,
        ge=1,
        description="After this number of seconds, another service may take over from one that has died.",
    )
    enabled: bool = Field(default=True, description="Whether `graphpalace serve` runs the decay service too.")


class ExplorationSettings(SettingsSection):
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
