"""Fits how probably a text is news on an older one, and writes `ingest/news_coefficients.py`.

    python scripts/fit_news.py DIR... [--dry-run]

DIR are collections in BEIR form whose documents have `occurred_at` in their metadata, and `project` or `person`. Which
newer document holds in place of an older one is said by a file `pairs.tsv` (the ids of the newer and the older one, and
`replaces`), or by `changes.tsv` (a question, the newer and the older one). The script also prints how well each project
is judged by a model that was fitted to all others.
"""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float64
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score

from graphpalace.domain.search.evidence import EvidenceScale
from graphpalace.domain.vectors import Matrix
from graphpalace.embedding.factory import embedder_of
from graphpalace.embedding.measured_models import scale_of
from graphpalace.ingest.news import NEAREST, OlderText, news_features
from graphpalace.ingest.news_coefficients import WEIGHTS
from graphpalace.settings.load import cache_dir, load

_TARGET = Path(__file__).parent.parent / "src" / "graphpalace" / "ingest" / "news_coefficients.py"
_HEADER = '''"""The coefficients of news, which `scripts/fit_news.py` writes.

{origin}
"""

from __future__ import annotations

'''


@dataclass(frozen=True, slots=True)
class Pairs:
    """Each text with its nearest older ones.

    Attributes:
        features: As `news_features` returns them.
        news: Whether the newer text holds in place of the older one.
        ids: Of the newer and the older text.
        projects: Of the newer text.
    """

    features: Float64[np.ndarray, "pairs 6"]
    news: Bool[np.ndarray, " pairs"]
    ids: Sequence[tuple[str, str]]
    projects: np.ndarray


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--dry-run", action="store_true", help="write no coefficients")
    given = parser.parse_args()
    pairs = together([read_pairs(folder) for folder in given.folders])
    unseen = left_out(pairs)
    print(f"pairs {len(pairs.news)}, news {pairs.news.sum()}")
    print(f"projects that were left out: area under the curve {roc_auc_score(pairs.news, unseen):.3f}, ", end="")
    print(f"average precision {average_precision_score(pairs.news, unseen):.3f}")
    model = fitted(pairs.features, pairs.news)
    for name, weight in zip(WEIGHTS, model.coef_[0], strict=True):
        print(f"{name:>16} {weight:8.4f}")
    if not given.dry_run:
        _TARGET.write_text(
            module(model, " and ".join(folder.resolve().name for folder in given.folders), pairs), "utf-8"
        )


def read_pairs(folder: Path) -> Pairs:
    """Return the pairs of a collection, embedded by the configured model."""
    documents = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    true = _true_pairs(folder)
    vectors, scale = _embedded([document["text"] for document in documents])
    fits = np.vectorize(scale.placed)(vectors @ vectors.T)
    rows, ids, projects = [], [], []
    times = [document["metadata"]["occurred_at"] for document in documents]
    for at, document in enumerate(documents):
        older = [other for other, time in enumerate(times) if time < times[at]]
        nearest = sorted(older, key=lambda other: (-fits[at, other], other))[:NEAREST]
        texts = [OlderText(documents[other]["text"], float(fits[at, other])) for other in nearest]
        rows.append(news_features(document["text"], texts))
        ids.extend((document["_id"], documents[other]["_id"]) for other in nearest)
        about = document["metadata"]
        projects.extend([f"{folder.name}/{about.get('project') or about['person']}"] * len(nearest))
    return Pairs(np.concatenate(rows), np.array([pair in true for pair in ids]), ids, np.array(projects))


def together(some: Sequence[Pairs]) -> Pairs:
    """Return the pairs of several collections as one."""
    return Pairs(
        np.concatenate([one.features for one in some]),
        np.concatenate([one.news for one in some]),
        [ids for one in some for ids in one.ids],
        np.concatenate([one.projects for one in some]),
    )


def _true_pairs(folder: Path) -> set[tuple[str, str]]:
    """Return the ids of each newer document with the older one in whose place it holds."""
    if (folder / "pairs.tsv").exists():
        lines = [line.split("\t") for line in (folder / "pairs.tsv").read_text("utf-8").splitlines()[1:]]
        return {(newer, older) for newer, older, relation in lines if relation == "replaces"}
    lines = [line.split("\t") for line in (folder / "changes.tsv").read_text("utf-8").splitlines()[1:]]
    return {(newer, older) for _, newer, older in lines}


def left_out(pairs: Pairs) -> Float64[np.ndarray, " pairs"]:
    """Return the probability of each pair by a model that was fitted to the other projects."""
    found = np.zeros(len(pairs.news))
    for project in np.unique(pairs.projects):
        own = pairs.projects == project
        model = fitted(pairs.features[~own], pairs.news[~own])
        found[own] = model.predict_proba(pairs.features[own])[:, 1]
    return found


def fitted(features: Float64[np.ndarray, "pairs 6"], news: Bool[np.ndarray, " pairs"]) -> LogisticRegression:
    """Return a logistic regression with the usual penalty on its weights."""
    return LogisticRegression(C=1.0, max_iter=2000).fit(features, news)


def module(model: LogisticRegression, name: str, pairs: Pairs) -> str:
    """Return the text of the module with the coefficients."""
    origin = (
        f"They were fitted by logistic regression to {len(pairs.news)} pairs of {name}: each text with its {NEAREST} "
        f"nearest older ones, of which {pairs.news.sum()} were out of date since. docs/explanation/search.md says what "
        "follows from them."
    )
    weights = "".join(f'    "{each}": {weight:.4f},\n' for each, weight in zip(WEIGHTS, model.coef_[0], strict=True))
    header = _HEADER.format(origin=textwrap.fill(origin, 120))
    return f"{header}INTERCEPT = {np.atleast_1d(model.intercept_)[0]:.4f}\nWEIGHTS = {{\n{weights}}}\n"


def _embedded(texts: Sequence[str]) -> tuple[Matrix, EvidenceScale]:
    settings = load(None)
    embedder = embedder_of(
        settings.embeddings, device="cpu", fast_in_bfloat16=lambda _: False, cache_dir=cache_dir(settings)
    )
    embedder.load()
    return np.asarray(embedder.embed(list(texts))), scale_of(embedder.name)


if __name__ == "__main__":
    main()
