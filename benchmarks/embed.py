"""The bundled model on ONNX Runtime against torch: the start, one question, and many texts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from benchmarks.result import ROOT, Result
from benchmarks.turns import spent_in_turns
from benchmarks.workbench import Workbench, say
from graphpalace.embedding.embedder import Embedder
from graphpalace.embedding.factory import embedder_of
from graphpalace.settings.load import cache_dir
from graphpalace.settings.sections.embeddings import BUNDLED_MODEL, QUANTIZED_MODEL, EmbeddingSettings

TARGET_START, TARGET_QUESTION, TARGET_TEXTS = 0.5, 1.0, 1.0
_PASSAGE_CHARACTERS, _PASSAGES = 900, 240
_START_TURNS, _QUESTION_TURNS, _TEXTS_TURNS = 3, 60, 3

VARIANTS: dict[str, dict[str, str]] = {
    "onnx": {"model": BUNDLED_MODEL, "runtime": "onnx"},
    "onnx_quantized": {"model": QUANTIZED_MODEL, "runtime": "onnx"},
    "torch_float32": {"model": BUNDLED_MODEL, "runtime": "torch", "precision": "float32"},
    "torch_bfloat16": {"model": BUNDLED_MODEL, "runtime": "torch", "precision": "bfloat16"},
}
_START = """
import sys
from graphpalace.embedding.factory import embedder_of
from graphpalace.settings.load import cache_dir, load
from graphpalace.settings.sections.embeddings import EmbeddingSettings
settings = EmbeddingSettings.model_validate_json(sys.argv[1])
embedder_of(settings, device="cpu", fast_in_bfloat16=bool, cache_dir=cache_dir(load())).embed(["a question"])
"""


async def measure(bench: Workbench) -> Result:
    """Measure all three in turns, on the CPU; the ratios are those of ONNX and of torch in its faster precision."""
    models = {name: _embedder(chosen, bench) for name, chosen in VARIANTS.items()}
    passages = _passages()
    say("loading the models")
    vectors = {name: model.embed(passages[:32]) for name, model in models.items()}
    say("starting processes that embed one question")
    starts = spent_in_turns({name: partial(_start, name) for name in VARIANTS}, _START_TURNS)
    say("embedding questions")
    questions = [" ".join(passage.split()[:9]) for passage in passages[:_QUESTION_TURNS]]
    asked = {name: _asking(model, questions) for name, model in models.items()}
    latencies = spent_in_turns(asked, len(questions))
    say("embedding passages")
    rounds = spent_in_turns({name: partial(model.embed, passages) for name, model in models.items()}, _TEXTS_TURNS)
    ratios = {
        "start": (_against_torch(starts), TARGET_START),
        "question": (_against_torch(latencies), TARGET_QUESTION),
        "texts": (_against_torch(rounds), TARGET_TEXTS),
    }
    figures: dict[str, Any] = {
        "ratio_is": "seconds of ONNX divided by those of torch in the faster precision; at most",
        "passages": len(passages),
        "variants": {
            name: {
                "start_s": median(starts[name]),
                "question_ms": 1e3 * median(latencies[name]),
                "texts_per_s": len(passages) / median(rounds[name]),
                "least_cosine_to_float32": float((vectors[name] * vectors["torch_float32"]).sum(axis=1).min()),
                "largest_difference_to_float32": float(np.abs(vectors[name] - vectors["torch_float32"]).max()),
            }
            for name in VARIANTS
        },
    }
    for name, (ratio, target) in ratios.items():
        figures[name] = {"ratio": ratio, "target": target, "met": ratio <= target}
    ratio, target = ratios["start"]
    met = all(figures[name]["met"] for name in ratios)
    return bench.result("embed", ratio=ratio, target=target, met=met, figures=figures)


def _against_torch(seconds: dict[str, list[float]]) -> float:
    return median(seconds["onnx"]) / min(median(seconds[name]) for name in seconds if name.startswith("torch"))


def _asking(model: Embedder, questions: Sequence[str]) -> Callable[[], object]:
    left = iter(questions)
    return lambda: model.embed([next(left)])


def _start(name: str) -> None:
    chosen = EmbeddingSettings.model_validate(VARIANTS[name]).model_dump_json()
    subprocess.run([sys.executable, "-c", _START, chosen], check=True, capture_output=True)


def _embedder(chosen: dict[str, str], bench: Workbench) -> Embedder:
    return embedder_of(
        EmbeddingSettings.model_validate(chosen),
        device="cpu",
        fast_in_bfloat16=bool,
        cache_dir=cache_dir(bench.settings),
    )


def _passages() -> list[str]:
    """Return passages of this project's documentation, in an order that mixes lengths."""
    passages: list[str] = []
    for file in sorted((ROOT / "docs").rglob("*.md")):
        text = file.read_text("utf-8")
        passages += [text[at : at + _PASSAGE_CHARACTERS] for at in range(0, len(text), _PASSAGE_CHARACTERS)]
    order = np.random.default_rng(7).permutation(len(passages))[:_PASSAGES]
    return [passages[at] for at in order]
