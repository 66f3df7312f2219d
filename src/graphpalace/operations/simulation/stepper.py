"""Run the steps of a simulation in a thread of their own, with commands between two steps."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from graphpalace.operations.simulation.frames import Frame
from graphpalace.operations.simulation.session import RankedRows, ReportMaterial, SwarmSession
from graphpalace.simulate.convergence import StepMetrics

_T = TypeVar("_T")
_LATE_S = 0.5  # if steps are late, at most this much time is caught up
_SPEED_STEPS = 20  # number of steps over which the speed is measured


@dataclass(frozen=True, slots=True)
class RenderedStep:
    """The picture of a step and the best documents."""

    picture: Frame
    best: RankedRows


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step.

    Attributes:
        drawn: Picture of the step, if one was due.
        stable: The rule of convergence that started to hold at this step, and the best documents; else None.
        report: Material for a report, if one was due.
    """

    metrics: StepMetrics
    drawn: RenderedStep | None
    stable: tuple[str, RankedRows] | None
    report: ReportMaterial | None = None


class Stepper:
    """Makes steps until it is halted or the simulation is over. Commands run between two steps and have priority.

    Attributes:
        began_at: Unix time from which the simulation's seconds are counted, unless it is deterministic.
    """

    def __init__(
        self,
        course: SwarmSession,
        tell: Callable[[StepResult], None],
        *,
        paced: bool,
        frame_s: float,
        watched: Callable[[], bool],
    ) -> None:
        """Create a stepper.

        Args:
            tell: Called with the result of each step, in the stepping thread. It must not block.
            paced: Whether to respect `max_steps_per_s`; otherwise it runs as fast as possible.
            frame_s: Least time between two pictures, in seconds.
            watched: Whether anybody watches, so that pictures are needed.
        """
        self.began_at = time.time()
        self._course = course
        self._tell = tell
        self._paced = paced
        self._frame_s = frame_s
        self._watched = watched
        self._halted = threading.Event()
        self._free = threading.Condition()
        self._busy = False
        self._commands = 0
        self._last_frame = -1e9
        self._stable: str | None = None
        self._left: int | None = None
        self._stepped: deque[float] = deque(maxlen=_SPEED_STEPS)

    @property
    def steps_per_s(self) -> float:
        """Speed of the latest steps, in steps per second."""
        stepped = list(self._stepped)
        return (len(stepped) - 1) / max(stepped[-1] - stepped[0], 1e-9) if len(stepped) > 1 else 0.0

    def ready(self, steps: int | None = None) -> None:
        """Prepare for another call of `fly` after a halt.

        Args:
            steps: Halt after so many steps; None: only when `halt` is called.
        """
        self._left = steps
        self._halted.clear()
        self._stepped.clear()

    def halt(self) -> None:
        """Stop after the current step. May be called from any thread."""
        self._halted.set()

    def fly(self) -> str | None:
        """Make steps until the end. Blocks. Return why the simulation is over, or None if it was halted."""
        due = time.monotonic()
        while not self._halted.is_set() and self._left != 0:
            with self._alone(command=False):
                if over := self._course.over:
                    return over
                news = self._step()
            self._tell(news)
            self._left = None if self._left is None else self._left - 1
            if not (self._paced and (pace := self._course.settings.max_steps_per_s)):
                continue
            due = max(due + 1 / pace, time.monotonic() - _LATE_S)
            self._halted.wait(min(max(due - time.monotonic(), 0), threading.TIMEOUT_MAX))
        return self._course.over if self._left == 0 else None

    def between(self, work: Callable[[], _T]) -> _T:
        """Call a function while no step is being made, and return its result. Blocks."""
        with self._alone(command=True):
            return work()

    @contextmanager
    def _alone(self, *, command: bool) -> Iterator[None]:
        with self._free:
            self._commands += command
            self._free.wait_for(lambda: not self._busy and (command or not self._commands))
            self._commands -= command
            self._busy = True
        try:
            yield
        finally:
            with self._free:
                self._busy = False
                self._free.notify_all()

    def _step(self) -> StepResult:
        course, chosen = self._course, self._course.settings
        course.step(now=float(course.swarm.step + 1) if chosen.deterministic else time.time() - self.began_at)
        self._stepped.append(time.monotonic())
        held, self._stable = self._stable, course.convergence.holds
        stable = (self._stable, self._best()) if self._stable is not None and self._stable != held else None
        due = chosen.report_enabled and course.swarm.step % chosen.report_every == 0
        return StepResult(course.metrics, self._drawn(), stable, course.report_material() if due else None)

    def _drawn(self) -> RenderedStep | None:
        due = self._course.swarm.step % self._course.settings.redraw_every == 0
        if not due or not self._watched() or time.monotonic() - self._last_frame < self._frame_s:
            return None
        self._last_frame = time.monotonic()
        return RenderedStep(self._course.picture(), self._best())

    def _best(self) -> RankedRows:
        return self._course.best(self._course.settings.top_k)
