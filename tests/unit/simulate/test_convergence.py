from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from tests.unit.simulate.swarms import KINDS, array, corpus_of, random_vectors, trails_of

from graphpalace.simulate.convergence import Convergence, Rules, StepMetrics, metrics_of

_RULES = Rules(window=2)
_SWARM = corpus_of(random_vectors(4, 4)).swarm(1)


@dataclass(frozen=True)
class _Step:
    """What a rule looks at; as it stands both rules hold."""

    trails: dict[tuple[int, int], float] = field(default_factory=lambda: {(0, 1): 5.0})
    speed: float = 0.01
    relevance: float = 0.8
    mass: float | None = None
    best: tuple[int, ...] = (0, 1)


_REST = _Step()
_ONLY_TRAILS = _Step(relevance=0.2)
_ONLY_RELEVANCE = _Step(speed=1.0)


def _after(*steps: _Step, rules: Rules = _RULES) -> Convergence:
    known = Convergence()
    for number, step in enumerate(steps, 1):
        mass = sum(step.trails.values()) if step.mass is None else step.mass
        metrics = StepMetrics(number, step.relevance, 1.0, len(step.trails), step.speed, mass)
        scores = array([float(row in step.best) for row in range(4)])
        swarm = replace(_SWARM, trails=trails_of(4, step.trails), relevance=scores)
        known = known.following(swarm, metrics, rules)
    return known


def test_no_rule_holds_before_there_is_a_step_a_window_ago() -> None:
    assert _after(_REST, _REST).holds is None
    assert _after(_REST, _REST, _REST).holds == "trails"
    assert _after(*[_ONLY_RELEVANCE] * 3).holds == "relevance"


def test_a_rule_is_reached_when_it_has_held_for_a_whole_window() -> None:
    assert _after(*[_REST] * 3).reached(2) is None
    assert _after(*[_REST] * 4).reached(2) == "trails"
    assert _after(*[_ONLY_RELEVANCE] * 3).reached(2) is None
    assert _after(*[_ONLY_RELEVANCE] * 4).reached(2) == "relevance"


def test_a_break_begins_the_count_anew() -> None:
    hasty = replace(_ONLY_TRAILS, speed=0.06)
    assert _after(*[_ONLY_TRAILS] * 3, hasty, _ONLY_TRAILS).trails_held == 1
    assert _after(*[_ONLY_TRAILS] * 5).trails_held == 3
    outside = replace(_ONLY_RELEVANCE, relevance=0.95)
    assert _after(*[_ONLY_RELEVANCE] * 5).relevance_held == 3
    assert _after(*[_ONLY_RELEVANCE] * 4, outside).relevance_held == 0


def test_a_longer_window_begins_the_count_anew() -> None:
    known = _after(*[_REST] * 4)
    assert (known.trails_held, known.relevance_held) == (2, 2)
    metrics = StepMetrics(5, 0.8, 1.0, 1, 0.01, 5.0)
    longer = known.following(_SWARM, metrics, Rules(window=9))
    assert (longer.trails_held, longer.relevance_held, longer.holds) == (0, 0, None)


def test_a_trail_is_present_from_the_floor_on() -> None:
    rules = replace(_RULES, trail_floor=0.25)
    (checkpoint,) = _after(replace(_REST, trails={(0, 1): 0.25, (1, 2): 0.24}), rules=rules).checkpoints
    assert checkpoint.present.tolist() == [1]


def test_of_limits_the_mass_must_be_below_and_the_others_may_be_reached() -> None:
    rules = replace(_RULES, mass_change=0.25, relevance_low=0.0, relevance_amplitude=0.25, relevance_drift=0.25)
    assert _after(*[replace(_ONLY_TRAILS, mass=mass) for mass in (4.0, 4.0, 5.0)], rules=rules).trails_held == 0
    assert _after(*[replace(_ONLY_TRAILS, mass=mass) for mass in (4.0, 4.0, 4.9)], rules=rules).trails_held == 1
    for means, held in (((0.5, 0.5, 0.75), 1), ((0.5, 0.75, 0.75), 1), ((0.5, 0.5, 0.76), 0), ((0.5, 0.76, 0.76), 0)):
        steps = [replace(_ONLY_RELEVANCE, relevance=mean) for mean in means]
        assert _after(*steps, rules=rules).relevance_held == held


def test_no_more_steps_are_kept_than_a_window_needs() -> None:
    assert len(_after(*[_REST] * 9).checkpoints) == 3


@pytest.mark.parametrize(
    ("last", "holds"),
    [
        (replace(_ONLY_TRAILS, trails={(0, 1): 5.0, (1, 2): 0.051}), False),  # a new one
        (replace(_ONLY_TRAILS, trails={(0, 1): 5.0, (1, 2): 0.049}), True),  # too weak to be present
        (replace(_ONLY_TRAILS, trails={}, mass=5.0), True),  # one that went is not new
        (replace(_ONLY_TRAILS, speed=0.0499), True),
        (replace(_ONLY_TRAILS, speed=0.05), False),  # must be below
        (replace(_ONLY_TRAILS, mass=5.09), True),
        (replace(_ONLY_TRAILS, mass=5.11), False),  # changed by more than .02 of 5
        (replace(_ONLY_TRAILS, mass=4.89), False),
    ],
)
def test_each_condition_of_the_trails_can_fail_alone(last: _Step, holds: bool) -> None:
    found = _after(_ONLY_TRAILS, _ONLY_TRAILS, last)
    assert found.holds == ("trails" if holds else None)


def test_a_trail_is_compared_with_those_a_window_ago_and_not_with_the_last_ones() -> None:
    more = replace(_ONLY_TRAILS, trails={(0, 1): 5.0, (1, 2): 0.06})
    assert _after(_ONLY_TRAILS, more, more).holds is None
    assert _after(_ONLY_TRAILS, more, more, more).holds == "trails"


def test_no_trails_at_all_rest_and_first_trails_do_not() -> None:
    bare = _Step(trails={}, relevance=0.2)
    assert _after(bare, bare, bare).holds == "trails"
    assert _after(bare, bare, _ONLY_TRAILS).holds is None


@pytest.mark.parametrize(
    ("means", "holds"),
    [
        ((0.80, 0.80, 0.80), True),
        ((0.70, 0.70, 0.70), True),
        ((0.90, 0.90, 0.90), True),
        ((0.69, 0.70, 0.70), True),  # the step a window ago need not be in the band
        ((0.70, 0.70, 0.69), False),
        ((0.90, 0.90, 0.91), False),
        ((0.80, 0.69, 0.80), False),
    ],
)
def test_the_mean_relevance_stays_in_its_band(means: tuple[float, ...], holds: bool) -> None:
    assert (_relevances(means).holds == "relevance") is holds


def _relevances(means: tuple[float, ...]) -> Convergence:
    return _after(*[replace(_ONLY_RELEVANCE, relevance=mean) for mean in means])


def test_the_mean_relevance_swings_little() -> None:
    assert _relevances((0.80, 0.77, 0.81)).holds == "relevance"
    assert _relevances((0.771, 0.825, 0.79)).holds == "relevance"  # the step a window ago is no part of the swing
    assert _relevances((0.80, 0.75, 0.81)).holds is None  # .06 inside the band, and only .01 of drift


def test_the_mean_relevance_drifts_little_over_the_window() -> None:
    assert _relevances((0.80, 0.81, 0.815)).holds == "relevance"
    assert _relevances((0.80, 0.82, 0.83)).holds is None  # a swing of .01 inside the window, and .03 since


def test_the_limits_can_be_others() -> None:
    wide = replace(_RULES, relevance_low=0.1, speed_limit=2.0)
    assert _after(*[_Step(relevance=0.2, speed=1.0)] * 3, rules=wide).relevance_held == 1
    assert _after(*[_Step(relevance=0.2, speed=1.0)] * 3, rules=wide).trails_held == 1
    assert _after(*[_Step(relevance=0.2, speed=1.0)] * 3).holds is None


# Limits relative to the run: wide open where the seed's are narrow, so that each fails alone.
_RELATIVE = Rules(
    window=4,
    new_trails=0.1,
    speed_limit=10.0,
    speed_change=0.1,
    mass_change=10.0,
    relevance_low=-1.0,
    relevance_high=5.0,
    relevance_amplitude=5.0,
    relevance_drift=5.0,
    relevance_change=0.2,
    top_k=2,
    top_k_kept=0.6,
)
_FAST = _Step(speed=8.0, relevance=0.2)


def _holds(*steps: _Step) -> tuple[bool, bool]:
    found = _after(*steps, rules=_RELATIVE)
    return bool(found.trails_held), bool(found.relevance_held)


@pytest.mark.parametrize(
    ("speeds", "holds"),
    [
        ((1.0, 8.0, 8.0, 8.0, 8.0), True),  # however fast, and the step a window ago is in neither half
        ((8.0, 8.0, 8.0, 8.7, 8.7), True),  # .0875 of the first half's
        ((8.0, 10.0, 6.0, 8.0, 8.0), True),  # halves are compared by their means
        ((8.0, 8.0, 4.0, 6.0, 6.0), True),
        ((8.0, 8.0, 8.0, 8.9, 8.9), False),
        ((8.0, 8.0, 8.0, 7.1, 7.1), False),
        ((0.0, 0.0, 0.0, 0.0, 0.0), True),
        ((0.0, 0.0, 0.0, 0.1, 0.1), False),
    ],
)
def test_a_steady_speed_is_one_that_changes_by_little_of_itself(speeds: tuple[float, ...], holds: bool) -> None:
    assert _holds(*[replace(_FAST, speed=speed) for speed in speeds]) == (holds, True)


@pytest.mark.parametrize(("new", "holds"), [(0.5, True), (0.6, False)])
def test_new_trails_may_have_a_tenth_of_the_strength(new: float, holds: bool) -> None:
    then, now = _FAST, replace(_FAST, trails={(0, 1): 5.0, (1, 2): new})  # .5 / 5.5 and .6 / 5.6
    assert _holds(*[then] * 4, now) == (holds, True)
    halves = replace(_FAST, trails={(0, 1): 5.0, (1, 2): new / 2, (0, 2): new / 2})
    assert _holds(*[then] * 4, halves) == (holds, True)


@pytest.mark.parametrize(
    ("means", "holds"),
    [
        ((0.2, 0.6, 0.6, 0.6, 0.6, 0.6), True),  # it has risen by .4 and rests
        ((0.2, 0.6, 0.61, 0.63, 0.66, 0.67), True),  # by .47, and swings by .07 of the .094 that it may
        (
            (0.2, 0.55, 0.65, 0.70, 0.70, 0.70),
            False,
        ),  # by .5, and swings by .15 of the .1 that it may
        ((0.2, 0.3, 0.4, 0.5, 0.6, 0.7), False),
        ((0.9, 0.5, 0.5, 0.5, 0.5, 0.55), True),  # it has fallen by .4, and swings by .05 of the .08 that it may
        ((0.3, 0.3, 0.3, 0.3, 0.3, 0.3), True),
    ],
)
def test_a_steady_relevance_swings_by_little_of_what_it_has_swung_since_the_start(
    means: tuple[float, ...], holds: bool
) -> None:
    assert _holds(*[replace(_FAST, relevance=mean) for mean in means]) == (True, holds)


@pytest.mark.parametrize(
    ("best", "holds"),
    [
        (((2, 3), (0, 1), (0, 1), (0, 1), (0, 1)), True),
        (((0, 1), (0, 1), (1, 2), (0, 2), (0, 1)), True),  # the same three in turn
        (((0, 1), (0, 1), (0, 1), (1, 2), (0, 1)), True),  # two of three are kept: .67
        (((0, 1), (0, 1), (0, 1), (0, 2), (0, 3)), False),  # one of three
        (((0, 1), (0, 1), (0, 1), (0, 2), (0, 2)), False),  # one of two
        (((0, 1), (0, 1), (0, 1), (2, 3), (2, 3)), False),
    ],
)
def test_neither_rule_holds_while_the_results_are_still_others(best: tuple[tuple[int, int], ...], holds: bool) -> None:
    assert _holds(*[replace(_FAST, best=rows) for rows in best]) == (holds, holds)


def test_a_share_of_kept_results_may_be_reached() -> None:
    steps = [replace(_FAST, best=rows) for rows in ((0, 1), (0, 1), (0, 1), (0, 2), (0, 2))]
    assert _after(*steps, rules=replace(_RELATIVE, top_k_kept=0.5)).trails_held == 1


def test_results_that_nobody_asks_for_are_not_kept() -> None:
    assert not any(len(checkpoint.top) for checkpoint in _after(_REST, _REST, _REST).checkpoints)
    assert [checkpoint.top.tolist() for checkpoint in _after(_FAST, rules=_RELATIVE).checkpoints] == [[0, 1]]


@pytest.mark.parametrize("kind", KINDS)
def test_the_figures_are_means_and_sums_of_the_state(kind: str) -> None:
    corpus = corpus_of(random_vectors(4, 2), kind=kind)
    swarm = corpus.swarm(2)
    agents = replace(swarm.agents, velocities=array([[3.0, 4.0], [0.0, 0.0]], kind))
    trails = trails_of(4, {(0, 1): 0.2, (1, 3): 0.3}, kind=kind)
    found = metrics_of(
        replace(swarm, step=6, agents=agents, trails=trails, relevance=array([0.2, 0.6, -0.2, 0.2], kind))
    )
    assert (found.step, found.trails) == (6, 2)
    assert (found.avg_rel, found.max_rel) == (pytest.approx(0.2), pytest.approx(0.6))
    assert (found.avg_speed, found.trail_mass) == (pytest.approx(2.5), pytest.approx(0.5))


def test_a_swarm_without_trails_has_no_mass() -> None:
    found = metrics_of(corpus_of(random_vectors(1, 2)).swarm(1))
    assert (found.trails, found.trail_mass) == (0, 0.0)
    assert found.avg_rel == found.max_rel


def test_the_figures_have_names_and_the_step_is_none_of_them() -> None:
    assert StepMetrics(6, 0.2, 0.6, 2, 2.5, 0.5).figures() == {
        "avg_rel": 0.2,
        "max_rel": 0.6,
        "trails": 2,
        "avg_speed": 2.5,
        "trail_mass": 0.5,
    }
