"""Requests of the routes under `/v1/mcmp`."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from graphpalace.domain.simulation.kept_simulation import SimulationStart
from graphpalace.domain.simulation.simulation_settings import SimulationSettings
from graphpalace.serve.http.request_body import PalaceField

_CHOICE = ("palace", "wing", "room", "drawers", "root")


class SettingsChange(SimulationSettings):
    """Settings to change. Settings that are left out stay as they are."""

    def given(self) -> dict[str, Any]:
        """Return the settings that were sent."""
        sent = self.model_dump(exclude_unset=True)
        return {name: value for name, value in sent.items() if name in SimulationSettings.model_fields}


class JobRequest(SettingsChange):
    """Settings of a simulation, and its documents: those of a palace, of a part of it, or of a folder."""

    palace: PalaceField = None
    wing: str | None = Field(None, description="only this wing")
    room: str | None = Field(None, description="only this room")
    drawers: list[str] | None = Field(None, max_length=100_000, description="only these drawers, by id")
    root: str | None = Field(None, description="path of a folder on the service's machine, instead of a palace")

    def choice(self) -> dict[str, Any]:
        """Return the requested documents."""
        return {name: getattr(self, name) for name in _CHOICE}


class StartRequest(JobRequest):
    """Settings of a simulation and its documents, and what becomes of one of the same name that runs."""

    replace: bool = Field(True, description="stop a running simulation of the same name; false: refuse to start")
    unused_params: dict[str, Any] = Field(
        default_factory=dict, description="parameters of the caller that have no effect here; the status shows them"
    )

    def start(self) -> SimulationStart:
        """Return the request as the operation takes it."""
        return SimulationStart(
            self.given(), self.choice(), unused_params=self.unused_params, replace_running=self.replace
        )
