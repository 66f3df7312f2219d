"""Reads the embeddings that a collection provides: a NumPy file with one row for each record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graphpalace.domain.vectors import Matrix, Vector, unit_rows
from graphpalace.errors import InvalidInput, WrongDimension


def read_vectors(
    path: Path, ids: Sequence[str], *, dimension: int | None = None
) -> tuple[dict[str, Vector], int | None]:
    """Read embeddings and scale them to length one.

    Args:
        path: The file, which may be missing.
        ids: Ids of the records, in the order of the rows.
        dimension: Dimension of the other embeddings of the collection, if there are any.

    Returns:
        The vector of each id, and the dimension. If the file is missing: no vectors, and the given dimension.

    Raises:
        InvalidInput: If the file is not a matrix of finite numbers with one row, not all zero, for each id.
        WrongDimension: If the dimension differs from that of the other embeddings.
    """
    if not path.exists():
        return {}, dimension
    try:
        matrix = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InvalidInput(f"{path} cannot be read as a NumPy array: {error}", file=str(path)) from error
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2 or matrix.dtype.kind not in "fiu":
        found = f"{matrix.dtype} {matrix.shape}" if isinstance(matrix, np.ndarray) else "an archive"
        raise InvalidInput(f"{path} is {found}; it must be a matrix of numbers", file=str(path))
    rows, columns = matrix.shape
    if rows != len(ids):
        raise InvalidInput(
            f"{path} has {rows} rows; it must have one row for each of the {len(ids)} records", file=str(path)
        )
    if not 1 <= columns <= 4096:
        raise InvalidInput(f"{path} has {columns} columns; it must have 1 to 4096", file=str(path))
    if dimension is not None and columns != dimension:
        raise WrongDimension(f"{path} has {columns} columns; corpus.npy has {dimension}", file=str(path))
    vectors: Matrix = unit_rows(matrix.astype(np.float32))
    good = np.isfinite(vectors).all(axis=1) & vectors.any(axis=1)
    if not good.all():
        row = int(np.flatnonzero(~good)[0])
        raise InvalidInput(
            f"{path}, row {row + 1} ({ids[row]!r}) must be finite and not all zero", file=str(path), row=row + 1
        )
    return dict(zip(ids, vectors, strict=True)), columns
