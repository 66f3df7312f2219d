"""Computes the figures of learning from the answers of all rounds, and draws them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from graphpalace.errors import InvalidInput
from graphpalace.evaluation.asking import LEARNED, TRAILS, WHOLE
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
from graphpalace.evaluation.learning_curve import POINTS, Ranked, Round
from graphpalace.evaluation.learning_plan import LearningPlan
from graphpalace.evaluation.measure import METRICS, per_question
from graphpalace.learn.learned import ReplayTrial

_TICKS = (0, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


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


def check_can_draw(path: Path) -> None:
    """Check that a picture can be written, before hours are spent on its data.

    Raises:
        InvalidInput: If the path is not a PNG in an existing folder, or matplotlib is not installed.
    """
    if path.suffix.lower() != ".png":
        raise InvalidInput(f"--curve is {path}; it must end in .png", field="curve", value=str(path))
    if not path.absolute().parent.is_dir():
        raise InvalidInput(f"--curve is {path}; {path.absolute().parent} is not a folder", field="curve")
    if find_spec("matplotlib") is None:
        raise InvalidInput("--curve needs matplotlib, which is not installed: pip install matplotlib", field="curve")


def draw(path: Path, curves: Mapping[str, Sequence[CurvePoint]]) -> None:
    """Write a PNG with a line for each collection, and a band of one standard deviation of the gain over the seeds."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), layout="constrained")
    FigureCanvasAgg(figure)
    panel = figure.subplots()
    for name, points in curves.items():
        counts = [point.feedbacks for point in points]
        line = panel.plot(counts, [point.mean for point in points], marker="o", ms=4, lw=1.6, label=name)
        low = [point.mean - point.gain_deviation for point in points]
        high = [point.mean + point.gain_deviation for point in points]
        panel.fill_between(counts, low, high, color=line[0].get_color(), alpha=0.15, lw=0)
    panel.set_xscale("symlog", linthresh=10)
    most = max(points[-1].feedbacks for points in curves.values())
    ticks = [count for count in _TICKS if count <= most]
    panel.set_xticks(ticks, [str(count) for count in ticks])
    panel.minorticks_off()
    panel.set_xlim(left=0)
    panel.set_xlabel("feedbacks (linear up to 10, then logarithmic)")
    panel.set_title("nDCG@10 of questions never rewarded; band: one standard deviation of the gain", loc="left")
    panel.grid(color="#E4E4E4")
    panel.spines[["top", "right"]].set_visible(False)
    panel.legend(frameon=False)
    figure.savefig(path, dpi=100)
