"""What is to be done after drawers were written, by parts that this one does not know."""

from __future__ import annotations

from collections.abc import Callable


class AfterWrites:
    """Tells others that a palace was written to."""

    def __init__(self, *listeners: Callable[[str], None]) -> None:
        self._listeners = listeners

    def wrote(self, palace: str) -> None:
        """Tell all listeners. They only make a note, and work later."""
        for listener in self._listeners:
            listener(palace)
