"""The section `[decay]`."""

from __future__ import annotations

from pydantic import Field

from graphpalace.settings.sections.section import Section


class DecaySettings(Section):
    """The palace's clock and the service that applies the decay."""

    cycle_seconds: float = Field(
        default=3600.0, gt=0, description="The length of one cycle of the palace's clock in seconds."
    )
    batch_rows: int = Field(
        default=2000,
        ge=1,
        description="The largest number of nodes or edges that one transaction of the decay changes.",
    )
    lease_s: float = Field(
        default=60.0,
        ge=1,
        description="After this number of seconds, another service may take over from one that has died.",
    )
    enabled: bool = Field(default=True, description="Whether `graphpalace serve` runs the decay service too.")
