"""A simulation in memory. Its steps run in a thread of their own; everything else runs on the event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TypeVar

import structlog

from graphpalace.domain.deadline import without_deadline
from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.simulation.simulations import Finding, Report, State
from graphpalace.domain.texts import counted
from graphpalace.errors import Conflict, GraphPalaceError
from graphpalace.operations.simulation.corpus import Corpus
from graphpalace.operations.simulation.reports.reports import ReportWriter
from graphpalace.operations.simulation.session import SwarmSession, Target
from graphpalace.operations.simulation.stepper import RenderedStep, Stepper, StepResult
from graphpalace.operations.simulation.subscribers import LivePictures, LiveReports, Subscriber, Subscribers
from graphpalace.simulate.convergence import StepMetrics
from graphpalace.telemetry.work_ids import background_task

_LOG = structlog.get_logger("graphpalace.simulation")
_T = TypeVar("_T")
_CHECKPOINT_S = 10.0


class LiveSimulation:
    """A simulation over a loaded corpus, which can run, be paused and be changed.

    Attributes:
        state: `running`, `paused`, `stopped` or `failed`.
        pictures: Shows it to subscribers.
        stopped_by: `trails`, `relevance`, `max_iterations` or `request`; None while it is not stopped.
    """

    def __init__(
        self,
        corpus: Corpus,
        course: SwarmSession,
        audience: Subscribers,
        reports: ReportWriter,
        workers: Executor,
        *,
        seed: int,
        paced: bool,
        frames_per_s: float,
        keep: Callable[[LiveSimulation, list[bytes]], Awaitable[None]],
    ) -> None:
        """Create a paused simulation.

        Args:
            workers: Executor with a thread for each running simulation.
            paced: Whether to respect `max_steps_per_s`; otherwise it runs as fast as possible.
            frames_per_s: Largest number of pictures per second.
            keep: Stores the simulation with its complete state and the messages that show it.
        """
        self.corpus = corpus
        self.course = course
        self.audience = audience
        self.seed = seed
        self.state: State = "paused"
        self.stopped_by: str | None = None
        self.error: str | None = None
        self.pictures = LivePictures(corpus, course, audience)
        self._reports = LiveReports(reports, audience, course.ids, self.pictures.findings)
        self._workers = workers
        self._keep = keep
        loop = asyncio.get_running_loop()

        def tell(news: StepResult) -> None:
            with suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(self._receive, news)

        self._stepper = Stepper(course, tell, paced=paced, frame_s=1 / frames_per_s, watched=lambda: len(audience) > 0)
        self._task: asyncio.Task[None] | None = None
        self._ending: tuple[State, str | None] = ("paused", None)
        self._keeping: asyncio.Task[Any] | None = None
        self._last_kept = 0.0

    @property
    def settings(self) -> SimulationSettings:
        """The current settings."""
        return self.course.settings

    @property
    def rests(self) -> bool:
        """Whether the simulation does not run, and its last run is stored."""
        return self.state not in ("loading", "running") and (self._task is None or self._task.done())

    @property
    def held(self) -> bool:
        """Whether this service holds the simulation, so that no other may take it. True if it runs or is paused."""
        return self.state in ("running", "paused")

    @property
    def steps_per_s(self) -> float:
        """Current speed in steps per second; 0 if it does not run."""
        return round(self._stepper.steps_per_s, 2) if self.state == "running" else 0.0

    @property
    def began_at(self) -> float:
        """Unix time from which its seconds are counted, including pauses."""
        return self._stepper.began_at

    @began_at.setter
    def began_at(self, unix_s: float) -> None:
        self._stepper.began_at = unix_s

    @property
    def report(self) -> Report | None:
        """The latest report; None before the first."""
        return self._reports.latest

    def go_on(self, steps: int | None = None) -> None:
        """Start or continue making steps.

        Args:
            steps: Pause again after so many; None: do not.
        """
        self.state, self.stopped_by, self.error = "running", None, None
        self._last_kept = time.monotonic()
        self._ending = ("paused", None)
        self._stepper.ready(steps)
        self._task = background_task("simulation", self._fly())

    async def ended(self) -> None:
        """Wait until the simulation has stopped running and is stored."""
        if self._task:
            await asyncio.shield(self._task)

    async def reported(self) -> None:
        """Wait for the report that is being written, if any."""
        await self._reports.written()

    def let_go(self) -> None:
        """Stop making steps and cancel the report that is being written, without storing anything."""
        self._stepper.halt()
        self._reports.give_up()

    async def halt(self, state: State, stopped_by: str | None = None) -> None:
        """Stop or pause the simulation between two steps, and store its complete state."""
        if self.state == "running":
            self._ending = (state, stopped_by)
            self._stepper.halt()
            await self.ended()
        else:
            self.state, self.stopped_by = state, stopped_by
            await self.keep()
            self.audience.tell("metrics", self.metrics())

    async def keep(self) -> list[tuple[str, bytes]]:
        """Store the simulation with its complete state; return the messages that show it now."""
        view = await self.view()
        await self._keep(self, [message for _kind, message in view])
        return view

    def keep_soon(self) -> None:
        """Store the simulation in the background."""
        self._last_kept = time.monotonic()
        self._keeping = without_deadline(self._kept())

    async def change(self, settings: SimulationSettings, target: Target | None) -> None:
        """Change settings from the next step on. A simulation that does not run is stored and shown at once.

        Args:
            target: The new target, if it changed.
        """
        await self.between_steps(lambda: self.course.change(settings, target))
        if self.state != "running":
            await self.ended()  # so that the end of the last run is stored first
            for kind, message in await self.keep():
                self.audience.pass_on(kind, message)
            self.audience.tell("metrics", self.metrics())

    async def between_steps(self, work: Callable[[], _T]) -> _T:
        """Call a function in a thread, while no step is being made, and return its result."""
        return await asyncio.to_thread(self._stepper.between, work)

    async def results(self) -> list[Finding]:
        """Return the currently most relevant documents, best first."""
        return await self.pictures.findings(await self.between_steps(lambda: self.course.best(self.settings.top_k)))

    def metrics(self, found: StepMetrics | None = None) -> dict[str, Any]:
        """Return the data of the message `metrics`."""
        return asdict(found or self.course.metrics) | {
            "state": self.state,
            "agents": len(self.course.swarm.agents),
            "docs": len(self.course.ids),
            "steps_per_s": self.steps_per_s,
            "stopped_by": self.stopped_by,
        }

    async def greet(self, seat: Subscriber) -> None:
        """Send a new client the current state."""
        if self.state != "running":  # a running simulation sends its next picture soon
            for kind, message in await self.view():
                seat.put(kind, message)
        seat.put("metrics", self.audience.message("metrics", self.metrics()))
        if self.report is not None:
            seat.put("report", self.audience.message("report", asdict(self.report)))

    def check_resumable(self) -> None:
        """Raise `Conflict` if the simulation is over."""
        if (over := self.course.over) is not None:
            chosen = self.settings
            cure = f"raise max_iterations above {chosen.max_iterations}, or " if over == "max_iterations" else ""
            steps = counted(self.course.swarm.step, "step")
            raise Conflict(f"the simulation is over after {steps} ({over}): {cure}start again")

    async def _fly(self) -> None:
        try:
            over = await asyncio.get_running_loop().run_in_executor(self._workers, self._stepper.fly)
            self.state, self.stopped_by = ("stopped", over) if over else self._ending
        except Exception as error:
            message = error.message if isinstance(error, GraphPalaceError) else repr(error)
            _LOG.exception("simulation_failed", step=self.course.swarm.step)
            self.state, self.error = "failed", f"step {self.course.swarm.step + 1}: {message}"
            self.audience.log("error", self.error)
        await self._finish()

    def _receive(self, news: StepResult) -> None:
        """Send the result of a step to subscribers. Runs on the event loop."""
        if self.state != "running":  # the simulation has ended, and subscribers know it
            return
        self.audience.tell("metrics", self.metrics(news.metrics))
        if news.drawn is not None:
            self.pictures.show(news.drawn)
        if news.stable is not None:
            self.pictures.show_stable(*news.stable, step=news.metrics.step)
        if news.report is not None:
            self._reports.ask(news.report)
        if time.monotonic() - self._last_kept > _CHECKPOINT_S and (self._keeping is None or self._keeping.done()):
            self.keep_soon()

    async def view(self) -> list[tuple[str, bytes]]:
        """Return the messages `snapshot` and `results` for the current step."""
        top_k = self.settings.top_k
        drawn = await self.between_steps(lambda: RenderedStep(self.course.picture(), self.course.best(top_k)))
        return await self.pictures.messages(drawn)

    async def _finish(self) -> None:
        """Store the end of a run, inform subscribers, and write the last report."""
        if self.state == "stopped":
            self.audience.log("info", f"stopped after {counted(self.course.swarm.step, 'step')} by {self.stopped_by}")
        await self.pictures.shown()
        if self._keeping is not None:
            await asyncio.wait([self._keeping])
        for kind, message in await self._kept():
            self.audience.pass_on(kind, message)
        self.audience.tell("metrics", self.metrics())
        if self.state == "stopped" and self.settings.report_enabled:
            self._reports.ask_last(
                lambda: self.course.swarm.step,
                lambda: self.between_steps(self.course.report_material),
                keep=self._keep_end,
            )

    async def _kept(self) -> list[tuple[str, bytes]]:
        try:
            return await self.keep()
        except GraphPalaceError as error:
            _LOG.warning("simulation_not_kept", reason=error.message)
            self.audience.log("error", f"the simulation could not be stored: {error.message}")
            return []

    async def _keep_end(self) -> None:
        if self.state == "stopped":
            await self._kept()
