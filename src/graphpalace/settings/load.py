"""Load the settings from `graphpalace.toml` and from environment variables (`GRAPHPALACE_SECTION__KEY`).

Variables override the file, and options of a command override both. The file is the one named by `--config` or
`GRAPHPALACE_CONFIG`, otherwise `graphpalace.toml` in the working directory, otherwise the one in the user's
configuration directory. Without a file, the defaults apply. Each key is described once, in `settings.sections`. The
`graphpalace.toml` of the project shows all keys with their defaults.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs
import tomli
from pydantic import BaseModel, PrivateAttr, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from graphpalace.domain.value_reasons import value_reason
from graphpalace.errors import SettingsInvalid
from graphpalace.settings.home import FILE_NAME, settings_file, settings_text, usual_data_folder
from graphpalace.settings.sections.backup import BackupSettings
from graphpalace.settings.sections.embeddings import EmbeddingSettings
from graphpalace.settings.sections.ingest import ConversationSettings, HookSettings, IngestSettings
from graphpalace.settings.sections.knowledge import EntitySettings, KnowledgeSettings
from graphpalace.settings.sections.learning import LearningSettings, RerankSettings
from graphpalace.settings.sections.pheromones import DecaySettings, ExplorationSettings, PheromoneSettings
from graphpalace.settings.sections.search import RunSettings, SearchSettings
from graphpalace.settings.sections.section import Neo4jSettings, PalaceSettings
from graphpalace.settings.sections.service import McpSettings, ServiceSettings
from graphpalace.settings.sections.simulation import ReportSettings, SimulationSection
from graphpalace.settings.sections.telemetry import TelemetrySettings
from graphpalace.settings.setting import ENVIRONMENT_PREFIX


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the values of some settings came from. It does not count when settings are compared.

    Attributes:
        file: The settings file; None if there is none.
        in_file, in_environment: Names that are given there, such as `search.rrf_k`.
        loaded: The sections as they were loaded; empty for settings that were not loaded.
    """

    file: Path | None = field(default=None, compare=False)
    in_file: frozenset[str] = field(default=frozenset(), compare=False)
    in_environment: frozenset[str] = field(default=frozenset(), compare=False)
    loaded: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False)


class Settings(BaseSettings):
    """All settings. Creating this class uses only the given values and the defaults; `load` reads the user's."""

    model_config = SettingsConfigDict(
        env_prefix=f"{ENVIRONMENT_PREFIX}_",
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
    )

    neo4j: Neo4jSettings = Neo4jSettings()
    palace: PalaceSettings = PalaceSettings()
    pheromones: PheromoneSettings = PheromoneSettings()
    decay: DecaySettings = DecaySettings()
    exploration: ExplorationSettings = ExplorationSettings()
    embeddings: EmbeddingSettings = EmbeddingSettings()
    ingest: IngestSettings = IngestSettings()
    conversations: ConversationSettings = ConversationSettings()
    hooks: HookSettings = HookSettings()
    entities: EntitySettings = EntitySettings()
    search: SearchSettings = SearchSettings()
    runs: RunSettings = RunSettings()
    learning: LearningSettings = LearningSettings()
    rerank: RerankSettings = RerankSettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    simulation: SimulationSection = SimulationSection()
    reports: ReportSettings = ReportSettings()
    service: ServiceSettings = ServiceSettings()
    mcp: McpSettings = McpSettings()
    backup: BackupSettings = BackupSettings()
    telemetry: TelemetrySettings = TelemetrySettings()

    _origins: Origins = PrivateAttr(default_factory=Origins)

    @property
    def origins(self) -> Origins:
        """Where the values came from, also after some were changed."""
        return self._origins

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003  # the signature is pydantic-settings'
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Ignore environment variables, so that code that names a server gets that server."""
        return (init_settings,)


def load(config: Path | None = None) -> Settings:
    """Load the settings.

    Args:
        config: The file to read; None: the one that the environment names, or one of the usual places.

    Raises:
        SettingsInvalid: If a named file does not exist, the file is not TOML, a key is unknown, or a value is out of
            range. The message names the file and line, or the environment variable.
    """
    settings, problems = load_what_is_valid(config)
    if problems:
        raise problems[0] if len(problems) == 1 else SettingsInvalid("\n".join(one.message for one in problems))
    return settings


def load_what_is_valid(config: Path | None = None) -> tuple[Settings, list[SettingsInvalid]]:
    """Load the settings with defaults in place of what is not valid, and return what that is.

    Args:
        config: As for `load`.
    """
    problems, text, values = list[SettingsInvalid](), "", dict[str, Any]()
    path = None
    try:
        if path := settings_file(config):
            text = settings_text(path)
            values = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        problems.append(SettingsInvalid(f"{path} line {error.lineno}: {error.msg}", file=str(path), line=error.lineno))
    except SettingsInvalid as error:
        problems.append(error)
    named, given = _names(values), _environment(problems)
    _update(values, given)
    while True:
        try:
            settings = Settings(**values)
            settings._origins = Origins(path, named, _names(given), dict(settings))
            return settings, problems
        except ValidationError as error:
            found = error.errors()
            problems += [SettingsInvalid(_explain(problem, path, text)) for problem in found]
            removed = [_remove(values, problem["loc"]) for problem in found]
            if not any(removed):  # a default does not fit to a value
                for problem in found:
                    values.pop(str(problem["loc"][0]), None)


def _environment(problems: list[SettingsInvalid]) -> dict[str, Any]:
    """Return the values of the environment, and add variables that cannot be read to the problems."""
    source = EnvSettingsSource(Settings)
    while True:
        try:
            return source()
        except SettingsError:
            alone = EnvSettingsSource(Settings)
            for name, value in sorted(source.env_vars.items()):
                alone.env_vars = {name: value}
                try:
                    alone()
                except SettingsError:
                    said = f'{name.upper()}: it must be JSON, for example ["one", "two"]'
                    problems.append(SettingsInvalid(said, field=name.upper()))
                    source.env_vars = {other: one for other, one in source.env_vars.items() if other != name}


def _update(values: dict[str, Any], others: dict[str, Any]) -> None:
    """Let other values override those of the same places."""
    for key, value in others.items():
        if isinstance(value, dict) and isinstance(values.get(key), dict):
            _update(values[key], value)
        else:
            values[key] = value


def _names(values: Mapping[str, Any], above: str = "") -> frozenset[str]:
    """Return the names of all values, and of the sections and tables that have some."""
    names = {f"{above}{name}" for name in values}
    inner = (_names(value, f"{above}{name}.") for name, value in values.items() if isinstance(value, dict))
    return frozenset(names).union(*inner)


def _remove(values: dict[str, Any], loc: tuple[int | str, ...]) -> bool:
    """Remove the value at a place, or a section that is none; return whether there was one."""
    section, *rest = map(str, loc)
    inner = values.get(section)
    return (inner.pop(rest[0], None) if rest and isinstance(inner, dict) else values.pop(section, None)) is not None


def _explain(problem: Any, path: Path | None, text: str) -> str:
    section, *rest = [str(part) for part in problem["loc"]]
    key = rest[0] if rest else ""
    variable = f"{ENVIRONMENT_PREFIX}_{section}__{key}".upper()
    if variable in {name.upper() for name in os.environ}:
        where = variable
    else:
        where = f"{path or FILE_NAME} line {_line_of(text, section, key)}"
    known = problem["type"] != "extra_forbidden"
    has_password = re.search("://[^/]*@", str(problem["input"]))
    value = "not valid" if has_password or _is_secret(section, key) else repr(problem["input"])
    what = f"is {value}; {value_reason(problem)}" if known else "is not a setting"
    return f"{where}: {'.'.join([section, *rest])} {what}"


def _is_secret(section: str, key: str) -> bool:
    """Return whether a setting is never shown."""
    model = Settings.model_fields[section].annotation if section in Settings.model_fields else None
    field = model.model_fields.get(key) if isinstance(model, type) and issubclass(model, BaseModel) else None
    return field is not None and field.annotation is SecretStr


def _line_of(text: str, section: str, key: str) -> int:
    """Return the line of a key, or else of its section's header, or else 0."""
    current, header = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        if found := re.match(r"\s*\[([^\]]+)\]", line):
            current = found[1].strip()
            header = number if current == section else header
        elif found := re.match(r"\s*([\w.-]+)\s*=", line):
            name = f"{current}.{found[1]}" if current else found[1]
            if name in (f"{section}.{key}", section):
                return number
    return header


def data_dir(settings: Settings) -> Path:
    """Return the data folder of the managed server."""
    return usual_data_folder(settings.neo4j.data_dir)


def cache_dir(settings: Settings) -> Path:
    """Return the folder for downloads and other files that can be made again."""
    named = settings.neo4j.cache_dir or os.environ.get("GRAPHPALACE_CACHE_DIR")
    return Path(named or platformdirs.user_cache_path("graphpalace"))
