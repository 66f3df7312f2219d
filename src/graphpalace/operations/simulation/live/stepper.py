"""Makes a simulation's steps in a thread of its own, which waits for nothing but its pace and for commands."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from graphpalace.operations.simulation.live.frames import Frame
from graphpalace.operations.simulation.live.session import RankedRows, ReportMaterial, SwarmSession
from graphpalace.simulate.metrics import Metrics

_T = TypeVar("_T")
_LATE_S = 0.5  # of steps that are made up for
_SPEED_STEPS = 20  # over which steps a second are counted


@dataclass(frozen=True, slots=True)
class RenderedStep:
    """What there is to see at a step."""

    picture: Frame
    best: RankedRows


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step brought.

    Attributes:
        drawn: If it was time for a picture.
        stable: The rule of convergence that began to hold at this step, and the best documents.
        report: If it was time for a report.
    """

    metrics: Metrics
    drawn: RenderedStep | None
    stable: tuple[str, RankedRows] | None
    report: ReportMaterial | None = None


class Stepper:
    """Steps until it is told to halt or the course is over; commands come between two steps, and come first.

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
        """Wire it.

        Args:
            tell: Called after each step, in the stepping thread; it must not wait.
            paced: Whether it keeps to `max_steps_per_s`; else it runs as fast as it can.
            frame_s: Least seconds between two pictures.
            watched: Whether anybody wants pictures.
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
        self._stepped: deque[float] = deque(maxlen=_SPEED_STEPS)

    @property
    def steps_per_s(self) -> float:
        """How fast it runs, or ran at last."""
        stepped = list(self._stepped)
        return (len(stepped) - 1) / max(stepped[-1] - stepped[0], 1e-9) if len(stepped) > 1 else 0.0

    def ready(self) -> None:
        """Forget an earlier halt."""
        self._halted.clear()
        self._stepped.clear()

    def halt(self) -> None:
        """Let the step that is being made be the last; from any thread."""
        self._halted.set()

    def fly(self) -> str | None:
        """Make steps; return why the course is over, None if it was told to halt. Blocks."""
        due = time.monotonic()
        while not self._halted.is_set():
            with self._alone(command=False):
                if over := self._course.over:
                    return over
                news = self._step()
            self._tell(news)
            if not (self._paced and (pace := self._course.settings.max_steps_per_s)):
                continue
            due = max(due + 1 / pace, time.monotonic() - _LATE_S)
            self._halted.wait(max(due - time.monotonic(), 0))
        return None

    def between(self, work: Callable[[], _T]) -> _T:
        """Do something with the course while no step is made. Blocks."""
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
