"""What computes products of vectors fastest here: which device, bytes or floats, one thread or more."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float32, Int8, Int32, UInt8

from graphpalace.arrays import Array, array_namespace, has_torch, like, namespace_on, to_numpy
from graphpalace.domain.vectors import Matrix, Vector

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

# One of these is there where Linux has a driver for an accelerator that torch can use.
_DRIVERS = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/kfd")
ZERO = 128  # the byte of a row that stands for zero
_UINT8, _INT8, _INT32 = 2, 3, 6  # types of ONNX
_FEW_QUERIES = 8  # of more, a product of matrices is faster than dot products
_CACHED_ROWS = 512  # rows that stay in the processor's cache until all queries have met them
_CORES = os.cpu_count() or 1
_FEW_CORES = 4  # on more than these, several threads read memory faster than one


def device_of(name: str) -> str:
    """Return the name of a device that can compute here.

    `auto` becomes `cuda`, `mps` or `cpu`, the first that is available; without PyTorch, that is `cpu`.

    Raises:
        SettingsInvalid: If a device other than `cpu` is named, and PyTorch is not installed.
    """
    if name != "auto":
        namespace_on(name)
        return name
    if sys.platform == "linux" and not any(Path(driver).exists() for driver in _DRIVERS):
        return "cpu"  # without importing torch
    if not has_torch():
        return "cpu"
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def fast_in_bfloat16(device: str) -> bool:
    """Return whether this hardware multiplies bfloat16 faster than 32-bit floats, in PyTorch."""
    import torch

    if device.startswith("cuda"):
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return device == "cpu" and bool(torch.cpu.get_capabilities().get("avx512_bf16", False))


@cache
def fast_in_bytes() -> bool:
    """Return whether this processor has VNNI. Without it, ONNX Runtime's products of bytes are slow, and overflow."""
    try:
        told = Path("/proc/cpuinfo").read_text("ascii", errors="replace")
    except OSError:  # not Linux
        return False
    flags = next((line for line in told.splitlines() if line.startswith("flags")), "").split()
    return "avx512_vnni" in flags or "avx_vnni" in flags


def byte_products(
    rows: UInt8[np.ndarray, "rows dim"], vectors: Int8[np.ndarray, "vectors dim"]
) -> Int32[np.ndarray, "rows vectors"]:
    """Return the products of all rows, less 128, with all vectors."""
    (products,) = _session().run(None, {"a": rows, "b": np.ascontiguousarray(vectors.T)})
    return np.asarray(products)


@cache
def _session() -> InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # it would keep all cores busy afterwards
    return onnxruntime.InferenceSession(_model(), options, providers=["CPUExecutionProvider"])


def _model() -> bytes:
    """Return a model of ONNX that is one operation: `c = (a - 128) b`."""
    zero = _number(2, _UINT8) + _bytes(8, b"z") + _bytes(9, bytes([ZERO]))
    node = _bytes(1, b"a") + _bytes(1, b"b") + _bytes(1, b"z") + _bytes(2, b"c") + _bytes(4, b"MatMulInteger")
    places = _bytes(11, _value(b"a", _UINT8)) + _bytes(11, _value(b"b", _INT8)) + _bytes(12, _value(b"c", _INT32))
    graph = _bytes(1, node) + _bytes(2, b"products") + _bytes(5, zero) + places
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _number(2, 13))  # version 8 of the format, 13 of the operations


def _value(name: bytes, kind: int) -> bytes:
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind)))


def _bytes(field: int, content: bytes) -> bytes:
    """Return a field of a protocol buffer with fewer than 128 bytes."""
    return bytes([field << 3 | 2, len(content)]) + content


def _number(field: int, value: int) -> bytes:
    return bytes([field << 3, value])


def as_rows(vectors: Matrix | Vector, rows: Array) -> Array:
    """Return vectors in the form in which they can be multiplied with `rows`: on their device, in their type."""
    asked = like(np.ascontiguousarray(vectors, np.float32), rows)
    return array_namespace(asked).astype(asked, rows.dtype, copy=False)


def product(rows: Array, query: Vector, *, quick: bool) -> Float32[np.ndarray, " rows"]:
    """Return the cosine of each row to a question; all are unit vectors.

    Args:
        quick: Whether there are so few rows that one thread is enough.
    """
    if isinstance(rows, np.ndarray) and (quick or _CORES <= _FEW_CORES):
        return np.vecdot(rows, np.asarray(query, np.float32))
    return floats(rows @ as_rows(query, rows))


def products(rows: Array, queries: Matrix) -> Float32[np.ndarray, "queries rows"]:
    """Return the cosine of each row to each question; all are unit vectors."""
    if isinstance(rows, np.ndarray) and len(queries) <= _FEW_QUERIES:
        asked = as_rows(queries, rows)
        cosines = np.empty((len(queries), len(rows)), np.float32)
        for start in range(0, len(rows), _CACHED_ROWS):
            part = slice(start, start + _CACHED_ROWS)
            np.vecdot(asked[:, None], rows[part], out=cosines[:, part])
        return cosines
    # The long side comes first: the other order takes half as long again.
    return np.ascontiguousarray(floats(rows @ as_rows(queries, rows).T).T)


def floats(values: Array) -> np.ndarray:
    """Return numbers of a device as 32-bit floats of numpy."""
    xp = array_namespace(values)
    return to_numpy(xp.astype(values, xp.float32, copy=False))
