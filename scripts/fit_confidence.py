"""Fits the confidence of hits and answers to collections, and writes `fuse/confidence_coefficients.py`.

    python scripts/fit_confidence.py DIR... [--most N] [--samples FILE] [--dry-run]

DIR are collections in BEIR form, as for `graphpalace eval`; at least two. Each question is asked once with its relevant
documents and once without them, in temporary palaces. The settings are those of `graphpalace`, and its model embeds all
texts, even if a collection provides embeddings. `--samples` keeps what
was found in a file; if the file exists, nothing is asked and DIR may be left out. The script also prints how well each
collection is judged by a model that was fitted to all others.
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from graphpalace.errors import GraphPalaceError
from graphpalace.evaluation.collection import Collection, read_collection
from graphpalace.evaluation.confidence_figures import NoAnswerFigures, no_answer_figures
from graphpalace.evaluation.evaluate import evaluating
from graphpalace.evaluation.no_answer_samples import KINDS, FittedModels, Sample, fitted
from graphpalace.fuse.confidence import Logistic
from graphpalace.serve.cli.in_process import running_neo4j
from graphpalace.settings.load import Settings, load
from graphpalace.settings.sections.search import SearchSettings

_TARGET = Path(__file__).parent.parent / "src" / "graphpalace" / "fuse" / "confidence_coefficients.py"
_HEADER = '''"""The coefficients of confidence, which `scripts/fit_confidence.py` writes.

{origin}
"""

from __future__ import annotations

from graphpalace.fuse.confidence import Logistic

'''

Samples = Mapping[str, Sequence[Sample]]


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    parser.add_argument("--most", type=int, default=500, metavar="N", help="questions of each collection")
    parser.add_argument("--samples", type=Path, metavar="FILE", help="where to keep what was found")
    parser.add_argument("--dry-run", action="store_true", help="write no coefficients")
    given = parser.parse_args()
    if given.samples and given.samples.exists():
        samples: Samples = pickle.loads(given.samples.read_bytes())
    else:
        try:
            samples = _collected(given.folders, most=given.most)
        except GraphPalaceError as error:
            raise SystemExit(error.message) from error
        if given.samples:
            given.samples.write_bytes(pickle.dumps(samples))
    if len(samples) < 2:
        raise SystemExit("give at least two collections; each is judged by a model that was fitted to the others")
    print(table({name: _left_out(samples, name) for name in samples}))
    if not given.dry_run:
        _TARGET.write_text(module(fitted(samples), list(samples)), "utf-8")


def module(models: FittedModels, names: Sequence[str]) -> str:
    """Return the text of the module with the coefficients."""
    origin = (
        f"They were fitted by logistic regression to questions of {', '.join(names)}, each asked once with its "
        "relevant documents and once without, and to those that nothing answers. docs/explanation/confidence.md has "
        "the figures."
    )
    return _HEADER.format(origin=textwrap.fill(origin, 120)) + "\n".join(
        _model(name, model) for name, model in (("HIT", models.hit), ("ANSWER", models.answer))
    )


def table(figures: Mapping[str, NoAnswerFigures]) -> str:
    """Return the figures as a Markdown table, with their means at the end."""
    columns = {
        "AUC": [each.auc for each in figures.values()],
        "AUC, foreign questions": [each.auc_foreign for each in figures.values()],
        "calibration error": [each.calibration_error for each in figures.values()],
        "hits: AUC": [each.hit_auc for each in figures.values()],
        "hits: calibration error": [each.hit_calibration_error for each in figures.values()],
        "first hits: confidence": [each.first_hit_confidence for each in figures.values()],
        "relevant": [each.first_hit_relevant for each in figures.values()],
        "calibration error of first hits": [each.first_hit_calibration_error for each in figures.values()],
        **{f"nothing fits: {kind}": [each.nothing_fits.get(kind) for each in figures.values()] for kind in KINDS},
    }
    lines = [f"| collection | questions | {' | '.join(columns)} |", "|---" * (len(columns) + 2) + "|"]
    for at, (name, each) in enumerate(figures.items()):
        asked = sum(count for kind, count in each.cases.items() if kind != "foreign")
        lines.append(f"| {name} | {asked} | {' | '.join(_figure(values[at]) for values in columns.values())} |")
    means = [mean(value for value in values if value is not None) for values in columns.values()]
    lines.append(f"| mean | | {' | '.join(_figure(value) for value in means)} |")
    return "\n".join(lines)


def _collected(folders: Sequence[Path], *, most: int) -> dict[str, list[Sample]]:
    collections = [read_collection(folder).without_embeddings() for folder in folders]
    settings = load(None)
    with running_neo4j(settings):
        return {one.name: asyncio.run(_samples(settings, one, collections, most=most)) for one in collections}


async def _samples(
    settings: Settings, collection: Collection, others: Sequence[Collection], *, most: int
) -> list[Sample]:
    print(f"asking {collection.name}", flush=True)
    async with evaluating(settings, collection) as evaluation:
        return await evaluation.no_answer(collection, others, most=most)


def _left_out(samples: Samples, name: str) -> NoAnswerFigures:
    models = fitted({other: each for other, each in samples.items() if other != name})
    return no_answer_figures(
        samples[name], hit=models.hit, answer=models.answer, least=SearchSettings().least_confidence
    )


def _model(name: str, model: Logistic) -> str:
    weights = "".join(f'        "{feature}": {weight:.4f},\n' for feature, weight in model.weights.items())
    return f"{name} = Logistic(\n    {model.intercept:.4f},\n    {{\n{weights}    }},\n)\n"


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    main()
