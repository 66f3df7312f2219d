"""The commands that show the pheromones."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from graphpalace.domain.warmth import Cold, ColdKind, Hot, HotEdge, HotKind, PheromoneStatus
from graphpalace.serve.cli.context import AsJson, Palace, out, with_database

if TYPE_CHECKING:
    from graphpalace.operations.hot_paths import HotPaths

app = typer.Typer(no_args_is_help=True, help="Show where the palace is warm and where it is cold; nothing is changed.")

Limit = Annotated[int, typer.Option(help="How many of each, 1 to 200.")]
Wing = Annotated[str | None, typer.Option(help="Only what stands in this wing, or has an end in it.")]


@app.command()
def status(palace: Palace = None, as_json: AsJson = False) -> None:
    """Show the clock, how much of each pheromone there is now, and how fast it fades."""
    _show(_looked(lambda paths, named: paths.status(named), palace), _status, as_json=as_json)


@app.command()
def hot(
    kind: Annotated[str | None, typer.Option(help="node or edge; default: both.")] = None,
    wing: Wing = None,
    limit: Limit = 10,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """List the edges with the strongest trails and the nodes with the most exploitation, as they are now."""
    chosen = cast(HotKind | None, kind)  # the operation checks it
    found = _looked(lambda paths, named: paths.hot(named, kind=chosen, wing=wing, limit=limit), palace)
    _show(found, _hot, as_json=as_json)


@app.command()
def cold(
    kind: Annotated[str, typer.Option(help="room, closet or drawer.")] = "room",
    wing: Wing = None,
    limit: Limit = 10,
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """List the places that nobody visits: no pheromone or the least, the oldest first."""
    chosen = cast(ColdKind, kind)
    found = _looked(lambda paths, named: paths.cold(named, kind=chosen, wing=wing, limit=limit), palace)
    _show(found, _cold, as_json=as_json)


def _looked(look: Callable[[HotPaths, str], Coroutine[Any, Any, Any]], palace: str | None) -> Any:
    from graphpalace.bootstrap import hot_paths

    return with_database(lambda settings, database, named: look(hot_paths(settings, database), named), palace)


def _show(found: Any, print_table: Callable[[Console, Any], None], *, as_json: bool) -> None:
    if as_json:
        out.print_json(json.dumps(asdict(found)))
    else:
        print_table(out, found)


def _status(console: Console, found: PheromoneStatus) -> None:
    console.print(
        f"palace {found.palace}, cycle {found.cycle} of {found.cycle_seconds:g} s; the next at {found.next_cycle_at}",
        highlight=False,
        soft_wrap=True,
    )
    grid = _grid("pheromone", "on", lost="per cycle", half="half-life", carriers="carriers", sum="sum", mean="mean")
    grid.add_column("maximum", justify="right")
    for each in found.pheromones:
        half = "never" if each.half_life_cycles is None else f"{each.half_life_cycles:.1f} cycles"
        figures = (f"{each.sum:.3f}", f"{each.mean:.3f}", f"{each.maximum:.3f}")
        grid.add_row(each.name, f"{each.on}s", f"{each.decay_rate:.1%}", half, str(each.carriers), *figures)
    console.print(grid)
    if not found.warmth:
        console.print("nothing is warm: no path was rewarded and no place explored")
        return
    grid = _grid("kind", "on", warm="warm", faded="faded")
    grid.add_column("sums")
    for row in found.warmth:
        sums = ", ".join(f"{name} {value:.3f}" for name, value in row.sums.items())
        grid.add_row(row.kind, f"{row.on}s", str(row.warm), str(row.faded), sums)
    console.print(grid)


def _hot(console: Console, found: Hot) -> None:
    if not found.edges and not found.nodes:
        console.print(f"nothing is warm in palace {found.palace} at cycle {found.cycle}", highlight=False)
    if found.edges:
        grid = _grid(
            "edge", "where", factor="strength", s="success", t="traversal", r="recency", cost="cost", base="base"
        )
        for edge in found.edges:
            trail = (edge.factor, edge.success, edge.traversal, edge.recency, edge.current_cost, edge.base_cost)
            grid.add_row(edge.type, _ends(edge), *(f"{figure:.3f}" for figure in trail))
        console.print(grid)
    if found.nodes:
        grid = _grid("node", "kind", a="exploitation", b="exploration")
        for row in found.nodes:
            figures = (f"{row.exploitation:.3f}", f"{row.exploration:.3f}")
            grid.add_row(_way(row.node.place), row.node.kind.lower(), *figures)
        console.print(grid)


def _cold(console: Console, found: Cold) -> None:
    if not found.places:
        console.print(f"there is no {found.kind} in palace {found.palace}", highlight=False)
        return
    grid = _grid(found.kind, "since", a="exploitation", b="exploration")
    for row in found.places:
        figures = (f"{row.exploitation:.3f}", f"{row.exploration:.3f}")
        grid.add_row(_way(row.node.place), row.created_at[:19].replace("T", " "), *figures)
    console.print(grid)


def _grid(*words: str, **figures: str) -> Table:
    grid = Table(box=None, header_style="bold")
    for column in words:
        grid.add_column(column)
    for column in figures.values():
        grid.add_column(column, justify="right", no_wrap=True)
    return grid


def _way(place: Sequence[str]) -> str:
    return escape(" > ".join(_short(part) for part in place))


def _ends(edge: HotEdge) -> str:
    """Return where an edge is: one way down for an edge of the tree, both ends for one across it."""
    if not edge.type.startswith("HAS_"):
        return f"{_way(edge.source.place)} [dim]and[/dim] {_way(edge.target.place)}"
    return _way(max([*edge.source.place, edge.target.name], edge.target.place, key=len))


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 40 else f"{words[:39]}…"
