"""Compares two saved runs question by question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphpalace.errors import InvalidInput
from graphpalace.evaluation.asking import WHOLE
from graphpalace.evaluation.figures import MAIN, Difference
from graphpalace.evaluation.measure import interval, paired_p
from graphpalace.evaluation.saved_run import RecordedAnswer, RecordedCollection, RecordedQuestion, read_run


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One side of a comparison: one system of a saved run.

    Attributes:
        name: What the user wrote, `FILE` or `FILE:SYSTEM`.
        system: Name of the system.
    """

    name: str
    system: str
    collections: Sequence[RecordedCollection]


@dataclass(frozen=True, slots=True)
class MovedQuestion:
    """A question whose answer got better or worse.

    Attributes:
        relevant: Gain, >= 1, of each relevant document by id.
        change: nDCG@10 of the second run minus that of the first, -1 to 1.
    """

    id: str
    text: str
    relevant: dict[str, int]
    change: float
    before: RecordedAnswer
    after: RecordedAnswer


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two systems differ on one collection.

    Attributes:
        better, worse, equal: Number of questions by how nDCG@10 changed.
        before, after: Mean of each metric.
        difference: Mean change of nDCG@10 with its interval and p-value.
        moved: The questions whose nDCG@10 changed most, largest change first.
        titles: Title of each document that `moved` names.
    """

    collection: str
    questions: int
    better: int
    worse: int
    equal: int
    before: dict[str, float]
    after: dict[str, float]
    difference: Difference
    moved: list[MovedQuestion]
    titles: dict[str, str]


def read_side(name: str) -> ComparedRun:
    """Read one side of a comparison.

    Args:
        name: A file that `graphpalace eval --save` wrote. A system may follow a colon: `run.json:rrf`. Without one, it
            is the whole search.

    Raises:
        InvalidInput: If the file is not such a file, or has no such system.
    """
    file, system = name, WHOLE
    if not Path(name).exists() and ":" in name:
        file, _, system = name.rpartition(":")
    collections = read_run(Path(file))
    for each in collections:
        if system not in each.systems:
            raise InvalidInput(
                f"{file} has no system {system!r} for {each.collection}; it has {', '.join(each.systems)}",
                field="compare",
                value=name,
            )
    return ComparedRun(name, system, collections)


def compared(first: ComparedRun, second: ComparedRun, *, most: int) -> list[Comparison]:
    """Compare two systems on each collection that both runs have.

    Args:
        most: The number of moved questions to return for each collection.

    Raises:
        InvalidInput: If the runs have no collection in common, or asked different questions.
    """
    others = {each.collection: each for each in second.collections}
    pairs = [(each, others[each.collection]) for each in first.collections if each.collection in others]
    if not pairs:
        raise InvalidInput(f"{first.name} and {second.name} have no collection in common", field="compare")
    return [_compared(before, after, first, second, most) for before, after in pairs]


def _compared(
    before: RecordedCollection, after: RecordedCollection, first: ComparedRun, second: ComparedRun, most: int
) -> Comparison:
    later = {question.id: question for question in after.questions}
    same = len(later) == len(before.questions) and all(
        one.id in later and later[one.id].text == one.text and later[one.id].relevant == one.relevant
        for one in before.questions
    )
    if not same:
        raise InvalidInput(
            f"{first.name} and {second.name} asked different questions of {before.collection}, or judged them "
            "differently; compare runs on the same collection",
            field="compare",
        )
    moves = [_moved(one, later[one.id], first.system, second.system) for one in before.questions]
    values = {
        metric: (
            np.array([move.before.metrics[metric] for move in moves]),
            np.array([move.after.metrics[metric] for move in moves]),
        )
        for metric in moves[0].before.metrics
    }
    old, new = values[MAIN]
    largest = sorted((move for move in moves if move.change), key=lambda move: (-abs(move.change), move.id))[:most]
    titles = before.titles | after.titles
    named = {
        document for move in largest for document in (*move.relevant, *move.before.documents, *move.after.documents)
    }
    return Comparison(
        collection=before.collection,
        questions=len(moves),
        better=int((new > old).sum()),
        worse=int((new < old).sum()),
        equal=int((new == old).sum()),
        before={metric: float(pair[0].mean()) for metric, pair in values.items()},
        after={metric: float(pair[1].mean()) for metric, pair in values.items()},
        difference=Difference(first.name, float((new - old).mean()), interval(new - old), paired_p(new, old)),
        moved=largest,
        titles={document: titles[document] for document in sorted(named) if document in titles},
    )


def _moved(one: RecordedQuestion, later: RecordedQuestion, first: str, second: str) -> MovedQuestion:
    before, after = one.answers[first], later.answers[second]
    return MovedQuestion(one.id, one.text, one.relevant, after.metrics[MAIN] - before.metrics[MAIN], before, after)
