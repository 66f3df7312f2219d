"""The last answer of this user, so that a later command can name its hits by number."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from graphpalace.errors import InvalidInput, NotFound
from graphpalace.serve.cli.context import context
from graphpalace.settings.home import data_folder

if TYPE_CHECKING:
    from pathlib import Path

    from graphpalace.domain.search.answer import Answer


class LastAnswer(NamedTuple):
    """What is kept of an answer: no text, only where its hits are."""

    palace: str
    run: str
    hits: list[str]


def remember(answer: Answer) -> None:
    """Keep the last answer. If the data folder cannot be written to, hits have no numbers later."""
    path = _path()
    kept = LastAnswer(answer.palace, answer.run, [hit.id for hit in answer.hits])
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(kept._asdict(), file)
        draft.replace(path)


def hit_of(number: int) -> tuple[LastAnswer, str]:
    """Return the last answer, and the id of its hit with this number.

    Raises:
        NotFound: If there was no search yet.
        InvalidInput: If the answer has no such hit.
    """
    try:
        last = LastAnswer(**json.loads(_path().read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        raise NotFound(f"there is no answer yet with a hit {number}: search first") from None
    if not 1 <= number <= len(last.hits):
        shown = f"has the hits 1 to {len(last.hits)}" if last.hits else "has no hits"
        raise InvalidInput(f"hit is {number}; the last answer {shown}", field="hit", value=number)
    return last, last.hits[number - 1]


def _path() -> Path:
    return data_folder(context.config) / "last_answer.json"
