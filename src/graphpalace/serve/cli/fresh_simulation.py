"""The settings of a simulation for a command, which starts from the defaults each time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphpalace.domain.simulation.simulation_settings import checked_settings
from graphpalace.settings.load import Settings


def fresh_settings(settings: Settings, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings: the given ones, and the service's defaults for the rest.

    Raises:
        InvalidInput: If a name is unknown or a value is out of range. The message names each of them.
    """
    return checked_settings(settings.simulation.defaults).changed(given).model_dump()
