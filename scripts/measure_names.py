"""Measure the recognisers of names: precision and recall on the hand-checked sample, and processor time.

    python scripts/measure_names.py                  # on the documentation of this repository
    python scripts/measure_names.py --collection DIR # on a collection in BEIR form

The processor time of a recogniser is given as a share of the time that the default embedding model takes for the same
texts. Both are sums over all threads; the statistical model runs in a process of its own, as in the product.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psutil

from graphpalace.app import make_embedder
from graphpalace.domain.drawers.files import SplitOptions
from graphpalace.domain.knowledge.entity import normalised_name
from graphpalace.entities.mention import ReadableText, Recogniser
from graphpalace.entities.process_recogniser import AutoRecogniser, ProcessRecogniser
from graphpalace.entities.rules import RuleRecogniser
from graphpalace.evaluation.asking import ready_document
from graphpalace.evaluation.collection import read_collection
from graphpalace.ingest.readers.registry import read
from graphpalace.settings.load import Settings

_ROOT = Path(__file__).parent.parent
_SAMPLE = _ROOT / "tests" / "data" / "name_sample.jsonl"
_BATCH = 256  # as the reader of names takes them


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--collection", type=Path, help="folder of a collection in BEIR form")
    parser.add_argument("--texts", type=int, default=1000, help="largest number of texts")
    given = parser.parse_args()
    rules, spacy = RuleRecogniser(), ProcessRecogniser(idle_s=3600)
    recognisers: Mapping[str, Recogniser] = {"rules": rules, "spacy": spacy, "auto": AutoRecogniser(spacy, rules)}
    print_quality(recognisers)
    print_time(recognisers, _texts(given.collection)[: given.texts])
    spacy.close()


def print_quality(recognisers: Mapping[str, Recogniser]) -> None:
    """Print precision and recall of each recogniser, for each kind of text and for all."""
    sample = [json.loads(line) for line in _SAMPLE.read_text("utf-8").splitlines()]
    texts = [ReadableText(one["text"], one.get("media_type", "text/plain")) for one in sample]
    print("| recogniser | texts | names | precision | recall | F1 |\n|---|---|---|---|---|---|")
    for name, recogniser in recognisers.items():
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])  # sentences, names, found, right
        for one, mentions in zip(sample, recogniser.names(texts), strict=True):
            wanted = {normalised_name(each) for each in one["names"]}
            found = {normalised_name(mention.name) for mention in mentions}
            for kind in (one["kind"], "all"):
                for at, count in enumerate((1, len(wanted), len(found), len(wanted & found))):
                    counts[kind][at] += count
        for kind, (sentences, names, found, right) in counts.items():
            precision, recall = right / max(found, 1), right / max(names, 1)
            f1 = 2 * precision * recall / max(precision + recall, 1e-9)
            print(f"| {name} | {sentences} {kind} | {names} | {precision:.2f} | {recall:.2f} | {f1:.2f} |")


def print_time(recognisers: Mapping[str, Recogniser], texts: Sequence[str]) -> None:
    """Print the processor time of each recogniser beside that of the embedding model."""
    embedder = make_embedder(Settings())
    works: dict[str, Callable[[Sequence[str]], object]] = {"embedding": embedder.embed}
    for name, recogniser in recognisers.items():
        works[name] = lambda some, named=recogniser: named.names([ReadableText(text) for text in some])
    print(f"\n{len(texts)} texts, {sum(map(len, texts)) / max(len(texts), 1):.0f} characters on average\n")
    print("| what | processor time for 1000 texts | share of the embedding |\n|---|---|---|")
    embedding = 0.0
    for name, work in works.items():
        work(texts[:8])  # loads the model
        started = _cpu_s()
        for start in range(0, len(texts), _BATCH):
            work(texts[start : start + _BATCH])
        seconds = _cpu_s() - started
        embedding = embedding or seconds
        print(f"| {name} | {seconds / len(texts) * 1000:.1f} s | {seconds / embedding:.0%} |", flush=True)


def _cpu_s() -> float:
    """Return the processor time of this process and of those that it started."""
    spent = [process.cpu_times() for process in (psutil.Process(), *psutil.Process().children())]
    return sum(times.user + times.system for times in spent)


def _texts(collection: Path | None) -> list[str]:
    """Return the passages as an ingest stores them."""
    if collection is not None:
        documents = [ready_document(each, SplitOptions()) for each in read_collection(collection).documents]
    else:
        pages = sorted((_ROOT / "docs").rglob("*.md"))
        documents = [document for page in pages for document in read(page, options=SplitOptions())]
    return [passage.text for document in documents for passage in document.passages]


if __name__ == "__main__":
    main()
