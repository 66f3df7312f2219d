"""Embeddings as they are stored and compared."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float32

from graphpalace.domain.texts import counted
from graphpalace.errors import WrongDimension

Matrix = Float32[np.ndarray, "drawers dimension"]
Vector = Float32[np.ndarray, " dimension"]


def unit_vector(values: Sequence[float], *, dimension: int, field: str = "embedding") -> Vector:
    """Return the values as a vector of length one.

    Raises:
        WrongDimension: If there are more or fewer than `dimension` values, or they are not finite, or all zero.
    """
    if len(values) != dimension:
        raise WrongDimension(
            f"{field} has {counted(len(values), 'value')}; the vectors of this palace have {dimension}",
            field=field,
            expected=dimension,
        )
    vector = np.asarray(values, dtype=np.float32)
    norm = float(np.linalg.norm(vector))
    if not math.isfinite(norm) or norm == 0.0:
        raise WrongDimension(f"{field} must be finite and not all zero", field=field, expected=dimension)
    return vector / norm


def unit_rows(matrix: Matrix) -> Matrix:
    """Return each row divided by its length; a row of zeros stays zero."""
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(norms == 0, 1, norms)).astype(np.float32, copy=False)


def quantised(vector: Vector) -> bytes:
    """Return the vector as signed bytes, its largest component at 127.

    The cosine does not depend on the scale, and at 384 dimensions rounding changes it by about .001. Neo4j's vector
    index accepts a byte array as a list of integers (ADR 2).
    """
    peak = float(np.abs(vector).max()) or 1.0
    return np.rint(vector * (127.0 / peak)).astype(np.int8).tobytes()


def to_bytes(vector: Vector | Matrix) -> bytes:
    """Return the vector, or several one after the other, as little-endian 32-bit floats."""
    return vector.astype("<f4", copy=False).tobytes()


def from_bytes(columns: Sequence[bytes], *, dimension: int) -> Matrix:
    """Return stored vectors as rows.

    >>> from_bytes([to_bytes(np.ones(2, np.float32))], dimension=2).tolist()
    [[1.0, 1.0]]
    """
    return np.frombuffer(bytearray().join(columns), dtype="<f4").reshape(-1, dimension).astype(np.float32, copy=False)


def texts_from_bytes(columns: Sequence[bytes], *, dimension: int) -> tuple[Matrix, list[Matrix | None]]:
    """Return the stored vectors of texts as rows, and for each long text those of its windows, which follow its own.

    >>> own, windows = texts_from_bytes([to_bytes(np.eye(3, 2, dtype=np.float32)), bytes(8)], dimension=2)
    >>> own.tolist(), windows[0].tolist(), windows[1]
    ([[1.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [0.0, 0.0]], None)
    """
    size = 4 * dimension
    windows = [from_bytes([one[size:]], dimension=dimension) if len(one) > size else None for one in columns]
    return from_bytes([one[:size] for one in columns], dimension=dimension), windows
