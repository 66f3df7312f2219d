"""Arrays of NumPy and tensors of PyTorch, by the same lines: the array API standard, and the little that it lacks.

On a CPU GraphPalace computes with NumPy. On any other device it computes with PyTorch, which an extra installs.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np
from array_api_compat import array_namespace, is_numpy_array

from graphpalace.errors import SettingsInvalid

__all__ = [
    "Array",
    "array_namespace",
    "first_greatest",
    "greatest_at",
    "has_torch",
    "like",
    "namespace_on",
    "on_cpu",
    "to_numpy",
]

Array: TypeAlias = Any  # an array of numpy or a tensor of torch; the standard has no common type
_GROUP = 64


def has_torch() -> bool:
    """Return whether PyTorch is installed, without importing it, which takes seconds."""
    return find_spec("torch") is not None


def namespace_on(device: str) -> Any:
    """Return the functions that compute on a device: NumPy's on `cpu`, PyTorch's on any other.

    Raises:
        SettingsInvalid: If the device needs PyTorch, which is not installed.
    """
    if device == "cpu":
        import array_api_compat.numpy as xp
    elif has_torch():
        import array_api_compat.torch as xp
    else:
        raise SettingsInvalid(
            f'[embeddings] device is "{device}", which needs PyTorch: run pip install "graphpalace[torch]", or set it '
            'to "cpu" or "auto"'
        )
    return xp


def on_cpu(values: Array) -> bool:
    """Return whether an array lies in the memory of the processor."""
    return str(values.device) == "cpu"


def like(values: Any, other: Array) -> Array:
    """Return an array of numpy, or numbers, as an array of the same kind as another, on its device."""
    return array_namespace(other).asarray(values, device=other.device)


def to_numpy(values: Array) -> np.ndarray:
    """Return an array as one of numpy, without copying what is in the processor's memory already."""
    return values if is_numpy_array(values) else values.cpu().numpy()


def first_greatest(values: Array, k: int) -> tuple[Array, Array]:
    """Return the k greatest values of each row, greatest first, and their columns.

    Args:
        values: rows x columns; they may be overwritten.
        k: At most the number of columns. The time for arrays of numpy grows with it.
    """
    xp = array_namespace(values)
    if is_numpy_array(values):  # a pass for each is several times as fast as sorting or partitioning all columns
        rows = np.arange(len(values))
        best, columns = np.empty((len(values), k), values.dtype), np.empty((len(values), k), np.int64)
        for place in range(k):
            columns[:, place] = at = values.argmax(axis=1)
            best[:, place] = values[rows, at]
            values[rows, at] = -np.inf
        return best, columns
    count = values.shape[1] // _GROUP * _GROUP
    if count < max(16, k) * _GROUP:
        return xp.topk(values, k)
    # One pass computes the maximum of each group of columns: the k greatest lie in the k groups of greatest maxima.
    groups = xp.topk(values[:, :count].unflatten(1, (-1, _GROUP)).amax(dim=2), k).indices
    columns = (groups[:, :, None] * _GROUP + xp.arange(_GROUP, device=values.device)).flatten(1)
    rest = xp.arange(count, values.shape[1], device=values.device).expand(len(values), -1)
    columns = xp.concat([columns, rest], axis=1)
    best = xp.topk(values.gather(1, columns), k)
    return best.values, columns.gather(1, best.indices)


def greatest_at(values: Array, at: Array, size: int) -> Array:
    """Return for each place from 0 to `size` the greatest of the values that lie there; 0 if there are none.

    Args:
        values: >= 0.
        at: The place of each value.
    """
    xp = array_namespace(values)
    found = xp.zeros(size, dtype=values.dtype, device=values.device)
    if is_numpy_array(values):
        np.maximum.at(found, at, values)
        return found
    return found.scatter_reduce_(0, at, values, "amax")
