"""The metrics of each step, and whether the results of a simulation have stabilised (seed 000).

There are two rules, `trails` and `relevance`. Each compares the current step with the one a window of W steps earlier,
and holds if all of its limits are kept. The seed's limits are absolute; the others are relative to what the run has
shown so far. A preset in `domain/simulation/simulation_settings.py` sets the limits of one kind tightly and those of
the other kind so wide that they never matter.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from statistics import fmean

from jaxtyping import Float, Int

from graphpalace.arrays import Array, array_namespace, to_numpy
from graphpalace.simulate.documents import lengths
from graphpalace.simulate.swarm import Swarm

_NO_MASS = 1e-12


@dataclass(frozen=True, slots=True)
class Rules:
    """The limits of both convergence rules. The defaults are the seed's, without limits relative to the run.

    Attributes:
        window: Number of steps to look back, W in the seed, >= 2.
        trail_floor: Strength from which a trail counts as present, s_min in the seed.
        new_trails: Rule trails: largest share, 0 to 1, of the present trails' strength that may lie on trails that
            were not present W steps ago.
        speed_limit: Rule trails: the agents' mean speed must be below this, v_eps in the seed.
        speed_change: Rule trails: largest change of the mean speed between the first and second half of the window,
            relative to the first half; 0 disables the check.
        mass_change: Rule trails: the total strength of all trails must have changed by less than this share within W
            steps, m_eps in the seed.
        relevance_low, relevance_high: Rule relevance: band that the mean relevance must stay in, [L, U] in the seed.
        relevance_amplitude: Rule relevance: largest difference between two mean relevances of the window.
        relevance_drift: Rule relevance: largest difference between the mean relevance now and W steps ago.
        relevance_change: Rule relevance: largest range of the mean relevance over the last W steps, relative to its
            range since the start; 0 disables the check.
        top_k: Number of documents that count as results.
        top_k_kept: Both rules: smallest share, 0 to 1, of the results in the second half of the window that must also
            be results in its first half; 0 disables the check.
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
    """The figures of one step that later steps are compared with.

    Attributes:
        present: Keys of the trails whose strength is at least `trail_floor`.
        trail_mass: Total strength of all trails.
        avg_rel: Mean relevance of the documents.
        avg_speed: Mean speed of the agents.
        top: Indices of the `top_k` most relevant documents; empty if `top_k_kept` is 0.
    """

    present: Int[Array, " trails"]
    trail_mass: float
    avg_rel: float
    avg_speed: float
    top: Int[Array, " top"]


@dataclass(frozen=True, slots=True)
class Convergence:
    """The recent history of a simulation, and for how many consecutive steps each rule has held.

    Attributes:
        checkpoints: The last steps, oldest first, at most window + 1 of them.
        trails_held: Number of consecutive steps for which the rule `trails` has held.
        relevance_held: Number of consecutive steps for which the rule `relevance` has held.
        least, most: Smallest and largest mean relevance since the start; inf and -inf before the first step.
    """

    checkpoints: tuple[Checkpoint, ...] = ()
    trails_held: int = 0
    relevance_held: int = 0
    least: float = math.inf
    most: float = -math.inf

    def following(self, swarm: Swarm, metrics: StepMetrics, rules: Rules) -> Convergence:
        """Return the history extended by one step."""
        there = swarm.trails.strength >= rules.trail_floor
        present, mean = swarm.trails.keys[there], metrics.avg_rel
        checkpoint = Checkpoint(present, metrics.trail_mass, mean, metrics.avg_speed, _top(swarm, rules))
        checkpoints = (*self.checkpoints, checkpoint)[-(rules.window + 1) :]
        known = replace(self, checkpoints=checkpoints, least=min(self.least, mean), most=max(self.most, mean))
        if len(checkpoints) <= rules.window:
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
        """The rule that holds at this step, or None. If both hold, it is `trails`."""
        return "trails" if self.trails_held else "relevance" if self.relevance_held else None

    def reached(self, window: int) -> str | None:
        """Return the rule that has held for `window` consecutive steps, or None. If both have, it is `trails`."""
        return "trails" if self.trails_held >= window else "relevance" if self.relevance_held >= window else None

    def _trails_rest(self, strength: Float[Array, " trails"], rules: Rules) -> bool:
        then, now = self.checkpoints[0], self.checkpoints[-1]
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
        earlier, later = (fmean(checkpoint.avg_speed for checkpoint in half) for half in self._halves)
        return abs(later - earlier) <= rules.speed_change * earlier

    def _results_rest(self, rules: Rules) -> bool:
        if not rules.top_k_kept:
            return True
        xp = array_namespace(self.checkpoints[0].top)
        earlier, later = (xp.unique_values(xp.concat([checkpoint.top for checkpoint in half])) for half in self._halves)
        return bool(xp.isin(later, earlier).sum() >= rules.top_k_kept * len(later))

    @property
    def _halves(self) -> tuple[tuple[Checkpoint, ...], tuple[Checkpoint, ...]]:
        inside = self.checkpoints[1:]
        return inside[: len(inside) // 2], inside[len(inside) // 2 :]

    def _relevance_rests(self, rules: Rules) -> bool:
        means = [checkpoint.avg_rel for checkpoint in self.checkpoints]
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


def _top(swarm: Swarm, rules: Rules) -> Int[Array, " top"]:
    count = rules.top_k if rules.top_k_kept else 0
    return array_namespace(swarm.relevance).argsort(swarm.relevance, descending=True)[:count]


def _new_share(now: Checkpoint, then: Checkpoint, strength: Float[Array, " trails"]) -> float:
    """Return the share of the present trails' strength that lies on trails that were not present `then`, 0 to 1."""
    new = strength[~array_namespace(strength).isin(now.present, then.present)]
    return float(new.sum() / strength.sum()) if len(new) else 0.0


@dataclass(frozen=True, slots=True)
class StepMetrics:
    """Metrics of one step.

    Attributes:
        step: Number of the step; 0 before the first.
        avg_rel, max_rel: Mean and largest relevance of the documents.
        trails: Number of trails.
        avg_speed: Mean length of the agents' velocities.
        trail_mass: Total strength of all trails.
    """

    step: int
    avg_rel: float
    max_rel: float
    trails: int
    avg_speed: float
    trail_mass: float

    def figures(self) -> dict[str, float]:
        """Return all metrics by name, without the step."""
        return {name: value for name, value in asdict(self).items() if name != "step"}


def metrics_of(swarm: Swarm) -> StepMetrics:
    """Compute the metrics of a simulation, with a single transfer from the device."""
    xp = array_namespace(swarm.relevance)
    speeds = lengths(swarm.agents.velocities)
    figures = [swarm.relevance.mean(), swarm.relevance.max(), speeds.mean(), swarm.trails.strength.sum()]
    avg_rel, max_rel, avg_speed, trail_mass = to_numpy(xp.stack(figures)).tolist()
    return StepMetrics(swarm.step, avg_rel, max_rel, len(swarm.trails), avg_speed, trail_mass)
