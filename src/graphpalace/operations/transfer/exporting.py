"""Export a palace: everything that it has, row by row."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from graphpalace.domain.transfer.kinds import KINDS, NodeKind
from graphpalace.domain.transfer.manifest import ExportedPalace
from graphpalace.domain.transfer.properties import VECTORS
from graphpalace.errors import Conflict
from graphpalace.replica.read_again import rows_again
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import migrations
from graphpalace.store.transfer.reading import PalaceAtATime, PalaceReader

_NOTHING: frozenset[str] = frozenset()


class Exporting:
    """Exports palaces.

    Args:
        version: Of GraphPalace, for the manifest.
        cycle_seconds: Seconds of one cycle of the clock.
    """

    def __init__(self, database: Database, *, version: str, cycle_seconds: float) -> None:
        self._version = version
        self._reader = PalaceReader(database)
        self._cycle_seconds = cycle_seconds

    async def begin(self, palace: str) -> PalaceAtATime:
        """Return the palace as it is at the start of an export.

        Raises:
            NotFound: If there is no palace of this name.
            Conflict: If its embedding model is being changed.
        """
        found = await self._reader.palace(palace, cycle_seconds=self._cycle_seconds)
        if found.properties.get("next_model") or found.properties.get("embedding_property"):
            raise Conflict(
                f"palace {palace!r} is changing its embedding model: export it when that is done; "
                f"`graphpalace reembed --palace {palace}` finishes it",
                palace=palace,
            )
        return found

    async def rows(
        self, palace: str, begun: PalaceAtATime, *, runs: bool, vectors: bool
    ) -> AsyncIterator[tuple[str, list[dict[str, Any]] | None] | ExportedPalace]:
        """Yield the rows of each file in batches, and at the end what the manifest says of the palace.

        Relationships come after all nodes, and what contains others after what it contains. So the rows of somebody who
        writes meanwhile may be incomplete, but what was complete before is complete in the export.

        Neo4j may end a long read because others delete meanwhile. The file is then read again from its beginning: None
        stands for rows that say so, and those of this file so far are void.

        Args:
            begun: From `begin`.
            runs: Whether to export searches and runs.
            vectors: Whether to export vectors.
        """
        leave_out = _NOTHING if vectors else VECTORS
        nodes = [kind for kind in KINDS.values() if isinstance(kind, NodeKind)]
        edges = [kind for kind in KINDS.values() if not isinstance(kind, NodeKind)]
        for kind in (*reversed(nodes), *edges):
            if kind.on_request and not runs:
                continue
            async for batch in rows_again(partial(self._reader.rows, palace, kind, leave_out=leave_out)):
                yield kind.file, batch
        now = await self._reader.palace(palace, cycle_seconds=self._cycle_seconds)
        properties = begun.properties
        yield ExportedPalace(
            palace=palace,
            version=self._version,
            schema_version=migrations()[-1].version,
            exported_at=begun.now,
            model=properties["embedding_model"],
            dimension=properties["embedding_dimension"],
            analyzer=properties["analyzer"],
            cycle=begun.cycle,
            cycle_seconds=float(self._cycle_seconds),
            vectors=vectors,
            runs=runs,
            changed_meanwhile=now.writes != begun.writes,
        )
