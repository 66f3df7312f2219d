"""A Neo4j for the length of one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from graphpalace.app import managed_server
from graphpalace.managed_neo4j.state import Running
from graphpalace.serve.cli import show
from graphpalace.serve.cli.output import err
from graphpalace.settings.load import Settings


@contextmanager
def running_neo4j(settings: Settings) -> Iterator[None]:
    """Start the managed Neo4j if it is not running, and stop it afterwards if this started it."""
    server = managed_server(settings)
    if settings.neo4j.uri or isinstance(server.status(), Running):
        yield
        return
    with show.download_progress(err) as progress:
        running = server.up(progress=progress, tell=partial(err.print, markup=False, highlight=False))
    try:
        yield
    finally:
        if not running.already_running:
            server.down()
