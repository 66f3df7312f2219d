"""The commands that walk the palace."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.console import Console
from rich.text import Text

from graphpalace.domain.colony_rules import ColonyRules, Schedule
from graphpalace.domain.counts import counted
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, Palace, check_question, context, out, with_palace
from graphpalace.serve.cli.tables import Column, figures, shortened, show_table

if TYPE_CHECKING:
    from graphpalace.operations.explore import Exploration
    from graphpalace.operations.navigate import Way

Place = "a wing, WING/ROOM, or the id of any node"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(navigate)
    app.command()(explore)


def navigate(
    start: Annotated[str, typer.Argument(metavar="FROM", help=f"Where to begin: {Place}.")],
    goal: Annotated[str, typer.Argument(metavar="TO", help=f"Where to go: {Place}.")],
    context: Annotated[
        str,
        typer.Option(
            help="How meaning, trails and structure weigh: default, hypothesis_testing, exploratory_research, "
            "evidence_gathering or memory_recall."
        ),
    ] = "default",
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Find the cheapest way from one place to another, and what each step of it costs."""
    way = with_palace(lambda wired, named: wired.navigate.find(named, start, goal, context=context), palace)
    if as_json:
        out.print_json(json.dumps(asdict(way)))
    else:
        _show_way(out, way)


def explore(
    query: Annotated[str | None, typer.Option(help="Begin at the best drawers for it; else at the wings.")] = None,
    wing: Annotated[str | None, typer.Option(help="Begin in this wing only.")] = None,
    agents: Annotated[
        int | None, typer.Option(help="How many walk, 1 to 10000; default: as many as fit the palace.")
    ] = None,
    steps: Annotated[
        int | None, typer.Option(help="Steps of each, 1 to 1000; default: as many as fit the palace.")
    ] = None,
    mix: Annotated[
        str,
        typer.Option(help="Share of an archetype, as explorer=2; commas between several; default: equal shares."),
    ] = "",
    temperatures: Annotated[
        str, typer.Option(help="How freely an archetype chooses, .001 to 100, as explorer=1.5; commas between several.")
    ] = "",
    schedule: Annotated[
        str | None, typer.Option(help="How agents cool while walking: constant, linear, exponential or cosine.")
    ] = None,
    floor: Annotated[
        float | None, typer.Option(help="Share of its temperature at an agent's last step, .001 to 1.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Gives the same walk again; default: a new one.")] = None,
    mark: Annotated[bool, typer.Option(help="Mark what was searched, so that the next walk looks elsewhere.")] = True,
    until_converged: Annotated[bool, typer.Option(help="Stop when little new is found.")] = False,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Let a colony of agents walk; report what it found and where little was visited."""
    if query is not None:
        check_question(query, context.settings(), wing=wing)
    rules = ColonyRules(
        agents=agents,
        steps=steps,
        mix=_numbers("mix", mix),
        temperatures=_numbers("temperatures", temperatures),
        schedule=cast("Schedule | None", schedule),
        floor=floor,
    )
    report = with_palace(
        lambda wired, named: wired.explore.run(
            named,
            query=query,
            wing=wing,
            rules=rules,
            seed=seed,
            mark=mark,
            until_converged=until_converged,
        ),
        palace,
        wing=wing if query is not None else None,  # without a query it may be any place
    )
    if as_json:
        out.print_json(json.dumps(asdict(report)))
    else:
        _show_exploration(out, report)


def _numbers(option: str, text: str) -> dict[str, float] | None:
    if not text:
        return None
    try:
        return {name.strip(): float(value) for name, _, value in (part.partition("=") for part in text.split(","))}
    except ValueError:
        message = f"--{option} is {text!r}; give it as explorer=2,exploiter=1"
        raise InvalidInput(message, field=option, value=text) from None


def _show_way(console: Console, way: Way) -> None:
    columns = [
        Column("step"),
        Column("to", text="wraps"),
        *figures("cost", "meaning", "trail", "structure", "success", "traversal", "recency"),
    ]
    rows: list[tuple[str | Text, ...]] = [("", _named(way.start.kind, way.start.name), *[""] * 7)]
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
        f"{report.frontier} more beside them; {ended}; {report.marked} marked",
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


def _named(kind: str, name: str) -> Text:
    return Text.assemble((kind, "dim"), " ", shortened(name, 60))
