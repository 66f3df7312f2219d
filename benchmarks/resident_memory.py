"""How much memory the service keeps while nobody uses it, with the embedding model and without."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import psutil

from benchmarks.result import Result
from benchmarks.workbench import Service, Workbench, say

TARGET = 1.25  # of a process that has loaded nothing but the embedding model
_REST_S = 5.0
_ENDPOINT = {  # nothing listens there, and nothing is embedded
    "GRAPHPALACE_EMBEDDINGS__BASE_URL": "http://127.0.0.1:9/v1",
    "GRAPHPALACE_EMBEDDINGS__MODEL": "elsewhere",
}
_MODEL = """
import psutil
from graphpalace.embedding.local import bundled_model
from sentence_transformers import SentenceTransformer
SentenceTransformer(str(bundled_model()), device="cpu").encode(["one text"])
print(psutil.Process().memory_info().rss)
"""


async def measure(bench: Workbench) -> Result:
    """Start the service on an empty palace, with the model and with an endpoint instead, and a bare model."""
    assert bench.running
    say("the service with its model")
    with bench.service("with_model") as service:
        started = _mib(service)
        service.ready_s()
        loaded = _idle_mib(service)
    say("the service without a model")
    with bench.service("without_model", **_ENDPOINT) as service:
        service.ready_s(lenient=True)
        bare = _idle_mib(service)
    model = _model_mib(bench)
    figures: dict[str, Any] = {
        "ratio_is": "resident memory of the idle service, divided by that of a process with the bare model; at most",
        "idle_mib": loaded,
        "listening_mib": started,
        "bare_model_mib": model,
        "without_model": {"mib": bare, "ratio": bare / loaded, "target": 1.0, "met": bare <= loaded},
    }
    met = loaded <= TARGET * model and bare <= loaded
    return bench.result("resident_memory", ratio=loaded / model, target=TARGET, met=met, figures=figures)


def _idle_mib(service: Service) -> float:
    time.sleep(_REST_S)
    return _mib(service)


def _mib(service: Service) -> float:
    return psutil.Process(service.pid).memory_info().rss / 2**20


def _model_mib(bench: Workbench) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _MODEL], env=bench.environment(), capture_output=True, text=True, check=True
    )
    return int(done.stdout.split()[-1]) / 2**20
