"""A Ray cluster of two nodes on this machine, and commands whose model is a slow fake, for tests of `--ray`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from graphpalace.app import knowledge, models
from graphpalace.app.knowledge import make_recogniser
from graphpalace.domain.vectors import Matrix
from graphpalace.entities.mention import Mention, ReadableText, Recogniser
from graphpalace.operations.knowledge import name_reading
from graphpalace.settings.load import Settings
from tests.words import WordEmbedder

ROOT = Path(__file__).resolve().parents[1]
_NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}
_START_S = 90


@dataclass(frozen=True, slots=True)
class Nodes:
    """A cluster of two nodes with a core each.

    Attributes:
        address: Of its head.
        head, other: Ids of the processes of the two nodes.
    """

    address: str
    head: Sequence[int]
    other: Sequence[int]

    def kill_head(self) -> None:
        """Kill the head with everything that only it has."""
        _kill(self.head)

    def kill_other(self) -> None:
        """Kill the other node, whose workers end with it."""
        _kill(self.other)


def _kill(pids: Sequence[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def two_nodes() -> Iterator[Nodes]:
    """Start a cluster in a process group of its own, and kill the group in the end."""
    script = "from tests.ray_cluster import serve; serve()"
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "RAY_USAGE_STATS_ENABLED": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout
        yield Nodes(**json.loads(next(line for line in process.stdout if line.startswith("{"))))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def serve() -> None:
    """Start the cluster, print what it is, and wait until standard input ends."""
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args=_NODE)
    other = nodes.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    nodes.wait_for_nodes(timeout=_START_S)

    def pids(node: Any) -> list[int]:
        return [each.process.pid for some in node.all_processes.values() for each in some]

    print(json.dumps({"address": nodes.address, "head": pids(nodes.head_node), "other": pids(other)}), flush=True)
    sys.stdin.read()


class SlowWords(WordEmbedder):
    """Knows words only, under the name of any model, and takes some time for each text."""

    def __init__(self, name: str, *, text_s: float) -> None:
        self.name = name
        self._text_s = text_s

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one vector a text, other ones for each model."""
        time.sleep(self._text_s * len(texts))
        return np.roll(super().embed(texts), len(self.name), axis=1)


def slow_words(text_s: float, settings: Settings) -> SlowWords:
    """Return the fake in place of the model that the settings name."""
    return SlowWords(settings.embeddings.model, text_s=text_s)


class SlowNames:
    """Finds the names that another recogniser finds, and takes some time for each text."""

    def __init__(self, found_by: Recogniser, *, text_s: float) -> None:
        self.version = found_by.version
        self._found_by = found_by
        self._text_s = text_s

    def names(self, texts: Sequence[ReadableText]) -> list[list[Mention]]:
        """Return the names in each text."""
        time.sleep(self._text_s * len(texts))
        return self._found_by.names(texts)


def slow_names(text_s: float, settings: Settings) -> SlowNames | None:
    """Return the recogniser that the settings name, but slow."""
    found = make_recogniser(settings)
    return None if found is None else SlowNames(found, text_s=text_s)


def command(environ: Mapping[str, str], *words: str | Path, text_s: float = 0) -> subprocess.Popen[str]:
    """Start `graphpalace` with the fake model, which workers get from it."""
    script = "import sys; from tests.ray_cluster import run; run(float(sys.argv.pop(1)))"
    return subprocess.Popen(
        [sys.executable, "-c", script, str(text_s), *map(str, words)],
        cwd=ROOT,
        env=environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run(text_s: float) -> None:
    """Run a command with the fake model. What reads names is as slow, and stores those of a few drawers at once."""
    from graphpalace.serve.cli.main import main

    models.make_embedder = partial(slow_words, text_s)
    if sys.argv[1] == "names":
        knowledge.make_recogniser = partial(slow_names, text_s)
        name_reading._BATCH = 16
    main()
