"""The base class of all sections, and the sections `[palace]` and `[neo4j]`."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr


def _http_address(given: str) -> str:
    if given and not re.fullmatch(r"https?://[^\s/?#]\S*", given):
        raise ValueError("it must begin with http:// or https://, for example http://localhost:8000/v1")
    return given


def _neo4j_address(given: str) -> str:
    if given and not re.fullmatch(r"(neo4j|bolt)(\+s|\+ssc)?://[^\s@/?#][^\s@]*", given):
        raise ValueError(
            "it must begin with neo4j://, bolt:// or one of them with +s or +ssc, for example bolt://localhost:7687; "
            "user and password have settings of their own"
        )
    return given


HttpAddress = Annotated[str, AfterValidator(_http_address)]  # empty: none


class SettingsSection(BaseModel):
    """A group of settings. Unknown names are refused, and values cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PalaceSettings(SettingsSection):
    """The default palace."""

    name: str = Field(default="main", description="The name of the palace to use if none is given.")


class Neo4jSettings(SettingsSection):
    """The server that stores the graph. Without a `uri`, GraphPalace runs its own Neo4j on the loopback address."""

    uri: Annotated[str, AfterValidator(_neo4j_address)] = Field(
        default="",
        description="The neo4j:// or bolt:// address of your own server. If it is empty, the managed server is used.",
    )
    user: str = Field(default="neo4j", description="The user who logs in to your own server.")
    password: SecretStr = Field(
        default=SecretStr(""),
        description="The password of that user. The managed server creates its own password.",
    )
    database: str = Field(default="neo4j", description="The database on your own server.")
    version: Literal["2026.08.1", "5.26.30"] = Field(
        default="2026.08.1", description="The version of the managed server."
    )
    bolt_port: int = Field(
        default=7687, ge=0, le=65535, description="The Bolt port of the managed server. 0 picks a free one."
    )
    http_port: int = Field(
        default=7474,
        ge=0,
        le=65535,
        description="The port at which the managed server shows Neo4j Browser. 0 picks a free one.",
    )
    heap_mb: int = Field(
        default=0,
        ge=0,
        description="The heap of the managed server in MiB. 0 means a quarter of the memory, at least 512 and at most "
        "4096.",
    )
    data_dir: str = Field(
        default="",
        description="The folder of the managed server's data. If it is empty, the user's data directory is used.",
    )
    cache_dir: str = Field(
        default="",
        description="The folder for downloads. If it is empty, the user's cache directory is used.",
    )
    repository_url: HttpAddress = Field(
        default="", description="The Maven repository to download from. If it is empty, Maven Central is used."
    )
