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

from graphpalace.domain.counts import counted
from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.output import err, out
from graphpalace.serve.cli.tables import Column, figures, show_table

if TYPE_CHECKING:
    from graphpalace.evaluation.collection import Collection
    from graphpalace.evaluation.figures import EvaluationResult, Measurement
    from graphpalace.evaluation.learning.plan import LearningPlan

_TITLES = {"ndcg@10": "nDCG@10", "recall@5": "Recall@5", "recall@10": "Recall@10", "mrr@10": "MRR@10"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("eval")(evaluate)


def evaluate(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...", help="Collections in the BEIR format: corpus.jsonl, queries.jsonl, qrels/test.tsv."
        ),
    ],
    ablate: Annotated[
        bool,
        typer.Option(
            "--ablate", help="Also measure the search without each of its parts; with --learn, of learning's."
        ),
    ] = False,
    swarm: Annotated[bool, typer.Option("--swarm", help="Also measure the search with the lane mcmp.")] = False,
    learn: Annotated[
        str | None,
        typer.Option(
            metavar="unseen|repeated",
            help="Give feedback on half of the questions, then measure the other half (unseen), or the same half "
            "again with words left out (repeated).",
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(metavar="N", help="With --learn: how often to divide the questions into halves. Default: 5."),
    ] = None,
    aged: Annotated[
        int | None,
        typer.Option(metavar="CYCLES", help="With --learn: measure after this many cycles of decay without use."),
    ] = None,
    wrong: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="With --learn: make this share of the feedback wrong, 0 to 1."),
    ] = None,
    curve: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.png",
            help="With --learn unseen: draw nDCG@10 against the number of feedbacks; FILE.json has the points.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how well each lane, plain RRF and the whole search answer test collections. Palaces are not changed.

    If Neo4j is not running, it is started, and stopped at the end.
    """
    from graphpalace.evaluation.collection import read_collection
    from graphpalace.evaluation.learning.picture import check_can_draw
    from graphpalace.evaluation.opening import evaluating
    from graphpalace.serve.cli.server.running_neo4j import running_neo4j

    settings = context.settings()
    plan = _plan(learn, swarm=swarm, learns=settings.learning.enabled, seeds=seeds, aged=aged, wrong=wrong, curve=curve)
    if curve is not None:
        check_can_draw(curve)
    collections = [
        read_collection(folder) for folder in folders
    ]  # all are read first, so that a mistake in one is reported early

    async def run(collection: Collection) -> EvaluationResult:
        with _progress(err, collection.name) as progress:
            async with evaluating(settings, collection, shortened=learn == "repeated") as evaluation:
                if plan is not None:
                    return await evaluation.learn(collection, plan, ablate=ablate, progress=progress)
                return await evaluation.run(collection, ablate=ablate, swarm=swarm, progress=progress)

    found: list[EvaluationResult] = []
    with running_neo4j(settings):
        for collection in collections:
            found.append(asyncio.run(run(collection)))
            if not as_json:
                _show(out, found[-1])
    if curve is not None:
        _draw(curve, found)
    if as_json:
        results = [_as_json(each) for each in found]
        sys.stdout.write(json.dumps(results if len(results) > 1 else results[0]) + "\n")


def _plan(
    learn: str | None, *, swarm: bool, learns: bool, curve: Path | None, **given: float | None
) -> LearningPlan | None:
    """Return how to measure learning, or None without --learn.

    Raises:
        InvalidInput: If the options do not go together, or the settings turn learning off.
    """
    from graphpalace.evaluation.learning.plan import MODES, LearningPlan

    named = {name: value for name, value in given.items() if value is not None}
    if learn is not None and swarm:
        raise InvalidInput("--swarm cannot be used with --learn: it compares searches without learning", field="swarm")
    if learn is None:
        if alone := [*named, *(["curve"] if curve else [])]:
            raise InvalidInput(f"--{alone[0]} needs --learn, for example --learn unseen", field=alone[0])
        return None
    if learn not in MODES:
        raise InvalidInput(f"--learn is {learn!r}; it must be {' or '.join(MODES)}", field="learn", value=learn)
    if not learns:
        raise InvalidInput(
            "--learn needs learning, which is turned off: set [learning] enabled = true", field="learning.enabled"
        )
    return LearningPlan(learn, curve=curve is not None, **named)  # pyright: ignore[reportArgumentType]


def _draw(curve: Path, found: list[EvaluationResult]) -> None:
    from graphpalace.evaluation.learning.picture import draw

    curves = {each.collection: each.learning.curve for each in found if each.learning}
    draw(curve, curves)
    points = {name: [asdict(point) for point in each] for name, each in curves.items()}
    curve.with_suffix(".json").write_text(json.dumps(points) + "\n", "utf-8")


@contextmanager
def _progress(console: Console, name: str) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a callback that takes the name of a stage, how many steps are done, and how many there are."""
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


def _show(console: Console, found: EvaluationResult) -> None:
    left_out = f", {found.unjudged} without a relevant document left out" if found.unjudged else ""
    console.print(
        f"[bold]{escape(found.collection)}[/bold]: {counted(found.documents, 'document')}, "
        f"{counted(found.questions, 'question')}{left_out}; "
        f"{found.seconds:.1f} s; a search takes {found.latency_ms['p50']:.1f} ms (p50), "
        f"{found.latency_ms['p95']:.1f} ms (p95)",
        highlight=False,
        soft_wrap=True,
    )
    learning = found.learning
    if learning:
        given = "+".join(str(each.feedbacks) for each in learning.seeds)
        asked = "+".join(str(each.measured) for each in learning.seeds)
        console.print(f"learn {learning.plan.mode}: {given} feedbacks, {asked} questions measured", highlight=False)
    _table(console, found.systems, "search" if learning else "rrf")
    if found.ablations:
        _table(console, found.ablations, "search_learned" if learning else "search")
    console.print()


def _table(console: Console, systems: dict[str, Measurement], baseline: str) -> None:
    titles = ("nDCG@10", "95 %", "Recall@5", "Recall@10", "MRR@10", f"nDCG@10 - {baseline}", "95 %", "p")
    rows = []
    for name, each in systems.items():
        ndcg, *others = (f"{each.metrics[metric]:.3f}" for metric in _TITLES)
        difference = each.difference
        compared = (
            ("", "", "")
            if difference is None
            else (f"{difference.mean:+.3f}", _span(difference.interval, sign="+"), _p(difference.p))
        )
        rows.append((name, ndcg, _span(each.intervals["ndcg@10"]), *others, *compared))
    show_table(console, [Column(""), *figures(*titles)], rows)


def _span(interval: tuple[float, float] | None, *, sign: str = "") -> str:
    return "" if interval is None else f"{interval[0]:{sign}.3f} to {interval[1]:{sign}.3f}"


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if value >= 0.0005 else "<.0005"


def _as_json(found: EvaluationResult) -> dict[str, Any]:
    """Return the metrics of each system first, then their intervals and differences."""
    every = found.systems | found.ablations
    plain = {
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
    learning = found.learning
    if learning is None:
        return plain
    plan = learning.plan
    return plain | {
        "learn": plan.mode,
        "aged": plan.aged,
        "wrong": plan.wrong,
        "feedbacks": sum(each.feedbacks for each in learning.seeds),
        "seeds": [asdict(each) for each in learning.seeds],
        "curve": [asdict(point) for point in learning.curve],
    }
