"""The command that runs the service."""

from __future__ import annotations

from typing import Annotated

import typer

from graphpalace.serve.cli.context import context, setting_option


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(serve)


def serve(
    host: Annotated[str | None, setting_option("service", "host")] = None,
    port: Annotated[int | None, setting_option("service", "port", min=0, max=65535)] = None,
    start_neo4j: Annotated[
        bool, typer.Option("--start-neo4j", help="Start the managed Neo4j first if it is not running.")
    ] = False,
) -> None:
    """Serve the HTTP API under /v1, the web page and MCP. SIGTERM and Ctrl-C stop it after the running requests.

    The API is described at /docs. `graphpalace up` runs the same service in the background. Only one service can run
    for a data folder.
    """
    from graphpalace.serve.cli.server.service import run_service

    settings = context.settings()
    changed = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    run_service(
        settings.model_copy(update={"service": settings.service.model_copy(update=changed)}), start_neo4j=start_neo4j
    )
