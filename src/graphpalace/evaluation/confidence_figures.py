"""Whether confidence is to be believed: with answers and without, in the first hit, and for each kind of question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Float64
from sklearn.metrics import roc_auc_score

from graphpalace.errors import InvalidInput
from graphpalace.evaluation.asking import AskedQuestion
from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.no_answer_samples import KINDS, Sample
from graphpalace.fuse.confidence import Logistic

BINS = 10


@dataclass(frozen=True, slots=True)
class NoAnswerFigures:
    """The figures of confidence on one collection.

    Attributes:
        cases: Number of questions of each kind; those with an answer were asked twice, also without it.
        auc: Area under the ROC curve of the answer's confidence, for questions with their documents against questions
            whose documents were removed, or that nothing answers; None if one kind is missing.
        auc_foreign: The same against questions of other collections.
        calibration_error: Expected calibration error of the answer's confidence, over the first two kinds.
        hit_auc: Area under the ROC curve of the hits' confidence, for relevant against other hits.
        hit_calibration_error: Expected calibration error of the hits' confidence.
        first_hit_confidence: Mean confidence of the first hits.
        first_hit_relevant: Share of the first hits that are relevant.
        first_hit_calibration_error: Expected calibration error of the first hits' confidence.
        confidence: Mean confidence of the answers of each kind.
        nothing_fits: Share of the answers of each kind that say that nothing fits well.
    """

    cases: dict[str, int]
    auc: float | None
    auc_foreign: float | None
    calibration_error: float
    hit_auc: float | None
    hit_calibration_error: float
    first_hit_confidence: float
    first_hit_relevant: float
    first_hit_calibration_error: float
    confidence: dict[str, float]
    nothing_fits: dict[str, float]


def no_answer_figures(samples: Sequence[Sample], *, hit: Logistic, answer: Logistic, least: float) -> NoAnswerFigures:
    """Compute the figures of one collection for a fitted model.

    Args:
        least: An answer with less confidence says that nothing fits well.

    Raises:
        InvalidInput: If there are no samples, because nothing was found for any question.
    """
    if not samples:
        raise InvalidInput("nothing was found for any question, so there is no confidence to measure")
    answers = probabilities(answer, np.stack([sample.answer for sample in samples]))
    kinds = np.array([sample.kind for sample in samples])
    positive, own = kinds == "answered", kinds != "foreign"
    hits = [sample for sample in samples if sample.kind != "foreign"]
    of_hits = probabilities(hit, np.concatenate([sample.hits for sample in hits] or [np.zeros((0, len(hit.weights)))]))
    relevant = np.concatenate([sample.relevant for sample in hits] or [np.zeros(0, bool)])
    first = np.cumsum([0, *(len(sample.relevant) for sample in hits)])[:-1]
    counts: Mapping[str, int] = {kind: int((kinds == kind).sum()) for kind in KINDS}
    return NoAnswerFigures(
        cases=dict(counts),
        auc=auc(answers[own], positive[own]),
        auc_foreign=auc(answers[positive | ~own], positive[positive | ~own]),
        calibration_error=calibration_error(answers[own], positive[own]),
        hit_auc=auc(of_hits, relevant),
        hit_calibration_error=calibration_error(of_hits, relevant),
        first_hit_confidence=float(of_hits[first].mean()) if hits else 0.0,
        first_hit_relevant=float(relevant[first].mean()) if hits else 0.0,
        first_hit_calibration_error=calibration_error(of_hits[first], relevant[first]),
        confidence={kind: float(answers[kinds == kind].mean()) for kind, count in counts.items() if count},
        nothing_fits={kind: float((answers[kinds == kind] < least).mean()) for kind, count in counts.items() if count},
    )


def probabilities(model: Logistic, features: Float64[np.ndarray, "cases features"]) -> Float64[np.ndarray, " cases"]:
    """Return the probability of each case."""
    return 1.0 / (1.0 + np.exp(-model.log_odds(features)))


def auc(confidence: Float64[np.ndarray, " cases"], positive: Bool[np.ndarray, " cases"]) -> float | None:
    """Return the area under the ROC curve; None if all cases are of one kind."""
    if not 0 < positive.sum() < len(positive):
        return None
    return float(roc_auc_score(positive, confidence))


def calibration_error(confidence: Float64[np.ndarray, " cases"], positive: Bool[np.ndarray, " cases"]) -> float:
    """Return the expected calibration error over ten bins of equal width; 0 without cases.

    For each bin, it is the difference between the mean confidence and the share of positive cases, weighted by the
    share of the cases that are in the bin.

    Example:
        >>> calibration_error(np.array([0.95, 0.95, 0.15, 0.15]), np.array([True, False, False, False])).__round__(3)
        0.3

    Source: Guo and others, On calibration of modern neural networks, ICML 2017.
    """
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    gaps = [
        (bins == at).sum() * abs(confidence[bins == at].mean() - positive[bins == at].mean())
        for at in np.unique(bins).tolist()
    ]
    return float(sum(gaps) / max(len(confidence), 1))


@dataclass(frozen=True, slots=True)
class KindFigures:
    """The figures of the search on the questions of one kind.

    Attributes:
        metrics: Mean of each metric, 0 to 1.
    """

    questions: int
    metrics: dict[str, float]


@dataclass(frozen=True, slots=True)
class ConfidenceFigures:
    """What the search says of its first hits, beside what is so. Shares are from 0 to 1, None without such questions.

    Attributes:
        unanswerable: Number of questions that nothing in the collection answers.
        shown: Mean confidence that the first hits show.
        right: Share of the first hits that are right, of the questions that something answers.
        nothing_fits_if_right: Share of the right first hits over which "nothing fits well" stands.
        nothing_fits_if_unanswerable: Share of the unanswerable questions over whose answer it stands.
        auc: Area under the ROC curve of the answer's confidence, answerable against unanswerable questions.
    """

    unanswerable: int
    shown: float | None
    right: float
    nothing_fits_if_right: float | None
    nothing_fits_if_unanswerable: float | None
    auc: float | None


def kind_figures(
    questions: Sequence[CollectionQuestion], values: Mapping[str, Float[np.ndarray, " questions"]]
) -> dict[str, KindFigures]:
    """Return the figures of each kind of question; none if the collection names no kinds.

    Args:
        values: Each metric of each question, in their order.
    """
    kinds = np.array([question.kind or "" for question in questions])
    return {
        kind: KindFigures(
            int((kinds == kind).sum()), {metric: float(each[kinds == kind].mean()) for metric, each in values.items()}
        )
        for kind in dict.fromkeys(kinds.tolist())
        if kind
    }


def confidence_figures(
    answered: Sequence[AskedQuestion], right: Float[np.ndarray, " questions"], unanswerable: Sequence[AskedQuestion]
) -> ConfidenceFigures:
    """Compare what the answers of a search say of themselves with what is so.

    Args:
        answered: Answers to the questions that something answers, at least one.
        right: 1 where the first hit of the answer is right, otherwise 0.
        unanswerable: Answers to the others.
    """
    shown = [each.sure for each in answered if each.sure is not None]
    silent = [not each.fits for each, hit in zip(answered, right, strict=True) if hit]
    both = [*answered, *unanswerable]
    sure = np.array([each.confidence or 0.0 for each in both])
    return ConfidenceFigures(
        len(unanswerable),
        float(np.mean(shown)) if shown else None,
        float(right.mean()),
        float(np.mean(silent)) if silent else None,
        float(np.mean([not each.fits for each in unanswerable])) if unanswerable else None,
        auc(sure, np.arange(len(both)) < len(answered)),
    )
