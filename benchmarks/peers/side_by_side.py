"""GraphPalace beside the memories that people compare it with: each in its own process, asked in turns in one run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.environments import installed_mib
from benchmarks.mempalace_peer import kept
from benchmarks.peers.newest_first import Note, newest_first, notes
from benchmarks.peers.peer_list import GRAPHPALACE, NOT_RUN, PEERS, PROCESSES, Peer
from benchmarks.peers.peer_process import PeerFailed, PeerProcess
from benchmarks.peers.scores import Measured, learning, quality
from benchmarks.result import ROOT, Result
from benchmarks.workbench import Workbench, say
from graphpalace.app import make_embedder
from graphpalace.embedding.embedder import Embedder
from graphpalace.embedding.onnx_models import ONNX_MODELS, ensure_onnx_files
from graphpalace.errors import InvalidInput
from graphpalace.evaluation.collection import Collection, CollectionQuestion, read_collection
from graphpalace.evaluation.learning_plan import halves
from graphpalace.evaluation.measure import SEED
from graphpalace.settings.load import cache_dir, load
from graphpalace.settings.sections.embeddings import BUNDLED_DIMENSION, BUNDLED_MODEL

TARGET = 1.0
_DEPTH = 10
_SHOWN, _SHOWN_OF = 5, 50  # hits that a model is shown, of so many questions of each collection
_WARM_UP, _WARM_UP_ON_JAVA = 10, 300  # questions before the clock counts
_OWN = ("src/graphpalace", "cypher", "migrations")
_WORDS = 8  # of a document, which ask for it while it is warming up
_MODEL = {"GRAPHPALACE_EMBEDDINGS__MODEL": BUNDLED_MODEL, "GRAPHPALACE_EMBEDDINGS__DIMENSION": str(BUNDLED_DIMENSION)}


async def measure(bench: Workbench) -> Result:
    """Measure all peers on each collection that was given, and whether a newer note comes before what it corrects."""
    load_before = os.getloadavg()[0]
    collections = [_complete(read_collection(folder)) for folder in bench.collections]
    run = _Run(bench)
    run.install()
    run.measure_newest()
    for collection in collections:
        run.measure(collection)
    found = {name: measured.figures() for name, measured in run.measured.items()}
    ndcg = {each.name: _against_the_best(found, each.name) for each in collections}
    ratio = min(ndcg.values())
    figures = {
        "ratio_is": "nDCG@10 of GraphPalace, nothing learned, divided by that of the best other; the worst of all "
        "collections; at least",
        "ndcg": ndcg,
        "search": {"ratio": _search_ratio(found), "target": TARGET},
        "newest": {"ratio": _newest_ratio(found), "target": TARGET},
        "used": {peer.name: peer.used for peer in PEERS},
        "versions": {peer.name: peer.version for peer in PEERS if peer.version},
        "collections": {each.name: [len(each.documents), len(each.questions)] for each in collections},
        "neo4j_mib": run.server_mib,
        "load_before": load_before,
        "peers": found,
        "not_installed": run.not_installed,
        "not_run": dict(NOT_RUN),
    }
    return bench.result("side_by_side", ratio=ratio, target=TARGET, met=ratio >= TARGET, figures=figures)


def _against_the_best(found: Mapping[str, Mapping[str, Any]], collection: str) -> float:
    ndcg = {name: each["quality"][collection]["ndcg"] for name, each in found.items() if collection in each["quality"]}
    return ndcg.pop(GRAPHPALACE) / max(ndcg.values())


def _search_ratio(found: Mapping[str, Mapping[str, Any]]) -> float:
    """Return the p50 of a search divided by that of the fastest other that finds by words and by meaning."""
    hybrid = ("MemPalace", "basic-memory", "neo4j-graphrag")
    others = [found[name]["search_p50_ms"] for name in hybrid if name in found and found[name]["search_p50_ms"]]
    return found[GRAPHPALACE]["search_p50_ms"] / min(others)


def _newest_ratio(found: Mapping[str, Mapping[str, Any]]) -> float:
    shares = {name: each["newest_first"]["all"] for name, each in found.items() if each["newest_first"]}
    return shares.pop(GRAPHPALACE) / max(shares.values())


def _complete(collection: Collection) -> Collection:
    """Return the documents with text, if all have embeddings: most peers have no model here."""
    documents = tuple(each for each in collection.documents if each.text.strip())
    name = collection.name
    if any(each.vector is None for each in (*documents, *collection.questions)):
        raise InvalidInput(f"collection {name} has no corpus.npy or no queries.npy", collection=name)
    if any(each.wing is not None for each in collection.questions):
        raise InvalidInput(f"collection {name} asks in wings, which not every peer has", collection=name)
    return Collection(name, documents, collection.questions, collection.unjudged, collection.dimension)


class _Run:
    """The peers that run, and what was measured of them.

    Attributes:
        measured: By name of the peer.
        not_installed: Why, by name.
        server_mib: Resident memory of Neo4j, at most.
    """

    def __init__(self, bench: Workbench) -> None:
        assert bench.running
        self._bench = bench
        self._pythons: dict[Peer, Path] = {}
        self._starts = 0
        self.measured: dict[str, Measured] = {}
        self.not_installed: dict[str, str] = {}
        self.server_mib = 0.0
        files = ensure_onnx_files(ONNX_MODELS[BUNDLED_MODEL].artifact, cache_dir=cache_dir(load()))
        self._environment = {
            "NEO4J_URI": bench.running.bolt_uri,
            "NEO4J_PASSWORD": bench.server.password,
            "PEERS_MODEL": str(files.model),
            "PEERS_TOKENIZER": str(files.tokenizer),
        }

    def install(self) -> None:
        """Make the environments."""
        for peer in PEERS:
            try:
                python = self._pythons[peer] = peer.python()
            except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
                say(f"{peer.name} cannot be installed: {error}")
                self.not_installed[peer.name] = str(error)[:300]
                continue
            more = 0.0 if peer.package else sum(_size_mib(ROOT / part) for part in _OWN)
            self.measured[peer.name] = Measured(installed_mib=installed_mib(python) + more)

    def measure(self, collection: Collection) -> None:
        """Store a collection in each peer, ask each question of all in turns, and let those learn that can."""
        name, questions = collection.name, collection.questions
        documents = [_document(each.id, each.title, each.text, each.vector) for each in collection.documents]
        with ExitStack() as stack:
            running = self._started(stack, name, documents=len(documents))
            self._each(running, name, lambda peer, process: self._stored(peer, process, name, documents))
            self._each(running, name, lambda peer, process: _warm_up(peer, process, documents))
            asked = self._ask(running, name, questions, timed=True)
            self._each(running, name, lambda peer, process: self._shown(peer, process, questions[:_SHOWN_OF]))
            for peer in running:
                self.measured[peer.name].quality[name] = quality(questions, asked[peer])
            taught, rest = halves(questions, np.random.default_rng(SEED))
            learners = {peer: process for peer, process in running.items() if peer.learns}
            self._each(learners, name, lambda _peer, process: _teach(process, taught))
            after = self._ask(learners, name, rest, timed=False)
            for peer in learners:
                self.measured[peer.name].learning[name] = learning(rest, asked[peer], after[peer])
            self._each(running, name, self._memory)

    def measure_newest(self) -> None:
        """Store older notes and then those that correct them, and look which come first."""
        first, later, corrections = notes()
        embedder = make_embedder(self._bench.settings.model_copy(update={"embeddings": _bundled(self._bench)}))
        questions = [each.question for each in corrections]
        vectors = dict(zip(questions, embedder.embed_questions(questions), strict=True))
        batches = [_documents_of(batch, embedder) for batch in (first, later)]

        def work(peer: Peer, process: PeerProcess) -> None:
            for batch in batches:
                process.ask("ingest", documents=batch)
                process.ask("settle")
            found = {
                each: process.ask("search", text=each, vector=vector.tolist(), top_k=_DEPTH)["ids"]
                for each, vector in vectors.items()
            }
            self.measured[peer.name].newest = newest_first(corrections, found)

        with ExitStack() as stack:
            self._each(self._started(stack, "newest", documents=len(first) + len(later)), "newest", work)

    def _started(self, stack: ExitStack, name: str, *, documents: int) -> dict[Peer, PeerProcess]:
        """Start a process for each peer that takes so many documents, with an empty store; all end with the stack."""
        self._starts += 1
        running: dict[Peer, PeerProcess] = {}
        own = self._bench.environment(GRAPHPALACE_PALACE__NAME=f"peers_{self._starts}", **_MODEL)
        own = {key: value for key, value in own.items() if key.startswith("GRAPHPALACE_")}
        own["PYTHONPATH"] = str(ROOT / "src")
        for peer, python in self._pythons.items():
            if peer.most_documents is not None and documents > peer.most_documents:
                continue
            folder = self._bench.home / f"peer-{self._starts}-{Path(peer.script).stem}"
            environment = self._environment | ({} if peer.package else own)
            try:
                process = PeerProcess(python, PROCESSES / peer.script, folder, environment)
            except PeerFailed as error:
                self._fail(peer, name, error)
                continue
            running[peer] = stack.enter_context(process)
            self.measured[peer.name].started_s.append(process.started_s)
        return running

    def _each(self, running: dict[Peer, PeerProcess], name: str, work: Callable[[Peer, PeerProcess], object]) -> None:
        """Do something with each peer, one after the other; one that fails is left out from here on."""
        for peer, process in list(running.items()):
            try:
                work(peer, process)
            except PeerFailed as error:
                self._fail(peer, name, error)
                del running[peer]

    def _fail(self, peer: Peer, name: str, error: PeerFailed) -> None:
        say(f"{peer.name} failed on {name}: {error}")
        self.measured[peer.name].failed[name] = str(error)[-300:]

    def _stored(self, peer: Peer, process: PeerProcess, name: str, documents: Sequence[dict[str, Any]]) -> None:
        say(f"storing {name} in {peer.name}")
        measured = self.measured[peer.name]
        measured.documents[name] = len(documents)
        measured.ingest_s[name] = process.ask("ingest", documents=documents)["seconds"]
        measured.settle_s[name] = process.ask("settle")["seconds"]

    def _ask(
        self, running: dict[Peer, PeerProcess], name: str, questions: Sequence[CollectionQuestion], *, timed: bool
    ) -> dict[Peer, dict[str, list[str]]]:
        """Ask each question of one peer after the other, of whom another one begins each time."""
        say(f"asking {len(running)} on {name}")
        found: dict[Peer, dict[str, list[str]]] = {peer: {} for peer in running}
        for turn, question in enumerate(questions):
            asked = _asked(question) | {"top_k": _DEPTH + len(question.exclude)}

            def work(peer: Peer, process: PeerProcess, asked: dict[str, Any] = asked, of: Any = question) -> None:
                answer = process.ask("search", **asked)
                found[peer][of.id] = kept(answer["ids"], of, depth=_DEPTH)
                if timed:
                    self.measured[peer.name].search_ms.append(answer["ms"])

            order = list(running)[turn % len(running) :] + list(running)[: turn % len(running)] if running else []
            turns = {peer: running[peer] for peer in order}
            self._each(turns, name, work)
            for peer in set(order) - set(turns):
                del running[peer]
        return found

    def _shown(self, peer: Peer, process: PeerProcess, questions: Sequence[CollectionQuestion]) -> None:
        sizes = [process.ask("shown", **_asked(each), top_k=_SHOWN)["bytes"] for each in questions]
        self.measured[peer.name].shown_bytes += [size for size in sizes if size is not None]

    def _memory(self, peer: Peer, process: PeerProcess) -> None:
        peak = process.ask("memory")["peak_mib"]
        self.measured[peer.name].peak_mib += [] if peak is None else [peak]
        server = psutil.Process(self._bench.running.pid).memory_info().rss / 2**20
        self.server_mib = max(self.server_mib, server)


def _bundled(bench: Workbench) -> Any:
    update = {"model": BUNDLED_MODEL, "dimension": BUNDLED_DIMENSION}
    return bench.settings.embeddings.model_copy(update=update)


def _document(name: str, title: str, text: str, vector: Any, occurred_at: str | None = None) -> dict[str, Any]:
    when = {"occurred_at": occurred_at} if occurred_at else {}
    return {"id": name, "title": title, "text": text, "vector": vector.tolist(), **when}


def _documents_of(batch: Sequence[Note], embedder: Embedder) -> list[dict[str, Any]]:
    vectors = embedder.embed([each.text for each in batch])
    rows = zip(batch, vectors, strict=True)
    return [_document(each.id, "", each.text, vector, each.occurred_at.isoformat()) for each, vector in rows]


def _asked(question: CollectionQuestion) -> dict[str, Any]:
    assert question.vector is not None
    return {"text": question.text, "vector": question.vector.tolist()}


def _warm_up(peer: Peer, process: PeerProcess, documents: Sequence[dict[str, Any]]) -> None:
    """Ask for documents by their first words; Java compiles its code while it runs."""
    questions = _WARM_UP_ON_JAVA if peer.server else _WARM_UP
    for each in documents[:: max(1, len(documents) // questions)]:
        text = " ".join(each["text"].split()[:_WORDS])
        process.ask("search", text=text, vector=each["vector"], top_k=_DEPTH)


def _teach(process: PeerProcess, questions: Sequence[CollectionQuestion]) -> None:
    """Ask, and say which of the ten documents shown are relevant."""
    for each in questions:
        process.ask("feedback", **_asked(each), top_k=_DEPTH, useful=sorted(each.relevant))
    process.ask("settle")


def _size_mib(folder: Path) -> float:
    files = (Path(at) / name for at, _, names in os.walk(folder) if "__pycache__" not in at for name in names)
    return sum(file.stat().st_size for file in files) / 2**20
