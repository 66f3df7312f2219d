"""Selects the device on which PyTorch computes."""

from __future__ import annotations

import torch


def device_of(name: str) -> str:
    """Return the name of a PyTorch device. `auto` becomes `cuda`, `mps` or `cpu`, the first that is available."""
    if name != "auto":
        return name
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
