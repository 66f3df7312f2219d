"""How far a long command is, and what Ctrl-C leaves of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from graphpalace.serve.cli.output import err

if TYPE_CHECKING:
    from rich.console import Console


_EVERY_S = 10.0


@dataclass(frozen=True, slots=True)
class ProgressStep:
    """How far some work is.

    Attributes:
        task: What is being done, such as `ingesting`.
        done: How much of it is done.
        total: Of how much; None: that is not known.
        unit: What is counted, such as `files`.
        more: What else is counted, and its name, such as `(1234, "drawers")`. Its rate is shown.
    """

    task: str
    done: int
    total: int | None
    unit: str
    more: tuple[int, str] | None = None

    def line(self, seconds: float) -> str:
        """Return the step as a line, with the rate and the time left.

        Args:
            seconds: How long the task has gone on.

        >>> Step("ingesting", 30, 120, "files", (60, "drawers")).line(10)
        'ingesting: 30 of 120 files, 60 drawers, 6/s, 30 s left'
        """
        parts = [f"{self.done:,}" + (f" of {self.total:,}" if self.total is not None else "") + f" {self.unit}"]
        if self.more is not None:
            parts.append(f"{self.more[0]:,} {self.more[1]}")
        counted = self.done if self.more is None else self.more[0]
        if seconds > 0 and counted:
            parts.append(f"{counted / seconds:,.0f}/s")
        if self.total is not None and 0 < self.done < self.total:
            parts.append(f"{_duration(seconds * (self.total - self.done) / self.done)} left")
        return f"{self.task}: {', '.join(parts)}"


@contextmanager
def shown_progress(
    task: str, console: Console, *, every_s: float = _EVERY_S
) -> Iterator[Callable[[ProgressStep], None]]:
    """Yield a function that takes the latest step and shows it.

    Args:
        task: What to say until the first step is known.
        every_s: How often a line is printed where there is no terminal, in seconds.
    """
    with (_bar if console.is_terminal else _lines)(task, console, every_s) as tell:
        yield tell


@contextmanager
def _bar(task: str, console: Console, _every_s: float) -> Iterator[Callable[[ProgressStep], None]]:
    """Begin with the first step: work that is done at once needs no bar, which takes longer to import."""
    begun: dict[str, float] = {}
    with ExitStack() as shown:
        bar: Callable[[str, ProgressStep], None] | None = None

        def tell(step: ProgressStep) -> None:
            nonlocal bar
            bar = bar or shown.enter_context(_rich_bar(task, console))
            bar(step.line(time.monotonic() - begun.setdefault(step.task, time.monotonic())), step)

        yield tell


@contextmanager
def _rich_bar(task: str, console: Console) -> Iterator[Callable[[str, ProgressStep], None]]:
    from rich.progress import BarColumn, Progress, TextColumn

    with Progress(BarColumn(), TextColumn("{task.description}", markup=False), console=console) as progress:
        shown = progress.add_task(task, total=None)
        yield lambda line, step: progress.update(
            shown, description=line, completed=step.done, total=step.total, refresh=True
        )


@contextmanager
def _lines(task: str, console: Console, every_s: float) -> Iterator[Callable[[ProgressStep], None]]:
    """Print from a thread, so that work that tells nothing for long is seen to go on."""
    latest: tuple[ProgressStep, float] | None = None
    ended = threading.Event()

    def tell(step: ProgressStep) -> None:
        nonlocal latest
        begun = latest[1] if latest is not None and latest[0].task == step.task else time.monotonic()
        latest = step, begun

    def follow() -> None:
        while not ended.wait(every_s):
            said = f"{task}: waiting" if latest is None else latest[0].line(time.monotonic() - latest[1])
            console.print(said, markup=False, highlight=False, soft_wrap=True)

    thread = threading.Thread(target=follow, name="progress", daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        ended.set()
        thread.join()


def _duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> _duration(75), _duration(7300)
    ('1 min 15 s', '2 h 2 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


_CTRL_C = 130  # the exit code after Ctrl-C


@contextmanager
def stopped(left: str) -> Iterator[None]:
    """Say what Ctrl-C leaves, and end with its exit code. Who closes the connection stops the service's work, too.

    Args:
        left: For example `what is already stored is kept`.
    """
    try:
        yield
    except KeyboardInterrupt:
        err.print(f"stopped: {left}", soft_wrap=True)
        raise typer.Exit(_CTRL_C) from None
