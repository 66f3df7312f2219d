"""Renew the words of palaces that another version has made."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from graphpalace.errors import NotFound
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.languages import WordForms, WordsDue


async def renew_words(database: Database, progress: Callable[[WordsDue], object] = lambda _due: None) -> list[str]:
    """Bring the words of all palaces up to date; return the names of those that were not.

    Searches and writes go on meanwhile. What is interrupted goes on where it was.

    Args:
        progress: Called before each batch of drawers.
    """
    forms = WordForms(database)
    due = await forms.due()
    for palace in due:
        left: WordsDue | None = palace
        with suppress(NotFound):  # it was dropped meanwhile
            while left is not None:
                progress(left)
                left = await forms.renew_some(left)
    return [palace.name for palace in due]
