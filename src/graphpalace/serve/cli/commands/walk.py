"""The commands that walk through the palace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from graphpalace.domain.texts import counted
from graphpalace.offers import walking
from graphpalace.serve.cli.context import AsJson, Palace, check_question, numbers, setting_option
from graphpalace.serve.cli.offered import command
from graphpalace.serve.cli.output import Line, out, print_json
from graphpalace.serve.cli.reached import reached
from graphpalace.serve.cli.tables import Column, figures, shortened, show_table

if TYPE_CHECKING:
    from rich.console import Console

    from graphpalace.domain.walking.walks import Archetype, Exploration, Route, Schedule
    from graphpalace.settings.load import Settings


def register(app: typer.Typer) -> None:
    """Add the commands."""
    command(app, "navigate", walking.NAVIGATE, arguments=("start", "goal"))(lambda way, _asked: _show_way(out, way))
    app.command()(explore)


def explore(
    query: Annotated[
        str | None, typer.Option(help="Start at the best drawers for this query. Default: start at the wings.")
    ] = None,
    wing: Annotated[str | None, typer.Option(help="Start only in this wing.")] = None,
    agents: Annotated[int | None, setting_option("exploration", "agents")] = None,
    steps: Annotated[int | None, setting_option("exploration", "steps")] = None,
    mix: Annotated[
        str,
        setting_option("exploration", "mix", form="explorer=2, with commas between several"),
    ] = "",
    temperatures: Annotated[
        str,
        setting_option("exploration", "temperatures", form="explorer=1.5, with commas between several"),
    ] = "",
    schedule: Annotated[str | None, setting_option("exploration", "schedule")] = None,
    floor: Annotated[float | None, setting_option("exploration", "floor")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Random seed; the same seed repeats a walk. Default: a new one.")
    ] = None,
    mark: Annotated[bool, typer.Option(help="Mark what was visited, so that the next walk looks elsewhere.")] = True,
    until_converged: Annotated[bool, typer.Option(help="Stop when the walk finds little that is new.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Let a colony of agents walk through the palace, and show what it found and which rooms it visited least."""
    given: dict[str, Any] = {
        "agents": agents,
        "steps": steps,
        "mix": _by_archetype("mix", mix),
        "temperatures": _by_archetype("temperatures", temperatures),
        "schedule": cast("Schedule | None", schedule),
        "floor": floor,
    }

    def check(settings: Settings) -> None:
        if query is not None:
            check_question(query, settings, wing=wing)

    # Without a query, the wing may name any place.
    with reached(palace, wing=wing if query is not None else None, check=check) as found:
        report = found.explore(query=query, wing=wing, seed=seed, mark=mark, until_converged=until_converged, **given)
    if as_json:
        print_json(report)
    else:
        _show_exploration(out, report)


def _by_archetype(option: str, text: str) -> Mapping[Archetype, float] | None:
    given = numbers(option, text, hint="write it like explorer=2,exploiter=1")
    return cast("Mapping[Archetype, float] | None", given)  # the walk refuses other names


def _show_way(console: Console, way: Route) -> None:
    columns = [
        Column("step"),
        Column("to", text="wraps"),
        *figures("cost", "meaning", "trail", "structure", "success", "traversal", "recency"),
    ]
    rows: list[tuple[str | Line, ...]] = [("", _named(way.start.kind, way.start.name), *[""] * 7)]
    for leg in way.legs:
        arrow = f"-{leg.type}->" if leg.forward else f"<-{leg.type}-"
        costs = (leg.cost, leg.semantic, leg.pheromone, leg.structural, leg.success, leg.traversal, leg.recency)
        rows.append((arrow, _named(leg.to.kind, leg.to.name), *(f"{cost:.3f}" for cost in costs)))
    show_table(console, columns, rows)
    console.print(f"{counted(len(way.legs), 'step')}, cost {way.cost:.3f} ({way.context})", highlight=False)


def _show_exploration(console: Console, report: Exploration) -> None:
    ended = "not converged" if report.converged_at is None else f"converged at step {report.converged_at}"
    console.print(
        f"{counted(report.agents, 'agent')}, {counted(report.steps, 'step')} each, seed {report.seed}: "
        f"{counted(report.nodes, 'node')} ({report.coverage:.0%}) and {counted(report.drawers, 'drawer')} "
        f"({report.drawer_coverage:.0%}) visited; "
        f"{report.frontier} unvisited neighbours; {ended}; {report.marked} marked",
        highlight=False,
        soft_wrap=True,
    )
    if report.found:
        columns = [*figures("score", "visits", "steps"), Column("drawer", text="cut"), Column("id")]
        hits = [
            (f"{hit.score:.3f}", str(hit.visits), str(len(hit.path) - 1), shortened(hit.text, 60), hit.id)
            for hit in report.found
        ]
        show_table(console, columns, hits, title="Found")
    if report.corners:
        columns = [Column("room", text="wraps"), *figures("drawers", "visited"), Column("id")]
        rooms = [(room.name, str(room.drawers), f"{room.visited:.0%}", room.id) for room in report.corners]
        show_table(console, columns, rooms, title="Least visited rooms")


def _named(kind: str, name: str) -> Line:
    return Line((kind, "dim"), " ", shortened(name, 60))
