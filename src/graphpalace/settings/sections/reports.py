"""The section `[reports]`. Source: seed 000."""

from __future__ import annotations

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from graphpalace.settings.sections.section import Section


class ReportSettings(Section):
    """How reports of simulations are written (see docs/explanation/reports.md for their content)."""

    base_url: str = Field(
        default="",
        pattern=r"^(https?://\S+)?$",
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
