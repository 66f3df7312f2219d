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
        "down": (
            "Stop the service, which finishes the requests under way first, and the managed Neo4j. All data is kept."
        ),
        "status": (
            "Show whether Neo4j answers, its schema and the palaces. The exit code is 6 if Neo4j does not answer."
        ),
        "doctor": "Check everything that GraphPalace needs, and suggest a fix for each problem.",
        "migrate": (
            "Bring the schema of the database up to date, and the words by which earlier versions let drawers be found."
        ),
    },
    "transfer": {
        "export": "Write everything that a palace has into a folder of JSON lines, which `import` reads.",
        "import": (
            "Bring an export into a palace, which is created if it is missing. What is there already stays as it is."
        ),
    },
    "compact": {
        "compact": (
            "Let what was forgotten vanish from the files of the managed Neo4j. The service is stopped meanwhile."
        ),
    },
    "ingest": {
        "ingest": "Store files and folders word for word. Files that did not change since the last ingest are skipped.",
    },
    "watch": {
        "watch": (
            "File the conversations of agents from their transcripts, now and as they go on, until SIGTERM or Ctrl-C."
        ),
    },
    "search": {
        "search": "Search by words and by meaning. Each hit shows its path in the palace and which lanes found it.",
    },
    "wake_up": {
        "wake-up": (
            "Say what to know now, in few bytes: facts, what helped, what is important, open questions and what is new."
        ),
    },
    "drawers": {
        "add": "Store one text word for word. Use `ingest` for files and folders.",
        "show": "Show a drawer whole, with its place. Opening a hit of the last answer counts as weak feedback.",
        "supersede": (
            "Say which drawer takes the place of another. Answers mark the old one and rank it below the new one."
        ),
        "forget": "Forget what meets everything that is given. It shows what would go, and asks first.",
    },
    "feedback": {
        "feedback": "Mark hits of an answer as useful or useless. Later searches learn from this feedback.",
        "learned": "Show what was learned, from how much feedback, and how much each part improves the answers.",
    },
    "facts": {
        "kg": "State facts with their times, and ask for them.",
    },
    "walk": {
        "navigate": "Find the cheapest path from one place to another, and show what each step costs.",
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
            "Compute the vectors of a palace anew with the configured model. Until all are there, the old ones answer."
        ),
    },
    "wings": {
        "wing": "List and drop wings, the parts of a palace. `ingest` creates them.",
        "room": "List the rooms of a palace.",
    },
    "names": {
        "names": ("List, show, merge and split the names that texts mention, and read those of older palaces."),
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
        "service": "Look after the service that runs in the background. `graphpalace up` starts it.",
    },
    "page": {
        "page": (
            "Open the page of the service in a browser, without typing the key. The service is started if necessary."
        ),
    },
    "keys": {
        "key": "Make, list and revoke keys for others, and show the key of the service.",
    },
    "mcp": {
        "mcp": "Serve MCP on standard input and output, for a client that starts this command.",
    },
    "install": {
        "install": (
            "Give a host of agents a memory: its configuration gets the MCP server and the hooks of GraphPalace."
        ),
        "uninstall": (
            "Take the MCP server and the hooks of GraphPalace out of a host's configuration. The palace keeps what it "
            "has."
        ),
    },
    "evaluate": {
        "eval": (
            "Measure how well each lane, plain RRF and the whole search answer test collections. Palaces are not "
            "changed."
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
        from graphpalace import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    config: Annotated[Path | None, typer.Option("--config", help="Settings file. Default: graphpalace.toml.")] = None,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    context.config = config
