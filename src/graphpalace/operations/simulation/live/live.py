"""A simulation that runs: its steps in a thread, everything else on the event loop, and nobody waits for anybody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TypeVar

import structlog

from graphpalace.domain.counts import counted
from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.simulation.simulations import Finding, Report, State
from graphpalace.errors import Conflict, GraphPalaceError
from graphpalace.operations.simulation.corpus import Corpus
from graphpalace.operations.simulation.live.live_reports import LiveReports
from graphpalace.operations.simulation.live.session import RankedRows, SwarmSession, Target
from graphpalace.operations.simulation.live.stepper import RenderedStep, Stepper, StepResult
from graphpalace.operations.simulation.live.subscribers import Subscriber, Subscribers
from graphpalace.operations.simulation.reports.reports import ReportWriter
from graphpalace.simulate.metrics import Metrics

_LOG = structlog.get_logger("graphpalace.simulation")
_T = TypeVar("_T")
_CHECKPOINT_S = 10.0


class LiveSimulation:
    """One simulation over a corpus that is loaded.

    Attributes:
        state: `running`, `paused`, `stopped` or `failed`.
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
        """Wire it.

        Args:
            workers: Has a thread for each simulation that runs.
            paced: Whether it keeps to `max_steps_per_s`; else it runs as fast as it can.
            frames_per_s: Most pictures in a second.
            keep: Stores it with its complete state and the messages that show it.
        """
        self.corpus = corpus
        self.course = course
        self.audience = audience
        self.seed = seed
        self.state: State = "paused"
        self.stopped_by: str | None = None
        self.error: str | None = None
        self._reports = LiveReports(reports, audience, course.ids, self.findings)
        self._workers = workers
        self._keep = keep
        loop = asyncio.get_running_loop()

        def tell(news: StepResult) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody is there to be told
                loop.call_soon_threadsafe(self._told, news)

        self._stepper = Stepper(course, tell, paced=paced, frame_s=1 / frames_per_s, watched=lambda: len(audience) > 0)
        self._task: asyncio.Task[None] | None = None
        self._ending: tuple[State, str | None] = ("paused", None)
        self._showing: asyncio.Task[None] | None = None
        self._keeping: asyncio.Task[Any] | None = None
        self._others: set[asyncio.Task[None]] = set()
        self._drawn: RenderedStep | None = None
        self._last_kept = 0.0

    @property
    def settings(self) -> SimulationSettings:
        """Those in force."""
        return self.course.settings

    @property
    def rests(self) -> bool:
        """Whether it neither runs nor is being stored after it ran."""
        return self.state not in ("loading", "running") and (self._task is None or self._task.done())

    @property
    def held(self) -> bool:
        """Whether no other service may have it: it goes on here, or is going to."""
        return self.state in ("running", "paused")

    @property
    def steps_per_s(self) -> float:
        """How fast it runs."""
        return round(self._stepper.steps_per_s, 2) if self.state == "running" else 0.0

    @property
    def began_at(self) -> float:
        """Unix time from which its seconds are counted, pauses too."""
        return self._stepper.began_at

    @began_at.setter
    def began_at(self, unix_s: float) -> None:
        self._stepper.began_at = unix_s

    @property
    def report(self) -> Report | None:
        """The last one; None before the first."""
        return self._reports.latest

    def go_on(self) -> None:
        """Begin to step, or go on."""
        self.state, self.stopped_by, self.error = "running", None, None
        self._last_kept = time.monotonic()
        self._stepper.ready()
        self._task = asyncio.create_task(self._fly())

    async def ended(self) -> None:
        """Wait until it does not run any more and is stored."""
        if self._task:
            await asyncio.shield(self._task)

    async def reported(self) -> None:
        """Wait for the report that is being written."""
        await self._reports.written()

    def let_go(self) -> None:
        """Make no further step, and give up the report that is being written; nothing is stored."""
        self._stepper.halt()
        self._reports.give_up()

    async def halt(self, state: State, stopped_by: str | None = None) -> None:
        """Stop or pause between two steps; its complete state is stored when this returns."""
        if self.state == "running":
            self._ending = (state, stopped_by)
            self._stepper.halt()
            await self.ended()
        else:
            self.state, self.stopped_by = state, stopped_by
            await self.keep()
            self.audience.tell("metrics", self.metrics())

    async def keep(self) -> list[tuple[str, bytes]]:
        """Store it with its complete state; return the messages that show it now."""
        view = await self.view()
        await self._keep(self, [message for _kind, message in view])
        return view

    def keep_soon(self) -> None:
        """Store it beside its steps."""
        self._last_kept = time.monotonic()
        self._keeping = asyncio.create_task(self._kept())

    async def change(self, settings: SimulationSettings, target: Target | None) -> None:
        """Apply settings from the next step on; one that rests is stored and shown at once.

        Args:
            target: What is looked for now, if that changed.
        """
        await self.between_steps(lambda: self.course.change(settings, target))
        if self.state != "running":
            await self.ended()  # what is stored at its end comes first
            for kind, message in await self.keep():
                self.audience.pass_on(kind, message)
            self.audience.tell("metrics", self.metrics())

    async def between_steps(self, work: Callable[[], _T]) -> _T:
        """Do something with the course, in a thread, while no step is made."""
        return await asyncio.to_thread(self._stepper.between, work)

    async def findings(self, ranked: RankedRows) -> list[Finding]:
        """Return documents with what is known of them."""
        documents = await self.corpus.documents(ranked.rows)
        columns = zip(documents, ranked.scores, ranked.similarities, ranked.visits, ranked.keywords, strict=True)
        return [Finding(*row) for row in columns]

    async def results(self) -> list[Finding]:
        """Return the best documents now."""
        return await self.findings(await self.between_steps(lambda: self.course.best(self.settings.top_k)))

    def metrics(self, found: Metrics | None = None) -> dict[str, Any]:
        """Return the data of the message `metrics`."""
        return asdict(found or self.course.metrics) | {
            "state": self.state,
            "agents": len(self.course.swarm.agents),
            "docs": len(self.course.ids),
            "steps_per_s": self.steps_per_s,
            "stopped_by": self.stopped_by,
        }

    async def greet(self, seat: Subscriber) -> None:
        """Show somebody who comes where it stands."""
        if self.state != "running":  # else the next picture comes soon
            for kind, message in await self.view():
                seat.put(kind, message)
        seat.put("metrics", self.audience.message("metrics", self.metrics()))
        if self.report is not None:
            seat.put("report", self.audience.message("report", asdict(self.report)))

    def check_resumable(self) -> None:
        """Refuse to go on where there is nothing left to do."""
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

    def _told(self, news: StepResult) -> None:
        """Pass on what a step brought; on the event loop."""
        if self.state != "running":  # it ended meanwhile, and that was told
            return
        self.audience.tell("metrics", self.metrics(news.metrics))
        if news.drawn is not None:
            self._drawn = news.drawn
            if self._showing is None or self._showing.done():
                self._showing = asyncio.create_task(self._show_newest())
        if news.stable is not None:
            self._beside(self._tell_stable(*news.stable, step=news.metrics.step))
        if news.report is not None:
            self._reports.ask(news.report)
        if time.monotonic() - self._last_kept > _CHECKPOINT_S and (self._keeping is None or self._keeping.done()):
            self.keep_soon()

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._others.add(task)
        task.add_done_callback(self._others.discard)

    async def _show_newest(self) -> None:
        while self._drawn is not None:
            drawn, self._drawn = self._drawn, None
            with suppress(GraphPalaceError):  # a picture that lacks its texts is left out; the next one comes
                await self._show(drawn)

    async def _show(self, drawn: RenderedStep) -> None:
        for kind, message in await self._seen(drawn):
            self.audience.pass_on(kind, message)

    async def view(self) -> list[tuple[str, bytes]]:
        """Return the messages `snapshot` and `results` as it is now."""
        top_k = self.settings.top_k
        return await self._seen(
            await self.between_steps(lambda: RenderedStep(self.course.picture(), self.course.best(top_k)))
        )

    async def _seen(self, drawn: RenderedStep) -> list[tuple[str, bytes]]:
        """Return the messages `snapshot` and `results`."""
        picture, query = drawn.picture, self.settings.query
        documents = await self.corpus.documents(picture.rows)
        found = [finding.as_json() for finding in await self.findings(drawn.best)]

        def written() -> list[tuple[str, bytes]]:
            results = {"step": picture.step, "query": query, "results": found}
            data = {"snapshot": picture.as_json(documents), "results": results}
            return [(kind, self.audience.message(kind, one)) for kind, one in data.items()]

        return await asyncio.to_thread(written)

    async def _tell_stable(self, rule: str, best: RankedRows, *, step: int) -> None:
        """Tell that a rule of convergence begins to hold."""
        found = [finding.as_json() for finding in await self.findings(best)]
        data = {"step": step, "rule": rule, "query": self.settings.query, "results": found}
        self.audience.tell("results_stable", data)

    async def _finish(self) -> None:
        """Tell and keep how it ended."""
        if self.state == "stopped":
            self.audience.log("info", f"stopped after {counted(self.course.swarm.step, 'step')} by {self.stopped_by}")
        if waiting := {task for task in (self._showing, self._keeping, *self._others) if task}:
            await asyncio.wait(waiting)
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
            self.audience.log("error", f"the simulation could not be kept: {error.message}")
            return []

    async def _keep_end(self) -> None:
        if self.state == "stopped":
            await self._kept()
