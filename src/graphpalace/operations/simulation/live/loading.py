"""A simulation whose corpus is being loaded, with its progress and the changes requested meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from graphpalace.domain.deadline import without_deadline
from graphpalace.domain.simulation.simulation_answers import LoadingProgress, Stage
from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.errors import Conflict
from graphpalace.operations.simulation.corpus_choice import CorpusChoice
from graphpalace.operations.simulation.live.live import LiveSimulation


class CorpusLoading:
    """A simulation that is being started. Loading continues if the client that requested it disconnects.

    Attributes:
        seed: Random seed of the simulation.
        paced: Whether the simulation will respect `max_steps_per_s`.
        changes: Settings that were changed meanwhile; they apply from the first step on.
        paused: Whether the simulation is to be paused when it is loaded.
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
        self.progress = LoadingProgress("reading", 0, 0)
        self.changes: dict[str, Any] = {}
        self.paused = False
        self._tell = tell
        self._task: asyncio.Task[LiveSimulation] | None = None

    def advance(self, stage: Stage, done: int = 0, of: int = 0) -> None:
        """Report progress."""
        self.progress = LoadingProgress(stage, done, of)
        self._tell(self.progress)

    def begin(self, work: Coroutine[Any, Any, LiveSimulation]) -> None:
        """Load in the background. `work` must store its own failure, as perhaps nobody waits for it."""
        self._task = without_deadline(work)
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())

    def cancel(self) -> None:
        """Cancel loading. A batch that is being embedded is still computed to its end, without being waited for."""
        if self._task is not None:
            self._task.cancel()

    async def loaded(self) -> LiveSimulation:
        """Wait until the simulation is loaded and return it.

        Raises:
            Conflict: If it was stopped while it was loading.
            GraphPalaceError: If it cannot be loaded.
        """
        assert self._task is not None
        await asyncio.wait({self._task})
        if self._task.cancelled():
            raise Conflict(f"simulation {self.name!r} was stopped while it was loading", simulation=self.name)
        return self._task.result()
