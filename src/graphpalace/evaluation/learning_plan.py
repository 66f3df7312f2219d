"""The plan of a learning measurement: which questions get feedback, which are measured, and what is between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from graphpalace.domain.vectors import unit_rows
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import InvalidInput
from graphpalace.evaluation.collection import Collection, CollectionQuestion

LEFT_OUT = 0.4  # share of the words that is removed from a repeated question
MOST_SEEDS, MOST_CYCLES = 100, 1_000_000
_COMPARED = 5  # number of questions whose embeddings are compared
_LEAST_COSINE = 0.98

Mode = Literal["unseen", "repeated"]
MODES: tuple[Mode, ...] = ("unseen", "repeated")


@dataclass(frozen=True, slots=True)
class LearningPlan:
    """A plan for measuring learning.

    Attributes:
        mode: `unseen` measures the half of the questions without feedback. `repeated` measures the questions with
            feedback again, after removing two fifths of their words.
        seeds: Number of random divisions into halves, 1 to 100.
        aged: Cycles that pass between the feedback and the measurement, 0 to 1,000,000.
        wrong: Probability that a feedback names a drawer that is not relevant instead of those that are, 0 to 1.
        curve: Whether to measure the quality also after fewer feedbacks.
    """

    mode: Mode = "unseen"
    seeds: int = 5
    aged: int = 0
    wrong: float = 0.0
    curve: bool = False

    def __post_init__(self) -> None:
        """Validate the plan.

        Raises:
            InvalidInput: If a value is out of range, or a curve is combined with `repeated` or with `aged`.
        """
        if not 1 <= self.seeds <= MOST_SEEDS:
            raise InvalidInput(f"seeds is {self.seeds}; it must be 1 to {MOST_SEEDS}", field="seeds", value=self.seeds)
        if not 0 <= self.aged <= MOST_CYCLES:
            raise InvalidInput(
                f"aged is {self.aged}; it must be 0 to {MOST_CYCLES} cycles", field="aged", value=self.aged
            )
        if not 0 <= self.wrong <= 1:
            raise InvalidInput(
                f"wrong is {self.wrong}; it must be 0 to 1, the share of feedback that is wrong",
                field="wrong",
                value=self.wrong,
            )
        if self.curve and self.mode != "unseen":
            raise InvalidInput(
                f"learn is {self.mode!r}; a curve needs learn 'unseen', because it shows questions without feedback",
                field="curve",
            )
        if self.curve and self.aged:
            raise InvalidInput("a curve shows fresh feedback only: leave out aged, or the curve", field="curve")


def halves(
    questions: Sequence[CollectionQuestion], random: np.random.Generator
) -> tuple[list[CollectionQuestion], list[CollectionQuestion]]:
    """Divide the questions at random into the half that gets feedback and the rest.

    The rest has one more question if their number is odd.

    Raises:
        InvalidInput: If there are fewer than two questions.
    """
    if len(questions) < 2:
        raise InvalidInput(
            "there is one question; measuring what is learned needs at least two", field="questions", value=1
        )
    order = [questions[at] for at in random.permutation(len(questions))]
    return order[: len(order) // 2], order[len(order) // 2 :]


def shortened(question: CollectionQuestion, random: np.random.Generator) -> CollectionQuestion:
    """Return the question without two fifths of its words, chosen at random, and without its embedding."""
    words = question.text.split()
    kept = random.permutation(len(words))[: max(1, len(words) - round(LEFT_OUT * len(words)))]
    return replace(question, text=" ".join(words[at] for at in sorted(kept)), vector=None)


def check_same_model(collection: Collection, embedder: Embedder) -> None:
    """Check that the configured model made the collection's embeddings, by embedding some of its questions.

    Raises:
        InvalidInput: If it did not, because then shortened questions could not be compared with the documents.
    """
    given = [question for question in collection.questions if question.vector is not None][:_COMPARED]
    if not given:
        return
    embedded = unit_rows(embedder.embed_questions([question.text for question in given]))
    for question, own in zip(given, embedded, strict=True):
        assert question.vector is not None
        cosine = float(question.vector @ own)
        if cosine < _LEAST_COSINE:
            raise InvalidInput(
                f"collection {collection.name}: the embedding of question {question.id!r} in queries.npy has a cosine"
                f" of {cosine:.3f} to the embedding by {embedder.name}; it must be at least {_LEAST_COSINE}. For"
                " shortened questions, set [embeddings] to the model that made queries.npy",
                field="embeddings.model",
                value=embedder.name,
            )
