"""The choice of the documents that a simulation walks over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class CorpusChoice:
    """The documents that a simulation walks over: a palace, a part of it, some of its drawers, or a folder.

    Attributes:
        palace: Palace of the documents. It also stores the results, even those of a folder.
        wing, room: Names of the part of the palace to use.
        drawers: Ids of the drawers to use.
        root: Path of a folder to use instead of drawers.
    """

    palace: str
    wing: str | None = None
    room: str | None = None
    drawers: tuple[str, ...] | None = None
    root: str | None = None

    def __post_init__(self) -> None:
        """Raise `InvalidInput` if both a folder and drawers are given, or if `drawers` is empty."""
        if self.root is not None and (self.wing, self.room, self.drawers) != (None, None, None):
            raise InvalidInput(
                f"root is {self.root!r}; give a folder, or wing, room or drawers of a palace, not both", field="root"
            )
        if self.drawers is not None and not self.drawers:
            raise InvalidInput("drawers is empty; give at least one id, or leave it out", field="drawers")

    def as_json(self) -> dict[str, Any]:
        """Return the choice as a dict, in the form in which it is stored."""
        chosen = {"palace": self.palace, "wing": self.wing, "room": self.room, "root": self.root}
        return chosen | {"drawers": list(self.drawers) if self.drawers is not None else None}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> CorpusChoice:
        """Return the choice that `as_json` stored."""
        drawers = kept["drawers"]
        return cls(
            kept["palace"], kept["wing"], kept["room"], tuple(drawers) if drawers is not None else None, kept["root"]
        )


def check_palace_trails(settings: SimulationSettings, *, folder: bool) -> None:
    """Raise `InvalidInput` if settings need the edges of a palace but the documents are those of a folder."""
    if settings.warm_start and folder:
        raise InvalidInput(
            "warm_start is true, but a folder has no trails of a palace to start with: give false, or leave root out",
            field="warm_start",
        )
    if settings.deposit and folder:
        raise InvalidInput(
            "deposit is true, but a folder has no edges of a palace to deposit on: give false, or leave root out",
            field="deposit",
        )
