"""What a check of `graphpalace doctor` finds, and what every check is told."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, SecretStr

from graphpalace.settings.home import Home
from graphpalace.settings.load import Settings, cache_dir, data_dir

State = Literal["good", "note", "bad"]
_USER_IN_URL = re.compile(r"(?<=://)[^/\s@'\"]+@")
_HIDDEN = "***"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check.

    Attributes:
        state: `bad` lets the command end with exit code 1; a `note` is worth knowing, or goes away by itself.
        fix: What to do if the state is not good.
        command: A line for a shell that does it; empty if no command can.
    """

    name: str
    state: State
    found: str
    fix: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class Installation:
    """What is examined.

    Attributes:
        settings: With defaults in place of what cannot be read.
        problems: What is wrong with the settings.
        config: The settings file that was named on the command line.
    """

    settings: Settings
    problems: Sequence[str] = ()
    config: Path | None = None

    @property
    def home(self) -> Home:
        """The data folder, and how its service is started."""
        config = self.config.absolute() if self.config else None
        return Home(data_dir(self.settings), config=config, autostart=self.settings.service.autostart)

    @property
    def cache(self) -> Path:
        """The folder for downloads."""
        return cache_dir(self.settings)

    def command(self, *words: str) -> str:
        """Return a command of GraphPalace for this installation, such as `graphpalace up`."""
        named = ["--config", str(self.config.absolute())] if self.config else []
        return shlex.join(["graphpalace", *named, *words])

    def run(self, *words: str, why: str = "") -> tuple[str, str]:
        """Return fix and command of a check that a command of GraphPalace fixes."""
        return run(self.command(*words), why=why)


def run(command: str, *, why: str = "") -> tuple[str, str]:
    """Return fix and command of a check that a command fixes.

    Args:
        why: How the sentence goes on, for example `to download them again`.
    """
    return f"run `{command}`{' ' if why else ''}{why}", command


def without_secrets(checks: Iterable[Check], settings: Settings) -> list[Check]:
    """Return the checks without passwords and keys, whoever quoted them."""
    secrets = sorted(set(_secrets(settings)), key=len, reverse=True)

    def hidden(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, _HIDDEN)
        return _USER_IN_URL.sub(f"{_HIDDEN}@", text)

    return [
        replace(check, found=hidden(check.found), fix=hidden(check.fix), command=hidden(check.command))
        for check in checks
    ]


def _secrets(part: BaseModel) -> Iterable[str]:
    for _, value in part:
        if isinstance(value, SecretStr) and len(value.get_secret_value()) > 3:
            yield value.get_secret_value()
        elif isinstance(value, BaseModel):
            yield from _secrets(value)
