"""The sections on simulations: `[simulation]` and `[reports]`. Source: seed 000."""

from __future__ import annotations

from typing import Any

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from graphpalace.domain.simulation.simulation_settings import checked_settings
from graphpalace.errors import InvalidInput
from graphpalace.settings.sections.section import HttpAddress, SettingsSection


class SimulationSection(SettingsSection):
    """How simulations are run (docs/reference/simulation-settings.md has the settings of a single simulation)."""

    max_live: int = Field(default=4, ge=1, le=64, description="The largest number of simulations that run at a time.")
    frames_per_s: float = Field(
        default=10.0, gt=0, le=60, description="The largest number of pictures per second that a client gets."
    )
    client_timeout_s: float = Field(
        default=5.0, gt=0, le=600, description="A client that accepts no message for this number of seconds is dropped."
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
        description="The size in MiB of the cache for embeddings of folders. 0: no cache.",
    )
    job_workers: int = Field(
        default=0, ge=0, le=256, description="The number of processes for background jobs. 0: one for each core."
    )
    ray_address: str = Field(
        default="",
        description="The address of a Ray cluster that runs background jobs, for example auto. If it is empty, "
        "processes of this machine run them.",
    )
    defaults: dict[str, Any] = Field(
        default={},
        description="Defaults for the settings of simulations, for example num_agents = 300.",
    )

    @field_validator("defaults")
    @classmethod
    def _known_settings(cls, defaults: dict[str, Any]) -> dict[str, Any]:
        try:
            checked_settings(defaults)
        except InvalidInput as error:
            raise ValueError(error.message) from None
        return defaults


class ReportSettings(SettingsSection):
    """How reports of simulations are written (see docs/explanation/reports.md for their content)."""

    base_url: HttpAddress = Field(
        default="",
        description="An OpenAI-compatible endpoint, for example http://localhost:8000/v1. If it is empty, reports are "
        "written without a model.",
    )
    api_key: SecretStr = Field(default=SecretStr(""), description="The key of that endpoint.")
    model: str = Field(default="", validate_default=True, description="The name of a model of that endpoint.")
    timeout_s: float = Field(
        default=60.0, gt=0, le=3600, description="The longest time to wait for an answer of the endpoint, in seconds."
    )
    most_findings: int = Field(
        default=10, ge=1, le=200, description="The number of findings in a report; the best are used."
    )
    max_output_tokens: int = Field(
        default=2000, ge=1, le=1000000, description="The largest number of tokens in an answer of the model."
    )

    @field_validator("model")
    @classmethod
    def _named_with_an_endpoint(cls, model: str, given: ValidationInfo) -> str:
        if given.data.get("base_url") and not model:
            raise ValueError("base_url is given, so name a model of it")
        return model
