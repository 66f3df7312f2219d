"""Cases from which confidence is measured and fitted: questions with an answer in the collection, and without."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float64

from graphpalace.evaluation.collection import Collection, CollectionQuestion
from graphpalace.evaluation.measure import SEED

Kind = Literal["answered", "removed", "unanswerable", "foreign"]
KINDS: tuple[Kind, ...] = ("answered", "removed", "unanswerable", "foreign")
_MOST_FOREIGN = 100


@dataclass(frozen=True, slots=True)
class Sample:
    """One question, as it was asked of a part of a collection.

    Attributes:
        kind: Whether its relevant documents are in the part, were removed, or were never there: because the collection
            says of the question that nothing answers it, or because it belongs to another collection.
        hits: Features of each hit, in the order of `HIT_FEATURES`.
        answer: Features of the answer, in the order of `ANSWER_FEATURES`.
        relevant: Whether each hit is relevant.
    """

    question: str
    kind: Kind
    hits: Float64[np.ndarray, "hits features"]
    answer: Float64[np.ndarray, " features"]
    relevant: Bool[np.ndarray, " hits"]


@dataclass(frozen=True, slots=True)
class CollectionHalf:
    """A collection without the documents that are relevant to half of its questions.

    Attributes:
        collection: What is left of it.
        questions: All questions, each with the relevant documents that are left, of which there may be none.
    """

    collection: Collection
    questions: tuple[CollectionQuestion, ...]


def halves_of(collection: Collection, *, most: int | None = None) -> list[CollectionHalf]:
    """Return a collection without the relevant documents of one half of its questions, and of the other.

    So each question is asked once with its answer and once without, unless both halves share relevant documents.

    Args:
        most: Largest number of questions, which are chosen at random; None: all.
    """
    questions = list(collection.questions)
    random.Random(SEED).shuffle(questions)
    chosen = questions[:most]
    return [_without(collection, chosen, chosen[half::2]) for half in (0, 1)]


def foreign_questions(collection: Collection, others: Sequence[Collection]) -> list[CollectionQuestion]:
    """Return up to 100 questions of other collections, which this one does not answer.

    Collections whose embeddings have another dimension are left out.
    """
    alike = [other for other in others if other.name != collection.name and other.dimension == collection.dimension]
    questions = [
        replace(one, relevant={}, wing=None, exclude=frozenset()) for other in alike for one in other.questions
    ]
    return random.Random(f"{SEED} {collection.name}").sample(questions, min(_MOST_FOREIGN, len(questions)))


def _without(
    collection: Collection, questions: Sequence[CollectionQuestion], removed: Sequence[CollectionQuestion]
) -> CollectionHalf:
    gone = {document for question in removed for document in question.relevant}
    left = tuple(document for document in collection.documents if document.id not in gone)
    asked = tuple(
        replace(one, relevant={document: gain for document, gain in one.relevant.items() if document not in gone})
        for one in questions
    )
    return CollectionHalf(replace(collection, documents=left, questions=asked), asked)
