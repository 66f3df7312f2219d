"""Makes one collection of several, which are stored as wings of one palace and asked without a wing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphpalace.errors import InvalidInput, WrongDimension
from graphpalace.evaluation.collection import COMMON_WING, Collection, CollectionDocument, CollectionQuestion


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
        tuple(_document(each, document) for each in collections for document in each.documents),
        tuple(_question(each, question) for each in collections for question in each.questions),
        sum(each.unjudged for each in collections),
        dimensions.pop() if dimensions else None,
        tuple(_question(each, question) for each in collections for question in each.unanswerable),
    )


def _document(of: Collection, document: CollectionDocument) -> CollectionDocument:
    wing = of.name if document.wing == COMMON_WING else f"{of.name} {document.wing}"
    return replace(document, id=f"{of.name}/{document.id}", wing=wing)


def _question(of: Collection, question: CollectionQuestion) -> CollectionQuestion:
    return replace(
        question,
        id=f"{of.name}/{question.id}",
        relevant={f"{of.name}/{document}": gain for document, gain in question.relevant.items()},
        exclude=frozenset(f"{of.name}/{document}" for document in question.exclude),
        wing=None,
    )
