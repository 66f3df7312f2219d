"""The command that rewrites the files of the managed Neo4j."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from graphpalace.domain.texts import counted
from graphpalace.serve.cli.context import AsJson, context
from graphpalace.serve.cli.output import err, out, print_json

if TYPE_CHECKING:
    from graphpalace.store.graph_copy import CopiedGraph


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(compact)


def compact(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False, as_json: AsJson = False
) -> None:
    """Remove forgotten texts from the files of the managed Neo4j. The service is stopped meanwhile.

    Neo4j keeps deleted texts in its files until it needs their space. This command copies everything that is left into
    new files, which then replace the old ones. If it is stopped before its end, nothing changes.
    """
    from graphpalace import app
    from graphpalace.client import service_file
    from graphpalace.client.ensure_service import START_S, alone
    from graphpalace.client.service_process import end, launch
    from graphpalace.managed_neo4j.state import Running

    settings, home = context.settings(), context.home()
    if not yes and not settings.neo4j.uri:
        typer.confirm("Stop the service and Neo4j, and rewrite the database?", abort=True, err=True)
    server = app.managed_server(settings)
    with alone(home):
        serves = service_file.running_or_none(home.folder) is not None and not settings.neo4j.uri
        runs = isinstance(server.status(), Running)
        if serves:
            end(home)
        try:
            with err.status("starting a second Neo4j", spinner="line") as shown:

                def progress(done: CopiedGraph) -> None:
                    shown.update(f"copied {done.nodes:,} nodes and {done.relationships:,} relationships")

                found = app.compact(settings, tell=partial(err.print, markup=False, highlight=False), progress=progress)
        finally:
            if serves:
                launch(home, timeout_s=START_S, for_all=True)
            elif runs:
                server.up()
    if as_json:
        print_json(found)
        return
    size = f"{found.bytes_before >> 20:,} MiB before, {found.bytes_after >> 20:,} MiB now"
    out.print(f"rewrote {counted(found.nodes, 'node')}: {size}", highlight=False)
