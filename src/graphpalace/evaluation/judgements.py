"""Reads relevance judgements (`qrels/test.tsv`): which documents answer which question, and how well."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

from graphpalace.errors import InvalidInput, UnreadableDocument

_MOST_GAIN = 1000


def read_judgements(path: Path, *, documents: Set[str], questions: Set[str]) -> dict[str, dict[str, int]]:
    """Read the gain, 1 to 1000, of each relevant document of each question.

    Each line has the id of a question, the id of a document and a whole number, separated by tabs. The first line may
    be a header. A number below 1 means that the document is not relevant; it is left out of the result.

    Args:
        documents, questions: The ids that exist.

    Raises:
        InvalidInput: If the file cannot be read.
        UnreadableDocument: If a line is invalid; the message names the line.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}", file=str(path)) from error
    judged: dict[tuple[str, str], tuple[int, int]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or (number == 1 and line.split()[-1] == b"score"):
            continue
        try:
            question, document, gain = _fields(line)
            if question not in questions:
                raise ValueError(f"question {question!r} is not in queries.jsonl")
            if document not in documents:
                raise ValueError(f"document {document!r} is not in corpus.jsonl")
            before, first = judged.get((question, document), (gain, 0))
            if before != gain:
                raise ValueError(
                    f"the score is {gain}, but line {first} has {before} for the same question and document"
                )
        except ValueError as error:
            raise UnreadableDocument(f"{path}, line {number}: {error}", path=str(path), line=number) from None
        judged[question, document] = gain, number
    relevant: dict[str, dict[str, int]] = {}
    for (question, document), (gain, _) in judged.items():
        if gain > 0:
            relevant.setdefault(question, {})[document] = gain
    return relevant


def _fields(line: bytes) -> tuple[str, str, int]:
    try:
        question, document, score = line.decode().rstrip("\r").split("\t")
        gain = int(score)
    except ValueError:
        raise ValueError(
            "must be the id of a question, the id of a document and a whole number, separated by tabs"
        ) from None
    if gain > _MOST_GAIN:
        raise ValueError(f"the score is {gain}; it must be at most {_MOST_GAIN}")
    return question, document, gain
