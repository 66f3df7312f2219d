"""How the search does on each kind of question, and whether its confidence in the first hit is to be believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from graphpalace.evaluation.asking import AskedQuestion
from graphpalace.evaluation.collection import CollectionQuestion
from graphpalace.evaluation.no_answer.figures import auc


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
