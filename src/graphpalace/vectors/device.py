"""Selects the device on which PyTorch computes."""

from __future__ import annotations

import sys
from pathlib import Path

from graphpalace.lazy_torch import torch

# One of these is there where Linux has a driver for an accelerator that torch can use.
_DRIVERS = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/kfd")


def device_of(name: str) -> str:
    """Return the name of a PyTorch device. `auto` becomes `cuda`, `mps` or `cpu`, the first that is available."""
    if name != "auto":
        return name
    if sys.platform == "linux" and not any(Path(driver).exists() for driver in _DRIVERS):
        return "cpu"  # without importing torch
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
