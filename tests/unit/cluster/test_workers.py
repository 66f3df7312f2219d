"""What workers compute, on a cluster that is this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.words import WordEmbedder

from graphpalace.app.knowledge import make_recogniser
from graphpalace.app.models import worker_settings
from graphpalace.cluster import workers
from graphpalace.cluster.ray_cluster import RayCluster, _on_worker, check_address
from graphpalace.cluster.workers import ClusterEmbedder, ClusterReader, ClusterRecogniser
from graphpalace.domain.drawers.files import ReadLimits, SplitOptions
from graphpalace.entities.mention import ReadableText
from graphpalace.entities.rules import RuleRecogniser
from graphpalace.errors import ClusterFailed, InvalidInput, UnreadableDocument
from graphpalace.ingest.files.file_reader import FileReader
from graphpalace.settings.load import Settings


class HereCluster(RayCluster):
    """Runs everything in this process, and counts the tasks."""

    def __init__(self) -> None:
        self.cores = 3
        self.tasks = 0

    def map(self, work: Callable[..., Any], inputs: Iterable[Sequence[Any]]) -> list[Any]:
        found = [work(*given) for given in inputs]
        self.tasks += len(found)
        return found


@pytest.fixture(autouse=True)
def _fresh_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_kept", {})
    monkeypatch.setenv("OMP_NUM_THREADS", os.environ.get("OMP_NUM_THREADS", "1"))


@pytest.mark.parametrize(("count", "tasks"), [(0, 0), (1, 1), (16, 1), (17, 2), (500, 12), (2000, 16)])
def test_texts_are_divided_among_tasks_and_come_back_in_order(count: int, tasks: int) -> None:
    cluster, model = HereCluster(), WordEmbedder()
    texts = [f"word{number}" for number in range(count)]
    found = ClusterEmbedder(cluster, model, WordEmbedder).embed(texts)
    assert found.shape == (count, model.dimension)
    assert np.array_equal(found, model.embed(texts))
    assert cluster.tasks == tasks


def test_a_worker_makes_each_model_once() -> None:
    made: list[str] = []

    def make() -> WordEmbedder:
        made.append("model")
        return WordEmbedder()

    model = ClusterEmbedder(HereCluster(), WordEmbedder(), make)
    model.load()
    model.embed(["one"] * 100)
    model.embed_questions(["two"])
    assert made == ["model"]


def test_names_are_those_that_this_process_finds() -> None:
    settings = worker_settings(Settings.model_validate({"entities": {"recogniser": "rules"}}))
    texts = [ReadableText(f"On day {number}, Ada Lovelace met Alan Turing in Paris.") for number in range(40)]
    found = ClusterRecogniser(HereCluster(), RuleRecogniser(), partial(make_recogniser, settings)).names(texts)
    assert found == RuleRecogniser().names(texts)
    assert any(found)


def test_workers_get_no_password() -> None:
    secret = {"neo4j": {"uri": "bolt://db", "password": "hidden"}, "embeddings": {"device": "cpu"}}
    sent = worker_settings(Settings.model_validate(secret))
    assert sent.neo4j.password.get_secret_value() == ""
    assert sent.neo4j.uri == ""


def test_files_that_a_worker_has_are_read_there_and_others_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, broken = tmp_path / "note.md", tmp_path / "broken.pdf"
    note.write_text("# Garden\n\nThe roses are cut in March.")
    broken.write_bytes(b"%PDF-1.4 nothing follows")
    with FileReader(SplitOptions()) as own:
        wanted = own.read(note, ("a",))
        with pytest.raises(UnreadableDocument) as why:
            own.read(broken)
    cluster = HereCluster()
    with ClusterReader(cluster, SplitOptions(), ReadLimits()) as reader:
        assert reader.read(note, ("a",)) == wanted
        with pytest.raises(UnreadableDocument) as told:
            reader.read(broken)
        assert told.value.message == why.value.message
        assert cluster.tasks == 2
        monkeypatch.setattr(workers, "_read", lambda *_given: None)  # as on a machine without the folder
        assert reader.read(note, ("a",)) == wanted
    workers._kept[SplitOptions(), ReadLimits()].__exit__(None, None, None)


def test_a_worker_refuses_what_another_version_sends() -> None:
    with pytest.raises(ClusterFailed, match=r"and this command 9\.9: install the same version"):
        _on_worker("9.9", len, [])


@pytest.mark.parametrize("address", ["", "local", "head", "ray://head:10001", "head:port"])
def test_an_address_is_auto_or_a_host_with_a_port(address: str) -> None:
    with pytest.raises(InvalidInput, match="it must be auto, or HOST:PORT"):
        check_address(address)
