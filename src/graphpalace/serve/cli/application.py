"""All commands, in the order of the help page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from graphpalace.serve.cli.command_group import Commands, Listed, importing
from graphpalace.serve.cli.context import context

# The summaries are the first sentences of the commands' own help; a test compares them.
_MODULES: Mapping[str, Mapping[str, str]] = {
    "database": {
        "up": "Start the managed Neo4j and the service in the background, and bring the schema up to date.",
        "down": "Stop the service and the managed Neo4j. Running requests are finished first. All data is kept.",
        "status": (
            "Show whether Neo4j answers, its schema version and the palaces. The exit code is 6 if Neo4j does not "
            "answer."
        ),
        "doctor": (
            "Find what is wrong with this installation, and suggest a fix. The exit code is 1 if there is a problem."
        ),
        "migrate": (
            "Bring the schema of the database up to date, and the indexed words of drawers of earlier versions."
        ),
    },
    "transfer": {
        "export": "Write everything in a palace into a folder of JSON Lines files, which `import` reads.",
        "import": (
            "Import an export into a palace, which is created if it is missing. What the palace already has is not "
            "changed."
        ),
    },
    "backup": {
        "backup": (
            "Write the whole database, as it is at one moment, into one file. Everybody can go on searching meanwhile."
        ),
        "restore": (
            "Restore a backup into an empty database. The service is stopped meanwhile, and Neo4j is started if "
            "necessary."
        ),
    },
    "compact": {
        "compact": "Remove forgotten texts from the files of the managed Neo4j. The service is stopped meanwhile.",
    },
    "ingest": {
        "ingest": "Store files and folders word for word. Files that did not change since the last ingest are skipped.",
    },
    "watch": {
        "watch": (
            "File the conversations of agents from their transcripts, and new turns as they come, until SIGTERM or "
            "Ctrl-C."
        ),
    },
    "search": {
        "search": "Search by words and by meaning. Each hit shows its path in the palace and which lanes found it.",
    },
    "wake_up": {
        "wake-up": (
            "Print a short text on what to know now: facts, what helped, what is important, open questions and what "
            "is new."
        ),
    },
    "drawers": {
        "add": "Store one text word for word. Use `ingest` for files and folders.",
        "list": "List the drawers of a palace, a wing or a room, in the order of their ids.",
        "show": "Show the whole text of a drawer, and its place. Opening a hit of the last answer counts as weak "
        "feedback.",
        "supersede": (
            "Mark a drawer as replaced by another one. Answers mark the old one as outdated and rank it below the new "
            "one."
        ),
        "forget": "Delete the drawers that match all given options. It first shows what would be deleted, and asks.",
    },
    "feedback": {
        "feedback": "Mark hits of an answer as useful or useless. Later searches learn from this feedback.",
        "learned": "Show what was learned, from how much feedback, and how much each part improves the answers.",
    },
    "facts": {
        "kg": "Add facts with their times, and ask for them.",
    },
    "walk": {
        "navigate": (
            "Find the cheapest path from one place to another, and the cost of each step. The palace does not change."
        ),
        "explore": (
            "Let a colony of agents walk through the palace, and show what it found and which rooms it visited least."
        ),
    },
    "simulate": {
        "simulate": "Let a swarm of agents search the embeddings of a palace or a folder, and show what it found.",
    },
    "palaces": {
        "palace": "List, create and drop palaces. One database can hold several.",
    },
    "reembed": {
        "reembed": (
            "Recompute the vectors of a palace with the configured model. Until all are ready, searches use the old "
            "ones."
        ),
    },
    "wings": {
        "wing": "List and drop wings, the parts of a palace. `ingest` creates them.",
        "room": "List the rooms of a palace.",
    },
    "names": {
        "names": "List, show, merge and split the names that texts mention, and read those of older palaces.",
    },
    "pheromones": {
        "pheromones": "Show where the palace is warm and where it is cold.",
    },
    "decay": {
        "decay": (
            "Make pheromones fade now, or show when they fade. The exit code is 4 if another service is running "
            "the decay."
        ),
        "decay-service": (
            "Run the decay of every palace whenever it is due, until SIGTERM or Ctrl-C. Several of these may run "
            "at once."
        ),
    },
    "serve": {
        "serve": (
            "Serve the HTTP API under /v1, the web page and MCP. SIGTERM and Ctrl-C stop it after the running requests."
        ),
    },
    "service": {
        "service": "Manage the service that runs in the background. `graphpalace up` starts it.",
    },
    "page": {
        "page": (
            "Open the web page of the service in a browser, without typing the key. The service is started if "
            "necessary."
        ),
    },
    "browser": {
        "browser": (
            "Write the saved queries and the styles for Neo4j Browser, and a perspective for Bloom, into a folder."
        ),
    },
    "keys": {
        "key": "Create, list and revoke keys for others, and show the key of the service.",
    },
    "mcp": {
        "mcp": "Serve MCP on standard input and output, for a client that starts this command.",
    },
    "install": {
        "install": (
            "Give an agent host a memory: add the MCP server and the hooks of GraphPalace to its configuration."
        ),
        "uninstall": (
            "Remove the MCP server and the hooks of GraphPalace from the configuration of an agent host. The palace "
            "stays."
        ),
    },
    "evaluate": {
        "eval": (
            "Measure how well each lane, plain RRF and the whole search answer test collections. Your palaces do not "
            "change."
        ),
    },
    "dataset": {
        "dataset": "Write data sets to try out and to measure the search.",
    },
}
COMMANDS = {
    name: Listed(f"graphpalace.serve.cli.commands.{module}", summary)
    for module, commands in _MODULES.items()
    for name, summary in commands.items()
}

app = Commands(help="A memory palace for people and agents, stored as a graph in Neo4j.", cls=importing(COMMANDS))


def _print_version(wanted: bool) -> None:  # typer's signature
    if wanted:
        from graphpalace.serve.cli.version import version_line

        print(version_line())
        raise typer.Exit


@app.callback()
def _options(
    config: Annotated[Path | None, typer.Option("--config", help="Settings file. Default: graphpalace.toml.")] = None,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print version and commit.", is_eager=True, callback=_print_version),
    ] = False,
) -> None:
    context.config = config
