"""The settings with which a service works: their values, and where each came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from graphpalace.domain.field import Field

SettingSource = Literal["default", "file", "environment", "start"]


@dataclass(frozen=True, slots=True)
class SettingsQuery:
    """The settings of a service."""


@dataclass(frozen=True, slots=True)
class SettingInForce:
    """A setting with the value that the service uses."""

    section: Annotated[str, Field(examples=["search"])]
    key: Annotated[str, Field(examples=["rrf_k"])]
    value: Annotated[str | None, Field(description="as graphpalace.toml writes it; null: it is secret")]
    given: Annotated[bool, Field(description="of a secret: whether there is one; of others: always true")]
    source: Annotated[
        SettingSource,
        Field(
            description="where the value came from; start: an option of the command that started the service, or the"
            " service made it when it started"
        ),
    ]
    variable: Annotated[str, Field(description="the environment variable that overrides it")]
    does: Annotated[str, Field(description="what it is for")]
    allowed: Annotated[str, Field(description="range or choices; empty: every value of its type")]
    default: Annotated[str, Field(description="as graphpalace.toml writes it")]


@dataclass(frozen=True, slots=True)
class SettingsInForce:
    """The settings with which a service works."""

    file: Annotated[str | None, Field(description="the settings file that was read; null: there is none")]
    settings: Annotated[Sequence[SettingInForce], Field(description="in the order of graphpalace.toml")]
