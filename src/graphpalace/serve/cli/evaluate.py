"""The command that measures the search on test collections."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from graphpalace.serve.cli.context import AsJson, context, err, out

if TYPE_CHECKING:
    from graphpalace.operations.evaluation.collection import Collection
    from graphpalace.operations.evaluation.figures import Evaluated, Measured

_TITLES = {"ndcg@10": "nDCG@10", "recall@5": "Recall@5", "recall@10": "Recall@10", "mrr@10": "MRR@10"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("eval")(evaluate)


def evaluate(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Collections in BEIR form: corpus.jsonl, queries.jsonl, qrels/test.tsv."),
    ],
    ablate: Annotated[bool, typer.Option("--ablate", help="Measure the search without each of its parts too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure how well each lane, plain RRF and the whole search find what they should; your palaces are left alone."""
    from graphpalace.bootstrap import evaluating
    from graphpalace.operations.evaluation.collection import read_collection

    settings = context.settings()
    collections = [read_collection(folder) for folder in folders]  # a fault in the last is told before the first is run

    async def run(collection: Collection) -> Evaluated:
        with _progress(err, collection.name) as progress:
            async with evaluating(settings, collection) as evaluation:
                return await evaluation.run(collection, ablate=ablate, progress=progress)

    found: list[Evaluated] = []
    for collection in collections:
        found.append(asyncio.run(run(collection)))
        if not as_json:
            _show(out, found[-1])
    if as_json:
        said = [_as_json(each) for each in found]
        sys.stdout.write(json.dumps(said if len(said) > 1 else said[0]) + "\n")


@contextmanager
def _progress(console: Console, name: str) -> Iterator[Callable[[str, int, int], None]]:
    """Give a callback of what is done, how many of it are, and of how many."""
    columns = (
        TextColumn("{task.fields[name]}: {task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=None, name=escape(name))

        def update(what: str, done: int, total: int) -> None:
            if progress.tasks[0].description != what:
                progress.reset(task, description=what)
            progress.update(task, completed=done, total=total)

        yield update


def _show(console: Console, found: Evaluated) -> None:
    left_out = f", {found.unjudged} without a relevant document left out" if found.unjudged else ""
    console.print(
        f"[bold]{escape(found.collection)}[/bold]: {found.documents} documents, {found.questions} questions{left_out}; "
        f"{found.seconds:.1f} s; a search takes {found.latency_ms['p50']:.1f} ms (p50), "
        f"{found.latency_ms['p95']:.1f} ms (p95)",
        highlight=False,
        soft_wrap=True,
    )
    _table(console, found.systems, "rrf")
    if found.ablations:
        _table(console, found.ablations, "search")
    console.print()


def _table(console: Console, systems: dict[str, Measured], baseline: str) -> None:
    grid = Table(box=None, header_style="bold")
    grid.add_column("")
    for title in ("nDCG@10", "95 %", "Recall@5", "Recall@10", "MRR@10", f"nDCG@10 - {baseline}", "95 %", "p"):
        grid.add_column(title, justify="right")
    for name, each in systems.items():
        ndcg, *others = (f"{each.metrics[metric]:.3f}" for metric in _TITLES)
        difference = each.difference
        compared = (
            ("", "", "")
            if difference is None
            else (f"{difference.mean:+.3f}", _span(difference.interval, sign="+"), _p(difference.p))
        )
        grid.add_row(name, ndcg, _span(each.intervals["ndcg@10"]), *others, *compared)
    console.print(grid)


def _span(interval: tuple[float, float] | None, *, sign: str = "") -> str:
    return "" if interval is None else f"{interval[0]:{sign}.3f} to {interval[1]:{sign}.3f}"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if value >= 0.0005 else "<.0005"


def _as_json(found: Evaluated) -> dict[str, Any]:
    """Return plain figures first; how sure they are, and what they are compared with, stands beside them."""
    every = found.systems | found.ablations
    return {
        "collection": found.collection,
        "documents": found.documents,
        "questions": found.questions,
        "systems": {name: each.metrics for name, each in found.systems.items()},
        "latency_ms": found.latency_ms,
        "ablations": {name: each.metrics for name, each in found.ablations.items()},
        "intervals": {name: each.intervals for name, each in every.items()},
        "differences": {name: asdict(each.difference) for name, each in every.items() if each.difference},
        "unjudged": found.unjudged,
        "seconds": found.seconds,
    }
