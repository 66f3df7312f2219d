"""The command that changes the embedding model of a palace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from graphpalace.domain.texts import counted
from graphpalace.serve.cli.context import AsJson, Palace, context, named
from graphpalace.serve.cli.output import err, out, print_json
from graphpalace.serve.cli.progress import ProgressStep, shown_progress, stopped
from graphpalace.serve.cli.reached import InProcess, Ray, reached

if TYPE_CHECKING:
    from graphpalace.domain.palaces.palaces import ReembedProgress

_MODEL = ("embeddings.model", "embeddings.base_url", "embeddings.dimension")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(reembed)


def reembed(in_process: InProcess = False, ray: Ray = None, palace: Palace = None, as_json: AsJson = False) -> None:
    """Recompute the vectors of a palace with the configured model. Until all are ready, searches use the old ones."""
    name = named(palace, context.settings())
    with (
        stopped("run the same command again to go on; until all vectors are ready, searches use the old ones"),
        reached(name, in_process=in_process, ray=ray, compared=_MODEL) as found,
        shown_progress("reembedding", err) as tell,
    ):
        done = found.palaces.reembed(name, progress=lambda now: tell(_step(now)))
    if as_json:
        print_json(done)
    elif done.before == done.model and not done.embedded:
        out.print(f"palace {done.palace} has vectors of {done.model} already")
    else:
        out.print(f"palace {done.palace} now has vectors of {done.model}: {counted(done.embedded, 'text')} embedded")


def _step(now: ReembedProgress) -> ProgressStep:
    return ProgressStep(now.step, now.done, now.total, "texts")
