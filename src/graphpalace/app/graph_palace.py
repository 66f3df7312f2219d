"""All operations on one database, for the doors: HTTP, MCP, the command line and the scheduler."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphpalace.app.topics import (
    AccessOperations,
    HistoryOperations,
    KnowledgeOperations,
    LearningOperations,
    PalaceOperations,
    PheromoneOperations,
    Replica,
    TransferOperations,
    WalkingOperations,
)
from graphpalace.cluster.ray_cluster import RayCluster
from graphpalace.domain.palaces.palaces import Palace, PalaceState, Reembedded, ReembedProgress
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import ModelMismatch
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore
from graphpalace.store.palaces.palaces import PalaceDrops, PalaceStore

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.app.ingesting import Ingesting
    from graphpalace.operations.conversations.conversations import Conversations
    from graphpalace.operations.drawers.beside import ShowBeside
    from graphpalace.operations.drawers.diaries import Diaries
    from graphpalace.operations.drawers.drawers import Drawers
    from graphpalace.operations.drawers.duplicates import Duplicates
    from graphpalace.operations.drawers.settle import Settler
    from graphpalace.operations.forgetting import Forgetting, Traces
    from graphpalace.operations.hooks.hooks import Hooks
    from graphpalace.operations.rerank.rerank import Rerank
    from graphpalace.operations.runs.runs import Runs
    from graphpalace.operations.search.recall import Recall
    from graphpalace.operations.simulation.jobs.jobs import Jobs
    from graphpalace.operations.simulation.simulations import Simulations
    from graphpalace.operations.wake_up import WakingUp


@dataclass(frozen=True)
class GraphPalace:
    """All operations on one database, connected with each other."""

    settings: Settings
    database: Database
    embedder: Embedder
    replica: Replica
    palaces: PalaceOperations
    learning: LearningOperations
    knowledge: KnowledgeOperations
    pheromones: PheromoneOperations
    walking: WalkingOperations
    transfer: TransferOperations
    access: AccessOperations
    history: HistoryOperations
    recall: Recall
    drawers: Drawers
    beside: ShowBeside
    forgetting: Forgetting
    traces: Traces
    duplicates: Duplicates
    diaries: Diaries
    conversations: Conversations
    ingesting: Ingesting
    hooks: Hooks
    settler: Settler
    waking_up: WakingUp
    runs: Runs
    rerank: Rerank
    simulations: Simulations
    jobs: Jobs
    cluster: RayCluster | None

    async def prepare(self, *, any_model: bool = False) -> list[str]:
        """Migrate the schema, and create the default palace if it is missing; return the applied versions.

        Args:
            any_model: Whether to go on if the default palace has vectors of another model.
        """
        applied = await SchemaStore(self.database).migrate()
        await PalaceDrops(self.database).finish()
        await PalaceStore(self.database).renew()
        with suppress(*([ModelMismatch] if any_model else [])):
            await self.create_palace(self.settings.palace.name)
        return applied

    async def create_palace(self, name: str) -> bool:
        """Create a palace for the configured embedding model; return False if it exists already.

        Raises:
            ModelMismatch: If it exists and has vectors of a model that these settings cannot make.
        """
        created = await PalaceStore(self.database).create(
            name,
            model=self.embedder.name,
            dimension=self.embedder.dimension,
            analyzer=self.settings.search.analyzer,
        )
        await self.replica.models.of(name)
        return created

    async def follow(self) -> None:
        """Take over what other processes have changed in the palaces that are in memory."""
        await self.replica.indexes.refresh()
        await self.traces.follow(*self.replica.indexes.loaded)
        await self.replica.snapshots.look()

    def forget(self, name: str) -> None:
        """Drop everything that is in memory of a palace."""
        self.settler.forget(name)
        self.knowledge.names.forget(name)
        self.replica.indexes.forget(name)
        self.replica.snapshots.forget(name)
        self.replica.known_names.forget(name)
        self.runs.forget(name)
        self.history.searches.forget(name)
        self.replica.learning.forget(name)
        self.replica.known_facts.forget(name)
        self.jobs.forget(name)
        self.pheromones.decay.forget(name)
        self.simulations.forget(name)

    async def drop_palace(self, name: str) -> int:
        """Delete a palace with everything in it; return the number of deleted nodes.

        Raises:
            NotFound: If the palace does not exist.
        """
        self.forget(name)
        try:
            return await PalaceDrops(self.database).drop(name)
        finally:
            self.forget(name)  # again, as something may have been loaded meanwhile

    @property
    def busy(self) -> bool:
        """Whether something works in the background, or a palace waits for what follows a write."""
        working = self.simulations.busy or self.jobs.busy or self.hooks.busy
        return working or bool(self.settler.waiting or self.knowledge.names.waiting)

    async def close(self) -> None:
        """Write everything that is not stored yet, and close the database."""
        await self.hooks.close()
        await self.jobs.close()
        await asyncio.gather(self.settler.close(), self.knowledge.names.close())
        await self.history.searches.flush()
        await self.simulations.close()
        await self.knowledge.proposals.close()
        await self.access.api_keys.close()
        await self.database.close()

    async def palace_state(self, name: str) -> PalaceState:
        """Return what a palace notes of itself.

        Raises:
            NotFound: If the palace does not exist.
        """
        return await PalaceStore(self.database).get(name)

    async def reembed(self, name: str, progress: Callable[[ReembedProgress], None] = lambda _: None) -> Reembedded:
        """Compute the vectors of a palace with the configured model, and let it answer with them when all are there.

        Args:
            progress: Called with how far the current work is.

        Raises:
            NotFound: If there is no palace of this name.
            EmbeddingFailed: If the model cannot be loaded.
            Conflict: If somebody began to change the palace to another model meanwhile.
        """
        from graphpalace.operations.learning.memories import Memories
        from graphpalace.operations.reembedding import Reembed
        from graphpalace.store.learning.feedback import FeedbackStore

        ingest = self.settings.ingest
        store = FeedbackStore(self.database, cycle_seconds=self.settings.decay.cycle_seconds)
        memories = Memories(store, rate=self.settings.pheromones.rates.success)
        return await Reembed(
            self.database,
            self.replica.indexes,
            self.embedder,
            memories,
            similar_k=ingest.similar_k,
            similar_threshold=ingest.similar_threshold,
            tunnel_threshold=ingest.tunnel_threshold,
            at_once=1 if self.cluster is None else self.cluster.at_once,
        ).run(name, progress)

    async def list_palaces(self) -> list[Palace]:
        """Return every palace with its counts."""
        return await PalaceStore(self.database).every()
