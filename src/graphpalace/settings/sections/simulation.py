"""The section `[simulation]`."""

from __future__ import annotations

from typing import Any

from pydantic import Field, field_validator

from graphpalace.domain.simulation.simulation_settings import checked_settings
from graphpalace.errors import InvalidInput
from graphpalace.settings.sections.section import Section


class SimulationSection(Section):
    """How simulations are run (seed 000; docs/explanation/swarm.md has the settings of one simulation)."""

    max_live: int = Field(default=4, ge=1, le=64, description="At most this number of simulations run side by side.")
    frames_per_s: float = Field(
        default=10.0, gt=0, le=60, description="A client gets at most this number of pictures in a second."
    )
    client_timeout_s: float = Field(
        default=5.0, gt=0, le=600, description="A client that takes nothing for this number of seconds is dropped."
    )
    folders: tuple[str, ...] = Field(
        default=(),
        description="The folders whose files simulations may read; links out of them are not followed. If it is empty, "
        "simulations read no folder.",
    )
    folder_cache_mb: int = Field(
        default=256,
        ge=0,
        le=100000,
        description="The embeddings of folders are kept in at most this number of MiB. 0 keeps none.",
    )
    job_workers: int = Field(
        default=0, ge=0, le=256, description="Background jobs use this number of processes. 0 takes one for each core."
    )
    ray_address: str = Field(
        default="",
        description="The Ray cluster that runs background jobs, for example auto. If it is empty, processes of this "
        "machine run them.",
    )
    defaults: dict[str, Any] = Field(
        default={},
        description="The settings of a simulation where its request says nothing else, for example num_agents = 300.",
    )

    @field_validator("defaults")
    @classmethod
    def _known_settings(cls, defaults: dict[str, Any]) -> dict[str, Any]:
        try:
            checked_settings(defaults)
        except InvalidInput as error:
            raise ValueError(error.message) from None
        return defaults
