"""The commands that make pheromones fade."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from graphpalace.domain.counts import counted
from graphpalace.domain.graph.decay import DecayResult, DecayStatus
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, Palace, context
from graphpalace.serve.cli.in_process import with_database
from graphpalace.serve.cli.output import out, print_json

if TYPE_CHECKING:
    from graphpalace.operations.stigmergy.decay import Decay
    from graphpalace.settings.load import Settings
    from graphpalace.store.connection.database import Database

T = TypeVar("T")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(decay)
    app.command("decay-service")(decay_service)


def decay(
    now: Annotated[bool, typer.Option("--now", help="Run the decay now.")] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Show the clock, the last and the next run, and how much is warm.")
    ] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Make pheromones fade now, or show when they fade. The exit code is 4 if another service is running the decay.

    `graphpalace serve` and `graphpalace decay-service` run the decay every `decay_interval_cycles`.
    """
    if now == status:
        raise InvalidInput("give one of --now and --status", field="now")
    if now:
        found, named = _decayed(lambda decay, named: decay.apply(named), palace)
        _show(_run(found, named), found, as_json=as_json)
    else:
        shown, _ = _decayed(lambda decay, named: decay.status(named), palace)
        _show(_status(shown), shown, as_json=as_json)


def decay_service() -> None:
    """Run the decay of every palace whenever it is due, until SIGTERM or Ctrl-C. Several of these may run at once.

    `graphpalace serve` includes this service unless [decay] enabled is false.
    """
    from graphpalace.serve.scheduler.standalone import run_decay_service

    run_decay_service(context.settings())


def _decayed(work: Callable[[Decay, str], Coroutine[Any, Any, T]], palace: str | None) -> tuple[T, str]:
    """Run work on the decay of a palace; return its result and the name of the palace."""
    from graphpalace.app import make_decay

    async def run(settings: Settings, database: Database, named: str) -> tuple[T, str]:
        return await work(make_decay(settings, database), named), named

    return with_database(run, palace)


def _show(lines: list[tuple[str, str]], found: Any, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    for name, value in lines:
        out.print(f"{name:<10}{value}", soft_wrap=True, highlight=False, markup=False)


def _run(run: DecayResult, palace: str) -> list[tuple[str, str]]:
    return [
        ("palace", palace),
        ("cycle", str(run.cycle)),
        ("changed", f"{_warm(run.nodes, run.edges)} in {run.seconds:.2f} s"),
        ("forgotten", counted(run.deposits_pruned, "record of an old deposit", "records of old deposits")),
    ]


def _status(found: DecayStatus) -> list[tuple[str, str]]:
    last = found.last_run
    last_run = (
        f"cycle {last.cycle}, {last.finished_at}: {_warm(last.nodes, last.edges)} in {last.seconds:.2f} s"
        if last
        else "none yet"
    )
    running = [("running", f"{found.running_by}, until {found.running_until}")] if found.running_by else []
    return [
        ("palace", found.palace),
        ("cycle", f"{found.cycle}, of {found.cycle_seconds:g} s"),
        ("last run", last_run),
        ("next run", f"cycle {found.next_cycle}, {found.next_run_at}"),
        *running,
        ("warm", _warm(found.warm_nodes, found.warm_edges)),
    ]


def _warm(nodes: int, edges: int) -> str:
    return f"{counted(nodes, 'node')}, {counted(edges, 'edge')}"
