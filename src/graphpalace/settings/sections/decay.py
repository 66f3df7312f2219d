"""The section `[decay]`."""

from __future__ import annotations

from pydantic import Field

from graphpalace.settings.sections.section import Section


class DecaySettings(Section):
    """The palace's clock and the service that applies the decay."""

    cycle_seconds: float = Field(
        default=3600.0, gt=0, description="One cycle of the palace's clock takes this number of seconds."
    )
    batch_rows: int = Field(
        default=2000,
        ge=1,
        description="One transaction of the decay brings at most this number of nodes or edges up to date.",
    )
    lease_s: float = Field(
        default=60.0,
        ge=1,
        description="After this number of seconds another service may take over from one that has died.",
    )
    enabled: bool = Field(default=True, description="`graphpalace serve` runs the decay service too.")
