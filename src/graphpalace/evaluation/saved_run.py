"""Saves what each system answered to each question, and reads it again to compare two runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from graphpalace.errors import InvalidInput
from graphpalace.evaluation.asking import DEPTH, AskedQuestion
from graphpalace.evaluation.collection import Collection
from graphpalace.evaluation.measure import METRICS, Values
from graphpalace.private_files import open_private

_TITLE_CHARS = 80


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """What a system answered to one question.

    Attributes:
        documents: Ids of the best ten documents, best first.
        metrics: Each metric of this answer, 0 to 1.
    """

    documents: list[str]
    metrics: dict[str, float]


@dataclass(frozen=True, slots=True)
class RecordedQuestion:
    """One question, with the answer of each system.

    Attributes:
        relevant: Gain, >= 1, of each relevant document by id.
        answers: The answers by the name of the system.
    """

    id: str
    text: str
    relevant: dict[str, int]
    answers: dict[str, RecordedAnswer]


@dataclass(frozen=True, slots=True)
class RecordedCollection:
    """The questions of one collection.

    Attributes:
        titles: Title, or else the beginning of the text, of each document that is relevant or was found.
    """

    collection: str
    titles: dict[str, str] = field(repr=False)
    questions: list[RecordedQuestion] = field(repr=False)

    @property
    def systems(self) -> list[str]:
        """The names of the systems that answered."""
        return list(self.questions[0].answers) if self.questions else []


_FILE = TypeAdapter(list[RecordedCollection])


def recorded(
    collection: Collection, answered: Mapping[str, Mapping[str, AskedQuestion]], values: Values
) -> RecordedCollection:
    """Return the record of a run on a collection.

    Args:
        answered: Answers by system and by the id of the question.
        values: Each metric of each question, by system and metric, in the order of the collection's questions.
    """
    questions = [
        RecordedQuestion(
            question.id,
            question.text,
            question.relevant,
            {
                system: RecordedAnswer(
                    answers[question.id].documents[:DEPTH],
                    {metric: float(each[at]) for metric, each in values[system].items()},
                )
                for system, answers in answered.items()
            },
        )
        for at, question in enumerate(collection.questions)
    ]
    named = {document for question in questions for document in question.relevant}
    named.update(document for question in questions for one in question.answers.values() for document in one.documents)
    titles = {each.id: _title(each.title or each.text) for each in collection.documents if each.id in named}
    return RecordedCollection(collection.name, titles, questions)


def save_run(path: Path, collections: Sequence[RecordedCollection]) -> None:
    """Write the records of a run, which have titles and questions, to a JSON file that only its owner may read.

    Raises:
        InvalidInput: If the file cannot be written.
    """
    try:
        with open_private(path) as file:
            file.write(_FILE.dump_json(list(collections)) + b"\n")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}", file=str(path)) from error


def read_run(path: Path) -> list[RecordedCollection]:
    """Read the records of a run.

    Raises:
        InvalidInput: If the file cannot be read, or was not written by `graphpalace eval --save`.
    """
    try:
        collections = _FILE.validate_json(path.read_bytes())
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", file=str(path)) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise InvalidInput(
            f"{path} is not a run that graphpalace eval --save wrote: {where}: {first['msg']}", file=str(path)
        ) from None
    for each in collections:
        for question in each.questions:
            if list(question.answers) != each.systems or not all(
                answer.metrics.keys() == METRICS.keys() for answer in question.answers.values()
            ):
                raise InvalidInput(
                    f"{path} is incomplete: question {question.id!r} of {each.collection} must have an answer of "
                    f"{', '.join(each.systems)}, each with {', '.join(METRICS)}",
                    file=str(path),
                )
    return collections


def _title(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _TITLE_CHARS else f"{words[: _TITLE_CHARS - 1]}…"
