"""Cut many texts into batches for the service, and name a text of a batch by its place among all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphpalace.client import wire
from graphpalace.errors import GraphPalaceError, InvalidInput

MOST_AT_ONCE = 1000  # texts that the service takes at a time
_MOST_BYTES = 4 * 2**20  # of a batch; the service takes 32 MiB unless its settings say otherwise
_PLACE = re.compile(r"\bdrawers\.(\d+)\b")


def drawers_of(
    texts: Iterable[str | Mapping[str, Any]], embeddings: Iterable[Sequence[float]] | None, *, wing: str, room: str
) -> Iterator[dict[str, Any]]:
    """Yield the drawers to add, one for each text.

    Args:
        wing, room: Of the texts that do not say it themselves.
    Raises:
        InvalidInput: If an item is neither a text nor a mapping, or there are more or fewer embeddings than texts.
    """
    if isinstance(texts, str | Mapping):
        raise InvalidInput("texts is one text; give a list of texts, or use `add`", field="texts")
    rows = None if embeddings is None else iter(embeddings)
    at = -1
    for at, text in enumerate(texts):
        if not isinstance(text, str | Mapping):
            raise InvalidInput(
                f"texts.{at} is a {type(text).__name__}; it must be a text or a mapping", field=f"texts.{at}"
            )
        drawer: dict[str, Any] = {"wing": wing, "room": room} | (
            {"text": text} if isinstance(text, str) else dict(text)
        )
        if rows is not None:
            drawer["embedding"] = next(rows, None)
            if drawer["embedding"] is None:
                raise InvalidInput(f"embeddings has {at} rows, which is fewer than there are texts", field="embeddings")
        yield drawer
    if rows is not None and next(rows, None) is not None:
        raise InvalidInput(f"embeddings has more rows than the {at + 1} texts", field="embeddings")


def batches(drawers: Iterable[dict[str, Any]], most: int) -> Iterator[list[dict[str, Any]]]:
    """Yield drawers in lists of at most `most`, which are at most 4 MiB as JSON, or one drawer that is larger."""
    batch: list[dict[str, Any]] = []
    size = 0
    for drawer in drawers:
        length = len(wire.encoded(drawer))
        if batch and (len(batch) == most or size + length > _MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(drawer)
        size += length
    if batch:
        yield batch


def error_of_all(error: GraphPalaceError, before: int) -> GraphPalaceError:
    """Return the error of a batch with places among all texts, for example `texts.300.text`.

    Args:
        before: How many texts were in the batches before it.
    """

    def named(value: Any) -> Any:
        if isinstance(value, str):
            return _PLACE.sub(lambda found: f"texts.{int(found[1]) + before}", value)
        if isinstance(value, Mapping):
            return {name: named(one) for name, one in value.items()}
        return [named(one) for one in value] if isinstance(value, list) else value

    return type(error)(named(error.message), **named(error.detail))
