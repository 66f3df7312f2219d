"""What the doctor says of the embedding model."""

from __future__ import annotations

from pathlib import Path

from graphpalace.embedding.onnx_models import artifacts_of, ensure_onnx_files
from graphpalace.serve.cli.server.doctor import Check, _model
from graphpalace.settings.load import Settings, cache_dir, load


def checked(model: str, cache: Path, base_url: str = "") -> Check:
    embeddings = {"model": model, "base_url": base_url}
    return _model(Settings.model_validate({"embeddings": embeddings, "neo4j": {"cache_dir": str(cache)}}))


def test_the_doctor_says_what_a_model_that_is_not_bundled_downloads(tmp_path: Path) -> None:
    both = checked("minilm-bge", tmp_path)
    assert (both.state, both.found) == ("note", "minilm-bge, of which 41 MB are downloaded when it is first used")
    assert "25 MB" in checked("bge-small-en-v1.5", tmp_path).found
    assert not list(tmp_path.iterdir())


def test_a_file_that_was_damaged_is_downloaded_again(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    for artifact in artifacts_of("minilm-bge"):
        files = ensure_onnx_files(artifact, cache_dir=cache_dir(load()))
        for file in (files.model, files.tokenizer):
            (tmp_path / "models" / file.name).symlink_to(file)
    assert checked("minilm-bge", tmp_path) == Check("Embedding model", "good", "minilm-bge, checksums match")
    (damaged,) = (tmp_path / "models").glob("bge-*.onnx")
    damaged.unlink()
    damaged.write_bytes(b"damaged")
    assert "25 MB" in checked("minilm-bge", tmp_path).found


def test_the_doctor_does_not_check_models_of_others(tmp_path: Path) -> None:
    assert checked("other/model", tmp_path).found == "other/model, not checked here"
    assert checked("minilm-bge", tmp_path, "http://localhost:1/v1").found == "minilm-bge, not checked here"
