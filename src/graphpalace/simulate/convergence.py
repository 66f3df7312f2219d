"""When a simulation has found what it will find (seed 000, "Convergence Heuristics")."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Int
from torch import Tensor

from graphpalace.simulate.metrics import Metrics
from graphpalace.simulate.swarm import Swarm

_NO_MASS = 1e-12


@dataclass(frozen=True, slots=True)
class Rules:
    """The limits of both rules; the seed's values are the defaults of `SimulationSettings`.

    Attributes:
        window: Steps that are looked back, W.
        trail_floor: s_min.
        speed_limit: v_eps.
        mass_change: m_eps.
        relevance_low, relevance_high: The band [L, U].
        relevance_amplitude: Greatest swing inside the window.
        relevance_drift: Greatest change over the window.
    """

    window: int = 20
    trail_floor: float = 0.05
    speed_limit: float = 0.05
    mass_change: float = 0.02
    relevance_low: float = 0.7
    relevance_high: float = 0.9
    relevance_amplitude: float = 0.05
    relevance_drift: float = 0.02


@dataclass(frozen=True, slots=True)
class Moment:
    """What a later step is compared with.

    Attributes:
        present: Keys of the trails of at least `trail_floor`.
    """

    present: Int[Tensor, " trails"]
    trail_mass: float
    avg_rel: float


@dataclass(frozen=True, slots=True)
class Convergence:
    """The last steps, and for how many each rule has held without a break.

    Attributes:
        moments: At most window + 1, latest last.
        trails_held: Steps for which no trail is new, the swarm rests and the mass of the trails is stable.
        relevance_held: Steps for which the mean relevance has stayed in its band.
    """

    moments: tuple[Moment, ...] = ()
    trails_held: int = 0
    relevance_held: int = 0

    def following(self, swarm: Swarm, metrics: Metrics, rules: Rules) -> Convergence:
        """Return what is known after another step."""
        present = swarm.trails.keys[swarm.trails.strength >= rules.trail_floor]
        moments = (*self.moments, Moment(present, metrics.trail_mass, metrics.avg_rel))[-(rules.window + 1) :]
        known = replace(self, moments=moments)
        if len(moments) <= rules.window:
            return replace(known, trails_held=0, relevance_held=0)
        return replace(
            known,
            trails_held=self.trails_held + 1 if known._trails_rest(metrics, rules) else 0,
            relevance_held=self.relevance_held + 1 if known._relevance_rests(rules) else 0,
        )

    @property
    def holds(self) -> str | None:
        """The rule that holds at this step, `trails` before `relevance`; None if neither does."""
        return "trails" if self.trails_held else "relevance" if self.relevance_held else None

    def reached(self, window: int) -> str | None:
        """Return the rule that has held for one full window; None if neither has."""
        return "trails" if self.trails_held >= window else "relevance" if self.relevance_held >= window else None

    def _trails_rest(self, metrics: Metrics, rules: Rules) -> bool:
        then, now = self.moments[0], self.moments[-1]
        change = abs(now.trail_mass - then.trail_mass) / max(then.trail_mass, _NO_MASS)
        return (
            metrics.avg_speed < rules.speed_limit
            and change < rules.mass_change
            and bool(torch.isin(now.present, then.present).all())
        )

    def _relevance_rests(self, rules: Rules) -> bool:
        means = [moment.avg_rel for moment in self.moments]
        inside = means[1:]  # A_k for k in [t - W + 1, t]
        return (
            all(rules.relevance_low <= mean <= rules.relevance_high for mean in inside)
            and max(inside) - min(inside) <= rules.relevance_amplitude
            and abs(means[-1] - means[0]) <= rules.relevance_drift
        )
