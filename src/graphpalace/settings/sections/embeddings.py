"""The section `[embeddings]`."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, SecretStr

from graphpalace.settings.sections.section import HttpAddress, SettingsSection

BUNDLED_MODEL, BUNDLED_DIMENSION = "all-MiniLM-L6-v2", 384
QUANTIZED_MODEL = "all-MiniLM-L6-v2-q"  # another name, because its vectors are not those of the bundled model
BGE_MODEL, MULTILINGUAL_MODEL = "bge-small-en-v1.5", "multilingual-e5-small"
JOINED_MODEL = "minilm-bge"
DEFAULT_MODEL = JOINED_MODEL  # of new palaces
# Models that a palace can name without any other setting, with the length of their vectors.
NAMED_MODELS = {
    BUNDLED_MODEL: BUNDLED_DIMENSION,
    QUANTIZED_MODEL: BUNDLED_DIMENSION,
    BGE_MODEL: BUNDLED_DIMENSION,
    MULTILINGUAL_MODEL: BUNDLED_DIMENSION,
    JOINED_MODEL: 2 * BUNDLED_DIMENSION,
}

Precision = Literal["auto", "float32", "bfloat16"]
Runtime = Literal["auto", "onnx", "torch"]


def _dimension_of(chosen: dict[str, Any]) -> int:
    return NAMED_MODELS.get(chosen.get("model", DEFAULT_MODEL), BUNDLED_DIMENSION)


class EmbeddingSettings(SettingsSection):
    """The model that turns text into vectors."""

    model: str = Field(
        default=DEFAULT_MODEL,
        description="The model of new palaces: minilm-bge, which joins all-MiniLM-L6-v2-q and bge-small-en-v1.5 and "
        "finds more than either; all-MiniLM-L6-v2, which runs on a GPU too; all-MiniLM-L6-v2-q, its quantized "
        "form, which is faster and finds a little less; bge-small-en-v1.5, which finds more in English prose and takes "
        "longer; multilingual-e5-small for other languages, which needs graphpalace[multilingual]; any "
        "sentence-transformers model or its folder, which needs graphpalace[torch]; or a model of the endpoint at "
        "`base_url`.",
    )
    base_url: HttpAddress = Field(
        default="",
        description="An OpenAI-compatible endpoint, for example http://localhost:8000/v1. If it is empty, the model "
        "runs in this process.",
    )
    api_key: SecretStr = Field(default=SecretStr(""), description="The key of that endpoint.")
    dimension: int = Field(
        default_factory=_dimension_of,
        ge=1,
        le=4096,
        description="The length of the model's vectors.",
        json_schema_extra={
            "shown_default": f"that of a model that is named above, and {BUNDLED_DIMENSION} for any other",
            "shown_value": BUNDLED_DIMENSION,
        },
    )
    runtime: Runtime = Field(
        default="auto",
        description="What computes all-MiniLM-L6-v2. onnx starts in a second, and its vectors equal those of torch in "
        "float32. auto uses onnx on a CPU. If graphpalace[torch] is installed, it uses torch for many texts on another "
        "device, after 2,000 texts of an ingest on a CPU that computes bfloat16 fast, with precision bfloat16, and if "
        "the file for onnx cannot be downloaded. The other models that are named above have one runtime each; any "
        "other model uses torch.",
    )
    device: str = Field(
        default="auto",
        description="The device for computations: auto, cpu, or with graphpalace[torch] also cuda, cuda:1, mps or "
        "another device of torch.",
    )
    precision: Precision = Field(
        default="auto",
        description="The arithmetic of a model in torch. auto uses bfloat16 if the hardware is fast in it. ONNX "
        "computes in float32.",
    )
    embed_batch_size: int = Field(
        default=0,
        ge=0,
        le=4096,
        description="The number of texts in one batch. 0 means 16 on a CPU and 128 elsewhere.",
    )
    memory_mb: int = Field(
        default=4096,
        ge=0,
        le=1_048_576,
        description="The most memory, in MiB, that the vectors of a palace take. If they are larger, they are kept in "
        "a file of the cache folder, and on a CPU with fast 8-bit products a quarter of their size stays in memory "
        "for searches. A million drawers with 768 numbers have 2930 MiB.",
    )
