"""The documents that a simulation walks over: drawers of a palace, or windows of lines of files in a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from graphpalace.domain.drawers.drawer import Drawer
from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.simulation.simulations import CorpusDocument
from graphpalace.domain.vectors import Matrix
from graphpalace.errors import InvalidInput
from graphpalace.simulate.step import keyword_shares
from graphpalace.store.connection.database import Database
from graphpalace.store.drawers.drawers import DrawerStore
from graphpalace.store.simulation.simulations import KeywordStore


@dataclass(frozen=True, slots=True)
class CorpusChoice:
    """The documents that a simulation walks over: a palace, a part of it, some of its drawers, or a folder.

    Attributes:
        palace: Palace of the documents. It also stores the results, even those of a folder.
        wing, room: Names of the part of the palace to use.
        drawers: Ids of the drawers to use.
        root: Path of a folder to use instead of drawers.
    """

    palace: str
    wing: str | None = None
    room: str | None = None
    drawers: tuple[str, ...] | None = None
    root: str | None = None

    def __post_init__(self) -> None:
        """Raise `InvalidInput` if both a folder and drawers are given, or if `drawers` is empty."""
        if self.root is not None and (self.wing, self.room, self.drawers) != (None, None, None):
            raise InvalidInput(
                f"root is {self.root!r}; give a folder, or wing, room or drawers of a palace, not both", field="root"
            )
        if self.drawers is not None and not self.drawers:
            raise InvalidInput("drawers is empty; give at least one id, or leave it out", field="drawers")

    def as_json(self) -> dict[str, Any]:
        """Return the choice as a dict, in the form in which it is stored."""
        chosen = {"palace": self.palace, "wing": self.wing, "room": self.room, "root": self.root}
        return chosen | {"drawers": list(self.drawers) if self.drawers is not None else None}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> CorpusChoice:
        """Return the choice that `as_json` stored."""
        drawers = kept["drawers"]
        return cls(
            kept["palace"], kept["wing"], kept["room"], tuple(drawers) if drawers is not None else None, kept["root"]
        )


def check_palace_trails(settings: SimulationSettings, *, folder: bool) -> None:
    """Raise `InvalidInput` if settings need the edges of a palace but the documents are those of a folder."""
    if settings.warm_start and folder:
        raise InvalidInput(
            "warm_start is true, but a folder has no trails of a palace to start with: give false, or leave root out",
            field="warm_start",
        )
    if settings.deposit and folder:
        raise InvalidInput(
            "deposit is true, but a folder has no edges of a palace to deposit on: give false, or leave root out",
            field="deposit",
        )


_READ_AT_ONCE = 500
_KEPT_DOCUMENTS = 5_000


class Corpus(Protocol):
    """Documents with their embeddings. A corpus does not change while a simulation runs."""

    @property
    def ids(self) -> Sequence[str]:
        """Ids of the documents, in the order of the rows."""
        ...

    @property
    def vectors(self) -> Matrix:
        """Embeddings of the documents, documents x dim, of length one."""
        ...

    @property
    def palace(self) -> str | None:
        """The palace of the drawers; None for a folder."""
        ...

    async def documents(self, rows: Sequence[int]) -> list[CorpusDocument]:
        """Return documents by row, in the order of `rows`."""
        ...

    async def keywords(self, terms: Sequence[str]) -> np.ndarray:
        """Return, for each document, the share of the keywords that it contains, 0 to 1."""
        ...


class DrawerCorpus:
    """Drawers of a palace. Their texts are read from the database only when they are needed."""

    def __init__(self, database: Database, palace: str, ids: Sequence[str], vectors: Matrix) -> None:
        self.database = database
        self.palace: str | None = palace
        self.ids = ids
        self.vectors = vectors
        self._known: dict[str, CorpusDocument] = {}

    async def documents(self, rows: Sequence[int]) -> list[CorpusDocument]:
        """Return drawers by row. A drawer that was deleted meanwhile has an empty text."""
        wanted = [self.ids[row] for row in rows]
        missing = [drawer for drawer in dict.fromkeys(wanted) if drawer not in self._known]
        if len(self._known) + len(missing) > _KEPT_DOCUMENTS:
            self._known = {drawer: self._known[drawer] for drawer in wanted if drawer in self._known}
        for start in range(0, len(missing), _READ_AT_ONCE):
            part = missing[start : start + _READ_AT_ONCE]
            found = await DrawerStore(self.database).read(str(self.palace), part)
            self._known |= {drawer.id: _document(drawer) for drawer in found}
        return [self._known.get(drawer) or CorpusDocument(drawer, "", "deleted") for drawer in wanted]

    async def keywords(self, terms: Sequence[str]) -> np.ndarray:
        """Return, for each drawer, the share of the keywords that it contains. Neo4j counts them."""
        wanted = list(dict.fromkeys(term.lower() for term in terms if term.strip()))
        if not wanted:
            return np.zeros(len(self.ids), np.float32)
        hits = await KeywordStore(self.database).counts(str(self.palace), wanted)
        return np.array([hits.get(drawer, 0) / len(wanted) for drawer in self.ids], np.float32)


class FolderCorpus:
    """Windows of lines of a folder's text files, kept in memory."""

    def __init__(self, kept: Sequence[CorpusDocument], vectors: Matrix) -> None:
        self.kept = kept
        self.palace = None
        self.ids = [document.id for document in kept]
        self.vectors = vectors

    async def documents(self, rows: Sequence[int]) -> list[CorpusDocument]:
        """Return windows by row."""
        return [self.kept[row] for row in rows]

    async def keywords(self, terms: Sequence[str]) -> np.ndarray:
        """Return, for each window, the share of the keywords that it contains."""
        return await asyncio.to_thread(keyword_shares, [document.content for document in self.kept], terms)


def _document(drawer: Drawer) -> CorpusDocument:
    facts = ("wing", "room", "closet", "source_uri", "start_line", "end_line", "media_type", "occurred_at", "author")
    return CorpusDocument(
        drawer.id,
        drawer.text,
        f"{drawer.wing} / {drawer.room} / {drawer.closet}",
        {name: value for name in facts if (value := getattr(drawer, name)) is not None},
    )
