"""The command that runs a simulation of a swarm that searches a corpus."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.domain.simulation.simulation_settings import checked_settings
from graphpalace.domain.texts import counted
from graphpalace.errors import GraphPalaceError, InvalidInput
from graphpalace.serve.cli.context import AsJson, Palace, context, named, window_sizes
from graphpalace.serve.cli.in_process import check_place
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.tables import Column, figures, show_table
from graphpalace.settings.load import Settings

if TYPE_CHECKING:
    from graphpalace.domain.simulation.simulation_requests import LoadingProgress
    from graphpalace.operations.simulation.live_simulation import LiveSimulation


def fresh_settings(settings: Settings, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings: the given ones, and the service's defaults for the rest.

    Raises:
        InvalidInput: If a name is unknown or a value is out of range. The message names each of them.
    """
    return checked_settings(settings.simulation.defaults).changed(given).model_dump()


_WINDOWS = (1000, 2000, 4000)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(simulate)


def simulate(
    query: Annotated[str | None, typer.Argument(help="What to look for. Default: the centre of the corpus.")] = None,
    wing: Annotated[str | None, typer.Option(help="Use only this wing.")] = None,
    room: Annotated[str | None, typer.Option(help="Use only rooms with this name.")] = None,
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Use the text files of this folder instead of a palace.")
    ] = None,
    windows: Annotated[
        str, typer.Option(help="With --root: sizes of the windows in lines. Default: 1000,2000,4000.")
    ] = "",
    preset: Annotated[
        str | None,
        typer.Option(help="Preset of swarm settings: standard, or seed for those of the original algorithm."),
    ] = None,
    agents: Annotated[int | None, typer.Option(help="Number of agents. Default: the configured number.")] = None,
    steps: Annotated[
        int | None, typer.Option(help="Most steps to run. The run ends earlier if the result is stable.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Random seed; the same seed repeats a run. Default: a new one.")
    ] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="Number of results.")] = None,
    warm_start: Annotated[bool, typer.Option("--warm-start", help="Start with the trails of the palace.")] = False,
    deposit: Annotated[
        bool, typer.Option("--deposit", help="At the end, add pheromones to the palace for what was found.")
    ] = False,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any other setting of the swarm.")
    ] = None,
    name: Annotated[
        str, typer.Option(help="Name of the simulation. A stored simulation with this name is replaced.")
    ] = "cli",
    palace: Palace = None,
    as_json: AsJson = False,
) -> None:
    """Let a swarm of agents search the embeddings of a palace or a folder, and show what it found."""
    from graphpalace.serve.cli.commands.simulate import fresh_settings

    settings = context.settings()
    chosen = {
        "query": query,
        "windows": _windows(windows, root, settings),
        "preset": preset,
        "num_agents": agents,
        "max_iterations": steps,
        "seed": seed,
        "top_k": top_k,
        "warm_start": warm_start or None,
        "deposit": deposit or None,
    }
    given = fresh_settings(settings, _with({one: value for one, value in chosen.items() if value is not None}, changes))
    name_of_palace = named(palace, settings)
    corpus = {"palace": name_of_palace, "wing": wing, "room": room}
    if root is not None:
        if given["deposit"]:
            raise InvalidInput(
                "--deposit and --root cannot be used together: --deposit adds pheromones to a palace", field="deposit"
            )
        corpus["root"] = str(root.expanduser().resolve())
        settings = _reading(settings, corpus["root"])

    async def run() -> dict[str, Any]:
        await check_place(settings, name_of_palace, wing=wing, room=room)
        from graphpalace.app import opened

        async with opened(settings) as wired:
            with _progress(err, given["max_iterations"]) as (loads, runs):
                status = await wired.simulations.complete(
                    name, SimulationStart(given, corpus), progress=runs, loads=loads, through_pauses=True
                )
            if status["state"] == "failed":
                raise GraphPalaceError(f"simulation {name!r} failed at {status['error']}")
            return status | {"results": await wired.simulations.views.results(name)}

    found = asyncio.run(run())
    if as_json:
        print_json(found)
    else:
        _show(out, found)


def _windows(text: str, root: Path | None, settings: Settings) -> Sequence[int] | None:
    if root is not None:
        return window_sizes(text) or settings.simulation.defaults.get("windows") or _WINDOWS
    if text:
        raise InvalidInput("--windows needs --root DIR: it splits the files of a folder", field="windows")
    return None


def _with(chosen: dict[str, Any], changes: Sequence[str] | None) -> dict[str, Any]:
    for change in changes or ():
        name, equals, text = change.partition("=")
        if not equals:
            raise InvalidInput(f"--set is {change!r}; write it as NAME=VALUE, for example kw_lambda=0.5", field="set")
        if name in chosen:
            raise InvalidInput(f"{name!r} is given twice: as an option and with --set, or twice with --set", field=name)
        try:
            chosen[name] = json.loads(text)
        except ValueError:  # a word
            chosen[name] = text
    return chosen


def _reading(settings: Settings, folder: str) -> Settings:
    """Return settings that allow the simulations of this process to read the folder that the user named."""
    section = settings.simulation
    folders = {"folders": (*section.folders, folder)}
    return settings.model_copy(update={"simulation": section.model_copy(update=folders)})


@contextmanager
def _progress(
    console: Console, most: int
) -> Iterator[tuple[Callable[[LoadingProgress], None], Callable[[LiveSimulation], None]]]:
    """Yield two callbacks that show progress: one while the corpus loads, one while the simulation runs."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("reading the corpus", total=None)

        def loads(now: LoadingProgress) -> None:
            stages = {"reading": "reading the corpus", "embedding": "embedding", "question": "reading the question"}
            progress.update(task, total=now.of or None, completed=now.done, description=stages[now.stage])

        def update(live: LiveSimulation) -> None:
            now = live.course.metrics
            state = f"relevance {now.avg_rel:.3f}, best {now.max_rel:.3f}, {now.trails} trails"
            state += ", paused" if live.state == "paused" else ""
            progress.update(task, total=most, completed=live.course.swarm.step, description=state)

        yield loads, update


def _show(console: Console, found: Mapping[str, Any]) -> None:
    columns = [
        *figures("rank", "score", "similarity", "visits"),
        Column("path", text="wraps"),
        Column("snippet", text="cut"),
    ]
    rows = [
        (str(rank), f"{one['score']:.3f}", f"{one['similarity']:.3f}", str(one["visits"]), one["path"], one["snippet"])
        for rank, one in enumerate(found["results"], 1)
    ]
    show_table(console, columns, rows)
    ended = {
        "max_iterations": "all steps were run",
        "trails": "the trails are stable",
        "relevance": "the relevance is stable",
        "request": "it was stopped",
    }[found["stopped_by"]]
    console.print(
        f"{counted(found['agents'], 'agent')}, {counted(found['docs'], 'document')}, {counted(found['step'], 'step')}: "
        f"{ended}; seed {found['seed']}; "
        f"stored as {found['simulation']}",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )
