"""All operations on one database, for the doors: HTTP, MCP, the command line and the scheduler."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphpalace.domain.palaces.palaces import Palace, PalaceState, Reembedded, ReembedProgress
from graphpalace.embedding.embedder import Embedder
from graphpalace.errors import ModelMismatch
from graphpalace.operations.access.api_keys import ApiKeys, Wings
from graphpalace.operations.history.keyed_requests import KeyedRequests
from graphpalace.operations.knowledge.name_changes import NameChanges
from graphpalace.operations.knowledge.name_pages import NamePages
from graphpalace.operations.knowledge.name_reading import NameReader
from graphpalace.operations.palaces.palace_map import Maps
from graphpalace.operations.palaces.palace_shape import PalaceShape
from graphpalace.operations.pheromones.decay import Decay
from graphpalace.operations.pheromones.deposit import Deposits, NamedDeposits
from graphpalace.operations.pheromones.hot_paths import HotPaths
from graphpalace.replica.known_names import KnownNames
from graphpalace.replica.snapshots import Snapshots
from graphpalace.settings.load import Settings
from graphpalace.store.connection.database import Database
from graphpalace.store.connection.schema import SchemaStore
from graphpalace.store.palaces.palace_drops import PalaceDrops
from graphpalace.store.palaces.palaces import PalaceStore

if TYPE_CHECKING:  # these import NumPy, which `graphpalace up` has no need to wait for
    from graphpalace.app.ingesting import Ingesting
    from graphpalace.operations.conversations.conversations import Conversations
    from graphpalace.operations.drawers.diaries import Diaries
    from graphpalace.operations.drawers.drawers import Drawers
    from graphpalace.operations.drawers.duplicates import Duplicates
    from graphpalace.operations.drawers.settler import Settler
    from graphpalace.operations.forgetting.forget import Forgetting
    from graphpalace.operations.forgetting.traces import Traces
    from graphpalace.operations.history.search_log import SearchLog
    from graphpalace.operations.hooks.hooks import Hooks
    from graphpalace.operations.knowledge.fact_reading import FactReading
    from graphpalace.operations.knowledge.facts import Facts
    from graphpalace.operations.knowledge.propose import FactProposals
    from graphpalace.operations.learning.feedback import Feedback
    from graphpalace.operations.learning.learned_view import LearnedView
    from graphpalace.operations.rerank.rerank import Rerank
    from graphpalace.operations.runs.runs import Runs
    from graphpalace.operations.search.recall import Recall
    from graphpalace.operations.simulation.jobs.jobs import Jobs
    from graphpalace.operations.simulation.simulations import Simulations
    from graphpalace.operations.transfer.exporting import Exporting
    from graphpalace.operations.transfer.importing import Importing
    from graphpalace.operations.wake_up.wake_up import WakingUp
    from graphpalace.operations.walking.explore import Explore
    from graphpalace.operations.walking.navigate import Navigate
    from graphpalace.replica.drawer_indexes import DrawerIndexes
    from graphpalace.replica.known_facts import KnownFacts
    from graphpalace.replica.learning import Learning
    from graphpalace.replica.palace_models import PalaceModels


@dataclass(frozen=True)
class GraphPalace:
    """All operations on one database, connected with each other."""

    settings: Settings
    database: Database
    embedder: Embedder
    models: PalaceModels
    indexes: DrawerIndexes
    recall: Recall
    searches: SearchLog
    keyed_requests: KeyedRequests
    api_keys: ApiKeys
    wings: Wings
    learning: Learning
    feedback: Feedback
    learned: LearnedView
    drawers: Drawers
    forgetting: Forgetting
    traces: Traces
    duplicates: Duplicates
    diaries: Diaries
    conversations: Conversations
    ingesting: Ingesting
    hooks: Hooks
    facts: Facts
    fact_reading: FactReading
    proposals: FactProposals
    known_facts: KnownFacts
    settler: Settler
    names: NameReader
    name_pages: NamePages
    name_changes: NameChanges
    snapshots: Snapshots
    known_names: KnownNames
    deposits: Deposits
    named_deposits: NamedDeposits
    navigate: Navigate
    explore: Explore
    hot_paths: HotPaths
    maps: Maps
    shape: PalaceShape
    waking_up: WakingUp
    decay: Decay
    runs: Runs
    rerank: Rerank
    simulations: Simulations
    jobs: Jobs
    exporting: Exporting
    importing: Importing

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
        await self.models.of(name)
        return created

    async def follow(self) -> None:
        """Take over what other processes have changed in the palaces that are in memory."""
        await self.indexes.refresh()
        await self.traces.follow(*self.indexes.loaded)
        await self.snapshots.look()

    def forget(self, name: str) -> None:
        """Drop everything that is in memory of a palace."""
        self.settler.forget(name)
        self.names.forget(name)
        self.indexes.forget(name)
        self.snapshots.forget(name)
        self.known_names.forget(name)
        self.runs.forget(name)
        self.searches.forget(name)
        self.learning.forget(name)
        self.known_facts.forget(name)
        self.jobs.forget(name)
        self.decay.forget(name)
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
        return working or bool(self.settler.waiting or self.names.waiting)

    async def close(self) -> None:
        """Write everything that is not stored yet, and close the database."""
        await self.hooks.close()
        await self.jobs.close()
        await asyncio.gather(self.settler.close(), self.names.close())
        await self.searches.flush()
        await self.simulations.close()
        await self.proposals.close()
        await self.api_keys.close()
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
        from graphpalace.operations.reembedding.reembed import Reembed
        from graphpalace.store.learning.feedback import FeedbackStore

        ingest = self.settings.ingest
        store = FeedbackStore(self.database, cycle_seconds=self.settings.decay.cycle_seconds)
        memories = Memories(store, rate=self.settings.pheromones.rates.success)
        return await Reembed(
            self.database,
            self.indexes,
            self.embedder,
            memories,
            similar_k=ingest.similar_k,
            similar_threshold=ingest.similar_threshold,
            tunnel_threshold=ingest.tunnel_threshold,
        ).run(name, progress)

    async def palaces(self) -> list[Palace]:
        """Return every palace with its counts."""
        return await PalaceStore(self.database).every()
