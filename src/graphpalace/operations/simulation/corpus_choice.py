"""Which documents a simulation walks over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class CorpusChoice:
    """Which documents a simulation walks over.

    Attributes:
        palace: Where they are, and where results are kept; a folder's results too.
        wing, room: Names of a part of the palace.
        drawers: Ids of some drawers, a set of candidates.
        root: A folder, instead of drawers.
    """

    palace: str
    wing: str | None = None
    room: str | None = None
    drawers: tuple[str, ...] | None = None
    root: str | None = None

    def __post_init__(self) -> None:
        """Refuse a folder and drawers at once."""
        if self.root is not None and (self.wing, self.room, self.drawers) != (None, None, None):
            raise InvalidInput(
                f"root is {self.root!r}; give a folder, or wing, room or drawers of a palace, not both", field="root"
            )
        if self.drawers is not None and not self.drawers:
            raise InvalidInput("drawers is empty; give at least one id, or leave it out", field="drawers")

    def as_json(self) -> dict[str, Any]:
        """Return what is kept of it."""
        chosen = {"palace": self.palace, "wing": self.wing, "room": self.room, "root": self.root}
        return chosen | {"drawers": list(self.drawers) if self.drawers is not None else None}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> CorpusChoice:
        """Return what `as_json` was called on."""
        drawers = kept["drawers"]
        return cls(
            kept["palace"], kept["wing"], kept["room"], tuple(drawers) if drawers is not None else None, kept["root"]
        )


def check_palace_trails(settings: SimulationSettings, *, folder: bool) -> None:
    """Refuse what only the edges of a palace can do, where the documents are those of a folder."""
    if settings.warm_start and folder:
        raise InvalidInput(
            "warm_start is true; the trails of a palace do not lead through a folder: give false, or leave root out",
            field="warm_start",
        )
    if settings.deposit and folder:
        raise InvalidInput(
            "deposit is true; what is found in a folder has no edges of a palace to lie on: give false, or leave "
            "root out",
            field="deposit",
        )
