"""Computes the figures of learning from the answers of all rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float

from graphpalace.evaluation.collection import Collection, CollectionQuestion
from graphpalace.evaluation.figures import (
    MAIN,
    CurvePoint,
    EvaluationResult,
    LearningFigures,
    MetFigures,
    SeedFigures,
    measured,
)
from graphpalace.evaluation.learning.curve import POINTS, Ranked, Round
from graphpalace.evaluation.learning.plan import LearningPlan
from graphpalace.evaluation.measure import METRICS, per_question
from graphpalace.evaluation.systems import LEARNED, TRAILS, WHOLE
from graphpalace.learn.learned import ReplayTrial


def learning_figures(
    collection: Collection, rounds: Sequence[Round], plan: LearningPlan, *, left_out: Iterable[str], seconds: float
) -> EvaluationResult:
    """Compute the figures over all measured questions of all rounds.

    For the intervals, a question that was measured in several rounds counts as one question, weighted by the number of
    rounds. Counting it as several questions would make the intervals too narrow.

    Args:
        left_out: Names of the ablations.
        seconds: Duration of the evaluation.
    """
    left_out = list(left_out)
    totals, times = _totals(collection, rounds, [WHOLE, LEARNED, *left_out])
    asked = times > 0
    values = {
        name: {metric: total[asked] / times[asked] for metric, total in each.items()} for name, each in totals.items()
    }
    systems = [WHOLE, LEARNED, *(name for name in left_out if name == TRAILS)]
    took = [answer.took_ms for each in rounds for answer in each.answers[LEARNED].values()]
    return EvaluationResult(
        collection=collection.name,
        documents=len(collection.documents),
        questions=len(collection.questions),
        unjudged=collection.unjudged,
        systems={name: measured(values, name, baseline=WHOLE, times=times[asked]) for name in (WHOLE, LEARNED)},
        ablations={name: measured(values, name, baseline=LEARNED, times=times[asked]) for name in left_out},
        latency_ms={f"p{share}": float(np.percentile(took, share)) for share in (50, 95)},
        seconds=seconds,
        learning=LearningFigures(
            plan,
            [
                SeedFigures(seed, len(each.measured), each.feedbacks, [_trial(trial) for trial in each.trials])
                for seed, each in enumerate(rounds)
            ],
            _curve(rounds),
            _met(collection, rounds, systems),
        ),
    )


def _met(collection: Collection, rounds: Sequence[Round], systems: Sequence[str]) -> MetFigures:
    """Compute the figures over the questions with names that were met before."""
    only = [
        replace(each, measured=[question for question in each.measured if question.id in each.met]) for each in rounds
    ]
    totals, times = _totals(collection, only, systems)
    asked = times > 0
    count = int(times.sum())
    if not count:
        return MetFigures(0, {})
    values = {name: {metric: total[asked] / times[asked] for metric, total in totals[name].items()} for name in systems}
    return MetFigures(count, {name: measured(values, name, baseline=WHOLE, times=times[asked]) for name in systems})


def _trial(trial: ReplayTrial) -> dict[str, Any]:
    verdict = trial.verdict
    return {"change": trial.change, "gain": verdict.gain, "error": verdict.error, "kept": trial.kept}


def _totals(
    collection: Collection, rounds: Sequence[Round], names: Sequence[str]
) -> tuple[dict[str, dict[str, np.ndarray]], Float[np.ndarray, " questions"]]:
    """Return the sums of each metric over the rounds, by system, and how often each question was measured."""
    count = len(collection.questions)
    place = {question.id: at for at, question in enumerate(collection.questions)}
    totals = {name: {metric: np.zeros(count) for metric in METRICS} for name in names}
    times = np.zeros(count)
    for each in rounds:
        rows = [place[question.id] for question in each.measured]
        times[rows] += 1
        for name in names:
            for metric, found in _values(each.measured, each.answers[name]).items():
                totals[name][metric][rows] += found
    return totals, times


def _values(questions: Sequence[CollectionQuestion], answers: Ranked) -> Mapping[str, np.ndarray]:
    relevant = {question.id: question.relevant for question in questions}
    return per_question(relevant, {question: answer.documents for question, answer in answers.items()})


def _curve(rounds: Sequence[Round]) -> list[CurvePoint]:
    """Return the points of the curve that all rounds have in common, and one for the end of all rounds."""
    if not rounds[0].curve:
        return []
    common = [count for count in (0, *POINTS) if all(count < each.feedbacks for each in rounds)]
    counts = [[count] * len(rounds) for count in common] + [[each.feedbacks for each in rounds]]
    return [_point(rounds, each) for each in counts]


def _point(rounds: Sequence[Round], counts: Sequence[int]) -> CurvePoint:
    means = np.array([_mean(each, count) for each, count in zip(rounds, counts, strict=True)])
    gains = means - np.array([_mean(each, 0) for each in rounds])
    return CurvePoint(
        float(np.mean(counts)), float(means.mean()), _deviation(means), float(gains.mean()), _deviation(gains)
    )


def _mean(of: Round, count: int) -> float:
    return float(_values(of.measured, of.curve[count])[MAIN].mean())


def _deviation(of: np.ndarray) -> float:
    return float(of.std(ddof=1)) if len(of) > 1 else 0.0
