"""Tell the settings that are in force, with secrets hidden, and where each value came from."""

from __future__ import annotations

import re
from functools import reduce
from typing import Any

from pydantic import SecretStr

from graphpalace.domain.palaces.settings_in_force import SettingInForce, SettingsInForce, SettingSource
from graphpalace.settings.load import Settings
from graphpalace.settings.setting import Setting, plain, sections, settings_of, toml

_PASSWORD = re.compile(r"(?<=://)[^/\s@\"]*@")  # user and password in an address


def settings_in_force(settings: Settings) -> SettingsInForce:
    """Return all settings with their values and sources."""
    origins = settings.origins
    shown = [_shown(settings, one) for model, name in sections(Settings) for one in settings_of(model, name)]
    return SettingsInForce(None if origins.file is None else str(origins.file), shown)


def _shown(settings: Settings, setting: Setting) -> SettingInForce:
    path = [*setting.section.split("."), setting.key]
    value: Any = reduce(getattr, path, settings)
    secret = isinstance(value, SecretStr)
    return SettingInForce(
        section=setting.section,
        key=setting.key,
        value=None if secret else _PASSWORD.sub("…@", toml(plain(value))),
        given=bool(value.get_secret_value()) if isinstance(value, SecretStr) else True,
        source=_source(settings, path, value, setting),
        variable=setting.variable,
        does=setting.description,
        allowed=setting.allowed,
        default=setting.shown_default or toml(setting.default),
    )


def _source(settings: Settings, path: list[str], value: Any, setting: Setting) -> SettingSource:
    origins, name = settings.origins, ".".join(path)
    if origins.loaded and value != reduce(getattr, path[1:], origins.loaded[path[0]]):
        return "start"
    if name in origins.in_environment:
        return "environment"
    if name in origins.in_file:
        return "file"
    made = setting.shown_default is None and not origins.loaded and plain(value) != setting.default
    return "start" if made else "default"
