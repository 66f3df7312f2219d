"""Where the settings file and the data folder are: all that a command must know to find a running service.

It imports nothing heavy, because a command that only asks the service shall start at once.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from graphpalace.errors import SettingsInvalid

FILE_NAME = "graphpalace.toml"
_TRUE, _FALSE = {"1", "true", "t", "yes", "y", "on"}, {"0", "false", "f", "no", "n", "off"}  # as pydantic reads them


@dataclass(frozen=True, slots=True)
class Home:
    """The data folder of a service of this machine, and what is needed to start that service.

    Attributes:
        folder: The data folder.
        config: The settings file; None if there is none.
        autostart: Whether the service is started when somebody needs it.
    """

    folder: Path
    config: Path | None = None
    autostart: bool = True

    @property
    def log(self) -> Path:
        """The log of a service that was started in the background."""
        return self.folder / "service.log"


def settings_file(config: Path | None = None) -> Path | None:
    """Return the settings file: the one that is named, else the usual one, or None if there is none.

    Raises:
        SettingsInvalid: If the named file does not exist.
    """
    named = config or (Path(os.environ["GRAPHPALACE_CONFIG"]) if os.environ.get("GRAPHPALACE_CONFIG") else None)
    if named:
        if not named.is_file():
            raise SettingsInvalid(f"the settings file {named} does not exist", file=str(named))
        return named
    here = Path(FILE_NAME)
    if here.is_file():
        return here
    from platformdirs import user_config_path

    usual = user_config_path("graphpalace") / FILE_NAME
    return usual if usual.is_file() else None


def settings_text(path: Path) -> str:
    """Return the text of the settings file.

    Raises:
        SettingsInvalid: If it cannot be read, or is not UTF-8.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SettingsInvalid(f"{path} cannot be read: {error.strerror}", file=str(path)) from error
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SettingsInvalid(f"{path} line {line}: expected UTF-8", file=str(path), line=line) from None


def setting_text(section: str, key: str, config: Path | None = None, *, environment: bool = True) -> str | None:
    """Return one setting as the environment or the settings file writes it, without reading the rest; None: neither.

    Args:
        environment: Whether the environment counts, or the settings file alone.

    Raises:
        SettingsInvalid: If the named file does not exist, or is not TOML.
    """
    variable = f"GRAPHPALACE_{section}__{key}".upper()
    named = next((value for name, value in os.environ.items() if environment and name.upper() == variable), None)
    if named is None and (path := settings_file(config)) is not None:
        found = _read(path.absolute(), path.stat().st_mtime_ns).get(section)
        value = found.get(key) if isinstance(found, dict) else None
        named = None if value is None else str(value)
    return named


@cache
def _read(path: Path, changed_at: int) -> dict[str, Any]:  # noqa: ARG001 - a file that changed is read again
    import tomllib

    try:
        return tomllib.loads(settings_text(path))
    except tomllib.TOMLDecodeError as error:
        raise SettingsInvalid(f"{path}: {error}", file=str(path)) from error


def home(config: Path | None = None) -> Home:
    """Return the home that the settings name, without reading the rest of the settings.

    Raises:
        SettingsInvalid: If the named file does not exist or is not TOML, or `[service] autostart` is neither true nor
            false.
    """
    path = settings_file(config)
    return Home(
        folder=usual_data_folder(setting_text("neo4j", "data_dir", config)),
        config=path.absolute() if path else None,
        autostart=_switch(setting_text("service", "autostart", config)),
    )


def data_folder(config: Path | None = None) -> Path:
    """Return the data folder that the settings name, as `settings.load.data_dir` does, without reading the rest.

    Raises:
        SettingsInvalid: As `home`.
    """
    return usual_data_folder(setting_text("neo4j", "data_dir", config))


def usual_data_folder(named: str | None) -> Path:
    """Return the data folder of this name, or the user's own one if there is no name.

    Raises:
        SettingsInvalid: If no folder can have this name.
    """
    if named and "\0" in named:
        raise SettingsInvalid(f"neo4j.data_dir is {named!r}; no folder can have a null character in its name")
    if named:
        return Path(named).absolute()
    from platformdirs import user_data_path

    return user_data_path("graphpalace").absolute()


def _switch(word: str | None) -> bool:
    if word is not None and word.lower() not in _TRUE | _FALSE:
        raise SettingsInvalid(
            f"service.autostart is {word!r}; write true or false", field="service.autostart", value=word
        )
    return word is None or word.lower() in _TRUE
