"""The sections of the doors: `[service]` and `[mcp]`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from graphpalace.domain.mcp_profiles import PROFILES
from graphpalace.settings.sections.section import SettingsSection

HostName = Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+$", max_length=253)]


class ServiceSettings(SettingsSection):
    """The HTTP service."""

    host: str = Field(
        default="127.0.0.1",
        description="The address to listen on. Every address except the loopback address requires an `api_key`.",
    )
    port: int = Field(default=8600, ge=0, le=65535, description="The port to listen on. 0 picks a free one.")
    api_key: SecretStr = Field(
        default=SecretStr(""),
        description="The key that clients must send as Authorization: Bearer KEY. If it is empty, each start of the "
        "service makes a random one, which `graphpalace key show` prints.",
    )
    open_on_loopback: bool = Field(
        default=False,
        description="Whether a service on the loopback address asks for no key if `api_key` is empty. Every user of "
        "this machine can then use it.",
    )
    autostart: bool = Field(
        default=True,
        description="Whether `Palace.connect()`, `graphpalace mcp` and commands that ask the service start it if it is "
        "not running, with the managed Neo4j.",
    )
    idle_stop_minutes: float = Field(
        default=0,
        ge=0,
        le=525_600,
        description="The service ends after this number of minutes without a request. Simulations, jobs and ingests "
        "count as requests, but health checks, metrics and the scheduler do not. 0 means never.",
    )
    allowed_hosts: list[HostName] = Field(
        default=[],
        description="Host names that the service accepts besides those of the loopback address, for example that of a "
        "proxy. If it is empty and the service listens on another address, it accepts any host name.",
    )
    keep_keys_days: int = Field(
        default=3,
        ge=1,
        le=365,
        description="The number of days for which the service recognises a write that is sent again with the same "
        "Idempotency-Key.",
    )
    refresh_s: float = Field(
        default=1.0,
        gt=0,
        le=60,
        description="The time in seconds after which the service looks again for changes by other services.",
    )
    max_body_mb: int = Field(default=32, ge=1, le=1024, description="The largest request body in MiB.")
    head_timeout_s: float = Field(
        default=10.0, gt=0, le=600, description="The head of a request must arrive within this number of seconds."
    )
    body_timeout_s: float = Field(
        default=30.0, gt=0, le=3600, description="The body of a request must arrive within this number of seconds."
    )
    searches_at_once: int = Field(
        default=6,
        ge=1,
        le=1000,
        description="The largest number of searches that run at a time; three for each processor core do well. Others "
        "wait.",
    )
    reads_at_once: int = Field(
        default=32, ge=1, le=1000, description="The largest number of other reading requests that run at a time."
    )
    writes_at_once: int = Field(
        default=16, ge=1, le=1000, description="The largest number of changing requests that run at a time."
    )
    heavy_at_once: int = Field(
        default=4,
        ge=1,
        le=1000,
        description="The largest number of reranks, explorations, ingests, decays and starts of simulations that run "
        "at a time.",
    )
    tools_at_once: int = Field(
        default=8, ge=1, le=1000, description="The largest number of calls of MCP tools that run at a time."
    )
    most_waiting: int = Field(
        default=64,
        ge=0,
        le=10000,
        description="The largest number of waiting requests of each kind. Further ones are answered with 503.",
    )
    wait_s: float = Field(
        default=0.3,
        gt=0,
        le=600,
        description="The longest time that a request waits for its turn, in seconds. It is then answered with 503, and "
        "GraphPalace's own clients send it again.",
    )
    read_deadline_s: float = Field(
        default=5.0,
        gt=0,
        le=3600,
        description="A search or another reading request that is not done within this number of seconds from its "
        "arrival is answered with 503.",
    )
    write_deadline_s: float = Field(
        default=10.0,
        gt=0,
        le=3600,
        description="The same for a changing request, which is then done completely or not at all. Ingests, imports, "
        "simulations, reranks, explorations and removals of many drawers have no deadline.",
    )
    max_url_kb: int = Field(
        default=16, ge=1, le=1024, description="The longest address of a request, with its query, in KiB."
    )
    max_headers_kb: int = Field(
        default=32, ge=1, le=1024, description="The largest headers of a request, all together, in KiB."
    )
    max_headers: int = Field(default=100, ge=10, le=10_000, description="The largest number of headers of a request.")
    log_format: Literal["auto", "json", "console"] = Field(
        default="auto", description="The format of the log. auto means console on a terminal, and json otherwise."
    )

    def deadlines_s(self) -> dict[str, float]:
        """Return in how many seconds requests must be answered, "read" and "write"."""
        return {"read": self.read_deadline_s, "write": self.write_deadline_s}

    def at_once(self) -> dict[str, int]:
        """Return the largest number of concurrent requests, by kind."""
        kinds = ("searches", "reads", "writes", "heavy", "tools")
        return {kind: getattr(self, f"{kind}_at_once") for kind in kinds}


class McpSettings(SettingsSection):
    """What models see of the palace over MCP."""

    profile: str = Field(
        default="core",
        pattern=rf"^({'|'.join(PROFILES)})(,({'|'.join(PROFILES)}))*$",
        description=f"The tools that a client sees: {', '.join(PROFILES[:-1])} or {PROFILES[-1]}, or several of them "
        "joined by commas, such as core,runs. A client over HTTP can choose others with ?profile= in the address.",
    )
    read_only: bool = Field(
        default=False, description="Offer only tools that change nothing. Calls of other tools are refused."
    )
    search_bytes: int = Field(
        default=3800,
        ge=512,
        le=65_536,
        description="The largest answer of a search, in bytes, if the call names no budget and no detail.",
    )
    open_bytes: int = Field(
        default=16_384,
        ge=512,
        le=1_048_576,
        description="The largest part of a text, in bytes, that open_drawer shows at a time.",
    )
    answers: Literal["structured", "text"] = Field(
        default="structured",
        description="How tools answer: structured content with a schema, or the same JSON as text, for hosts that show "
        "only text to their model. An answer has one of these forms, not both. Some hosts that need text are known "
        "and get it. "
        "A client over HTTP can choose with ?answers= in the address.",
    )
