"""Reads test collections in BEIR format: documents, questions, and judgements. Several can be asked as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from graphpalace.domain.drawers.new_drawer import MOST_CHARS
from graphpalace.domain.vectors import Vector
from graphpalace.errors import InvalidInput, WrongDimension
from graphpalace.evaluation.collection_files import JsonlRecord, read_judgements, read_vectors, records

COMMON_WING = "collection"
UNANSWERABLE = "unanswerable"  # the kind of a question that nothing answers
MOST_EXCLUDED = 190  # a search returns at most 200 drawers, of which ten must remain


@dataclass(frozen=True, slots=True)
class CollectionDocument:
    """One document of a collection.

    Attributes:
        text: The text, preceded by the title unless it begins with it. A document with blank text cannot be found.
        wing: Wing in which it is stored.
        session: The conversation that it belongs to, if the collection says so.
        vector: Its embedding, a unit vector, if the collection provides one.
        occurred_at: When it was said, if the collection says so.
    """

    id: str
    title: str
    text: str
    wing: str = COMMON_WING
    session: str | None = None
    vector: Vector | None = field(default=None, repr=False, compare=False)
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CollectionQuestion:
    """One question of a collection.

    Attributes:
        relevant: Gain, >= 1, of each relevant document by id; none for a question without an answer.
        kind: What kind of question it is, if the collection says so.
        wing: The only wing to search; None searches all.
        exclude: Ids of documents to leave out of the answer.
        vector: Its embedding, a unit vector, if the collection provides one.
    """

    id: str
    text: str
    relevant: dict[str, int]
    wing: str | None = None
    exclude: frozenset[str] = frozenset()
    vector: Vector | None = field(default=None, repr=False, compare=False)
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection that has been checked.

    Attributes:
        questions: The questions with at least one relevant document that is not excluded.
        unanswerable: The questions that nothing in the collection answers, as it says itself.
        unjudged: Number of other questions without a relevant document, which were left out.
        dimension: Dimension of the embeddings that the collection provides; None if it provides none.
    """

    name: str
    documents: tuple[CollectionDocument, ...]
    questions: tuple[CollectionQuestion, ...]
    unjudged: int
    dimension: int | None
    unanswerable: tuple[CollectionQuestion, ...] = ()

    def suits(self, dimension: int, *, shortened: bool = False) -> bool:
        """Return whether the embeddings of the collection can be used: they are complete, or a model can add the rest.

        Args:
            dimension: Dimension of the configured model.
            shortened: Whether shortened questions are used, which the model must embed.
        """
        given = (each.vector is not None for each in (*self.documents, *self.questions, *self.unanswerable))
        return self.dimension in (None, dimension) or (not shortened and all(given))

    def without_embeddings(self) -> Collection:
        """Return the collection without the embeddings that it provides, so that the configured model makes them."""
        return replace(
            self,
            documents=tuple(replace(each, vector=None) for each in self.documents),
            questions=tuple(replace(each, vector=None) for each in self.questions),
            unanswerable=tuple(replace(each, vector=None) for each in self.unanswerable),
            dimension=None,
        )


def read_collection(folder: Path) -> Collection:
    """Read a collection from a folder.

    It must contain `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`. Embeddings are read from `corpus.npy` and
    `queries.npy` if these exist.

    Raises:
        InvalidInput: If a file is missing or its content is invalid. The message names the file and the line.
    """
    if not folder.is_dir():
        raise InvalidInput(
            f"{folder} is not a folder; give a folder with corpus.jsonl, queries.jsonl and qrels/test.tsv",
            file=str(folder),
        )
    corpus, queries, judged = folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels" / "test.tsv"
    read, asked = list(records(corpus)), list(records(queries))
    relevant = read_judgements(judged, documents={each.id for each in read}, questions={each.id for each in asked})
    vectors, dimension = read_vectors(folder / "corpus.npy", [each.id for each in read])
    question_vectors, dimension = read_vectors(folder / "queries.npy", [each.id for each in asked], dimension=dimension)
    documents = tuple(_document(record, vectors.get(record.id)) for record in read)
    wings = {document.wing for document in documents if document.text.strip()}
    if not wings:
        raise InvalidInput(f"{corpus} has no document with text", file=str(corpus))
    questions = [_question(each, relevant.get(each.id, {}), wings, question_vectors.get(each.id)) for each in asked]
    measured = tuple(question for question in questions if question.relevant)
    if not measured:
        raise InvalidInput(
            f"{judged} has no relevant document, that is, none with a score of 1 or more", file=str(judged)
        )
    without = tuple(each for each in questions if each.kind == UNANSWERABLE and not each.relevant)
    unjudged = len(questions) - len(measured) - len(without)
    return Collection(folder.resolve().name, documents, measured, unjudged, dimension, without)


def _document(record: JsonlRecord, vector: Vector | None) -> CollectionDocument:
    title, text = (record.text("title") or "").strip(), record.text("text")
    if text is None:
        raise record.refused("text is missing; a document must have _id and text, and may have title and metadata")
    whole = text if text.lstrip().startswith(title) else f"{title}\n{text}"
    if len(whole) > MOST_CHARS:
        raise record.refused(f"text has {len(whole)} characters; a drawer holds at most {MOST_CHARS}")
    occurred_at = record.moment("occurred_at")
    return CollectionDocument(record.id, title, whole, record.wing or COMMON_WING, record.session, vector, occurred_at)


def _question(
    record: JsonlRecord, relevant: dict[str, int], wings: set[str], vector: Vector | None
) -> CollectionQuestion:
    text, wing = record.text("text"), record.wing
    if text is None or not text.strip():
        raise record.refused(f"text is {text!r}; it must be a question")
    if wing is not None and wing not in wings:
        raise record.refused(f"metadata.wing is {wing!r}; no document with text is in this wing")
    exclude = record.metadata.get("exclude") or []
    if not isinstance(exclude, list) or not all(isinstance(each, str) for each in exclude):
        raise record.refused(f"metadata.exclude is {exclude!r}; it must be a list of ids")
    if len(set(exclude)) > MOST_EXCLUDED:
        raise record.refused(f"metadata.exclude has {len(set(exclude))} ids; it may have at most {MOST_EXCLUDED}")
    wanted = {document: gain for document, gain in relevant.items() if document not in exclude}
    kind = record.text("kind", record.metadata)
    return CollectionQuestion(record.id, text, wanted, wing, frozenset(exclude), vector, kind)


def joined(collections: Sequence[Collection]) -> Collection:
    """Return one collection of several. Each is a wing of its name, or several if it has wings of its own.

    A document is called `COLLECTION/ID`. The questions are those of all collections, asked without a wing.

    Raises:
        InvalidInput: If there are fewer than two, or two have one name.
        WrongDimension: If their embeddings differ in length.
    """
    names = [each.name for each in collections]
    if len(collections) < 2:
        raise InvalidInput("--together needs at least two collections", field="together")
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(f"two collections are called {name!r}; rename the folder of one", field="together")
    dimensions = {each.dimension for each in collections} - {None}
    if len(dimensions) > 1:
        raise WrongDimension(
            f"the embeddings of the collections have {' and '.join(map(str, sorted(dimensions, key=str)))} values; "
            "together they must be of one model",
            field="embeddings.dimension",
        )
    return Collection(
        " + ".join(names),
        tuple(_joined_document(each, document) for each in collections for document in each.documents),
        tuple(_joined_question(each, question) for each in collections for question in each.questions),
        sum(each.unjudged for each in collections),
        dimensions.pop() if dimensions else None,
        tuple(_joined_question(each, question) for each in collections for question in each.unanswerable),
    )


def _joined_document(of: Collection, document: CollectionDocument) -> CollectionDocument:
    wing = of.name if document.wing == COMMON_WING else f"{of.name} {document.wing}"
    return replace(document, id=f"{of.name}/{document.id}", wing=wing)


def _joined_question(of: Collection, question: CollectionQuestion) -> CollectionQuestion:
    return replace(
        question,
        id=f"{of.name}/{question.id}",
        relevant={f"{of.name}/{document}": gain for document, gain in question.relevant.items()},
        exclude=frozenset(f"{of.name}/{document}" for document in question.exclude),
        wing=None,
    )
