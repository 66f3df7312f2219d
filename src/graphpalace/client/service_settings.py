"""Whether a command's environment says something that the service, which does the work, has never heard."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from graphpalace.errors import SettingsInvalid

if TYPE_CHECKING:
    from graphpalace.settings.load import Settings

_VARIABLE = re.compile(r"GRAPHPALACE_([A-Z0-9_]+?)__([A-Z0-9_]+?)(?:__.*)?", re.IGNORECASE)
# Sections by which a command finds the service, or by which it starts one.
_OF_THE_CALLER = {"neo4j", "palace", "service", "mcp"}


def marks_of(settings: Settings) -> dict[str, str]:
    """Return a mark of each setting of the service, by `section.key`: equal values have equal marks."""
    from hashlib import sha256  # most commands compare no settings

    values = settings.model_dump(mode="json", exclude=_OF_THE_CALLER)
    return {
        f"{section}.{key}": sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]
        for section, keys in values.items()
        for key, value in keys.items()
    }


def check_environment(
    marks: Mapping[str, str],
    config: Path | None,
    *,
    sent: Collection[str] = (),
    compared: Collection[str] = (),
) -> None:
    """Check that the service has the settings that this environment names.

    Args:
        marks: As `marks_of` gives them for the service; empty if it has left none.
        config: The settings file of the command.
        sent: Settings that the command sends with its request, as `section.key`.
        compared: Settings that must be the same, whether the environment names them or not, as `section.key`: they are
            what the command is about, and the service may have read the settings file before a change.

    Raises:
        SettingsInvalid: If it has another value; the message names the variable or the setting.
    """
    named = {f"{found[1]}.{found[2]}".lower(): name for name in os.environ if (found := _VARIABLE.fullmatch(name))}
    asked = {key: name for key, name in named.items() if key in marks and key not in sent}
    asked = dict(sorted(asked.items())) | {key: named.get(key, "") for key in compared if key in marks}
    if not asked:
        return
    from graphpalace.settings.load import load

    own = marks_of(load(config))
    for key, name in asked.items():
        if own.get(key) != marks[key]:
            section, _, word = key.partition(".")
            here = f"{name} is set here" if name else f"[{section}] {word} has changed"
            way = "unset it, or run" if name else "run"
            raise SettingsInvalid(
                f"{here}, but the service runs with another {key}: {way} `graphpalace service restart` to give it to "
                "the service",
                field=key,
            )
