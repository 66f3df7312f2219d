"""The command line with every command imported, for tests that look at all of them."""

from __future__ import annotations

from importlib import import_module

from graphpalace.serve.cli.application import COMMANDS, app
from graphpalace.serve.cli.command_group import Commands


def every_command() -> Commands:
    """Return an application with all commands, in the order of the help page."""
    whole = Commands(help=app.info.help)
    for module in dict.fromkeys(listed.module for listed in COMMANDS.values()):
        import_module(module).register(whole)
    return whole
