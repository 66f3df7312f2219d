"""The command that serves MCP on standard input and output."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import partial
from typing import Annotated

import typer

from graphpalace.errors import InvalidInput
from graphpalace.serve.cli.context import context, setting_option

_ASKED = ("profile", "answers", "read_only")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp")(serve_mcp)


def serve_mcp(
    profile: Annotated[str | None, setting_option("mcp", "profile")] = None,
    answers: Annotated[str | None, setting_option("mcp", "answers")] = None,
    read_only: Annotated[bool | None, setting_option("mcp", "read_only")] = None,
    print_config: Annotated[
        str | None,
        typer.Option(
            "--print-config",
            metavar="HOST",
            help="Print the configuration that this agent host needs, and stop. For an unknown host, list the known "
            "ones.",
        ),
    ] = None,
) -> None:
    """Serve MCP on standard input and output, for a client that starts this command.

    The command forwards requests to the service on this machine, and starts the service if necessary. If no service
    runs and [service] autostart is false, the command does the work itself.
    """
    from graphpalace.settings.home import setting_text

    given = {"profile": profile, "answers": answers, "read_only": read_only}
    options = {name: str(value) for name, value in given.items() if value is not None}
    _check(options)
    if print_config is not None:
        _print_config(print_config, options)
        return
    asked = {
        name: value for name in _ASKED if (value := options.get(name) or setting_text("mcp", name, context.config))
    }
    _check(asked)
    if palace := setting_text("palace", "name", context.config):
        asked["palace"] = palace
    if not _proxied(asked):
        _serve_here(options)


def _proxied(query: dict[str, str]) -> bool:
    """Serve through the service of this machine; return False if there is none and it shall not be started."""
    from graphpalace.client.ensure_service import ensure_service
    from graphpalace.client.service_file import running, running_or_none
    from graphpalace.settings.home import home

    here = home(context.config)
    if not here.autostart and running_or_none(here.folder) is None:
        return False
    from graphpalace.serve.mcp.stdio_proxy import StdioProxy

    find = partial(ensure_service, here) if here.autostart else partial(running, here.folder)
    patience = {"restart_s": 0.0} if here.autostart else {}
    with suppress(KeyboardInterrupt, BrokenPipeError):
        StdioProxy(find, query, sys.stdout.buffer, **patience).run(sys.stdin.buffer)
    return True


def _serve_here(options: dict[str, str]) -> None:
    """Serve with operations of this process."""
    import asyncio

    from graphpalace.serve.http.app import LocalService
    from graphpalace.serve.logs import configure
    from graphpalace.serve.mcp.server import make_server

    settings = context.settings()
    changed = type(settings.mcp).model_validate(settings.mcp.model_dump() | options)
    settings = settings.model_copy(update={"mcp": changed})
    configure(settings.service.log_format)

    async def serve() -> None:
        service = await LocalService(settings).start()
        try:
            await make_server(settings, service.operations).run_stdio_async(show_banner=False)
        finally:
            await service.stop()

    asyncio.run(serve())


def _check(options: dict[str, str]) -> None:
    """Raise an error for a value that `[mcp]` does not allow, without importing the settings."""
    from graphpalace.domain.mcp_profiles import wrong_choice

    for name, value in options.items():
        if wrong := wrong_choice(name, value):
            raise InvalidInput(wrong, field=name)


def _print_config(host: str, options: dict[str, str]) -> None:
    """Print the configuration by which a host finds this command, with its options and environment of now."""
    from graphpalace.agent_hosts.host_config import HOSTS
    from graphpalace.serve.cli.install.installation import mcp_command

    if host not in HOSTS:
        raise InvalidInput(f"--print-config is {host!r}; it must be one of {', '.join(HOSTS)}", field="print_config")
    own = mcp_command(host, context.config, options)
    print(f"Put this into {HOSTS[host].path}:", file=sys.stderr)
    print(HOSTS[host].text(*own))
