"""The section `[service]`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from graphpalace.settings.sections.section import Section

HostName = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+$", max_length=253)]


class ServiceSettings(Section):
    """The HTTP service."""

    host: str = Field(
        default="127.0.0.1", description="The address to listen on. Any address but loopback needs an `api_key`."
    )
    port: int = Field(default=8600, ge=0, le=65535, description="The port to listen on. 0 takes a free one.")
    api_key: SecretStr = Field(
        default=SecretStr(""), description="The key that clients send as Authorization: Bearer KEY."
    )
    allowed_hosts: list[HostName] = Field(
        default=[],
        description="The names that the service answers to beside loopback's, for example a proxy's. If it is empty "
        "and the service listens beyond loopback, it answers to any name.",
    )
    refresh_s: float = Field(
        default=1.0, gt=0, le=60, description="The service looks for other services' changes every so many seconds."
    )
    max_body_mb: int = Field(default=32, ge=1, le=1024, description="The largest request body in MiB.")
    head_timeout_s: float = Field(
        default=10.0, gt=0, le=600, description="The head of a request must come within this number of seconds."
    )
    body_timeout_s: float = Field(
        default=30.0, gt=0, le=3600, description="The body of a request must come within this number of seconds."
    )
    searches_at_once: int = Field(
        default=16, ge=1, le=1000, description="At most this number of searches run at once. More wait."
    )
    reads_at_once: int = Field(
        default=32, ge=1, le=1000, description="At most this number of requests that only read run at once."
    )
    writes_at_once: int = Field(
        default=16, ge=1, le=1000, description="At most this number of requests that change something run at once."
    )
    heavy_at_once: int = Field(
        default=4,
        ge=1,
        le=1000,
        description="At most this number of reranks, explorations, starts of simulations and decays run at once.",
    )
    tools_at_once: int = Field(
        default=8, ge=1, le=1000, description="At most this number of calls of MCP tools run at once."
    )
    most_waiting: int = Field(
        default=64,
        ge=0,
        le=10000,
        description="Of each kind at most this number of requests wait. More are answered with 503.",
    )
    wait_s: float = Field(
        default=5.0,
        gt=0,
        le=600,
        description="A request that has waited this number of seconds is answered with 503.",
    )
    log_format: Literal["auto", "json", "console"] = Field(
        default="auto", description="The format of the log. auto takes console on a terminal, and otherwise json."
    )

    def at_once(self) -> dict[str, int]:
        """Return the most requests under way, by kind."""
        kinds = ("searches", "reads", "writes", "heavy", "tools")
        return {kind: getattr(self, f"{kind}_at_once") for kind in kinds}
