"""The commands that make pheromones fade."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphpalace.domain.texts import counted
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, Palace, context
from graphpalace.serve.cli.output import out, print_json
from graphpalace.serve.cli.reached import reached

if TYPE_CHECKING:
    from graphpalace.domain.pheromones.pheromones import DecayResult, DecayStatus


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
    with reached(palace) as found:
        if now:
            status_now = found.decay_status()
            done = found.decay()
            _show(_run(done, status_now.palace), done, as_json=as_json)
        else:
            shown = found.decay_status()
            _show(_status(shown), shown, as_json=as_json)


def decay_service() -> None:
    """Run the decay of every palace whenever it is due, until SIGTERM or Ctrl-C. Several of these may run at once.

    `graphpalace serve` includes this service unless [decay] enabled is false.
    """
    from graphpalace.serve.scheduler.decay_service import run_decay_service

    run_decay_service(context.settings())


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
