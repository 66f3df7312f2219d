"""Print how many drawers an ingest stores in a second: alone, with 1 and 2 workers of Ray, and without a model.

`python -m scripts.measure_ray --files 120` starts a Neo4j of its own, and for each row a cluster whose head has no
core. Without a model, what remains is done by the command and Neo4j alone: it is the limit that no worker can raise.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from benchmarks.synthetic import text_of, vocabulary, word_ranks
from benchmarks.workbench import Workbench

from graphpalace.app import GraphPalace, opened
from graphpalace.domain.vectors import Matrix, unit_rows
from graphpalace.embedding.embedder import Embedder
from graphpalace.settings.load import Settings

_SECTIONS = 10
_NODE = {"num_cpus": 0, "object_store_memory": 100 * 2**20, "include_dashboard": False}


class NoModel:
    """Gives each text a random vector, which takes no time."""

    name, dimension = "minilm-bge", 768

    def __init__(self) -> None:
        self._rng = np.random.default_rng(7)

    def load(self) -> None:
        """Do nothing: it is ready."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a text."""
        return unit_rows(self._rng.standard_normal((len(texts), self.dimension), np.float32))

    def embed_questions(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a question."""
        return self.embed(texts)


def write_files(folder: Path, *, files: int, seed: int) -> None:
    """Write files of ten sections, each of which becomes a drawer."""
    words, rng = vocabulary(), np.random.default_rng(seed)
    for number in range(files):
        sections = [f"# Section {at}\n\n{text_of(ranks, words)}" for at, ranks in enumerate(word_ranks(rng, _SECTIONS))]
        below = folder / f"topic{number % 10}"
        below.mkdir(parents=True, exist_ok=True)
        (below / f"{number}.md").write_text("\n\n".join(sections), "utf-8")


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """Yield the address of a cluster with some nodes of one core each."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args=_NODE)
    for _ in range(workers):
        nodes.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    nodes.wait_for_nodes()
    assert nodes.address
    try:
        yield nodes.address
    finally:
        nodes.shutdown()


async def measured(settings: Settings, folder: Path, label: str, *, ray: str | None, embedder: Embedder | None) -> None:
    """Ingest a small folder, so that models are loaded, and then the large one; print its rate."""
    async with opened(settings, embedder=embedder, ray=ray) as app:
        await _ingest(app, folder / "warm")
        created, seconds = await _ingest(app, folder / "large")
    print(f"{label:>22}: {created / seconds:6.0f} drawers/s ({created} in {seconds:.1f} s)", flush=True)


async def _ingest(app: GraphPalace, folder: Path) -> tuple[int, float]:
    name = f"measured_{os.urandom(4).hex()}"
    await app.create_palace(name)
    report = await app.ingesting.files([folder], palace=name, wing="w")
    await app.drop_palace(name)
    return report.drawers_created, report.seconds


def main() -> None:
    """Measure each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=120)
    files = parser.parse_args().files
    with tempfile.TemporaryDirectory(prefix="graphpalace-") as home:
        folder = Path(home) / "files"
        write_files(folder / "warm", files=10, seed=1)
        write_files(folder / "large", files=files, seed=2)
        bench = Workbench(Path(home) / "bench")
        assert bench.running
        settings = Settings.model_validate(bench.settings.model_dump() | {"entities": {"recogniser": "off"}})
        try:
            for _ in range(2):  # Java compiles while it warms up
                asyncio.run(measured(settings, folder, "without a model", ray=None, embedder=NoModel()))
            asyncio.run(measured(settings, folder, "alone", ray=None, embedder=None))
            for workers in (1, 2):
                with cluster(workers) as address:
                    label = f"{workers} worker{'s' * (workers > 1)}"
                    asyncio.run(measured(settings, folder, label, ray=address, embedder=None))
        finally:
            bench.close()


if __name__ == "__main__":
    main()
