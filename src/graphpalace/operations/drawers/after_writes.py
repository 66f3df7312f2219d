"""What else is done when drawers are written or deleted, by parts that stand above this one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from graphpalace.store.connection.database import Transaction

Erase = Callable[[Transaction, Sequence[str]], Awaitable[None]]


class AfterWrites:
    """Tells others that a palace was written to."""

    def __init__(self, *listeners: Callable[[str], None]) -> None:
        self._listeners = listeners

    def wrote(self, palace: str) -> None:
        """Tell all listeners. They only make a note, and work later."""
        for listener in self._listeners:
            listener(palace)


class DrawerErasing(Protocol):
    """Deletes what is left of drawers outside of them."""

    def erasing(self, palace: str) -> AbstractAsyncContextManager[Erase]:
        """Return what a transaction calls before it deletes drawers. The caches of this process follow at the end."""
        ...
