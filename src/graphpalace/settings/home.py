"""Where the settings file and the data folder are: all that a command must know to find a running service.

It imports nothing heavy, because a command that only asks the service shall start at once.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import platformdirs

from graphpalace.errors import SettingsInvalid

FILE_NAME = "graphpalace.toml"
_DATA_DIR = "GRAPHPALACE_NEO4J__DATA_DIR"


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
    usual = (Path(FILE_NAME), platformdirs.user_config_path("graphpalace") / FILE_NAME)
    return next((path for path in usual if path.is_file()), None)


def data_folder(config: Path | None = None) -> Path:
    """Return the data folder that the settings name, as `settings.load.data_dir` does, without reading the rest.

    Raises:
        SettingsInvalid: If the named file does not exist, or is not TOML.
    """
    named = next((value for name, value in os.environ.items() if name.upper() == _DATA_DIR), None)
    if named is None and (path := settings_file(config)) is not None:
        try:
            section = tomllib.loads(path.read_text("utf-8")).get("neo4j")
        except tomllib.TOMLDecodeError as error:
            raise SettingsInvalid(f"{path}: {error}", file=str(path)) from error
        named = section.get("data_dir") if isinstance(section, dict) else None
    return usual_data_folder(named if isinstance(named, str) else None)


def usual_data_folder(named: str | None) -> Path:
    """Return the data folder of this name, or the user's own one if there is no name."""
    return Path(named or platformdirs.user_data_path("graphpalace")).absolute()
