"""When a simulation has found what it will find (seed 000, "Convergence Heuristics").

The seed's limits are absolute. Those relative to what the run itself shows stand beside them, and all count at once; a
preset (`domain/simulation/simulation_settings.py`) leaves the limits of the other kind wide open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import fmean

import torch
from jaxtyping import Float, Int
from torch import Tensor

from graphpalace.simulate.metrics import Metrics
from graphpalace.simulate.swarm import Swarm

_NO_MASS = 1e-12


@dataclass(frozen=True, slots=True)
class Rules:
    """The limits of both rules; the defaults are the seed's, with no limit relative to the run.

    Attributes:
        window: Steps that are looked back, W.
        trail_floor: s_min.
        new_trails: Greatest share that trails new since W steps ago have in the strength of those present.
        speed_limit: v_eps.
        speed_change: Greatest change of the mean speed from the window's first half to its second, as a share of the
            first; 0: none is asked for.
        mass_change: m_eps.
        relevance_low, relevance_high: The band [L, U].
        relevance_amplitude: Greatest swing inside the window.
        relevance_drift: Greatest change over the window.
        relevance_change: Greatest swing since W steps ago, as a share of that since the start; 0: none is asked for.
        top_k: How many documents are results.
        top_k_kept: Least share of the window's later results that were among its earlier ones; 0: none is asked for.
    """

    window: int = 20
    trail_floor: float = 0.05
    new_trails: float = 0.0
    speed_limit: float = 0.05
    speed_change: float = 0.0
    mass_change: float = 0.02
    relevance_low: float = 0.7
    relevance_high: float = 0.9
    relevance_amplitude: float = 0.05
    relevance_drift: float = 0.02
    relevance_change: float = 0.0
    top_k: int = 10
    top_k_kept: float = 0.0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a later step is compared with.

    Attributes:
        present: Keys of the trails of at least `trail_floor`.
        top: Rows of the best documents; none where nobody asks for them.
    """

    present: Int[Tensor, " trails"]
    trail_mass: float
    avg_rel: float
    avg_speed: float
    top: Int[Tensor, " top"]


@dataclass(frozen=True, slots=True)
class Convergence:
    """The last steps, and for how many each rule has held without a break.

    Attributes:
        moments: At most window + 1, latest last.
        trails_held: Steps for which no trail is new, the swarm rests and the mass of the trails is stable.
        relevance_held: Steps for which the mean relevance has stayed in its band.
        least, most: The mean relevance since the start, if there was a step.
    """

    moments: tuple[Checkpoint, ...] = ()
    trails_held: int = 0
    relevance_held: int = 0
    least: float = math.inf
    most: float = -math.inf

    def following(self, swarm: Swarm, metrics: Metrics, rules: Rules) -> Convergence:
        """Return what is known after another step."""
        there = swarm.trails.strength >= rules.trail_floor
        present, mean = swarm.trails.keys[there], metrics.avg_rel
        moment = Checkpoint(present, metrics.trail_mass, mean, metrics.avg_speed, _top(swarm, rules))
        moments = (*self.moments, moment)[-(rules.window + 1) :]
        known = replace(self, moments=moments, least=min(self.least, mean), most=max(self.most, mean))
        if len(moments) <= rules.window:
            return replace(known, trails_held=0, relevance_held=0)
        kept = known._results_rest(rules)
        trails = kept and known._trails_rest(swarm.trails.strength[there], rules)
        relevance = kept and known._relevance_rests(rules)
        return replace(
            known,
            trails_held=self.trails_held + 1 if trails else 0,
            relevance_held=self.relevance_held + 1 if relevance else 0,
        )

    @property
    def holds(self) -> str | None:
        """The rule that holds at this step, `trails` before `relevance`; None if neither does."""
        return "trails" if self.trails_held else "relevance" if self.relevance_held else None

    def reached(self, window: int) -> str | None:
        """Return the rule that has held for one full window; None if neither has."""
        return "trails" if self.trails_held >= window else "relevance" if self.relevance_held >= window else None

    def _trails_rest(self, strength: Float[Tensor, " trails"], rules: Rules) -> bool:
        then, now = self.moments[0], self.moments[-1]
        change = abs(now.trail_mass - then.trail_mass) / max(then.trail_mass, _NO_MASS)
        return (
            now.avg_speed < rules.speed_limit
            and change < rules.mass_change
            and self._speed_rests(rules)
            and _new_share(now, then, strength) <= rules.new_trails
        )

    def _speed_rests(self, rules: Rules) -> bool:
        if not rules.speed_change:
            return True
        earlier, later = (fmean(moment.avg_speed for moment in half) for half in self._halves)
        return abs(later - earlier) <= rules.speed_change * earlier

    def _results_rest(self, rules: Rules) -> bool:
        if not rules.top_k_kept:
            return True
        earlier, later = (torch.cat([moment.top for moment in half]).unique() for half in self._halves)
        return bool(torch.isin(later, earlier).sum() >= rules.top_k_kept * len(later))

    @property
    def _halves(self) -> tuple[tuple[Checkpoint, ...], tuple[Checkpoint, ...]]:
        inside = self.moments[1:]
        return inside[: len(inside) // 2], inside[len(inside) // 2 :]

    def _relevance_rests(self, rules: Rules) -> bool:
        means = [moment.avg_rel for moment in self.moments]
        inside = means[1:]  # A_k for k in [t - W + 1, t]
        return (
            all(rules.relevance_low <= mean <= rules.relevance_high for mean in inside)
            and max(inside) - min(inside) <= rules.relevance_amplitude
            and abs(means[-1] - means[0]) <= rules.relevance_drift
            and (
                not rules.relevance_change
                or max(means) - min(means) <= rules.relevance_change * (self.most - self.least)
            )
        )


def _top(swarm: Swarm, rules: Rules) -> Int[Tensor, " top"]:
    count = rules.top_k if rules.top_k_kept else 0
    return swarm.relevance.argsort(descending=True, stable=True)[:count]


def _new_share(now: Checkpoint, then: Checkpoint, strength: Float[Tensor, " trails"]) -> float:
    """Return the share of the present trails' strength that lies on those that were not present then."""
    new = strength[~torch.isin(now.present, then.present)]
    return float(new.sum() / strength.sum()) if len(new) else 0.0
