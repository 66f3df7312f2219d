"""Options of commands that stand for a setting say what the setting says."""

from __future__ import annotations

import pytest
from tests.command_line import every_command
from typer.main import get_command

from graphpalace.serve.cli.context import expanded
from graphpalace.settings.load import Settings
from graphpalace.settings.setting import setting_of

SAME = {
    ("ingest", "rooms"): ("ingest", "rooms"),
    ("ingest", "max_files"): ("ingest", "max_files"),
    ("ingest", "windows"): ("ingest", "windows"),
    ("search", "lanes"): ("search", "lanes"),
    ("search", "weights"): ("search", "weights"),
    ("search", "fusion"): ("search", "fusion"),
    ("search", "mmr_lambda"): ("rerank", "mmr_lambda"),
    ("search", "fold_duplicates"): ("search", "fold_duplicates"),
    ("search", "times"): ("search", "times"),
    ("explore", "agents"): ("exploration", "agents"),
    ("explore", "steps"): ("exploration", "steps"),
    ("explore", "mix"): ("exploration", "mix"),
    ("explore", "temperatures"): ("exploration", "temperatures"),
    ("explore", "schedule"): ("exploration", "schedule"),
    ("explore", "floor"): ("exploration", "floor"),
    ("serve", "host"): ("service", "host"),
    ("serve", "port"): ("service", "port"),
}


def helps() -> dict[tuple[str, str], str]:
    """Return the help of every option."""
    commands = get_command(every_command()).commands  # pyright: ignore[reportAttributeAccessIssue]
    return {
        (name, option.name): expanded(getattr(option, "help", None) or "")
        for name, command in commands.items()
        for option in command.params
    }


@pytest.mark.parametrize(("option", "key"), SAME.items(), ids=" ".join)
def test_an_option_says_what_its_setting_says(option: tuple[str, str], key: tuple[str, str]) -> None:
    section, name = key
    setting = setting_of(type(getattr(Settings(), section)), section, name)
    written = helps()[option]
    assert written.startswith(setting.description)
    assert setting.allowed in written
    assert f"Default: [{section}] {name}" in written
    if isinstance(setting.default, int | float | str) and setting.default != "":
        assert f"which is {setting.default} unless configured" in written


def test_no_option_repeats_a_setting_in_words_of_its_own() -> None:
    sections = {"ingest": "ingest", "search": "search", "explore": "exploration", "serve": "service"}
    for command, name in helps():
        keys = type(getattr(Settings(), sections[command])).model_fields if command in sections else {}
        assert name not in keys or (command, name) in SAME, f"{command} --{name} is a setting of its section"
