"""The command that serves MCP on standard input and output."""

from __future__ import annotations

import asyncio

import typer

from graphpalace.serve.cli.context import context


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp")(serve_mcp)


def serve_mcp() -> None:
    """Serve MCP on standard input and output, for a client that starts this command."""
    from graphpalace.app import opened
    from graphpalace.serve.logs import configure
    from graphpalace.serve.mcp.server import make_server

    settings = context.settings()
    configure(settings.service.log_format)

    async def serve() -> None:
        async with opened(settings) as wired:
            await make_server(lambda: wired).run_stdio_async(show_banner=False)

    asyncio.run(serve())
