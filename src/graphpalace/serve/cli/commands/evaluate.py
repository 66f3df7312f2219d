"""The command that measures the search on test collections."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.show_evaluation import (
    evaluation_as_json,
    no_answer_as_json,
    show_comparison,
    show_evaluation,
    show_no_answer,
)

if TYPE_CHECKING:
    from graphpalace.evaluation.collection import Collection
    from graphpalace.evaluation.confidence_figures import NoAnswerFigures
    from graphpalace.evaluation.figures import EvaluationResult
    from graphpalace.evaluation.learning_plan import LearningPlan
    from graphpalace.settings.load import Settings

_MOVED = 10  # moved questions that a comparison shows


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("eval")(evaluate)


def evaluate(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="DIR...", help="Collections in the BEIR format: corpus.jsonl, queries.jsonl, qrels/test.tsv."
        ),
    ] = None,
    ablate: Annotated[
        bool,
        typer.Option(
            "--ablate",
            help="Also measure the search without each of its parts. With --learn: without each part of learning.",
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
    no_answer: Annotated[
        bool,
        typer.Option(
            "--no-answer",
            help="Measure whether confidence is higher if a palace has the documents that answer a question than if "
            "they are missing.",
        ),
    ] = False,
    together: Annotated[
        bool,
        typer.Option("--together", help="Store the collections as wings of one palace, and search all wings."),
    ] = False,
    embed: Annotated[
        bool,
        typer.Option(
            "--embed", help="Embed all texts with the configured model, even if a collection provides embeddings."
        ),
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Save what each system answered to each question, for --compare."),
    ] = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B",
            help="Instead of measuring, compare two saved runs question by question. A and B are files that --save "
            "wrote. FILE:SYSTEM compares another system than search.",
        ),
    ] = None,
    moved: Annotated[
        int | None,
        typer.Option(metavar="N", help="With --compare: show this many of the most changed questions. Default: 10."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure how well each lane, plain RRF and the whole search answer test collections. Your palaces do not change.

    If Neo4j is not running, it is started, and stopped at the end.
    """
    if compare is not None:
        measures = {
            "ablate": ablate, "swarm": swarm, "learn": learn, "seeds": seeds, "aged": aged, "wrong": wrong,
            "curve": curve, "no-answer": no_answer, "together": together, "embed": embed, "save": save,
        }  # fmt: skip
        _compare(*compare, folders=folders, measures=measures, most=_MOVED if moved is None else moved, as_json=as_json)
        return
    if moved is not None:
        raise InvalidInput("--moved needs --compare, for example --compare before.json after.json", field="moved")
    if not folders:
        raise InvalidInput("give at least one collection, for example graphpalace eval my-collection", field="folders")
    from graphpalace.evaluation.collection import read_collection
    from graphpalace.evaluation.evaluate import evaluating
    from graphpalace.evaluation.learning_figures import check_can_draw
    from graphpalace.serve.cli.in_process import running_neo4j

    settings = context.settings()
    plan = _plan(learn, swarm=swarm, learns=settings.learning.enabled, seeds=seeds, aged=aged, wrong=wrong, curve=curve)
    if curve is not None:
        check_can_draw(curve)
    if save is not None:
        _check_can_save(save, learns=plan is not None)
    collections = [
        read_collection(folder) for folder in folders
    ]  # all are read first, so that a mistake in one is reported early
    if together:
        from graphpalace.evaluation.collection import joined

        collections = [joined(collections)]
    shortened = learn == "repeated"
    collections = [_suiting(each, settings, anew=embed, shortened=shortened) for each in collections]
    if no_answer:
        _no_answer(settings, collections, alone=not (ablate or swarm or plan or save), as_json=as_json)
        return

    async def run(collection: Collection) -> EvaluationResult:
        with _progress(err, collection.name) as progress:
            async with evaluating(settings, collection) as evaluation:
                if plan is not None:
                    return await evaluation.learn(collection, plan, ablate=ablate, progress=progress)
                return await evaluation.run(collection, ablate=ablate, swarm=swarm, progress=progress)

    found: list[EvaluationResult] = []
    with running_neo4j(settings):
        for collection in collections:
            found.append(asyncio.run(run(collection)))
            if not as_json:
                show_evaluation(out, found[-1])
    if curve is not None:
        _draw(curve, found)
    if save is not None:
        from graphpalace.evaluation.saved_run import save_run

        save_run(save, [each.record for each in found if each.record])
    if as_json:
        results = [evaluation_as_json(each) for each in found]
        print_json(results if len(results) > 1 else results[0])


def _suiting(collection: Collection, settings: Settings, *, anew: bool, shortened: bool) -> Collection:
    """Return a collection without the embeddings that it provides if they are not wanted, or of no use; say why."""
    model, dimension = settings.embeddings.model, settings.embeddings.dimension
    if anew or collection.suits(dimension, shortened=shortened):
        return collection.without_embeddings() if anew else collection
    missing = "shortened questions have none" if shortened else "some texts have none"
    err.print(
        f"{collection.name} provides embeddings of {collection.dimension} numbers, and {missing}; those of "
        f"{model} have {dimension}, so it embeds all texts",
        markup=False,
        highlight=False,
    )
    return collection.without_embeddings()


def _plan(
    learn: str | None, *, swarm: bool, learns: bool, curve: Path | None, **given: float | None
) -> LearningPlan | None:
    """Return how to measure learning, or None without --learn.

    Raises:
        InvalidInput: If the options do not go together, or the settings turn learning off.
    """
    from graphpalace.evaluation.learning_plan import MODES, LearningPlan

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


def _check_can_save(file: Path, *, learns: bool) -> None:
    """Check this before anything is measured.

    Raises:
        InvalidInput: If the run cannot be saved.
    """
    if learns:
        raise InvalidInput(
            "--save cannot be used with --learn, which asks each question several times", field="save", value=str(file)
        )
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise InvalidInput(f"--save {file} cannot be written: it must be a file in a folder that exists", field="save")


def _compare(
    first: str, second: str, *, folders: list[Path] | None, measures: Mapping[str, Any], most: int, as_json: bool
) -> None:
    """Print the comparison of two saved runs.

    Args:
        measures: The options that say what to measure, none of which may be given.

    Raises:
        InvalidInput: If a file is not a saved run, or the runs cannot be compared.
    """
    from graphpalace.evaluation.comparison import compared, read_side

    if ignored := [name for name, given in measures.items() if given is not None and given is not False]:
        raise InvalidInput(
            f"--compare reads saved runs and measures nothing, so leave --{ignored[0]} out", field=ignored[0]
        )
    if folders:
        raise InvalidInput(
            f"--compare reads saved runs, so it takes no collection; leave {folders[0]} out", field="compare"
        )
    if most < 0:
        raise InvalidInput(f"--moved is {most}; it must be 0 or more", field="moved", value=most)
    found = compared(read_side(first), read_side(second), most=most)
    if as_json:
        print_json([asdict(each) for each in found])
        return
    for each in found:
        show_comparison(out, each, first, second)


def _no_answer(settings: Settings, collections: Sequence[Collection], *, alone: bool, as_json: bool) -> None:
    """Measure the confidence on collections, and print the figures.

    Args:
        alone: Whether no option was given that measures something else.

    Raises:
        InvalidInput: If there is such an option.
    """
    from graphpalace.evaluation.confidence_figures import no_answer_figures
    from graphpalace.evaluation.evaluate import evaluating
    from graphpalace.fuse.confidence_coefficients import ANSWER, HIT
    from graphpalace.serve.cli.in_process import running_neo4j

    if not alone:
        raise InvalidInput("--no-answer can only be combined with --json", field="no_answer")

    async def run(collection: Collection) -> NoAnswerFigures:
        with _progress(err, collection.name) as progress:
            async with evaluating(settings, collection) as evaluation:
                samples = await evaluation.no_answer(collection, collections, progress=progress)
        return no_answer_figures(samples, hit=HIT, answer=ANSWER, least=settings.search.least_confidence)

    found: dict[str, NoAnswerFigures] = {}
    with running_neo4j(settings):
        for collection in collections:
            found[collection.name] = asyncio.run(run(collection))
            if not as_json:
                show_no_answer(out, collection.name, found[collection.name])
    if as_json:
        results = [no_answer_as_json(name, figures) for name, figures in found.items()]
        print_json(results if len(results) > 1 else results[0])


def _draw(curve: Path, found: list[EvaluationResult]) -> None:
    from graphpalace.evaluation.learning_figures import draw

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
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None, name=escape(name))

        def update(what: str, done: int, total: int) -> None:
            if progress.tasks[0].description != what:
                progress.reset(task, description=what)
            progress.update(task, completed=done, total=total)

        yield update
