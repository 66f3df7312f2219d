"""How deleting drawers also deletes what is left of them elsewhere, by parts that stand above this one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from graphpalace.store.connection.database import Transaction

Erase = Callable[[Transaction, Sequence[str]], Awaitable[None]]


class DrawerErasing(Protocol):
    """Deletes what is left of drawers outside of them."""

    def erasing(self, palace: str) -> AbstractAsyncContextManager[Erase]:
        """Return what a transaction calls before it deletes drawers. The caches of this process follow at the end."""
        ...
