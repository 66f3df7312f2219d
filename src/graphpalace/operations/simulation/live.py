"""A simulation that runs: steps in a worker thread, everything else on the event loop, nobody waits for anybody."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import asdict
from typing import Any, TypeVar

import structlog

from graphpalace.domain.simulation import Finding, FoundTrail, Report, ReportInput, State
from graphpalace.domain.simulation_settings import SimulationSettings
from graphpalace.errors import Conflict, GraphPalaceError
from graphpalace.operations.simulation.audience import Audience
from graphpalace.operations.simulation.corpus import Corpus
from graphpalace.operations.simulation.course import Course, Ranked, Target
from graphpalace.operations.simulation.reports import Reports

_LOG = structlog.get_logger("graphpalace.simulation")
_T = TypeVar("_T")
_CHECKPOINT_S = 10.0
_SPEED_STEPS = 20  # over which steps a second are counted
_REPORT_TRAILS = 50


class LiveSimulation:
    """One simulation over a corpus that is loaded.

    Attributes:
        state: `running`, `paused`, `stopped` or `failed`.
        stopped_by: `trails`, `relevance`, `max_iterations` or `request`; None while it is not stopped.
        clock_s: Seconds that it has run.
        report: The last one.
    """

    def __init__(
        self,
        corpus: Corpus,
        course: Course,
        audience: Audience,
        reports: Reports,
        workers: Executor,
        *,
        seed: int,
        paced: bool,
        frames_per_s: float,
        keep: Callable[[LiveSimulation], Awaitable[None]],
    ) -> None:
        """Wire it.

        Args:
            paced: Whether it keeps to `max_steps_per_s`; else it runs as fast as it can.
            frames_per_s: Most pictures in a second.
            keep: Stores it with its complete state.
        """
        self.corpus = corpus
        self.course = course
        self.audience = audience
        self.seed = seed
        self.state: State = "paused"
        self.stopped_by: str | None = None
        self.error: str | None = None
        self.report: Report | None = None
        self.clock_s = 0.0
        self._reports = reports
        self._workers = workers
        self._keep = keep
        self._paced = paced
        self._frame_s = 1 / frames_per_s
        self._turn = asyncio.Lock()  # held by a step, or by a command between two steps
        self._task: asyncio.Task[None] | None = None
        self._reporting: asyncio.Task[None] | None = None
        self._stepped: deque[float] = deque(maxlen=_SPEED_STEPS)
        self._last_frame = self._last_kept = -1e9
        self._stable: str | None = None

    @property
    def settings(self) -> SimulationSettings:
        """Those in force."""
        return self.course.settings

    @property
    def steps_per_s(self) -> float:
        """How fast it runs, 0 while it does not."""
        if self.state != "running" or len(self._stepped) < 2:
            return 0.0
        return (len(self._stepped) - 1) / max(self._stepped[-1] - self._stepped[0], 1e-9)

    def run(self) -> None:
        """Begin to step, or go on."""
        self.state, self.stopped_by, self.error = "running", None, None
        self._stepped.clear()
        self._task = asyncio.create_task(self._run())

    async def ended(self) -> None:
        """Wait until it does not run any more and is stored."""
        if self._task:
            await asyncio.shield(self._task)

    async def reported(self) -> None:
        """Wait for the report that is being written."""
        if self._reporting:
            await asyncio.shield(self._reporting)

    def let_go(self) -> None:
        """Give up the report that is being written."""
        if self._reporting:
            self._reporting.cancel()

    async def halt(self, state: State, stopped_by: str | None = None) -> None:
        """Stop or pause between two steps; its complete state is stored when this returns."""
        async with self._turn:
            running = self.state == "running"
            self.state, self.stopped_by = state, stopped_by
        if running:
            await self.ended()
        else:
            await self._keep(self)

    async def change(self, settings: SimulationSettings, target: Target | None) -> None:
        """Apply settings from the next step on.

        Args:
            target: What is looked for now, if that changed.
        """

        def apply() -> None:
            self.course.settings = settings
            if target is not None:
                self.course.aim(target)
            if settings.num_agents != len(self.course.swarm.agents):
                self.course.resize(settings.num_agents)

        await self.between_steps(apply)

    async def between_steps(self, work: Callable[[], _T]) -> _T:
        """Do something with the course in a worker thread while no step is made."""
        async with self._turn:
            return await self._in_worker(work)

    async def findings(self, ranked: Ranked) -> list[Finding]:
        """Return documents with what is known of them."""
        documents = await self.corpus.documents(ranked.rows)
        columns = zip(documents, ranked.scores, ranked.similarities, ranked.visits, ranked.keywords, strict=True)
        return [Finding(*row) for row in columns]

    async def results(self) -> list[Finding]:
        """Return the best documents now."""
        return await self.findings(await self.between_steps(lambda: self.course.best(self.settings.top_k)))

    def metrics(self) -> dict[str, Any]:
        """Return the data of the message `metrics`."""
        return asdict(self.course.metrics) | {
            "state": self.state,
            "agents": len(self.course.swarm.agents),
            "docs": len(self.course.ids),
            "steps_per_s": round(self.steps_per_s, 2),
            "stopped_by": self.stopped_by,
        }

    async def show(self) -> None:
        """Show a picture and the results, whether it is time or not."""
        if len(self.audience):
            await self._show(await self.between_steps(self._drawn))

    async def _run(self) -> None:
        try:
            due = time.monotonic()
            while await self._step():
                pace = self.settings.max_steps_per_s if self._paced else 0
                due = max(due + 1 / pace, time.monotonic()) if pace else time.monotonic()
                await asyncio.sleep(max(due - time.monotonic(), 0))
        except Exception as error:
            message = error.message if isinstance(error, GraphPalaceError) else repr(error)
            _LOG.exception("simulation_failed", step=self.course.swarm.step)
            self.state, self.error = "failed", f"step {self.course.swarm.step + 1}: {message}"
            self.audience.log("error", self.error)
        await self._finish()

    async def _step(self) -> bool:
        """Make a step and tell of it; return whether there is another one."""
        async with self._turn:
            if self.state != "running":
                return False
            over = self.course.over  # it may be over already when it goes on
            drawn = None
            if over is None:
                started = time.monotonic()
                drawn = await self._in_worker(self._stepped_once)
                now = time.monotonic()
                self.clock_s += now - started
                self._stepped.append(now)
                over = self.course.over
            if over is not None:
                self.state, self.stopped_by = "stopped", over
        self.audience.tell("metrics", self.metrics())
        await self._tell_stability()
        if drawn is not None:
            await self._show(drawn)
        self._report_if_due()
        if time.monotonic() - self._last_kept > _CHECKPOINT_S:
            self._last_kept = time.monotonic()
            await self._keep(self)
        return over is None

    def _stepped_once(self) -> tuple[Any, Ranked] | None:
        """Make a step, and draw it if it is time; runs in a worker thread."""
        course = self.course
        course.step(now=float(course.swarm.step + 1) if course.settings.deterministic else self.clock_s)
        due = course.swarm.step % course.settings.redraw_every == 0
        if not due or not len(self.audience) or time.monotonic() - self._last_frame < self._frame_s:
            return None
        self._last_frame = time.monotonic()
        return self._drawn()

    def _drawn(self) -> tuple[Any, Ranked]:
        return self.course.picture(), self.course.best(self.settings.top_k)

    async def _show(self, drawn: tuple[Any, Ranked]) -> None:
        picture, ranked = drawn
        if not len(self.audience):
            return
        documents = await self.corpus.documents(picture.rows)
        results = {"step": picture.step, "query": self.settings.query}
        results["results"] = [finding.as_json() for finding in await self.findings(ranked)]
        snapshot = await self._in_worker(lambda: self.audience.message("snapshot", picture.as_json(documents)))
        self.audience.pass_on("snapshot", snapshot)
        self.audience.tell("results", results)

    async def _tell_stability(self) -> None:
        """Tell once when a rule of convergence begins to hold."""
        rule = self.course.convergence.holds
        if rule != self._stable and rule is not None and len(self.audience):
            found = [finding.as_json() for finding in await self.results()]
            step = self.course.swarm.step
            self.audience.tell(
                "results_stable", {"step": step, "rule": rule, "query": self.settings.query, "results": found}
            )
        self._stable = rule

    async def _kept(self) -> None:
        try:
            await self.show()
            await self._keep(self)
        except GraphPalaceError as error:
            _LOG.warning("simulation_not_kept", reason=error.message)
            self.audience.log("error", f"the simulation could not be kept: {error.message}")

    async def _finish(self) -> None:
        """Tell and keep how it ended."""
        if self.state == "stopped":
            self.audience.log("info", f"stopped after {self.course.swarm.step} steps by {self.stopped_by}")
        await self._kept()
        self.audience.tell("metrics", self.metrics())
        if self.state == "stopped" and self.settings.report_enabled:
            self._reporting = asyncio.create_task(self._last_report(self._reporting))

    def _report_if_due(self) -> None:
        chosen = self.settings
        due = chosen.report_enabled and self.course.swarm.step % chosen.report_every == 0
        if due and (self._reporting is None or self._reporting.done()):
            self._reporting = asyncio.create_task(self._write_report())

    async def _last_report(self, earlier: asyncio.Task[None] | None) -> None:
        """Write a report on the end, and keep it."""
        if earlier:
            await asyncio.wait({earlier})
        if self.report is None or self.report.step != self.course.swarm.step:
            await self._write_report()
        if self.state == "stopped":
            await self._kept()

    async def _write_report(self) -> None:
        """Write a report beside the steps; a failure is a line of the log."""
        try:
            self.report = report = await self._reports.write(await self._report_input())
            self.audience.tell("report", asdict(report))
        except GraphPalaceError as error:
            _LOG.warning("report_failed", reason=error.message)
            self.audience.log("warning", f"no report: {error.message}")

    async def _report_input(self) -> ReportInput:
        def gathered() -> tuple[Ranked, list[tuple[int, int, float]], int]:
            ranked = self.course.best(self.settings.top_k)
            trails = self.course.strongest_trails(_REPORT_TRAILS, among=ranked.rows)
            return ranked, trails, self.course.swarm.step

        ranked, trails, step = await self.between_steps(gathered)
        ids = self.course.ids
        figures = asdict(self.course.metrics)
        return ReportInput(
            query=self.settings.query,
            mode=self.settings.report_mode,
            step=step,
            findings=await self.findings(ranked),
            trails=[FoundTrail(ids[first], ids[second], strength) for first, second, strength in trails],
            metrics={name: value for name, value in figures.items() if name != "step"},
        )

    async def _in_worker(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)

    def check_resumable(self) -> None:
        """Refuse to go on where there is nothing left to do."""
        if (over := self.course.over) is not None:
            chosen = self.settings
            cure = f"raise max_iterations above {chosen.max_iterations}, or " if over == "max_iterations" else ""
            raise Conflict(f"the simulation is over after {self.course.swarm.step} steps ({over}): {cure}start again")
