"""The commands that show pheromones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.console import Console
from rich.text import Text

from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.context import AsJson, Palace
from graphpalace.serve.cli.output import out, print_json
from graphpalace.serve.cli.reached import reached
from graphpalace.serve.cli.tables import Column, figures, shortened, show_table

if TYPE_CHECKING:
    from graphpalace.domain.graph.warmth import ColdKind, ColdSpots, HotEdge, HotKind, HotSpots, PheromoneStatus

pheromones = Commands(help="Show where the palace is warm and where it is cold.")

Limit = Annotated[int, typer.Option(help="How many of each kind to list, 1 to 200.")]
Wing = Annotated[str | None, typer.Option(help="Only nodes in this wing and edges with an end in it.")]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(pheromones, name="pheromones")


@pheromones.command()
def status(palace: Palace = None, as_json: AsJson = False) -> None:
    """Show the clock, the current amount of each pheromone, and how fast it fades."""
    with reached(palace) as found:
        _show(found.pheromones(), _status, as_json=as_json)


@pheromones.command()
def hot(
    kind: Annotated[str | None, typer.Option(help="node or edge. Default: both.")] = None,
    wing: Wing = None,
    limit: Limit = 10,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """List the edges with the strongest trails and the nodes with the most exploitation."""
    with reached(palace) as found:
        hottest = found.hot_paths(kind=cast("HotKind | None", kind), wing=wing, limit=limit)
    _show(hottest, _hot, as_json=as_json)


@pheromones.command()
def cold(
    kind: Annotated[str, typer.Option(help="room, closet or drawer.")] = "room",
    wing: Wing = None,
    limit: Limit = 10,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """List the places that are visited least: those with the least pheromone, the oldest first."""
    with reached(palace) as found:
        coldest = found.cold_spots(kind=cast("ColdKind", kind), wing=wing, limit=limit)
    _show(coldest, _cold, as_json=as_json)


def _show(found: Any, print_table: Callable[[Console, Any], None], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
    else:
        print_table(out, found)


def _status(console: Console, found: PheromoneStatus) -> None:
    console.print(
        f"palace {found.palace}, cycle {found.cycle} of {found.cycle_seconds:g} s; next cycle at {found.next_cycle_at}",
        highlight=False,
        soft_wrap=True,
    )
    columns = [
        Column("pheromone"),
        Column("on"),
        *figures("per cycle", "half-life", "carriers", "sum", "mean", "maximum"),
    ]
    rows = []
    for each in found.pheromones:
        half = "never" if each.half_life_cycles is None else f"{each.half_life_cycles:.1f} cycles"
        amounts = (f"{each.sum:.3f}", f"{each.mean:.3f}", f"{each.maximum:.3f}")
        rows.append((each.name, f"{each.on}s", f"{each.decay_rate:.1%}", half, str(each.carriers), *amounts))
    show_table(console, columns, rows)
    if not found.warmth:
        console.print("nothing is warm: no path was rewarded and no place explored")
        return
    columns = [Column("kind"), Column("on"), *figures("warm", "faded"), Column("sums", text="wraps")]
    rows = []
    for row in found.warmth:
        sums = ", ".join(f"{name} {value:.3f}" for name, value in row.sums.items())
        rows.append((row.kind, f"{row.on}s", str(row.warm), str(row.faded), sums))
    show_table(console, columns, rows)


def _hot(console: Console, found: HotSpots) -> None:
    if not found.edges and not found.nodes:
        console.print(f"nothing is warm in palace {found.palace} at cycle {found.cycle}", highlight=False)
    if found.edges:
        columns = [
            Column("edge"),
            Column("where", text="wraps"),
            *figures("strength", "success", "traversal", "recency", "cost", "base"),
        ]
        edges = []
        for edge in found.edges:
            trail = (edge.factor, edge.success, edge.traversal, edge.recency, edge.current_cost, edge.base_cost)
            edges.append((edge.type, _ends(edge), *(f"{figure:.3f}" for figure in trail)))
        show_table(console, columns, edges)
    if found.nodes:
        columns = [Column("node", text="wraps"), Column("kind"), *figures("exploitation", "exploration")]
        nodes = [
            (_way(row.node.place), row.node.kind.lower(), f"{row.exploitation:.3f}", f"{row.exploration:.3f}")
            for row in found.nodes
        ]
        show_table(console, columns, nodes)


def _cold(console: Console, found: ColdSpots) -> None:
    if not found.places:
        console.print(f"there is no {found.kind} in palace {found.palace}", highlight=False)
        return
    columns = [Column(found.kind, text="wraps"), Column("since"), *figures("exploitation", "exploration")]
    rows = [
        (
            _way(row.node.place),
            row.created_at[:19].replace("T", " "),
            f"{row.exploitation:.3f}",
            f"{row.exploration:.3f}",
        )
        for row in found.places
    ]
    show_table(console, columns, rows)


def _way(place: Sequence[str]) -> str:
    return " > ".join(shortened(part, 40) for part in place)


def _ends(edge: HotEdge) -> str | Text:
    """Return where an edge is: one path for an edge of the tree, both ends for an edge across it."""
    if not edge.type.startswith("HAS_"):
        return Text.assemble(_way(edge.source.place), (" and ", "dim"), _way(edge.target.place))
    return _way(max([*edge.source.place, edge.target.name], edge.target.place, key=len))
