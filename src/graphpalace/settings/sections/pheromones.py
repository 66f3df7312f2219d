"""The section `[pheromones]`: how fast pheromones fade, and what a deposit adds (seed 003)."""

from __future__ import annotations

from pydantic import Field

from graphpalace.domain.graph.pheromones import DecayRates, Rewards
from graphpalace.settings.sections.section import Section

_RATES, _REWARDS = DecayRates(), Rewards()


class DepositSettings(Section):
    """What a deposit adds (seed 003)."""

    success_base_reward: float = Field(
        default=_REWARDS.success_base_reward,
        ge=0,
        description="The success that the first edge of a path gains. Later edges gain less.",
    )
    exploitation_bonus: float = Field(
        default=_REWARDS.exploitation_bonus, ge=0, description="The exploitation that each node of a path gains."
    )
    exploration_mark: float = Field(
        default=_REWARDS.exploration_mark, ge=0, description="The exploration that a searched node gains."
    )
    traversal_increment: float = Field(
        default=_REWARDS.traversal_increment, ge=0, description="The traversal that each edge of a path gains."
    )
    recency_reset: float = Field(
        default=_REWARDS.recency_reset, ge=0, description="The recency of each edge of a path is set to this value."
    )


class PheromoneSettings(Section):
    """The share of each pheromone that is lost in one cycle (seed 003)."""

    exploitation_decay: float = Field(
        default=_RATES.exploitation,
        ge=0,
        le=1,
        description="The share of exploitation that a node loses. The default halves it in about 35 cycles.",
    )
    exploration_decay: float = Field(
        default=_RATES.exploration,
        ge=0,
        le=1,
        description="The share of exploration that a node loses. The default halves it in about 14 cycles.",
    )
    success_decay: float = Field(
        default=_RATES.success,
        ge=0,
        le=1,
        description="The share of success that an edge loses. The default halves it in about 69 cycles.",
    )
    traversal_decay: float = Field(
        default=_RATES.traversal,
        ge=0,
        le=1,
        description="The share of traversal that an edge loses. The default halves it in about 23 cycles.",
    )
    recency_decay: float = Field(
        default=_RATES.recency,
        ge=0,
        le=1,
        description="The share of recency that an edge loses. The default halves it in about 7 cycles.",
    )
    decay_interval_cycles: int = Field(
        default=10, ge=1, description="The bulk decay runs once in this number of cycles."
    )
    max_pheromone: float = Field(
        default=_REWARDS.max_pheromone, gt=0, description="No pheromone grows beyond this value (MAX-MIN ant system)."
    )
    deposit: DepositSettings = DepositSettings()

    @property
    def rates(self) -> DecayRates:
        """How fast each pheromone fades."""
        return DecayRates(
            exploitation=self.exploitation_decay,
            exploration=self.exploration_decay,
            success=self.success_decay,
            traversal=self.traversal_decay,
            recency=self.recency_decay,
        )

    @property
    def rewards(self) -> Rewards:
        """What deposits add."""
        return Rewards(**dict(self.deposit), max_pheromone=self.max_pheromone)
