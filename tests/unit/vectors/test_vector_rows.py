"""Vectors in a file: the same answers as from memory."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from graphpalace.domain.vectors import unit_rows
from graphpalace.errors import NotEnoughDisk
from graphpalace.vectors import vector_rows
from graphpalace.vectors.vector_rows import VectorMemory, VectorRows

_ROWS, _DIMENSION = 20_000, 48


def _drawn(count: int, seed: int) -> np.ndarray:
    return unit_rows(np.random.default_rng(seed).standard_normal((count, _DIMENSION)).astype(np.float32))


def _kept(vectors: np.ndarray, memory: VectorMemory | None) -> VectorRows:
    rows = VectorRows(_DIMENSION, memory=memory)
    for start in range(0, len(vectors), 5000):  # it begins in memory, and moves into a file
        part = vectors[start : start + 5000]
        rows.reserve(start + len(part))
        rows.put(slice(start, start + len(part)), part)
    return rows


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("some", [True, False])
def test_the_best_of_rows_in_a_file_are_those_of_plain_arithmetic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fast: bool, some: bool
) -> None:
    if not fast:
        monkeypatch.setattr(vector_rows, "fast_in_bytes", lambda: False)
    vectors, queries = _drawn(_ROWS, 1), _drawn(3, 2)
    rows = _kept(vectors, VectorMemory(5000 * _DIMENSION * 4, tmp_path))
    chosen = np.arange(0, _ROWS, 3) if some else None
    found = rows.best_cosines(_ROWS, queries, rows=chosen, limit=100)
    exact = queries @ (vectors if chosen is None else vectors[chosen]).T
    for each, expected in zip(found, exact, strict=True):
        best = np.argsort(-expected)[:100]
        assert np.argsort(-each, kind="stable")[:100].tolist() == best.tolist()
        assert each[best] == pytest.approx(expected[best], abs=1e-6)
    assert list(tmp_path.iterdir()) == []  # the file has no name


def test_rows_that_fit_into_memory_are_not_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_rows.np, "memmap", None)
    vectors = _drawn(100, 1)
    rows = _kept(vectors, VectorMemory(100 * _DIMENSION * 4, tmp_path))
    assert rows.bytes == 100 * _DIMENSION * 4
    assert rows.some(np.array([7, 3])).tolist() == vectors[[7, 3]].tolist()


def test_a_full_disk_is_told_with_the_setting_that_helps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: int, _start: int, _size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    rows = VectorRows(_DIMENSION, memory=VectorMemory(0, tmp_path))
    with pytest.raises(NotEnoughDisk, match=r"memory_mb under \[embeddings\]"):
        rows.reserve(10)
    assert rows.bytes == 0
