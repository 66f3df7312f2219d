"""What a simulation is told at doors that begin anew each time, whatever was asked under its name before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphpalace.domain.simulation_settings import checked_settings
from graphpalace.settings import Settings


def fresh_settings(settings: Settings, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every setting: the given ones, and the service's defaults for the others.

    Raises:
        InvalidInput: If a name is unknown or a value is out of range; it names each.
    """
    return checked_settings(settings.simulation.defaults).changed(given).model_dump()
