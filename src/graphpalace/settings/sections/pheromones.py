"""The section `[pheromones]`: how fast pheromones fade, and what a deposit adds. Source: seed 003."""

from __future__ import annotations

from pydantic import Field

from graphpalace.domain.pheromones.pheromones import DecayRates, Rewards
from graphpalace.settings.sections.section import Section

_RATES, _REWARDS = DecayRates(), Rewards()


class DepositSettings(Section):
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


class PheromoneSettings(Section):
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
