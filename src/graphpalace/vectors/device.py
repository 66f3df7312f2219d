"""The device that torch computes on."""

from __future__ import annotations

import torch


def device_of(name: str) -> str:
    """Return the device that `auto` means here, or the name as it is."""
    if name != "auto":
        return name
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
