"""The embedding model of each palace: that of its vectors, which need not be the configured one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import ModelMismatch
from graphpalace.store.connection.database import Database
from graphpalace.store.palaces.palaces import PalaceStore, model_mismatch


class PalaceModels:
    """Gives each palace the model that made its vectors. A palace changes its model while it is searched.

    Args:
        configured: Model of new palaces.
        make: Returns the model of a name, if a palace can name it without more settings; None if it cannot.
    """

    def __init__(
        self, database: Database, configured: Embedder, *, make: Callable[[str], Embedder | None] = lambda _name: None
    ) -> None:
        self.configured = configured
        self._palaces = PalaceStore(database)
        self._make = make
        self._made: dict[str, Embedder | None] = {}
        self._stored: dict[str, tuple[str, int]] = {}

    async def of(self, palace: str) -> Embedder:
        """Return the model of a palace. It is loaded when it is first used.

        Raises:
            NotFound: If there is no palace of this name.
            ModelMismatch: If its model is not the configured one, and needs settings of its own.
        """
        if palace in self._stored:
            with suppress(ModelMismatch):  # another process may have changed the model
                return self.known(palace)
        state = await self._palaces.get(palace)
        self.note(palace, state.model, state.dimension)
        return self.known(palace)

    def known(self, palace: str) -> Embedder:
        """Return the model of a palace whose state was read before.

        Raises:
            ModelMismatch: As `of`.
        """
        name, dimension = self._stored[palace]
        if (name, dimension) == (self.configured.name, self.configured.dimension):
            return self.configured
        if name not in self._made:
            self._made[name] = self._make(name)
        found = self._made[name]
        if found is None or found.dimension != dimension:
            raise model_mismatch(
                palace, (name, dimension), model=self.configured.name, dimension=self.configured.dimension
            )
        return found

    def changed(self, palace: str, since: str) -> bool:
        """Return whether a palace is known to have another model than it had."""
        return palace in self._stored and self._stored[palace][0] != since

    def note(self, palace: str, model: str, dimension: int) -> None:
        """Record which model a palace has, as it was just read."""
        self._stored[palace] = model, dimension

    def forget(self, palace: str) -> None:
        """Forget which model a palace has."""
        self._stored.pop(palace, None)
