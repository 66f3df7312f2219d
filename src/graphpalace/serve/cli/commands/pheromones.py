"""The commands that show pheromones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from graphpalace.offers import pheromones as offers
from graphpalace.serve.cli.command_group import Commands
from graphpalace.serve.cli.offered import command
from graphpalace.serve.cli.output import Line, out
from graphpalace.serve.cli.tables import Column, figures, shortened, show_table

if TYPE_CHECKING:
    from rich.console import Console

    from graphpalace.domain.pheromones.warmth import ColdSpots, HotEdge, HotSpots, PheromoneStatus

pheromones = Commands(help="Show where the palace is warm and where it is cold.")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(pheromones, name="pheromones")


command(pheromones, "status", offers.PHEROMONE_STATUS)(lambda found, _asked: _status(out, found))
command(pheromones, "hot", offers.HOT_PATHS)(lambda found, _asked: _hot(out, found))
command(pheromones, "cold", offers.COLD_SPOTS)(lambda found, _asked: _cold(out, found))


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


def _ends(edge: HotEdge) -> str | Line:
    """Return where an edge is: one path for an edge of the tree, both ends for an edge across it."""
    if not edge.type.startswith("HAS_"):
        return Line(_way(edge.source.place), (" and ", "dim"), _way(edge.target.place))
    return _way(max([*edge.source.place, edge.target.name], edge.target.place, key=len))
