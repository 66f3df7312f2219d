"""What every retriever asks a palace, and what it says of a hit."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from graphpalace.client.asynchronous.palace import AsyncPalace
from graphpalace.client.synchronous.palace import Palace
from graphpalace.errors import InvalidInput

if TYPE_CHECKING:
    from graphpalace.domain.search.answer import Answer, Hit

AnyPalace = Palace | AsyncPalace


def synchronous(palace: AnyPalace) -> Palace:
    """Return a palace that can be asked without await.

    Raises:
        InvalidInput: If it is an `AsyncPalace`.
    """
    if isinstance(palace, AsyncPalace):
        raise InvalidInput(
            "palace is an AsyncPalace, which only asynchronous calls can ask; give a Palace, or call the asynchronous "
            "method",
            field="palace",
        )
    return palace


def metadata_of(answer: Answer, hit: Hit) -> dict[str, Any]:
    """Return what is known of a hit besides its text, as plain JSON values.

    `run` and `id` are what `Palace.useful(run, id)` takes to say that the text helped.
    """
    return {
        "id": hit.id,
        "run": answer.run,
        "palace": answer.palace,
        "score": hit.score,
        "wing": hit.wing,
        "room": hit.room,
        "closet": hit.closet,
        "source": hit.source.uri,
        "start_line": hit.source.start_line,
        "end_line": hit.source.end_line,
        "occurred_at": hit.occurred_at,
        "lanes": {name: asdict(score) for name, score in hit.lanes.items()},
    }
