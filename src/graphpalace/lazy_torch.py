"""torch, imported when it is first used. Importing it takes seconds, and most commands compute no vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["torch"]

if TYPE_CHECKING:
    import torch
else:

    class _Torch:
        def __getattr__(self, name: str) -> Any:
            import torch

            value = getattr(torch, name)
            self.__dict__[name] = value  # found without this function from now on
            return value

    torch = _Torch()
