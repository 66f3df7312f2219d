"""All operations on one database, as the doors use them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphpalace import options
from graphpalace.domain.room import WingType
from graphpalace.ingest.embed import Embedder
from graphpalace.operations.decay import Decay
from graphpalace.operations.deposit import Deposits
from graphpalace.operations.hot_paths import HotPaths
from graphpalace.operations.palace_map import Maps
from graphpalace.operations.snapshots import Snapshots
from graphpalace.settings import Settings
from graphpalace.store.database import Database
from graphpalace.store.drop_palace import drop_palace, finish_drops
from graphpalace.store.migrate import migrate
from graphpalace.store.palaces import create_palace, renew_palaces

if TYPE_CHECKING:  # these import torch, which `graphpalace up` has no need to wait for
    from graphpalace.operations.drawer_indexes import DrawerIndexes
    from graphpalace.operations.drawers import Drawers
    from graphpalace.operations.explore import Explore
    from graphpalace.operations.feedback import Feedback
    from graphpalace.operations.ingest import IngestReport
    from graphpalace.operations.learned_view import LearnedView
    from graphpalace.operations.learning import Learning
    from graphpalace.operations.navigate import Navigate
    from graphpalace.operations.recall import Recall
    from graphpalace.operations.rerank import Rerank
    from graphpalace.operations.runs import Runs
    from graphpalace.operations.search_log import SearchLog
    from graphpalace.operations.simulation.jobs import Jobs
    from graphpalace.operations.simulation.simulations import Simulations


@dataclass(frozen=True)
class GraphPalace:
    """All operations on one database, wired."""

    settings: Settings
    database: Database
    embedder: Embedder
    indexes: DrawerIndexes
    recall: Recall
    searches: SearchLog
    learning: Learning
    feedback: Feedback
    learned: LearnedView
    drawers: Drawers
    snapshots: Snapshots
    deposits: Deposits
    navigate: Navigate
    explore: Explore
    hot_paths: HotPaths
    maps: Maps
    decay: Decay
    runs: Runs
    rerank: Rerank
    simulations: Simulations
    jobs: Jobs

    async def prepare(self) -> list[str]:
        """Migrate the schema and make the default palace if it is missing; return the versions applied."""
        applied = await migrate(self.database)
        await finish_drops(self.database)
        await renew_palaces(self.database)
        await self.create_palace(self.settings.palace.name)
        return applied

    async def create_palace(self, name: str) -> bool:
        """Make a palace for the configured model; return whether it was made."""
        return await create_palace(
            self.database,
            name,
            model=self.embedder.name,
            dimension=self.embedder.dimension,
            analyzer=self.settings.search.analyzer,
        )

    def forget(self, name: str) -> None:
        """Free the memory of a palace."""
        self.indexes.forget(name)
        self.snapshots.forget(name)
        self.runs.forget(name)
        self.searches.forget(name)
        self.learning.forget(name)
        self.jobs.forget(name)
        self.simulations.forget(name)

    async def drop_palace(self, name: str) -> int:
        """Remove a palace with everything in it; return the number of nodes removed.

        Raises:
            NotFound: If there is none of that name.
        """
        self.forget(name)
        try:
            return await drop_palace(self.database, name)
        finally:
            self.forget(name)  # what was being loaded when it went

    async def close(self) -> None:
        """Write what is waiting, and let the database go."""
        await self.jobs.close()
        await self.searches.flush()
        await self.simulations.close()
        await self.database.close()

    async def palaces(self) -> list[dict[str, Any]]:
        """Return every palace with its counts."""
        return await self.database.read("palaces/list_palaces")

    async def ingest(
        self,
        paths: Sequence[Path],
        *,
        palace: str,
        wing: str,
        wing_type: WingType = WingType.TOPIC,
        rooms: str | None = None,
        max_files: int | None = None,
        windows: Sequence[int] | None = None,
        progress: Callable[[IngestReport], None] = lambda _report: None,
    ) -> IngestReport:
        """Ingest paths into a wing; what is not given comes from the settings."""
        from graphpalace.operations.ingest import Ingest

        given = {"rooms": rooms, "max_files": max_files, "windows": windows}
        chosen = self.settings.ingest.model_copy(
            update={name: value for name, value in given.items() if value is not None}
        )
        run = Ingest(
            self.database,
            self.indexes,
            self.embedder,
            palace=palace,
            wing=wing,
            wing_type=wing_type,
            options=options.ingest_options(chosen),
            progress=progress,
        )
        return await run.run(paths)
