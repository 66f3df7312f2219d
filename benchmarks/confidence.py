"""Whether the confidence of an answer tells questions with their documents from the same questions without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmarks.result import Result
from benchmarks.workbench import Workbench, say
from graphpalace.evaluation.collection import read_collection
from graphpalace.evaluation.confidence_figures import NoAnswerFigures, no_answer_figures
from graphpalace.evaluation.evaluate import evaluating
from graphpalace.evaluation.no_answer_samples import Sample, fitted
from graphpalace.settings.sections.search import SearchSettings

TARGET = 0.85
_QUESTIONS = 200  # of each collection


async def measure(bench: Workbench) -> Result:
    """Ask the questions of each collection that was given, at least two, with their documents and without."""
    assert bench.running
    collections = [read_collection(folder) for folder in bench.collections]
    samples: dict[str, list[Sample]] = {}
    for collection in collections:
        say(f"asking {collection.name}")
        async with evaluating(bench.settings, collection) as evaluation:
            samples[collection.name] = await evaluation.no_answer(collection, collections, most=_QUESTIONS)
    figures = figures_of(samples)
    ratio = figures["auc"]["ratio"]
    return bench.result("confidence", ratio=ratio, target=TARGET, met=ratio >= TARGET, figures=figures)


def figures_of(samples: Mapping[str, Sequence[Sample]]) -> dict[str, Any]:
    """Return the figures of all collections, each judged by models that were fitted to the others, and their means."""
    found = {name: _left_out(samples, name) for name in samples}
    return {
        "ratio_is": "mean AUC of questions with their documents against the same questions without; 0.5 is chance",
        "auc": {"ratio": fmean(each.auc or 0.0 for each in found.values()), "target": TARGET},
        "auc_foreign": fmean(each.auc_foreign or 0.0 for each in found.values()),
        "calibration_error": fmean(each.calibration_error for each in found.values()),
        "hit_auc": fmean(each.hit_auc or 0.0 for each in found.values()),
        "hit_calibration_error": fmean(each.hit_calibration_error for each in found.values()),
        "first_hit_calibration_error": fmean(each.first_hit_calibration_error for each in found.values()),
        "collections": {
            name: {"auc": each.auc, "calibration_error": each.calibration_error} for name, each in found.items()
        },
    }


def _left_out(samples: Mapping[str, Sequence[Sample]], name: str) -> NoAnswerFigures:
    models = fitted({other: each for other, each in samples.items() if other != name})
    least = SearchSettings().least_confidence
    return no_answer_figures(samples[name], hit=models.hit, answer=models.answer, least=least)
