"""What a simulation in memory does on its own: its clock, its pace and its reports."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.domain.simulation.simulations import CorpusDocument, Report, ReportInput
from graphpalace.domain.vectors import unit_rows
from graphpalace.errors import ReportFailed
from graphpalace.operations.simulation import stepper as stepper_module
from graphpalace.operations.simulation.live_simulation import LiveSimulation
from graphpalace.operations.simulation.session import SwarmSession, Target
from graphpalace.operations.simulation.stepper import Stepper, StepResult
from graphpalace.operations.simulation.subscribers import Subscriber, Subscribers


class _Corpus:
    """Forty documents without a database."""

    palace = None
    ids = tuple(f"d{row:02}" for row in range(40))
    vectors = unit_rows(np.random.default_rng(5).standard_normal((40, 16)).astype(np.float32))

    async def documents(self, rows: Sequence[int]) -> list[CorpusDocument]:
        await asyncio.sleep(0)
        return [CorpusDocument(self.ids[row], f"text {row}", "here") for row in rows]

    async def keywords(self, terms: Sequence[str]) -> np.ndarray:  # noqa: ARG002 -- the protocol names it
        return np.zeros(len(self.ids), np.float32)


class _Reports:
    """Writes reports of nothing but their step, or fails to; meanwhile the simulation goes on to some step.

    Args:
        meanwhile: Returns the step that is waited for, by the step of the report.
    """

    def __init__(self, meanwhile: Callable[[int], int] = lambda step: step, *, fails: bool = False) -> None:
        self.steps: list[int] = []
        self.live: LiveSimulation
        self._meanwhile = meanwhile
        self._fails = fails

    async def write(self, given: ReportInput) -> Report:
        self.steps.append(given.step)
        while self.live.course.swarm.step < self._meanwhile(given.step):  # noqa: ASYNC110 -- steps are made in a thread
            await asyncio.sleep(0.001)
        if self._fails:
            raise ReportFailed("there is no endpoint")
        return Report(given.step, given.mode, "test", "", ())


def _course(**settings: Any) -> SwarmSession:
    chosen = SimulationSettings(num_agents=20, **settings)
    course = SwarmSession(_Corpus(), chosen, Target(None, np.zeros(40, np.float32)))
    course.spawn(seed=3)
    return course


async def _ended(reports: _Reports, **settings: Any) -> LiveSimulation:
    async def keep(_live: LiveSimulation, _view: list[bytes]) -> None:
        await asyncio.sleep(0)

    with ThreadPoolExecutor(1) as workers:
        live = LiveSimulation(
            _Corpus(),
            _course(report_enabled=True, **settings),
            Subscribers("test"),
            reports,  # pyright: ignore[reportArgumentType]
            workers,
            seed=3,
            paced=True,
            frames_per_s=10,
            keep=keep,
        )
        reports.live = live
        live.go_on()
        await live.ended()
        await live.reported()
    return live


async def test_a_report_is_on_the_step_that_it_was_due_at_however_far_the_simulation_is_meanwhile() -> None:
    reports = _Reports(lambda step: min(step + 3, 35))
    await _ended(reports, report_every=10, max_iterations=35, max_steps_per_s=200)
    assert reports.steps[0] == 10
    assert reports.steps[-1] == 35  # the end has one too
    assert set(reports.steps) <= {10, 20, 30, 35}


async def test_of_reports_that_wait_for_a_slow_endpoint_the_newest_is_written() -> None:
    reports = _Reports(lambda _step: 61)
    live = await _ended(reports, report_every=2, max_iterations=61, max_steps_per_s=0)
    first, *later = reports.steps
    assert first < 60  # 2, or a little later on a slow machine
    assert later == [60, 61]
    assert live.report is not None
    assert live.report.step == 61


async def test_a_report_on_the_end_that_failed_is_not_asked_for_again() -> None:
    reports = _Reports(fails=True)
    live = await _ended(reports, report_every=10, max_iterations=20, max_steps_per_s=200)
    assert reports.steps[-1] == 20
    assert reports.steps.count(20) == 1
    assert live.report is None


class _Clock:
    """A wall clock that goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def time(self) -> float:
        return self.now

    monotonic = time


def _step_at(clock: _Clock, stepper: Stepper, seconds: float) -> None:
    clock.now += seconds
    stepper.ready()
    stepper.fly()


@pytest.mark.parametrize(
    ("deterministic", "waited_s", "recent"),
    [(False, 0.4, True), (False, 0.99, True), (False, 1.0, False), (False, 8.9, False), (True, 0.4, False)],
)
def test_what_is_visited_is_recent_for_a_second_of_the_wall_clock_unless_a_step_is_a_second(
    monkeypatch: pytest.MonkeyPatch, deterministic: bool, waited_s: float, recent: bool
) -> None:
    clock = _Clock()
    monkeypatch.setattr(stepper_module, "time", clock)
    course = _course(deterministic=deterministic)
    stepper: Stepper

    def tell(_news: StepResult) -> None:
        stepper.halt()

    stepper = Stepper(course, tell, paced=False, frame_s=1.0, watched=lambda: False)
    for _ in range(15):
        _step_at(clock, stepper, 0.0)
    before = course.swarm.visits
    _step_at(clock, stepper, waited_s)
    left = (before > 0) & (course.swarm.visits == before)
    assert left.any()
    bonus = course.swarm.relevance - course._asked.similarity - np.minimum(0.1 * course.swarm.visits, 0.5)
    assert bonus[left].tolist() == pytest.approx([0.1 if recent else 0.0] * int(left.sum()), abs=1e-5)


async def test_however_slow_the_pace_the_simulation_waits_until_it_is_halted() -> None:
    told = threading.Event()
    stepper = Stepper(
        _course(max_steps_per_s=1e-300), lambda _news: told.set(), paced=True, frame_s=1.0, watched=lambda: False
    )
    flight = asyncio.create_task(asyncio.to_thread(stepper.fly))
    assert await asyncio.to_thread(told.wait, 60)
    stepper.halt()
    assert await flight is None


async def test_a_client_that_takes_seldom_gets_the_metrics_of_every_step_and_the_newest_picture() -> None:
    seat = Subscriber()
    for step in range(1, 131):
        seat.put("metrics", json.dumps(step).encode())
        seat.put("snapshot", f"picture {step}".encode())
    taken = await seat.take()
    assert [json.loads(one) for one in taken[:-1]] == list(range(31, 131))  # the last hundred of a kind
    assert taken[-1] == b"picture 130"
