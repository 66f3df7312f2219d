"""A simulation whose corpus is being read: how far that is, and what it was told meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import asdict, dataclass
from typing import Any, Literal

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.errors import Conflict
from graphpalace.operations.simulation.corpus_choice import CorpusChoice
from graphpalace.operations.simulation.live.live import LiveSimulation

Stage = Literal["reading", "embedding", "question"]


@dataclass(frozen=True, slots=True)
class LoadingProgress:
    """How far a corpus is read.

    Attributes:
        stage: `reading` files or drawers, `embedding` windows of a folder, or what the `question` means.
        done, of: Windows embedded of all; 0 in the other stages.
    """

    stage: Stage = "reading"
    done: int = 0
    of: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return what doors show of it."""
        return asdict(self)


class CorpusLoading:
    """A start that is not finished; it belongs to the service, not to who asked for it.

    Attributes:
        seed: Of the simulation.
        paced: Whether it is to keep to `max_steps_per_s`.
        changes: Settings that were changed meanwhile; they hold from its first step on.
        paused: Whether it is to rest once it is loaded.
    """

    def __init__(
        self,
        name: str,
        settings: SimulationSettings,
        choice: CorpusChoice,
        *,
        seed: int,
        paced: bool,
        tell: Callable[[LoadingProgress], None],
    ) -> None:
        self.name = name
        self.settings = settings
        self.choice = choice
        self.seed = seed
        self.paced = paced
        self.progress = LoadingProgress()
        self.changes: dict[str, Any] = {}
        self.paused = False
        self._tell = tell
        self._task: asyncio.Task[LiveSimulation] | None = None

    def advance(self, stage: Stage, done: int = 0, of: int = 0) -> None:
        """Say how far it is."""
        self.progress = LoadingProgress(stage, done, of)
        self._tell(self.progress)

    def begin(self, work: Coroutine[Any, Any, LiveSimulation]) -> None:
        """Load in the background; a failure that nobody waits for has been kept by the work itself."""
        self._task = asyncio.create_task(work)
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())

    def cancel(self) -> None:
        """Give it up. A batch that is being embedded is computed to its end; nobody waits for it."""
        if self._task is not None:
            self._task.cancel()

    async def loaded(self) -> LiveSimulation:
        """Wait until it runs, or rests, and return it.

        Raises:
            Conflict: If it was stopped before.
            GraphPalaceError: If it cannot be loaded.
        """
        assert self._task is not None
        await asyncio.wait({self._task})
        if self._task.cancelled():
            raise Conflict(f"simulation {self.name!r} was stopped while it was loading", simulation=self.name)
        return self._task.result()
