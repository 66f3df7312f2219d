"""Import a palace: write the rows of an export into a palace, which may have content already."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from graphpalace.domain.drawers.drawer_text import embedded_text, has_letters
from graphpalace.domain.transfer.answers import ImportedRows, ImportFinished, ImportPlan, TransferProgress
from graphpalace.domain.transfer.kinds import KINDS, NodeKind
from graphpalace.domain.transfer.manifest import LONGEST_CYCLE_S, ExportedPalace
from graphpalace.domain.transfer.rows import check_row
from graphpalace.domain.vectors import Matrix, quantised, to_bytes
from graphpalace.embedding.embedder import Embedder, embed_whole
from graphpalace.errors import Conflict, InvalidInput, NotFound
from graphpalace.operations.drawers.after_writes import AfterWrites
from graphpalace.operations.drawers.settle import settle
from graphpalace.operations.transfer.linking import Linking
from graphpalace.replica.drawer_indexes import DrawerIndexes
from graphpalace.replica.palace_models import PalaceModels
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import migrations
from graphpalace.store.palaces.palaces import PalaceStore
from graphpalace.store.transfer.imports import ImportStore

Row = dict[str, Any]


_MOST_CYCLES = 10**15  # nothing that a trail has left after so many


class Importing:
    """Writes exports into palaces.

    Args:
        after: Is told of palaces that were written to.
        linking: Finds what new drawers are similar to.
        cycle_seconds: Seconds of one cycle of the clock.
        tunnel_threshold: Least cosine of two rooms for a tunnel.
    """

    def __init__(
        self,
        database: Database,
        indexes: DrawerIndexes,
        models: PalaceModels,
        after: AfterWrites,
        *,
        linking: Linking,
        cycle_seconds: float,
        tunnel_threshold: float,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._models = models
        self._after = after
        self._linking = linking
        self._cycle_seconds = cycle_seconds
        self._tunnel_threshold = tunnel_threshold
        self._palaces = PalaceStore(database)
        self._store = ImportStore(database, cycle_seconds=cycle_seconds)

    async def begin(self, palace: str, exported: ExportedPalace, import_id: str, *, vectors: bool) -> ImportPlan:
        """Create the palace if it is missing, and return how rows are to be sent. It may be repeated.

        Args:
            vectors: Whether to use the vectors of the export, if it has some.

        Raises:
            InvalidInput: If the manifest has a value that is not possible.
            Conflict: If a later version of GraphPalace wrote the export, or its vectors do not fit the palace.
        """
        _check(exported)
        if exported.schema_version > migrations()[-1].version:
            raise Conflict(
                f"the export has schema {exported.schema_version}, and this version of GraphPalace knows "
                f"{migrations()[-1].version}: upgrade it (GraphPalace {exported.version} wrote the export)",
                schema_version=exported.schema_version,
            )
        use = vectors and exported.vectors
        wanted = (exported.model, exported.dimension)
        configured = self._models.configured
        made = False
        try:
            state = await self._palaces.get(palace)
        except NotFound:
            if not use:
                await asyncio.to_thread(self._models.configured.load)  # whose failure leaves no palace behind
            model, dimension = wanted if use else (configured.name, configured.dimension)
            await self._palaces.create(palace, model=model, dimension=dimension, analyzer=exported.analyzer)
            made, state = True, await self._palaces.get(palace)
        if use and (state.model, state.dimension) != wanted:
            raise Conflict(
                f"palace {palace!r} has vectors of {state.model} ({state.dimension} dimensions), and the export those "
                f"of {exported.model} ({exported.dimension}): import without vectors (--no-vectors), so that they are "
                "computed again, or into a new palace",
                palace=palace,
            )
        if not use:
            await asyncio.to_thread((await self._models.of(palace)).load)
        fresh, cycle = await self._store.begin(palace, import_id)
        since = (datetime.now(UTC) - datetime.fromisoformat(exported.exported_at)).total_seconds()
        passed = int(min(since / exported.cycle_seconds, _MOST_CYCLES))
        return ImportPlan(
            palace=palace,
            import_id=import_id,
            fresh=fresh,
            shift_cycles=0 if fresh else cycle - exported.cycle - passed,
            send_vectors=use,
            send_similar=use or state.model == exported.model,
            made=made,
        )

    async def rows(self, palace: str, plan: ImportPlan, file: str, rows: Sequence[Any]) -> ImportedRows:
        """Write rows of a file of the export, as the plan says. Rows that are there already stay as they are.

        Raises:
            InvalidInput: If the file or a row is not one of an export.
            NotFound: If there is no palace of this name.
            Conflict: If a node belongs to another palace.
        """
        kind = KINDS.get(file)
        if kind is None:
            raise InvalidInput(f"file is {file!r}; it must be one of {', '.join(KINDS)}", field="file")
        for number, row in enumerate(rows):
            check_row(kind, row, where=f"{file} {number}")
        if not rows:
            return ImportedRows()
        if not isinstance(kind, NodeKind):
            return await self._store.edges(palace, kind, rows)
        if file == "palace":
            taken = [await self._store.take_over(palace, plan.import_id, kind, row) for row in rows]
            return ImportedRows(sum(taken), len(taken) - sum(taken))
        state = await self._palaces.get(palace)
        _check_bytes(file, rows, state.dimension)
        embedder = None
        if file in ("drawers", "feedback", "searches"):
            rows, embedder = await self._with_vectors(palace, file, rows)
        if file == "drawers" and not (plan.fresh and plan.send_similar):
            rows = [row | {"imported": plan.import_id} for row in rows]
        model = embedder.name if embedder else state.model if file == "drawers" else None
        return await self._store.nodes(palace, kind, rows, fresh=plan.fresh, model=model)

    async def finish(
        self,
        palace: str,
        plan: ImportPlan,
        *,
        changed_meanwhile: bool = False,
        progress: Callable[[TransferProgress], None] = lambda _: None,
    ) -> ImportFinished:
        """Connect what came with what was there, and let all services read the palace anew. It may be repeated.

        Args:
            changed_meanwhile: Whether somebody wrote to the exported palace during the export.

        Raises:
            NotFound: If there is no palace of this name.
        """
        swept = await self._store.sweep(palace) if changed_meanwhile else 0
        same = plan.fresh and plan.send_vectors
        # What is in memory does not know the new drawers yet.
        await self._store.finish(palace, plan.import_id, unsettled=not same)
        self._models.forget(palace)
        linked = 0
        if not same:
            await self._store.count_mentions(palace)
            linked = await self._linking.link(palace, among_new=not plan.send_similar, progress=progress)
            if not plan.send_vectors:
                await self._linking.remember(palace)
            await settle(self._database, self._indexes, palace=palace, tunnel_threshold=self._tunnel_threshold)
        self._after.wrote(palace)
        return ImportFinished(linked, swept)

    async def _with_vectors(self, palace: str, file: str, rows: Sequence[Row]) -> tuple[list[Row], Embedder | None]:
        """Return the rows with the vectors that they lack, and the model that computed them."""
        name = "embedding" if file == "drawers" else "question"
        missing = [row for row in rows if name not in row]
        if not missing:
            return list(rows), None
        embedder = await self._models.of(palace)
        return await asyncio.to_thread(_embedded, embedder, file, rows), embedder


def _embedded(embedder: Embedder, file: str, rows: Sequence[Row]) -> list[Row]:
    """Return rows with the vectors that they lack, as an ingest and a search compute them."""
    drawers = file == "drawers"
    name = "embedding" if drawers else "question"

    def text_of(row: Row) -> str:
        if not drawers:
            return row.get("query", "")
        return embedded_text(row.get("name"), row["text"]) if has_letters(row["text"]) else ""

    def compute(texts: Sequence[str]) -> list[Matrix]:
        return embed_whole(embedder, texts) if drawers else list(embedder.embed_questions(texts)[:, None])

    wanted = [row for row in rows if name not in row and text_of(row).strip()]
    texts = [text_of(row) for row in wanted]
    found = dict(zip(map(id, wanted), compute(texts) if texts else (), strict=True))
    given: list[Row] = []
    for row in rows:
        if name in row:
            given.append(row)
            continue
        vectors = found.get(id(row))
        stored = to_bytes(vectors) if vectors is not None else bytes(4 * embedder.dimension)
        more = {name: base64.b64encode(stored).decode()}
        if drawers and vectors is not None:
            more["embedding_int8"] = base64.b64encode(quantised(vectors[0])).decode()
        given.append(row | more)
    return given


def _check(exported: ExportedPalace) -> None:
    if not 0 < exported.cycle_seconds <= LONGEST_CYCLE_S:
        raise InvalidInput(
            f"cycle_seconds is {exported.cycle_seconds}; it must be above 0 and at most {LONGEST_CYCLE_S:g}",
            field="cycle_seconds",
        )
    if not 1 <= exported.dimension <= 4096:
        raise InvalidInput(f"dimension is {exported.dimension}; it must be 1 to 4096", field="dimension")
    try:
        if datetime.fromisoformat(exported.exported_at).tzinfo is None:
            raise ValueError
    except ValueError:
        raise InvalidInput(
            f"exported_at is {exported.exported_at!r}; it must be a time with its zone", field="exported_at"
        ) from None


def _check_bytes(file: str, rows: Sequence[Row], dimension: int) -> None:
    """Check the lengths of vectors and other numbers in bytes, because a wrong one would make the palace unreadable."""
    lengths = {
        "embedding_int8": {dimension},
        "narrative_vector": {4 * dimension},
        "centroid": {4 * dimension},
        "question": {0, 4 * dimension},
    }
    for number, row in enumerate(rows):
        others = 4 * len(row.get("other_lanes", ())) * len(row.get("candidates", ()))
        for name, right in (lengths | {"other_evidence": {others}}).items():
            if name in row and (found := len(base64.b64decode(row[name]))) not in right:
                raise InvalidInput(f"{file} {number}: {name} has {found} bytes; it must have {max(right)}", field=name)
        for name, size, each in (
            ("evidence", 4, "number"),
            ("log_odds", 4, "number"),
            ("embedding", 4 * dimension, "vector"),
        ):
            found = len(base64.b64decode(row.get(name, "")))
            if found % size or (name == "embedding" and name in row and not found):
                raise InvalidInput(
                    f"{file} {number}: {name} has {found} bytes; it must have {size} a {each}", field=name
                )
